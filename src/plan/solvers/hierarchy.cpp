// This file is the hierarchical algorithm: n = n1 * n2 (* n3), a kernel for each factor that
// transforms tiles of neighbouring columns, with the twiddles and the transpositions between them
// fused (Govindaraju et al., IV.C and fig. 5).
#include <algorithm>
#include <cmath>

#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

/// Longest transform of one of its kernels: a tile of columns must fit where a single transform
/// did.
std::uint64_t longest_part(Mapping mapping, Precision precision, const device::Facts& facts) {
  const std::uint64_t single = lines::largest_single(mapping, precision, facts);
  // A CPU has the translations of some 2048 pages at hand, and longer columns have a page per
  // point.
  return mapping == Mapping::vector ? std::min<std::uint64_t>(single / 4, 2048)
                                    : std::max<std::uint64_t>(single / 8, 64);
}

double log_distance(std::uint64_t part, double target) {
  return std::abs(std::log(static_cast<double>(part) / target));
}

/// The divisor of n nearest to `target` on a logarithmic scale, at most `most`; the rest must be
/// reachable with `parts` further factors. Columns that do not fill a tile of 16 count as distance.
std::uint64_t nearest_divisor(std::uint64_t n, double target, std::uint64_t most,
                              double rest_most) {
  std::uint64_t best = 0;
  double least = 0;
  for (std::uint64_t d = 2; d <= most; ++d) {
    if (n % d != 0 || static_cast<double>(n / d) > rest_most) continue;
    const double ragged = (d % 16 != 0 ? 0.35 : 0) + (n / d % 16 != 0 ? 0.35 : 0);
    const double distance = log_distance(d, target) + ragged;
    if (best == 0 || distance < least + 1e-9)
      best = d, least = distance;  // of two equals, the larger
  }
  return best;
}

/// What the first ones of three or more kernels should take; the others share the rest evenly.
std::vector<double> wished_parts(double n, unsigned parts, double most, Mapping mapping) {
  if (parts < 3) return {};
  // A CPU's prefetchers follow 32 pages (model/coalescing.cpp): the first takes so many points,
  // which also puts the second one's results on few pages, unless the rest would be too long.
  if (mapping == Mapping::vector) return {std::max(32.0, n / std::pow(most / 2, parts - 1))};
  // A GPU's first two best take 512 points (radices 32 and 16) where there are as many.
  if (parts == 3 && std::cbrt(n) > 300 && most >= 512) return {512, 512};
  return {};
}

std::vector<std::uint64_t> split(std::uint64_t n, unsigned parts, std::uint64_t most,
                                 Mapping mapping) {
  const auto longest = static_cast<double>(most);
  const auto wished = wished_parts(static_cast<double>(n), parts, longest, mapping);
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
  const std::uint64_t most = longest_part(mapping, request.precision, facts);
  if (mapping == Mapping::work_group && request.length <= 2 * most * most) {
    auto result =
        split(request.length, 2, 2 * most, mapping);  // one long part still beats a third kernel
    // A last kernel of 1024 points takes half a tile, as one of 2048 does: then it may as well be
    // first.
    if (result.size() == 2 && result[0] > 1024 && result[1] == 1024)
      std::swap(result[0], result[1]);
    if (!result.empty()) return result;
  }
  for (const unsigned parts : {2u, 3u, 4u}) {
    auto result = split(request.length, parts, most, mapping);
    if (!result.empty()) return result;
  }
  return {};
}

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  if (request.axes.size() > 1 || (request.joins_points() && mapping == Mapping::vector))
    return false;
  return kernel::has_radices(request.length) && !lengths(request, mapping, facts).empty();
}

}  // namespace

const Solver kHierarchy{Algorithm::hierarchy, "hierarchy", applicable, lengths};

}  // namespace imago::plan
