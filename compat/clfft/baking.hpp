// This file bakes a client's plan for the device of a queue.
#pragma once

#include <CL/opencl.hpp>

#include "registry.hpp"

namespace imago::clfft {

/// Throws for a null queue and one of another context than the plan's.
cl::CommandQueue checked_queue(const ClientPlan& plan, cl_command_queue queue);
cl_device_id device_of(const cl::CommandQueue& queue);
/// Decides; kernels are compiled when they are needed, or by Baked::compile_all().
void bake(ClientPlan& plan, const cl::CommandQueue& queue);
/// CLFFT_DUMP_PROGRAMS: writes the kernels to the working directory.
void dump_programs(clfftPlanHandle handle, const Baked& baked);

}  // namespace imago::clfft
