// This file defines what planner, model and runtime know of an edge.
#pragma once

#include <compare>
#include <cstdint>

namespace imago::kernel {

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

  /// Returns the fourth powers.
  Roots fourth() const { return {order, 4 * multiple, 4 * shift}; }
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
  bool unfolds = false;  ///< points and partners are joined by the fourth powers of the roots, too
  /// Instructions for each point beside forming its factor, where it has one, and in any case
  /// (tests/model compares them with the blocks' own code).
  double factor_instructions = 0, instructions = 0;
};

inline constexpr double kComplexMultiply = 4;  ///< instructions: two products, two fma

/// What the edge of a convolution needs at either end.
struct ConvolvedFacts {
  std::uint64_t elements = 0;  ///< that are convolved; the convolution's other points are zero
  /// They have other places in the convolution: a table with an entry for each of its points, whose
  /// first number is the place where it begins, the second one that where it ends.
  bool reorders = false;
  /// Element 0 stays beside the convolution, which begins with element 1.
  bool lone_element = false;
  /// Instructions of an element's product with its factor, of a table with one for each; 0: none.
  double factor_instructions = 0;

  bool multiplies() const { return factor_instructions > 0; }
  std::uint64_t first() const { return lone_element ? 1 : 0; }  ///< element that is convolved
};

/// The lengths of cyclic convolutions that compute a DFT.
struct ConvolutionLengths {
  bool possible = false;        ///< a DFT of so many points is one
  std::uint64_t unpadded = 0;   ///< without zeros between the elements' ends; 0: none is
  std::uint64_t least = 0;      ///< with them
  const char* points = "none";  ///< in words: the lengths of the DFT for which it is possible

  bool allow(std::uint64_t length) const {
    return possible && (length == unpadded || length >= least);
  }
};

/// Points are the elements of memory.
struct NoEdge {
  friend auto operator<=>(const NoEdge&, const NoEdge&) = default;
};
template <class Visit>
void each_field(const NoEdge&, Visit&&) {}

}  // namespace imago::kernel
