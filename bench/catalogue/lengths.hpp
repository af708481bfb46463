// This file draws lengths of transforms, spread evenly over the octaves from `low` to `high`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "catalogue/random.hpp"

namespace imago::catalogue {

/// Returns smooth lengths.
std::vector<std::uint64_t> sample(std::uint64_t low, std::uint64_t high, std::size_t count,
                                  Random& random);

/// Returns primes, and products of two or three primes above 13; twice as many, ascending.
std::vector<std::uint64_t> rough_lengths(std::uint64_t low, std::uint64_t high, std::size_t count,
                                         Random& random);

}  // namespace imago::catalogue
