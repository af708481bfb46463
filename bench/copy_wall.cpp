// This file implements the copies. On GPUs a work-item copies one or a few vectors, adjacent to
// those of other work-items. On CPUs it copies a range of memory, with and without stores that
// bypass the caches.
#include "bench/copy_wall.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace imago::bench {
namespace {

constexpr const char* kSource = R"(
#if !defined(__has_builtin)
#define __has_builtin(x) 0
#endif
kernel void strided(global const float4* restrict from, global float4* restrict to, ulong count) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) to[i] = from[i];
}
kernel void runs(global const float16* restrict from, global float16* restrict to, ulong count) {
  const size_t items = get_global_size(0), run = (count + items - 1) / items;
  const size_t first = get_global_id(0) * run, last = min((ulong)(first + run), count);
  for (size_t i = first; i < last; ++i) to[i] = from[i];
}
kernel void streamed(global const float16* restrict from, global float16* restrict to,
                     ulong count) {
  const size_t items = get_global_size(0), run = (count + items - 1) / items;
  const size_t first = get_global_id(0) * run, last = min((ulong)(first + run), count);
  for (size_t i = first; i < last; ++i) {
#if __has_builtin(__builtin_nontemporal_store)
    __builtin_nontemporal_store(from[i], &to[i]);
#else
    to[i] = from[i];
#endif
  }
}
)";

constexpr std::size_t kGroup = 256;

}  // namespace

CopyWall::CopyWall(std::shared_ptr<ClDevice> device) : device_(std::move(device)) {
  cl_int code = CL_SUCCESS;
  program_ = cl::Program(device_->context(), std::string(kSource), false, &code);
  check(code, "clCreateProgramWithSource");
  if (program_.build({device_->device()}) != CL_SUCCESS)
    base::device_error("clBuildProgram", "CL_BUILD_PROGRAM_FAILURE", CL_BUILD_PROGRAM_FAILURE,
                       "copy", program_.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_->device()));
}

std::vector<CopyWall::Shape> CopyWall::shapes() const {
  if (device_->is_cpu()) {
    const std::size_t units = device_->device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    return {{"runs", units, 0, sizeof(cl_float16)},
            {"runs", 8 * units, 0, sizeof(cl_float16)},
            {"streamed", units, 0, sizeof(cl_float16)},
            {"streamed", 8 * units, 0, sizeof(cl_float16)}};
  }
  return {{"strided", 0, 1, sizeof(cl_float4)},
          {"strided", 0, 2, sizeof(cl_float4)},
          {"strided", 0, 4, sizeof(cl_float4)}};
}

std::function<void()> CopyWall::prepared(const Shape& shape, std::size_t size) const {
  cl_int code = CL_SUCCESS;
  cl::Kernel kernel(program_, shape.kernel, &code);
  check(code, "clCreateKernel");
  const cl_ulong count =
      size / shape.vector_bytes;  // a partial vector has no visible effect on the time
  check(kernel.setArg(0, device_->data()), "clSetKernelArg");
  check(kernel.setArg(1, device_->other()), "clSetKernelArg");
  check(kernel.setArg(2, count), "clSetKernelArg");
  const bool fixed = shape.items != 0;
  const std::size_t items = fixed ? shape.items : (count + shape.per_item - 1) / shape.per_item;
  const std::size_t group = fixed ? 1 : kGroup;
  const std::size_t global = std::max<std::size_t>(1, (items + group - 1) / group) * group;
  return [kernel, global, group, queue = device_->queue()()] {
    check(clEnqueueNDRangeKernel(queue, kernel(), 1, nullptr, &global, &group, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  };
}

std::vector<Copy> CopyWall::copies(const Case& problem) const {
  const std::size_t size = moved_bytes(problem) / 2;
  constexpr std::size_t kTrials = 3, kCalls = 10;
  double best = 0;
  std::function<void()> fastest;
  for (const Shape& shape : shapes()) {
    const auto kernel = prepared(shape, size);
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      const double seconds = device_->time(kernel, kCalls);
      if (best != 0 && seconds >= best) continue;
      best = seconds;
      fastest = kernel;
    }
  }
  const auto driver = [this, size] {
    check(clEnqueueCopyBuffer(device_->queue()(), device_->data()(), device_->other()(), 0, 0, size,
                              0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
  };
  return {{"buffer copy", driver}, {"copy kernel", fastest}};
}

}  // namespace imago::bench
