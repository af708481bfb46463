// This file implements the common parts of the contestants on an OpenCL device.
#include "bench/fused/opencl.hpp"

#include <algorithm>
#include <stdexcept>

namespace imago::bench::fused {

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " + std::to_string(code));
}

cl::Buffer make(const Machine& machine, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(machine.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  return buffer;
}

cl::Buffer kernel_spectrum(const Machine& machine, const Problem& problem, const Data& data,
                           std::size_t length) {
  const bool lines = problem.which == Case::lines;
  Transform transform;
  transform.kind = lines ? Kind::real : Kind::complex;
  transform.lengths = lines ? std::vector{length} : std::vector{length, length};
  transform.directions = Directions::forward;
  const Plan plan(machine.context, machine.device, transform);
  const cl::Buffer spectrum = make(machine, plan.spectrum_bytes());
  std::vector<float> taps = data.taps;
  taps.resize(length);
  const cl::Buffer kernel = lines ? upload(machine, taps) : upload(machine, data.spread);
  plan.forward(machine.queue, kernel, spectrum);
  check(machine.queue.finish(), "clFinish");
  return spectrum;
}

std::string kernels(std::initializer_list<const Plan*> plans) {
  std::size_t count = 0;
  for (const Plan* plan : plans) count += estimate(find_device(), plan->transform()).kernels;
  return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

}  // namespace imago::bench::fused
