// This file uploads constant tables, once per context for all the plans that need them.
#pragma once

#include <memory>
#include <vector>

#include "kernel/program.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

using Buffer = std::shared_ptr<const Handle<cl_mem>>;

/// Returns the live table of the context, else a new one. Its values are computed, or loaded from
/// `disk` if computing takes longer.
Buffer upload(const Target& target, const kernel::Table& table, const DiskCache& disk = {});

/// Returns a new buffer of these numbers, in the arithmetic of the step.
Buffer upload(cl_context context, const std::vector<double>& numbers, const kernel::Step& step);

}  // namespace imago::runtime
