// This file bakes a client's plan for the device of a queue.
#pragma once

#include <CL/opencl.hpp>

#include "registry.hpp"

namespace imago::clfft {

/// Throws if the queue is null or has another context than the plan.
cl::CommandQueue checked_queue(const ClientPlan& plan, cl_command_queue queue);
cl_device_id device_of(const cl::CommandQueue& queue);
/// Plans the computation. Kernels are compiled at their first use, or by Baked::compile_all().
void bake(ClientPlan& plan, const cl::CommandQueue& queue);
/// Writes the kernels to the working directory (CLFFT_DUMP_PROGRAMS).
void dump_programs(clfftPlanHandle handle, const Baked& baked);

}  // namespace imago::clfft
