// This file defines what planner, model and runtime know of an edge.
#pragma once

#include <cstdint>

namespace imago::plan {

/// Where a kernel meets memory.
enum class End { load, store };

/// Which columns a work-group takes as pairs because of points that belong together.
enum class Mirror {
  none,
  /// Point p of the line meets its partner n - p. Index c is in the first half of the tile where
  /// `extent` - c is in the second; index 0, whose partners are its own, where `extent` / 2 is, of
  /// which that is true, too, or of an odd extent nothing.
  points,
  /// Elements of points p and n - 1 - p are neighbours in memory. Index c is followed by `extent` -
  /// 1 - c, the middle one of an odd extent by nothing.
  elements,
};

/// exp(-2 pi i (multiple p + shift) / order), the factor of point p of a line; order 0: none.
struct Roots {
  std::uint64_t order = 0;
  unsigned multiple = 1, shift = 0;

  /// Points of a line at distance points / R have factors at this times R to the full turn.
  unsigned turns(std::uint64_t points) const {
    return static_cast<unsigned>(order / (multiple * points));
  }
};

/// What an edge needs at one end of lines of n points.
struct EdgeFacts {
  std::uint64_t elements = 0;  ///< of a line in memory
  /// Elements are found by their numbers, counted from the line's first one: an element's place is
  /// not that of a point.
  bool numbered = false;
  bool from_end = false;  ///< where elements are reordered, they are counted from the other end
  /// What is loaded or stored for point p is made of p and of its partner n - p, both of which
  /// kernels hold (elements or points).
  bool joins = false;
  bool one_more = false;          ///< memory holds point n, too
  Mirror columns = Mirror::none;  ///< how the end kernels of a long line pair their columns
  Roots roots = {};               ///< factors of the points
  /// Instructions for each point beside forming its factor, where it has one, and in any case
  /// (tests/model compares them with the blocks' own code).
  double factor_instructions = 0, instructions = 0;
};

inline constexpr double kComplexMultiply = 4;  ///< instructions: two products, two fma

}  // namespace imago::plan
