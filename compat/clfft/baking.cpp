// This file bakes plans, and writes their kernels to files if a client requests it.
#include "baking.hpp"

#include <fstream>

#include "shared.hpp"

namespace imago::clfft {

cl::CommandQueue checked_queue(const ClientPlan& plan, cl_command_queue queue) {
  require(queue, CLFFT_INVALID_COMMAND_QUEUE,
          "the queue is null; give a queue of the plan's context");
  cl_context context = nullptr;
  require_success(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
                  "clGetCommandQueueInfo");
  require(context == plan.context(), CLFFT_INVALID_CONTEXT,
          "the queue is of another context; give one of the plan's context");
  return shared<cl::CommandQueue>(queue);
}

cl_device_id device_of(const cl::CommandQueue& queue) {
  cl_device_id device = nullptr;
  require_success(clGetCommandQueueInfo(queue(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
                  "clGetCommandQueueInfo");
  return device;
}

void bake(ClientPlan& plan, const cl::CommandQueue& queue) {
  plan.baked.reset();
  plan.baked.emplace(plan.wanted, plan.context, cl::Device(device_of(queue), true));
}

void dump_programs(clfftPlanHandle handle, const Baked& baked) {
  if (!Registry::instance().dumps_programs()) return;
  for (const bool inverse : {false, true}) {
    std::size_t number = 0;
    for (const KernelSource& kernel : baked.sources(inverse)) {
      const std::string name = "clfft.kernel.plan" + std::to_string(handle) +
                               (inverse ? ".backward." : ".forward.") + std::to_string(number++) +
                               ".cl";
      std::ofstream file(name);
      file << "// " << kernel.name << "\n// " << kernel.options << "\n" << kernel.source;
      require(file.good(), CLFFT_FILE_CREATE_FAILURE,
              "cannot write a kernel to the current folder");
    }
  }
}

}  // namespace imago::clfft
