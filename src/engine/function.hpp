// This file generates a transform as a function, for hand-written kernels that use it as one of
// their stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "kernel/tables.hpp"

namespace imago::engine {

/// A function that computes a work-group's part of a transform.
struct TransformFunction {
  std::string name;  ///< name of the function, which is the key of its code in caches
  /// OpenCL C. Arguments: local memory, the number of the work-group (int), input and output, the
  /// table (only if there is one), the batch (int), offset and distance of the input and of the
  /// output (long, in elements).
  std::string source;
  std::uint64_t groups = 1;
  std::size_t local_bytes = 0;
  std::optional<kernel::Table> table;
};

/// Returns the forward direction in one kernel with work-groups of `items` work-items: the one that
/// is predicted to be fastest. Returns nothing if no single kernel with such groups and with local
/// memory computes it. Throws Unsupported if the device lacks the precision.
std::optional<TransformFunction> transform_function(const Transform& transform,
                                                    const device::Facts& facts, unsigned items);

}  // namespace imago::engine
