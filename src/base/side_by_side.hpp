// This file runs pieces of work in parallel, in threads that end with the work.
#pragma once

#include <cstddef>
#include <functional>

namespace imago::base {

// Maximum number of threads that compile. More gain little, because compilers share locks and
// memory bandwidth, and a library must not occupy a machine of a hundred cores.
inline constexpr std::size_t kMostBuilders = 8;

/// Returns the number of threads, the caller's included, that side_by_side() uses for `pieces`
/// pieces on `cores` cores (0: unknown).
std::size_t builders(std::size_t pieces, std::size_t cores);

/// Calls work(i) for every i below `count`, starting in this order, and returns when all have
/// ended. After an exception it starts no more. It then throws the exception of the smallest i that
/// failed, even if another failed earlier.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace imago::base
