// This file turns Ctrl-C and the like into a flag, for work that ends in its own time, or into an
// exit status.
#pragma once

#include <atomic>

namespace imago::command {

/// True after the first SIGINT, SIGTERM or SIGHUP from now on; the second one ends the process.
const std::atomic<bool>& watch_interrupts();

/// Until then those signals end the process as a failure, with one line on standard error.
void fail_on_interrupts();

}  // namespace imago::command
