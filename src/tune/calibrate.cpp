// This file measures the rates of a device with a few small kernels.
#include "tune/calibrate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <string>
#include <vector>

namespace imago::tune {
namespace {

using runtime::check;
using runtime::Handle;

// A work-item of a GPU moves one float4, so that neighbours make the segments; one of a CPU walks
// over a stretch of its own. Segments are taken as a hierarchical kernel of 2^20 points takes them:
// down the columns of matrices of 1024 rows of 8 KB, 512 float4s.
constexpr const char* kSource = R"(
__kernel void calibrate_copy(__global const float4* restrict in, __global float4* restrict out,
                             uint each) {
  const uint first = get_global_id(0) * each;
  for (uint i = first; i < first + each; ++i) out[i] = in[i];
}
uint place(uint i, uint shift) {
  const uint row = i & 1023u, columns = 512u >> shift, block = i >> (19u - shift);
  return (block << (19u - shift)) + row * columns + ((i >> 10) & (columns - 1u));
}
__kernel void calibrate_segments(__global const float4* restrict in, __global float4* restrict out,
                                 uint each, uint shift) {
  const uint i = get_global_id(0);
  const uint at = (place(i >> shift, shift) << shift) + (i & ((1u << shift) - 1u));
  out[at] = in[at];
}
__kernel void calibrate_walk(__global const float4* restrict in, __global float4* restrict out,
                             uint each, uint shift) {
  const uint first = get_global_id(0) * (each >> shift), size = 1u << shift;
  for (uint i = first; i < first + (each >> shift); ++i) {
    const uint at = place(i, shift) << shift;
    for (uint j = 0; j < size; ++j) out[at + j] = in[at + j];
  }
}
__kernel void calibrate_local(__global float2* out, uint turns) {
  __local float2 words[1024];
  const uint item = get_local_id(0);
  for (uint i = item; i < 1024u; i += get_local_size(0)) words[i] = (float2)(i, item);
  barrier(CLK_LOCAL_MEM_FENCE);
  float2 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (uint i = 0; i < turns; ++i) {
    const uint at = item + i * 96u;
    a += words[at & 1023u];
    b += words[(at + 256u) & 1023u];
    c += words[(at + 512u) & 1023u];
    d += words[(at + 768u) & 1023u];
  }
  out[get_global_id(0)] = a + b * 2.0f + c * 3.0f + d * 5.0f;
}
__kernel void calibrate_fma(__global VECTOR* out, uint turns, float x) {
  const VECTOR m = (VECTOR)(x);
  VECTOR a = m, b = m + 1.0f, c = m + 2.0f, d = m + 3.0f;
  VECTOR e = m + 4.0f, f = m + 5.0f, g = m + 6.0f, h = m + 7.0f;
  for (uint i = 0; i < turns; ++i) {
    a = fma(a, m, m); b = fma(b, m, m); c = fma(c, m, m); d = fma(d, m, m);
    e = fma(e, m, m); f = fma(f, m, m); g = fma(g, m, m); h = fma(h, m, m);
  }
  out[get_global_id(0)] = a + b + c + d + e + f + g + h;
}
__kernel void calibrate_launch(__global float* out) { out[get_global_id(0)] = 1.0f; }
)";

constexpr std::size_t kItems = 256;                           // work-items of a group on a GPU
constexpr std::array<unsigned, 5> kShifts = {0, 1, 2, 3, 4};  // float4s of 16 to 256 bytes
constexpr int kRounds = 5;                                    // the median of them counts
constexpr int kFewLaunches = 50, kManyLaunches = 500;
constexpr double kEnough = 0.05;  // seconds per figure, but two rounds at least

class Bench {
 public:
  Bench(cl_device_id device, const device::Facts& facts);
  device::Rates rates();

 private:
  struct Run {
    cl_kernel kernel;
    std::size_t items, group;
  };
  Handle<cl_kernel> kernel(const char* name) const;
  double once(const Run& run) const;
  double median(const Run& run) const;
  double copy(const Handle<cl_kernel>& kernel) const;
  double local_bytes() const;
  double flops() const;
  double launch() const;
  bool cpu() const { return facts_.type == device::Type::cpu; }
  /// Work-items that keep the device busy.
  std::size_t many(std::size_t per_unit) const { return facts_.compute_units * per_unit; }

  const device::Facts& facts_;
  cl_device_id device_;
  Handle<cl_context> context_;
  Handle<cl_command_queue> queue_;
  Handle<cl_program> program_;
  Handle<cl_mem> in_, out_;
  std::size_t bytes_ = 0;  ///< bytes of a buffer, a power of two
  std::size_t group_ = 1;  ///< work-items
  unsigned vector_ = 1;
};

template <class T>
void argument(const Handle<cl_kernel>& kernel, cl_uint index, const T& value) {
  check(clSetKernelArg(kernel.get(), index, sizeof value, &value), "clSetKernelArg");
}

Bench::Bench(cl_device_id device, const device::Facts& facts) : facts_(facts), device_(device) {
  cl_int code = CL_SUCCESS;
  context_ = Handle(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue_ = Handle(clCreateCommandQueue(context_.get(), device, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");
  vector_ = cpu() ? std::clamp(std::bit_floor(std::max(1u, facts.vector_f32)), 4u, 16u) : 1;
  group_ = cpu() ? 1 : std::min<std::size_t>(kItems, std::bit_floor(facts.max_work_group));
  // Beyond the caches, within a small share of the memory; a CPU's are known, a GPU's not always.
  std::size_t wished = cpu() ? std::clamp<std::size_t>(2 * facts.cache_bytes, 32 << 20, 64 << 20)
                             : std::size_t{256} << 20;
  if (facts.max_alloc_bytes > 0) wished = std::min(wished, facts.max_alloc_bytes / 2);
  if (facts.global_bytes > 0) wished = std::min(wished, facts.global_bytes / 8);
  bytes_ = std::bit_floor(std::max<std::size_t>(wished, 8 << 20));
  for (Handle<cl_mem>* buffer : {&in_, &out_}) {
    *buffer = Handle(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes_, nullptr, &code));
    check(code, "clCreateBuffer");
    const cl_float zero = 0;
    check(clEnqueueFillBuffer(queue_.get(), buffer->get(), &zero, sizeof zero, 0, bytes_, 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
  }
  const char* source = kSource;
  program_ = Handle(clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  const std::string options =
      "-cl-std=CL1.2 -DVECTOR=float" + (vector_ > 1 ? std::to_string(vector_) : std::string());
  check(clBuildProgram(program_.get(), 1, &device, options.c_str(), nullptr, nullptr),
        "clBuildProgram");
}

Handle<cl_kernel> Bench::kernel(const char* name) const {
  cl_int code = CL_SUCCESS;
  Handle<cl_kernel> made(clCreateKernel(program_.get(), name, &code));
  check(code, "clCreateKernel", name);
  return made;
}

/// Seconds of one run, by the device's clock where it tells.
double Bench::once(const Run& run) const {
  cl_event raw = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(queue_.get(), run.kernel, 1, nullptr, &run.items, &run.group, 0,
                               nullptr, &raw),
        "clEnqueueNDRangeKernel");
  const Handle<cl_event> event(raw);
  check(clWaitForEvents(1, &raw), "clWaitForEvents");
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  cl_ulong start = 0, end = 0;
  const bool told = clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                            nullptr) == CL_SUCCESS &&
                    clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                            nullptr) == CL_SUCCESS &&
                    end > start;
  return told ? static_cast<double>(end - start) * 1e-9 : wall.count();
}

double Bench::median(const Run& run) const {
  once(run);  // compiles for the size of the group, touches the pages
  std::vector<double> times;
  double sum = 0;
  for (int i = 0; i < kRounds && (i < 2 || sum < kEnough); ++i) {
    times.push_back(once(run));
    sum += times.back();
  }
  std::sort(times.begin(), times.end());
  return std::max(times[(times.size() - 1) / 2], 1e-9);
}

/// Bytes per second, read and written; the kernel's first three arguments are set here.
double Bench::copy(const Handle<cl_kernel>& kernel) const {
  const std::size_t elements = bytes_ / 16;
  const std::size_t stretch = std::max<std::size_t>(1, elements / std::bit_ceil(many(16)));
  const cl_uint each = cpu() ? static_cast<cl_uint>(stretch) : 1;
  argument(kernel, 0, in_.get());
  argument(kernel, 1, out_.get());
  argument(kernel, 2, each);
  return 2 * static_cast<double>(bytes_) / median({kernel.get(), elements / each, group_});
}

double Bench::local_bytes() const {
  const auto local = kernel("calibrate_local");
  const cl_uint turns = cpu() ? 64 : 512;
  const std::size_t group = std::min<std::size_t>(kItems, facts_.max_work_group);
  const std::size_t items = std::min(many(cpu() ? 4 : 16) * group, bytes_ / 8 / group * group);
  argument(local, 0, out_.get());
  argument(local, 1, turns);
  const double bytes = 4.0 * 8 * turns * static_cast<double>(items);
  return bytes / median({local.get(), items, group});
}

double Bench::flops() const {
  const auto fma = kernel("calibrate_fma");
  const cl_uint turns = cpu() ? 16384 : 2048;
  const std::size_t items = std::min(many(cpu() ? 8 : 4096), bytes_ / 64 / group_ * group_);
  argument(fma, 0, out_.get());
  argument(fma, 1, turns);
  argument(fma, 2, cl_float{0.5F});
  const double operations = 2.0 * 8 * turns * vector_ * static_cast<double>(items);
  return operations / median({fma.get(), items, group_});
}

/// Seconds of one more kernel in a full queue: what many take longer than few, so that the way to
/// the device and back does not count; in a queue that takes no times of its own.
double Bench::launch() const {
  const auto tiny = kernel("calibrate_launch");
  argument(tiny, 0, out_.get());
  cl_int code = CL_SUCCESS;
  const Handle<cl_command_queue> queue(clCreateCommandQueue(context_.get(), device_, 0, &code));
  check(code, "clCreateCommandQueue");
  const auto seconds = [&](int launches) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      check(clEnqueueNDRangeKernel(queue.get(), tiny.get(), 1, nullptr, &group_, &group_, 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    check(clFinish(queue.get()), "clFinish");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds(kManyLaunches);
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const double few = seconds(kFewLaunches);
    times.push_back((seconds(kManyLaunches) - few) / (kManyLaunches - kFewLaunches));
  }
  std::sort(times.begin(), times.end());
  return std::max(times[kRounds / 2], 1e-9);
}

device::Rates Bench::rates() {
  device::Rates rates;
  rates.copy_bytes = copy(kernel("calibrate_copy"));
  for (std::size_t i = 0; i < kShifts.size(); ++i) {
    const auto segments = kernel(cpu() ? "calibrate_walk" : "calibrate_segments");
    argument(segments, 3, cl_uint{kShifts[i]});
    rates.segments[i] = copy(segments) / rates.copy_bytes;
  }
  rates.local_bytes = local_bytes();
  rates.flops = flops();
  rates.launch_seconds = launch();
  return rates;
}

}  // namespace

device::Rates calibrate(cl_device_id device, const device::Facts& facts) {
  return Bench(device, facts).rates();
}

}  // namespace imago::tune
