// This file turns Ctrl-C into a flag, so that what was finished stays usable.
#pragma once

#include <atomic>

namespace imago::command {

/// From now on the first SIGINT or SIGTERM only sets the flag; a second one ends the process.
const std::atomic<bool>& watch_interrupts();

}  // namespace imago::command
