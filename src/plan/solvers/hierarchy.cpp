// This file implements the four-step algorithm: n = n1 * n2 (* n3), with a kernel for each factor.
// A kernel transforms tiles of adjacent columns; the twiddles and the transpositions between
// kernels are fused into it (Govindaraju et al., IV.C and fig. 5).
#include <algorithm>
#include <cmath>

#include "lines/largest.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

double log_distance(std::uint64_t part, double target) {
  return std::abs(std::log(static_cast<double>(part) / target));
}

/// Returns the divisor of n nearest to `target` on a logarithmic scale, at most `most`. The rest
/// must be at most `rest_most`. Columns that do not fill a tile of 16 add to the distance.
std::uint64_t nearest_divisor(std::uint64_t n, double target, std::uint64_t most,
                              double rest_most) {
  std::uint64_t best = 0;
  double least = 0;
  for (std::uint64_t d = 2; d <= most; ++d) {
    if (n % d != 0 || static_cast<double>(n / d) > rest_most) continue;
    const double ragged = (d % 16 != 0 ? 0.35 : 0) + (n / d % 16 != 0 ? 0.35 : 0);
    const double distance = log_distance(d, target) + ragged;
    if (best == 0 || distance < least + 1e-9)
      best = d, least = distance;  // the larger of two equal ones
  }
  return best;
}

std::vector<std::uint64_t> split(std::uint64_t n, unsigned parts, std::uint64_t most,
                                 const MappingRules& rules) {
  const auto longest = static_cast<double>(most);
  const auto wished = rules.first_parts(static_cast<double>(n), parts, longest);
  std::vector<std::uint64_t> result;
  for (unsigned left = parts; left > 1; --left) {
    const std::size_t i = result.size();
    const double target =
        i < wished.size() ? wished[i] : std::pow(static_cast<double>(n), 1.0 / left);
    const std::uint64_t part = nearest_divisor(n, target, most, std::pow(longest, left - 1));
    if (part == 0) return {};
    result.push_back(part);
    n /= part;
  }
  if (n > most || n < 2) return {};
  result.push_back(n);
  return result;
}

std::vector<std::uint64_t> lengths(const lines::Request& request, Mapping mapping,
                                   const device::Facts& facts) {
  const MappingRules& rules = rules_of(mapping);
  const std::uint64_t most =
      rules.longest_part(lines::largest_single(mapping, request.precision, facts));
  if (rules.twice_as_long_in_pairs && request.length <= 2 * most * most) {
    auto result = split(request.length, 2, 2 * most, rules);
    // A last kernel of 1024 points has half a tile, like one of 2048 points. As the first kernel
    // it has a whole tile.
    if (result.size() == 2 && result[0] > 1024 && result[1] == 1024)
      std::swap(result[0], result[1]);
    if (!result.empty()) return result;
  }
  for (const unsigned parts : {2u, 3u, 4u}) {
    auto result = split(request.length, parts, most, rules);
    if (!result.empty()) return result;
  }
  return {};
}

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  return request.can_be_split(mapping) && suits_passes(request, mapping, facts) &&
         !lengths(request, mapping, facts).empty();
}

}  // namespace

const Solver kHierarchy{Algorithm::hierarchy, "hierarchy", applicable, lengths};

}  // namespace imago::plan
