// This file repeats sides, and knows the symmetry of half spectra.
#include "catalogue/host_memory.hpp"

#include <algorithm>

#include "base/integers.hpp"

namespace imago::catalogue {

Repeated repeated_side(const Case& problem, bool source, std::uint64_t pooled) {
  const Side side = side_of(problem, source);
  if (problem.real() && problem.placement == Placement::in_place) return {side};
  const std::uint64_t elements = side_of(problem, false).size() * problem.batch;
  return {side, base::ceil_divide(pooled, elements), kGuard};
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> conjugates(const Case& problem) {
  const auto kinds = problem.kinds();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  if (std::count(kinds.begin(), kinds.end(), Kind::complex) == 0) return pairs;
  const auto& lengths = problem.lengths;
  const std::uint64_t n = lengths.back(), row = n / 2 + 1;
  std::uint64_t rows = 1;
  for (std::size_t d = 0; d + 1 < lengths.size(); ++d) rows *= lengths[d];
  for (std::uint64_t at = 0; at < rows; ++at) {
    // The row with the opposite frequency along every complex axis.
    std::uint64_t opposite = 0, left = at, stride = 1;
    for (std::size_t d = lengths.size() - 1; d-- > 0;) {
      const std::uint64_t k = left % lengths[d];
      left /= lengths[d];
      opposite += stride * (kinds[d] == Kind::complex ? (lengths[d] - k) % lengths[d] : k);
      stride *= lengths[d];
    }
    if (at > opposite) continue;
    pairs.emplace_back(at * row, opposite * row);
    if (n % 2 == 0) pairs.emplace_back(at * row + row - 1, opposite * row + row - 1);
  }
  return pairs;
}

}  // namespace imago::catalogue
