// This file says what lines the kernels of each mapping take: a row for each in a table.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::lines {

/// Returns the wish; if that is automatic, the mapping that suits the device.
Mapping mapping_of(Mapping wish, const device::Facts& facts);

/// The lines that kernels of a mapping can take.
struct LineRules {
  Mapping mapping;
  /// Points of the largest transform that one kernel takes, and of the largest whose complex points
  /// lie in order and that has no neighbours.
  std::uint64_t (*largest)(Precision precision, const device::Facts& facts);
  std::uint64_t (*largest_alone)(Precision precision, const device::Facts& facts);
  /// Points of the largest one in tiles of neighbouring columns, and of several axes together.
  std::uint64_t (*with_columns)(std::uint64_t largest);
  std::uint64_t (*together)(std::uint64_t largest);
  bool one_core_per_line;         ///< cores share long lines only line by line
  bool reorders_in_local_memory;  ///< the elements of several axes, too
  bool joins_across_columns;      ///< several kernels can join the points of a line
                                  ///< (Request::joins_points)
  bool numbers_several_axes;  ///< elements that are known by number (kernel/hooks.hpp) may lie so
};
const LineRules& rules_of(Mapping mapping);

}  // namespace imago::lines
