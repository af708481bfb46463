// This file does pieces of work side by side, in threads that live no longer than the work.
#pragma once

#include <cstddef>
#include <functional>

namespace imago::base {

// Compilers share locks and the bandwidth of memory, so more of them gain little, and a library
// must not take a machine of a hundred cores for itself.
inline constexpr std::size_t kMostBuilders = 8;

/// Threads, the caller's included, that side_by_side() has for so many pieces on so many cores (0:
/// unknown).
std::size_t builders(std::size_t pieces, std::size_t cores);

/// Calls work(i) for every i below `count`, begun in this order, and returns when all have ended.
/// Once one has thrown none is begun; the exception that leaves is that of the smallest i that
/// threw, whichever was the first in time.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace imago::base
