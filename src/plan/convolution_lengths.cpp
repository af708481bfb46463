// This file lists the possible lengths of convolutions.
#include "plan/convolution_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/integers.hpp"

namespace imago::plan {
namespace {

/// Returns the cost of a transform, operations and memory accesses, in relative units. Odd factors
/// cost a butterfly more per bit than factors of two; lengths that are not multiples of 16 leave
/// lanes idle.
double work(std::uint64_t length) {
  constexpr double kMemory = 6, kRagged = 1.15;
  double each = kMemory;
  for (const std::uint64_t p : base::prime_factors(length))
    each += p == 2 ? 1 : 1.2 * std::log2(static_cast<double>(p)) + 0.1 * static_cast<double>(p);
  return static_cast<double>(length) * each * (length % 16 == 0 ? 1 : kRagged);
}

}  // namespace

std::vector<std::uint64_t> convolution_lengths(std::uint64_t least) {
  const std::uint64_t limit = 2 * std::max<std::uint64_t>(1, least);
  std::vector<std::uint64_t> found{1};
  for (const std::uint64_t prime : {2, 3, 5, 7, 11, 13}) {
    for (std::size_t i = 0; i < found.size(); ++i) {  // the list grows: powers of the prime follow
      if (found[i] <= (limit - 1) / prime) found.push_back(found[i] * prime);
    }
  }
  std::vector<std::pair<double, std::uint64_t>> ranked;
  for (const std::uint64_t n : found) {
    if (n >= least) ranked.emplace_back(work(n), n);
  }
  std::sort(ranked.begin(), ranked.end());
  found.clear();
  for (const auto& [_, n] : ranked) found.push_back(n);
  return found;
}

}  // namespace imago::plan
