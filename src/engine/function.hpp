// This file writes a transform as a function, for a kernel that is written by hand and has it as
// one of its stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "kernel/tables.hpp"

namespace imago::engine {

/// What a work-group does of the transform.
struct TransformFunction {
  std::string name;  ///< of the function: the key of its code in caches
  /// OpenCL C. Arguments: local memory, the number of the work-group (int), input and output, the
  /// table (only if there is one), the batch (int), offset and distance of the input and of the
  /// output (long, in elements).
  std::string source;
  std::uint64_t groups = 1;
  std::size_t local_bytes = 0;
  std::optional<kernel::Table> table;
};

/// The forward direction in one kernel of work-groups of `items` work-items, as is predicted to be
/// the fastest; none where no single kernel of such groups computes it, or one without local
/// memory. Throws Unsupported where the device lacks the precision.
std::optional<TransformFunction> transform_function(const Transform& transform,
                                                    const device::Facts& facts, unsigned items);

}  // namespace imago::engine
