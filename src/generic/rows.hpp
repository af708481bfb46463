// This file lays out rows of different lengths as launches of a generic kernel of rows
// (kernel/generic.hpp).
#pragma once

#include <optional>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "problem/rows.hpp"

namespace imago::generic {

/// Returns the program of a direction. Rows whose points fit into a tile are one launch; longer
/// ones share a few more. Throws Unsupported for rows that are too long.
kernel::Program make_program(const problem::RowBatch& rows, bool inverse,
                             const device::Facts& facts);

/// Returns the step of the kernel.
kernel::Step row_step_of(Precision precision, const device::Facts& facts);

}  // namespace imago::generic
