// This file names what a profile is keyed by: a class of problems that share tuned parameters.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::profile {

/// A plain value without parameters. Ordered so that classes that differ only in batch are
/// neighbours.
struct ProblemClass {
  /// For every axis: complex, or one of the cosine and sine transforms; real: as Transform::kind,
  /// the last axis, beside complex ones.
  Kind kind = Kind::complex;
  std::vector<std::uint64_t> lengths = {};  ///< elements of the signal's axes, slowest first
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  bool packed = true;       ///< no gap between batch members, on both sides
  std::uint64_t batch = 1;  ///< transforms; where points of a DFT hold two of reals, both count

  /// "complex-64x64-f32-in_place-packed-batch_16", "dct2-8x8-f32-out_of_place-packed-batch_4096".
  std::string key() const;
  std::string shape() const;     ///< "64x64"
  std::uint64_t points() const;  ///< elements of one transform
  std::uint64_t work() const;    ///< of all; the largest number where that is more
  friend auto operator<=>(const ProblemClass&, const ProblemClass&) = default;
};

}  // namespace imago::profile
