// This file is the edge of cosine and sine transforms: how a DFT computes them. All ways are
// linear, so that the real and the imaginary part of complex data are two transforms at once.
#pragma once

#include <compare>
#include <cstdint>

#include <imago/transform.hpp>

#include "kernel/edges/facts.hpp"

namespace imago::kernel {

/// A cosine or sine transform of n elements along a line of DFT points. The number of points says
/// which way (src/blocks/edges/cosines.hpp has the formulas):
/// - n, II: points meet their partners as they are stored; III: elements as they are loaded
///   (Makhoul, IEEE Trans. ASSP-28, 1980),
/// - n/2, II, III and IV of even n: points are pairs of reals of one line; II and III meet their
///   partners as above,
/// - 2n (DCT-I 2(n-1), DST-I 2(n+1)): the DFT of the periodic extension, for I, II and IV.
struct Cosines {
  Kind kind = Kind::dct2;
  std::uint64_t elements = 0;  ///< n
  bool orthonormal = false;    ///< rescales end points as Norm says
  friend auto operator<=>(const Cosines&, const Cosines&) = default;

  bool is(Kind cosine, Kind sine) const { return kind == cosine || kind == sine; }
  bool sine() const;
  /// The DFT is that of the periodic extension.
  bool extends(std::uint64_t points) const {
    return points > elements || is(Kind::dct1, Kind::dst1);
  }
  /// Half as many points, pairs of reals.
  bool half_length(std::uint64_t points) const {
    return !is(Kind::dct1, Kind::dst1) && 2 * points == elements;
  }
  /// II or III through half as many points, where points meet their partners.
  bool halves_pairs(std::uint64_t points) const {
    return half_length(points) && !is(Kind::dct4, Kind::dst4);
  }
  /// II or III of n points. In the work-group mapping a kernel that holds such lines whole can
  /// reorder their elements in local memory.
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

/// Points of the DFT of the periodic extension.
std::uint64_t extended_length(const Cosines& cosines);

}  // namespace imago::kernel
