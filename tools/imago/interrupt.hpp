// This file handles Ctrl-C and similar signals. They set a flag for work that ends by itself, or
// end the process.
#pragma once

#include <atomic>

namespace imago::command {

/// Makes SIGINT, SIGTERM and SIGHUP end the process, after one line on standard error. A thread
/// waits for the signals. All threads and programs that are started later have them blocked, so
/// that neither a driver's handlers nor its linker receive them. Call this once, before other
/// threads start.
void end_on_interrupts();

/// Returns a flag that becomes true at the first of these signals from now on; the second one ends
/// the process.
const std::atomic<bool>& watch_interrupts();

/// Returns its argument, the exit status. If the status is a failure and a watched signal arrived,
/// the process dies of that signal. This happens at its very end, after all clean-up, and lets a
/// shell end its loop.
int died_of_interrupt(int status);

/// Restores the signals for a program that replaces this one.
void release_interrupts();

}  // namespace imago::command
