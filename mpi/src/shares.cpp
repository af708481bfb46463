// This file implements shares.
#include "shares.hpp"

#include <algorithm>

#include "errors.hpp"

namespace imago::mpi {

Span share(std::size_t n, std::size_t parts, std::size_t part) {
  const std::size_t least = n / parts, larger = n % parts;
  return {part * least + std::min(part, larger), least + (part < larger ? 1 : 0)};
}

Box whole(const Lengths& lengths) {
  Box box;
  for (const std::size_t length : lengths) box.push_back({0, length});
  return box;
}

std::size_t elements(const Box& box) {
  std::size_t count = 1;
  for (const Span& span : box) count *= span.count;
  return count;
}

Place place(const Axes& order, const Box& container, const Box& part) {
  Place found{std::vector<std::size_t>(order.size()), 0};
  std::size_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t axis = order[i];
    found.strides[axis] = stride;
    found.offset += (part[axis].begin - container[axis].begin) * stride;
    stride *= container[axis].count;
  }
  return found;
}

std::size_t Grid::coordinate(std::size_t rank, std::size_t side) const {
  if (side == kWhole) return 0;
  return side == 0 ? rank / sides[1] : rank % sides[1];
}

Box box_of(const Lengths& lengths, const Distribution& distribution, const Grid& grid,
           std::size_t rank) {
  Box box = whole(lengths);
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const std::size_t side = distribution[axis];
    if (side != kWhole)
      box[axis] = share(lengths[axis], grid.sides[side], grid.coordinate(rank, side));
  }
  return box;
}

Grid grid_of(std::size_t ranks, const std::array<std::size_t, 2>& wish) {
  const auto fits = [ranks](std::size_t side) { return side != 0 && ranks % side == 0; };
  Grid grid{wish};
  if (wish[0] == 0 && wish[1] == 0) grid.sides = nearest_factors(ranks);
  if (wish[0] == 0 && fits(wish[1])) grid.sides[0] = ranks / wish[1];
  if (wish[1] == 0 && fits(wish[0])) grid.sides[1] = ranks / wish[0];
  if (grid.size() != ranks)
    invalid("grid", std::to_string(wish[0]) + " x " + std::to_string(wish[1]),
            "its product must be the number of ranks, " + std::to_string(ranks));
  return grid;
}

std::array<std::size_t, 2> nearest_factors(std::size_t n) {
  std::size_t found = 1;
  for (std::size_t factor = 1; factor <= n / factor; ++factor)
    if (n % factor == 0) found = factor;
  return {found, n / found};
}

}  // namespace imago::mpi
