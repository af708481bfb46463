// This file fuses pairs of passes in the vector mapping.
#include "plan/vector/joins.hpp"

#include <algorithm>
#include <array>

#include "base/integers.hpp"
#include "base/precision.hpp"

namespace imago::plan {
namespace {

/// The most bytes of two private arrays in a first-level cache of 48 KiB, which also holds data
/// that streams through it.
constexpr std::uint64_t kMostScratch = 40 << 10;
/// A block of 32 KiB (256 vectors of 16) would leave no space for tables in a first-level cache.
constexpr std::uint64_t kMostBlock = 16 << 10;
constexpr unsigned kLargestRadix = 16;  // larger radices have more points than registers

std::uint64_t block_bytes(unsigned first, unsigned second, unsigned lanes, Precision precision) {
  return std::uint64_t{first} * second * lanes * 2 * base::bytes_of(base::arithmetic_of(precision));
}

/// Returns true for the lengths and the precision that became faster on two cores
/// (docs/measured/cpu.md). Other lengths, which have more radices to choose from, and f64, whose
/// vectors have half as many lanes, did not.
bool pays(std::uint64_t length, Precision precision) {
  return precision != Precision::f64 && base::is_power_of_two(length) &&
         2 * length * 2 * base::bytes_of(base::arithmetic_of(precision)) > kMostScratch;
}

/// Returns the two factors of n that are nearest to each other, the larger first; {0, 0} if there
/// are none.
std::array<unsigned, 2> pair_of(std::uint64_t n) {
  std::array<unsigned, 2> best{0, 0};
  for (unsigned small = 2; small <= kLargestRadix; ++small) {
    const std::uint64_t large = n / small;
    if (n % small == 0 && large >= small && large <= kLargestRadix)
      best = {static_cast<unsigned>(large), small};
  }
  return best;
}

}  // namespace

std::vector<unsigned> radices_to_join(std::uint64_t length, unsigned lanes, Precision precision) {
  if (!pays(length, precision)) return {};
  constexpr std::uint64_t kMostPair = std::uint64_t{kLargestRadix} * kLargestRadix;
  std::vector<unsigned> best;
  std::uint64_t least = 0;
  for (std::uint64_t n1 = lanes; n1 <= kMostPair; ++n1) {
    if (length % n1 != 0 || length / n1 < lanes || length / n1 > kMostPair) continue;
    const auto one = pair_of(n1), two = pair_of(length / n1);
    if (one[0] == 0 || two[0] == 0) continue;
    const std::uint64_t larger = std::max(block_bytes(one[0], one[1], lanes, precision),
                                          block_bytes(two[0], two[1], lanes, precision));
    // Prefers, among equal candidates, the one whose first block is larger.
    if (larger > kMostBlock || (!best.empty() && larger > least)) continue;
    best = {one[0], one[1], two[0], two[1]}, least = larger;
  }
  return best;
}

void join_passes(kernel::Step& step) {
  auto& passes = step.passes;
  if (step.tile > 1 || passes.size() != 4 || step.convolution.is_any() ||
      !pays(step.length, step.precision))
    return;
  const bool one_axis = std::all_of(passes.begin(), passes.end(),
                                    [](const kernel::Pass& pass) { return pass.outer == 1; }) &&
                        passes[3].left == 1;
  const unsigned width = passes[0].width;
  const auto fits = [&](std::size_t i) {
    return block_bytes(passes[i].radix, passes[i + 1].radix, width, step.precision) <= kMostBlock;
  };
  if (!one_axis || width < 2 || passes[1].width != width || passes[3].width != width ||
      std::uint64_t{passes[2].radix} * passes[3].radix < width || !fits(0) || !fits(2))
    return;
  passes[0].joined = passes[2].joined = true;
  passes[2].lane = kernel::Lane::k, passes[2].width = width;
}

}  // namespace imago::plan
