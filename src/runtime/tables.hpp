// This file uploads constant tables, once per context for all the plans that need them.
#pragma once

#include <memory>

#include "plan/program.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

using Buffer = std::shared_ptr<const Handle<cl_mem>>;

/// The live table of this context, else a new one.
Buffer upload(cl_context context, const plan::Table& table);

}  // namespace imago::runtime
