// This file lists the lines that each mapping can compute: a table with a row for each mapping.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::lines {

/// Returns the wish; if that is automatic, the mapping that suits the device.
Mapping mapping_of(Mapping wish, const device::Facts& facts);

/// Limits on the lines that kernels of a mapping can compute.
struct LineRules {
  Mapping mapping;
  /// Points of the largest transform that one kernel computes; `largest_alone` is for lines of
  /// complex points in order, without adjacent lines.
  std::uint64_t (*largest)(Precision precision, const device::Facts& facts);
  std::uint64_t (*largest_alone)(Precision precision, const device::Facts& facts);
  /// Points of the largest transform in tiles of adjacent columns, and of the largest one over
  /// several axes.
  std::uint64_t (*with_columns)(std::uint64_t largest);
  std::uint64_t (*together)(std::uint64_t largest);
  /// Points of the largest transform over two axes of complex points.
  std::uint64_t (*largest_plane)(Precision precision, const device::Facts& facts);
  /// Returns true if a radix that is a prime above kernel::kLargestRadixPrime is one of its
  /// kernels.
  bool (*has_room)(std::uint64_t prime, Precision precision, const device::Facts& facts);
  bool one_core_per_line;         ///< cores cannot share one line
  bool reorders_in_local_memory;  ///< also the elements of several axes
  /// Several kernels can join the points of a line (Request::joins_points).
  bool joins_across_columns;
  /// Elements of transforms of several axes may have numbers.
  bool numbers_several_axes;
};
const LineRules& rules_of(Mapping mapping);

}  // namespace imago::lines
