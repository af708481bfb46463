// This file defines the edge of cosine and sine transforms: how a DFT computes them. All methods
// are linear, so the real and the imaginary part of complex data are two transforms at once.
#pragma once

#include <compare>
#include <cstdint>

#include <imago/transform.hpp>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

/// A cosine or sine transform of n elements along a line of DFT points. The number of points is
/// that of the method (src/blocks/edges/cosines.hpp has the formulas):
/// - n, II: points are combined with their partners at store; III: elements at load (Makhoul,
///   IEEE Trans. ASSP-28, 1980),
/// - n/2, II, III and IV of even n: each point is a pair of real elements of one line; II and III
///   combine partners as above,
/// - 2n (DCT-I 2(n-1), DST-I 2(n+1)): the DFT of the periodic extension, for I, II and IV.
struct Cosines {
  Kind kind = Kind::dct2;
  std::uint64_t elements = 0;  ///< n
  bool orthonormal = false;    ///< rescales the end points as Norm defines
  friend auto operator<=>(const Cosines&, const Cosines&) = default;

  bool is(Kind cosine, Kind sine) const { return kind == cosine || kind == sine; }
  bool sine() const;
  /// Returns true if the DFT is that of the periodic extension.
  bool extends(std::uint64_t points) const {
    return points > elements || is(Kind::dct1, Kind::dst1);
  }
  /// Returns true if the DFT has n/2 points, each a pair of real elements.
  bool half_length(std::uint64_t points) const {
    return !is(Kind::dct1, Kind::dst1) && 2 * points == elements;
  }
  /// Returns true for II and III with n/2 points, which combine points with their partners.
  bool halves_pairs(std::uint64_t points) const {
    return half_length(points) && !is(Kind::dct4, Kind::dst4);
  }
  /// Returns true for II and III of n points. In the work-group mapping a kernel that holds such
  /// lines whole can reorder their elements in local memory.
  bool can_be_reordered(std::uint64_t points) const {
    return points == elements && points > 1 && !is(Kind::dct1, Kind::dst1) &&
           !is(Kind::dct4, Kind::dst4);
  }
};
template <class Visit>
void each_field(const Cosines& value, Visit&& visit) {
  const auto& [kind, elements, orthonormal] = value;
  visit(kind, elements, orthonormal);
}

EdgeFacts facts_of(const Cosines& edge, End end, std::uint64_t points);

/// Returns the length of the DFT of the periodic extension.
std::uint64_t extended_length(const Cosines& cosines);

}  // namespace imago::kernel
