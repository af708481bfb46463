// This file implements what Ctrl-C does.
#include "interrupt.hpp"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "command.hpp"

namespace imago::command {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void end(int) {
  constexpr std::string_view kText = "imago: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(kFailed);
}

void remember(int signal) {
  interrupted = true;
  std::signal(signal, end);
}

void set_all(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
  // Under nohup a terminal that goes away is nothing to end for.
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  set_all(remember);
  return interrupted;
}

void fail_on_interrupts() { set_all(end); }

}  // namespace imago::command
