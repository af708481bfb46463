// This file divides indices into parts and computes the place of a part in an array: plain
// arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace imago::mpi {

using Axes = std::vector<std::size_t>;     ///< axis numbers; also an order of memory, slowest first
using Lengths = std::vector<std::size_t>;  ///< one per axis

/// Indices begin <= i < begin + count.
struct Span {
  std::size_t begin = 0, count = 0;
  friend bool operator==(const Span&, const Span&) = default;
};
using Box = std::vector<Span>;  ///< one per axis

/// Returns part `part` when n indices are divided into `parts`. Counts differ by one at most; the
/// larger parts come first.
Span share(std::size_t n, std::size_t parts, std::size_t part);

Box whole(const Lengths& lengths);
std::size_t elements(const Box& box);

/// The place of a part in memory, in elements: the first one is at `offset`, and index i of axis d
/// adds i * strides[d].
struct Place {
  std::vector<std::size_t> strides = {};
  std::size_t offset = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Returns the place of `part` in a packed array that holds `container`, in this order of memory.
Place place(const Axes& order, const Box& container, const Box& part);

/// Distribution entry of an axis that is not divided.
constexpr std::size_t kWhole = 2;
struct Grid {
  std::array<std::size_t, 2> sides = {1, 1};
  std::size_t size() const { return sides[0] * sides[1]; }
  /// Returns a rank's number along a side of the grid; 0 for kWhole.
  std::size_t coordinate(std::size_t rank, std::size_t side) const;
};
/// One entry per axis: the side of the grid that divides it, or kWhole.
using Distribution = std::vector<std::size_t>;

/// Returns the part of the array that a rank holds.
Box box_of(const Lengths& lengths, const Distribution& distribution, const Grid& grid,
           std::size_t rank);

/// Returns a grid of `ranks`. Entries that are 0 are chosen so that the grid is as square as
/// possible. Throws InvalidArgument if the product is not `ranks`.
Grid grid_of(std::size_t ranks, const std::array<std::size_t, 2>& wish);

/// Returns n = first x second, the two as near to each other as possible; first is the smaller one.
std::array<std::size_t, 2> nearest_factors(std::size_t n);

}  // namespace imago::mpi
