// This file waits for Ctrl-C in a thread.
#include "interrupt.hpp"

#include <cstdlib>
#include <string_view>
#include <thread>

#include <signal.h>
#include <unistd.h>

#include "base/held_signals.hpp"
#include "base/started.hpp"
#include "command.hpp"

namespace imago::command {
namespace {

std::atomic<bool> watched{false}, interrupted{false};
std::atomic<int> received{0};  ///< the first signal
std::atomic<bool> fatal{false};
sigset_t before;  ///< signal mask at the start of the process

/// Dies of the signal by its default handler; exits if that does not work, as in a container's
/// first process.
[[noreturn]] void die(int number) {
  ::signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(number);
  ::_exit(128 + number);
}

[[noreturn]] void end(int number) {
  constexpr std::string_view kText = "imago: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  die(number);
}

/// True if SIGHUP is ignored, as under nohup.
bool hangs_up_for_nothing() {
  struct sigaction present = {};
  return sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

[[noreturn]] void wait_for(sigset_t set) {
  for (;;) {
    int number = 0;
    if (sigwait(&set, &number) != 0) continue;
    if (!watched || interrupted) end(number);
    received = number;
    interrupted = true;
  }
}

void die_at_last() {
  if (fatal) die(received);
}

}  // namespace

void end_on_interrupts() {
  sigset_t set = base::HeldSignals::signals();
  if (hangs_up_for_nothing()) sigdelset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  std::atexit(die_at_last);  // registered first, so that it runs last
  std::thread thread = base::started([set] { wait_for(set); });
  // Without a thread, the default handlers work.
  thread.joinable() ? thread.detach() : release_interrupts();
}

const std::atomic<bool>& watch_interrupts() {
  watched = true;
  return interrupted;
}

int died_of_interrupt(int status) {
  fatal = interrupted && status != kSuccess;
  return status;
}

void release_interrupts() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

}  // namespace imago::command
