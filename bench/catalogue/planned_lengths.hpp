// This file lists the lengths that the planner divides into radices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace imago::catalogue {

/// Returns all lengths up to `limit` with prime factors up to 13, ascending.
inline std::vector<std::uint64_t> planned_lengths(std::uint64_t limit) {
  std::vector<std::uint64_t> lengths{1};
  for (const std::uint64_t prime : {2, 3, 5, 7, 11, 13}) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {  // grows: powers of the prime follow
      if (lengths[i] <= limit / prime) lengths.push_back(lengths[i] * prime);
    }
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace imago::catalogue
