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
  std::string kinds = "complex";  ///< what is done along the axes; the only word today
  std::vector<std::uint64_t> lengths = {};
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  bool packed = true;  ///< no gap between batch members, on both sides
  std::uint64_t batch = 1;

  /// "complex-64x64-f32-in_place-packed-batch_16".
  std::string key() const;
  friend auto operator<=>(const ProblemClass&, const ProblemClass&) = default;
};

}  // namespace imago::profile
