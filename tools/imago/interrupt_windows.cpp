// This file handles Ctrl-C and the closing of the console, for which Windows starts a thread.
#include <cstdlib>
#include <string_view>

#include "base/windows.hpp"
#include "command.hpp"
#include "interrupt.hpp"

namespace imago::command {
namespace {

constexpr int kInterruptedStatus = 130;  ///< exit status of a shell's interrupted program

std::atomic<bool> watched{false}, interrupted{false};

[[noreturn]] void end() {
  constexpr std::string_view kText = "imago: interrupted\n";
  DWORD written = 0;
  ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), kText.data(), static_cast<DWORD>(kText.size()),
              &written, nullptr);
  ::TerminateProcess(::GetCurrentProcess(), kInterruptedStatus);
  std::abort();  // not reached
}

BOOL WINAPI handle(DWORD) {
  if (!watched || interrupted.exchange(true)) end();
  return TRUE;
}

}  // namespace

void end_on_interrupts() { ::SetConsoleCtrlHandler(handle, TRUE); }

const std::atomic<bool>& watch_interrupts() {
  watched = true;
  return interrupted;
}

int died_of_interrupt(int status) {
  return interrupted && status != kSuccess ? kInterruptedStatus : status;
}

void release_interrupts() { ::SetConsoleCtrlHandler(handle, FALSE); }

}  // namespace imago::command
