// This file defines the facts about an edge that planner, model and runtime use.
#pragma once

#include <compare>
#include <cstdint>

namespace imago::kernel {

/// The two places at which a kernel accesses global memory.
enum class End { load, store };

/// Selects which columns a work-group processes as pairs, because their points belong together.
enum class Mirror {
  none,
  /// Point p of the line is combined with its partner n - p. A tile has two halves: index c in the
  /// first one is paired with index `extent` - c in the second. The partners of the points of index
  /// 0 have index 0, too; likewise index `extent` / 2. These two indices are a pair; with an odd
  /// extent index 0 has an empty place.
  points,
  /// The elements of points p and n - 1 - p are adjacent in memory. Index c is paired with index
  /// `extent` - 1 - c; the middle index of an odd extent has an empty place.
  elements,
};

/// The factor exp(-2 pi i (multiple p + shift) / order) of point p of a line; order 0: no factors.
struct Roots {
  std::uint64_t order = 0;
  unsigned multiple = 1, shift = 0;

  /// Returns the fourth powers.
  Roots fourth() const { return {order, 4 * multiple, 4 * shift}; }
  /// Returns t such that the factors of points at distance points / R differ by 1 / (R t) of a full
  /// circle.
  unsigned turns(std::uint64_t points) const {
    return static_cast<unsigned>(order / (multiple * points));
  }
};

/// The facts about an edge at one end of lines of n points.
struct EdgeFacts {
  std::uint64_t elements = 0;  ///< elements of a line in memory
  /// True if elements are found by their number in the line, because the place of an element is not
  /// that of a point.
  bool numbered = false;
  bool from_end = false;  ///< true if reordered elements are counted from the other end
  /// True if an element is made of point p and its partner n - p, or a point of two such elements;
  /// a kernel must hold both.
  bool joins = false;
  bool one_more = false;          ///< true if memory also holds point n
  bool whole = false;             ///< true if only single kernels compute such lines
  Mirror columns = Mirror::none;  ///< how the first or last kernel of a long line pairs its columns
  Roots roots = {};               ///< factors of the points
  bool unfolds = false;           ///< true if the fourth powers of the roots also join partners
  /// Instructions per point, without the computation of its factor: those if the point has a
  /// factor, and those in any case (tests/model compares them with the blocks' code).
  double factor_instructions = 0, instructions = 0;
};

inline constexpr double kComplexMultiply = 4;  ///< instructions: two products, two fma

/// The facts about the edge of a convolution, at both ends.
struct ConvolvedFacts {
  std::uint64_t elements = 0;  ///< elements that are convolved; the other points are zero
  /// True if elements have other places in the convolution. A table has an entry for each of its
  /// points: the first number is the element's place at the start, the second its place at the end.
  bool reorders = false;
  /// True if element 0 stays outside the convolution, which begins with element 1.
  bool lone_element = false;
  /// Instructions for multiplying an element by its factor, which a table holds; 0: no factors.
  double factor_instructions = 0;

  bool multiplies() const { return factor_instructions > 0; }
  std::uint64_t first() const { return lone_element ? 1 : 0; }  ///< first element that is convolved
};

/// The possible lengths of cyclic convolutions that compute a DFT.
struct ConvolutionLengths {
  bool possible = false;        ///< true if the DFT can be computed as a convolution
  std::uint64_t unpadded = 0;   ///< length without zero padding; 0: none
  std::uint64_t least = 0;      ///< least length with zero padding
  const char* points = "none";  ///< the possible lengths of the DFT, as text for messages

  bool allow(std::uint64_t length) const {
    return possible && (length == unpadded || length >= least);
  }
};

/// No edge: the points are the elements of memory.
struct NoEdge {
  friend auto operator<=>(const NoEdge&, const NoEdge&) = default;
};
template <class Visit>
void each_field(const NoEdge&, Visit&&) {}

}  // namespace imago::kernel
