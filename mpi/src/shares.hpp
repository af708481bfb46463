// This file deals things to parts and says where a part lies in an array: plain arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace imago::mpi {

using Axes = std::vector<std::size_t>;     ///< axis numbers, also an order of memory: slowest first
using Lengths = std::vector<std::size_t>;  ///< one per axis

/// Indices begin <= i < begin + count.
struct Span {
  std::size_t begin = 0, count = 0;
  friend bool operator==(const Span&, const Span&) = default;
};
using Box = std::vector<Span>;  ///< one per axis

/// Part `part` of n indices dealt to `parts`: counts differ by one at most, the larger ones first.
Span share(std::size_t n, std::size_t parts, std::size_t part);

Box whole(const Lengths& lengths);
std::size_t elements(const Box& box);

/// Where the elements of a part lie: its first at `offset`, index i of axis d further by i
/// strides[d].
struct Place {
  std::vector<std::size_t> strides = {};
  std::size_t offset = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// A part of a packed array that holds `container`, in the order of memory.
Place place(const Axes& order, const Box& container, const Box& part);

/// Axes that are divided, and over which side of the grid of ranks.
constexpr std::size_t kWhole = 2;
struct Grid {
  std::array<std::size_t, 2> sides = {1, 1};
  std::size_t size() const { return sides[0] * sides[1]; }
  /// A rank's number along a side; 0 along kWhole.
  std::size_t coordinate(std::size_t rank, std::size_t side) const;
};
/// Per axis a side of the grid, or kWhole.
using Distribution = std::vector<std::size_t>;

/// What a rank holds.
Box box_of(const Lengths& lengths, const Distribution& distribution, const Grid& grid,
           std::size_t rank);

/// A grid of `ranks`: what is 0 is chosen, as square as `ranks` allows. Throws InvalidArgument
/// where the product is another number.
Grid grid_of(std::size_t ranks, const std::array<std::size_t, 2>& wish);

/// n = first x second, as near to each other as n allows; first is the smaller one.
std::array<std::size_t, 2> nearest_factors(std::size_t n);

}  // namespace imago::mpi
