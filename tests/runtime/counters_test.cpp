// This file checks on a device that work-groups of a generated kernel synchronize with each other.
#include <cstdint>
#include <vector>

#include "ir/phases.hpp"
#include "ir/render.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace imago {
namespace {

bool orders_groups(const test::Device& device) {
  cl_device_atomic_capabilities has = 0;
  const cl_device_atomic_capabilities needed =
      CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  return clGetDeviceInfo(device.device(), CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof has, &has,
                         nullptr) == CL_SUCCESS &&
         (has & needed) == needed;
}

cl::Kernel built(const test::Device& device, const std::string& text) {
  const cl::Program program(device.context, text);
  const cl_int code = program.build(device.device, "-cl-std=CL3.0");
  CAPTURE(text, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device));
  CHECK(code == CL_SUCCESS);
  return cl::Kernel(program, "sample");
}

}  // namespace

TEST_CASE("phases of one kernel see what the ones before stored, call after call",
          "[runtime][counters]") {
  const test::Device& device = test::default_device();
  if (!orders_groups(device)) {
    WARN("the device has no atomics that order work-groups");
    return;
  }
  const int work_group_size = GENERATE(1, 4, 64);
  const test::TwoPhases phases{.work_group_size = work_group_size, .groups = 100};
  const cl::Kernel kernel = built(device, ir::render(phases.kernel()));
  const cl::Buffer between = device.allocate(phases.elements() * sizeof(float));
  const cl::Buffer counters = device.upload(std::vector<std::int32_t>{0, 0});
  for (int call = 0; call < 20; ++call) {
    const cl::Buffer data = device.upload(phases.data());
    const cl_mem arguments[] = {data(), between(), counters()};
    for (cl_uint i = 0; i < 3; ++i)
      test::check_call(clSetKernelArg(kernel(), i, sizeof(cl_mem), &arguments[i]), "set");
    const auto local = static_cast<std::size_t>(work_group_size);
    test::check_call(
        device.queue.enqueueNDRangeKernel(
            kernel, cl::NullRange, cl::NDRange(2 * phases.groups * local), cl::NDRange(local)),
        "clEnqueueNDRangeKernel");
    REQUIRE(device.download<float>(data, phases.data().size()) == phases.result());
    REQUIRE(device.download<std::int32_t>(counters, 2) == std::vector<std::int32_t>{0, 0});
  }
}

}  // namespace imago
