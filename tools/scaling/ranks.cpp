// This file implements predictions for transforms that are spread over ranks.
#include "scaling/ranks.hpp"

#include <algorithm>
#include <cmath>

namespace imago::scaling {
namespace {

using Grid = std::array<std::size_t, 2>;

double share(std::size_t length, std::size_t ranks) {
  return static_cast<double>((length + ranks - 1) / ranks) / static_cast<double>(length);
}

/// Returns the lengths of the exchanged array; for real data, those of the half spectrum.
std::vector<std::size_t> exchanged(const SpreadArray& array) {
  std::vector<std::size_t> lengths = array.lengths;
  if (array.real) lengths.back() = lengths.back() / 2 + 1;
  return lengths;
}

/// True if the grid fits. Before the first exchange the ranks share the first two dimensions, after
/// the last one the other two.
bool fits(const std::vector<std::size_t>& lengths, const Grid& grid) {
  return grid[0] <= std::min(lengths[0], lengths[1]) && grid[1] <= std::min(lengths[1], lengths[2]);
}

/// Returns the grid that is nearest to a square among those that fit; of equal ones, that with the
/// smaller part.
std::optional<Grid> pencils(const std::vector<std::size_t>& lengths, std::size_t ranks) {
  if (lengths.size() < 3) return {};
  const auto part = [&](const Grid& grid) {
    return share(lengths[0], grid[0]) * share(lengths[1], grid[1]);
  };
  for (auto small = static_cast<std::size_t>(std::sqrt(ranks)) + 1; small > 0; --small) {
    if (ranks % small != 0) continue;
    const Grid wide{small, ranks / small}, high{ranks / small, small};
    if (!fits(lengths, wide) && !fits(lengths, high)) continue;
    const bool takes_high =
        !fits(lengths, wide) || (fits(lengths, high) && part(high) <= part(wide));
    return takes_high ? high : wide;
  }
  return {};
}

std::optional<Grid> grid_of(const std::vector<std::size_t>& lengths, std::size_t ranks,
                            Decomposition decomposition) {
  if (decomposition == Decomposition::pencils) return pencils(lengths, ranks);
  if (ranks > std::min(lengths[0], lengths[1])) return {};
  return Grid{ranks, 1};
}

/// Returns the seconds of an exchange along one dimension of the grid, in which each rank sends
/// every other one a share of its part.
double exchange(double part, std::size_t ranks, const RankRates& rates) {
  const auto n = static_cast<double>(ranks);
  return part * (1 - 1 / n) / rates.network + (n - 1) * rates.message;
}

}  // namespace

double RankCost::overlapped() const { return std::max({memory, link, network}); }

std::optional<RankCost> predict(const SpreadArray& array, std::size_t ranks,
                                Decomposition decomposition, Residence residence,
                                const RankRates& rates) {
  const std::vector<std::size_t> lengths = exchanged(array);
  const auto grid = grid_of(lengths, ranks, decomposition);
  if (!grid) return {};
  RankCost cost;
  cost.grid = *grid;
  cost.part_bytes = static_cast<double>(array.element_bytes);
  for (const std::size_t n : lengths) cost.part_bytes *= static_cast<double>(n);
  cost.part_bytes *= share(lengths[0], (*grid)[0]) * share(lengths[1], (*grid)[1]);
  const double part = cost.part_bytes;

  // Each dimension is read and written once.
  cost.memory = 2 * static_cast<double>(lengths.size()) * part / rates.memory;
  const double exchanges = decomposition == Decomposition::pencils ? 2 : 1;
  if (residence == Residence::shared) {
    const double both = rates.link_both > 0 ? rates.link_both : rates.link;
    cost.link = both > 0 ? (exchanges + 1) * part / both : 0;
    return cost;
  }
  if (rates.link > 0) {
    // With data in host memory, the part is copied to the device and back for each local transform,
    // one more than the exchanges. Otherwise it is copied for each exchange.
    const double turns = residence == Residence::host ? exchanges + 1 : exchanges;
    cost.link = 2 * turns * part / rates.link;
  }
  cost.network = exchange(part, (*grid)[0], rates);
  if (decomposition == Decomposition::pencils) cost.network += exchange(part, (*grid)[1], rates);
  return cost;
}

}  // namespace imago::scaling
