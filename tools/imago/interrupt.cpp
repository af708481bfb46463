// This file implements the flag behind Ctrl-C.
#include "interrupt.hpp"

#include <csignal>

namespace imago::command {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void handle(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, handle);
  std::signal(SIGTERM, handle);
  return interrupted;
}

}  // namespace imago::command
