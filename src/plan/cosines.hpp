// This file says how a DFT computes a cosine or sine transform. All ways are linear, so that the
// real and the imaginary part of complex data are two transforms at once.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include <imago/transform.hpp>

namespace imago::plan {

/// A cosine or sine transform of n elements along a line of DFT points. The number of points says
/// which way (src/blocks/cosines.hpp has the formulas):
/// - n, II: points meet their mirror images as they are stored; III: elements as they are loaded
///   (Makhoul, IEEE Trans. ASSP-28, 1980),
/// - n/2, IV of even n: points are pairs of reals of one line,
/// - 2n (DCT-I 2(n-1), DST-I 2(n+1)): the DFT of the periodic extension, for I, II and IV.
struct Cosines {
  Kind kind = Kind::complex;   ///< complex: the line is a DFT and nothing else
  std::uint64_t elements = 0;  ///< n
  bool orthonormal = false;    ///< rescales end points as Norm says
  bool load = false;           ///< makes points of elements
  bool store = false;          ///< and the other way round
  friend auto operator<=>(const Cosines&, const Cosines&) = default;

  bool any() const { return kind != Kind::complex; }
  bool is(Kind cosine, Kind sine) const { return kind == cosine || kind == sine; }
  bool sine() const { return kind >= Kind::dst1 && kind <= Kind::dst4; }
  bool extends(std::uint64_t points) const {
    return points > elements || is(Kind::dct1, Kind::dst1);
  }
  bool quarters(std::uint64_t points) const {
    return is(Kind::dct4, Kind::dst4) && !extends(points);
  }
  /// II or III of n points. In the work-group mapping a kernel that holds such lines whole can
  /// bring their elements in order in local memory.
  bool can_be_arranged(std::uint64_t points) const {
    return points == elements && points > 1 &&
           (is(Kind::dct2, Kind::dst2) || is(Kind::dct3, Kind::dst3));
  }
  /// Results are sums of a point and its mirror image.
  bool meets_images(std::uint64_t points) const {
    return is(Kind::dct2, Kind::dst2) && !extends(points);
  }
};

/// Points of the DFT of the periodic extension.
std::uint64_t extended_length(const Cosines& cosines);

/// An axis of the transforms of a kernel in the work-group mapping whose elements are arranged in
/// local memory: into points before its first pass, into elements after its last one.
struct CosineAxis {
  Cosines cosines;                  ///< II or III
  std::uint64_t inner = 1;          ///< points of the faster axes
  std::size_t first = 0, last = 0;  ///< passes
  friend auto operator<=>(const CosineAxis&, const CosineAxis&) = default;

  /// Each work-item has all its points at once: no other one is asked for mirror images.
  bool alone() const { return first == last; }
  /// Points meet their mirror images before the first pass; else behind the last one.
  bool joins_at_load() const { return cosines.is(Kind::dct3, Kind::dst3); }
  std::size_t joining_pass() const { return joins_at_load() ? first : last; }
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
/// Those of a line of `points` points at load, and at store.
Roots roots_in(const Cosines& cosines, std::uint64_t points);
Roots roots_out(const Cosines& cosines, std::uint64_t points);

}  // namespace imago::plan
