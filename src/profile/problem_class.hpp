// This file defines the key of a profile's entries: a class of problems that share tuned
// parameters.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <imago/transform.hpp>

namespace imago::profile {

/// A problem without parameters. The order makes classes adjacent that differ only in batch.
struct ProblemClass {
  /// Kind of every axis: complex, or one of the cosine and sine transforms. As in Transform::kind,
  /// `real` applies to the last axis, and the other axes are complex.
  Kind kind = Kind::complex;
  std::vector<std::uint64_t> lengths = {};  ///< elements of the signal's axes, slowest first
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  bool packed = true;       ///< no gap between batch elements, in input and output
  std::uint64_t batch = 1;  ///< number of transforms; if a DFT packs two real transforms, both
                            ///< count
  bool pairs = false;       ///< f64 is computed in pairs of f32

  /// "complex-64x64-f32-in_place-packed-batch_16", "dct2-8x8-f32-out_of_place-packed-batch_4096".
  std::string key() const;
  std::string shape() const;            ///< "64x64"
  std::uint64_t points() const;         ///< elements of one transform
  std::string_view arithmetic() const;  ///< "f32", "f64", "f64_pairs"
  std::uint64_t work() const;  ///< elements of the batch; the largest integer if that overflows
  friend auto operator<=>(const ProblemClass&, const ProblemClass&) = default;
};

/// Returns the class that a key names; nothing if it is none.
std::optional<ProblemClass> class_of_key(std::string_view key);

}  // namespace imago::profile
