// This file turns Ctrl-C and the like into a flag, for work that ends in its own time, or ends the
// process by them.
#pragma once

#include <atomic>

namespace imago::command {

/// From now on SIGINT, SIGTERM and SIGHUP end the process, after one line on standard error. A
/// thread waits for them; all threads and programs that are started later have them blocked, so
/// that neither a driver's handlers nor its linker see them. Called once, before there are other
/// threads.
void end_on_interrupts();

/// True after the first of these signals from now on; the second one ends the process.
const std::atomic<bool>& watch_interrupts();

/// Returns the exit status that it is given. If that is a failure and a signal was watched, the
/// process dies of that signal at its very end, after everything was cleaned up: so a shell knows
/// to end its loop.
int died_of_interrupt(int status);

/// Gives the signals back to a program that takes the place of this one.
void release_interrupts();

}  // namespace imago::command
