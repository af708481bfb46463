// This file sorts indices by their bytes.
#include "sparse/ascending.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace imago::sparse {

std::vector<std::uint32_t> ascending(std::span<const std::uint64_t> keys) {
  std::vector<std::uint32_t> order(keys.size()), next(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::uint64_t bits = 0;
  for (const auto key : keys) bits |= key;
  const auto width = static_cast<int>(std::bit_width(bits));
  for (int shift = 0; shift < width; shift += 8) {
    const auto digit = [&](std::uint32_t i) { return keys[i] >> shift & 0xff; };
    std::array<std::uint32_t, 257> starts = {};
    for (const auto i : order) ++starts[digit(i) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (const auto i : order) next[starts[digit(i)]++] = i;
    std::swap(order, next);
  }
  return order;
}

}  // namespace imago::sparse
