// This file runs work in the background, one piece after the other, in one thread of low priority.
#pragma once

#include <functional>

namespace imago::base {

/// Runs `work` later, in a thread that ends when there is no work left. The work must not throw. At
/// the program's exit, work that has not begun is dropped, and builds of the piece that runs stop
/// (as by a BuildWatch) before their next kernel. The exit waits for the kernel that the driver
/// compiles, because drivers do not survive a compilation during their own clean-up. A forked
/// process has none of its parent's work.
///
/// Returns false if the work will not run: at the program's exit, and if the system refuses the
/// thread (the log has the reason).
bool in_background(std::function<void()> work);

}  // namespace imago::base
