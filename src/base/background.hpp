// This file runs work in the background, one piece after the other, in one thread of low priority.
#pragma once

#include <functional>

namespace imago::base {

/// Runs `work` later, in a thread that ends when there is no work left. The work must not throw. At
/// the program's exit, work that has not begun is dropped, and the piece that runs is awaited,
/// because drivers do not survive a compilation during their own clean-up. A forked process has
/// none of its parent's work. Returns false at the program's exit, when nothing will run.
bool in_background(std::function<void()> work);

}  // namespace imago::base
