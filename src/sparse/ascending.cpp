// This file sorts tones by the digits of their frequencies, of up to 2048 values each.
#include "sparse/ascending.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace imago::sparse {
namespace {

constexpr int kMostBits = 11;  // bits of a digit; the counters fit into the first-level cache

struct Entry {
  std::uint64_t frequency;
  std::uint32_t index;
};

}  // namespace

std::vector<std::uint32_t> ascending(std::span<const Tone> tones) {
  std::uint64_t all = 0;
  for (const Tone& tone : tones) all |= tone.frequency;
  const int width = std::bit_width(all), digits = (width + kMostBits - 1) / kMostBits;
  const int bits = digits == 0 ? 1 : (width + digits - 1) / digits;
  const std::size_t values = std::size_t{1} << bits;
  const auto digit = [&](std::uint64_t frequency, int d) {
    return frequency >> d * bits & (values - 1);
  };
  std::vector<Entry> entries(tones.size()), next(tones.size());
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(digits) * values);
  for (std::size_t i = 0; i < tones.size(); ++i) {
    entries[i] = {tones[i].frequency, static_cast<std::uint32_t>(i)};
    for (int d = 0; d < digits; ++d) ++counts[d * values + digit(tones[i].frequency, d)];
  }
  for (int d = 0; d < digits; ++d) {
    std::uint32_t* starts = &counts[d * values];
    std::exclusive_scan(starts, starts + values, starts, 0u);
    for (const Entry& entry : entries) next[starts[digit(entry.frequency, d)]++] = entry;
    std::swap(entries, next);
  }
  std::vector<std::uint32_t> order(tones.size());
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const Entry& entry) { return entry.index; });
  return order;
}

}  // namespace imago::sparse
