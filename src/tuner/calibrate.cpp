// This file measures the rates of a device with a few small kernels.
#include "tuner/calibrate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/laboratory.hpp"
#include "runtime/program.hpp"
#include "runtime/queue.hpp"

namespace imago::tuner {
namespace {

using runtime::Arguments;
using runtime::check;
using runtime::Handle;

constexpr std::size_t kItems = 256;                           // work-items of a work-group on a GPU
constexpr std::array<unsigned, 5> kShifts = {0, 1, 2, 3, 4};  // float4s of 16 to 256 bytes
constexpr int kRounds = 5;                                    // the median counts
constexpr int kFewLaunches = 50, kManyLaunches = 500;
constexpr double kEnough = 0.05;  // seconds per rate, but at least two rounds

/// Returns the lanes of a vector of doubles.
unsigned half_vector(unsigned vector) { return std::max(1u, vector / 2); }

class Bench {
 public:
  Bench(cl_device_id device, const device::Facts& facts);
  Calibration measure();

 private:
  device::Rates rates();
  struct TimedLaunch {
    cl_kernel kernel;
    std::size_t items, group;
  };
  Handle<cl_kernel> kernel(const char* name) const;
  double once(const TimedLaunch& run) const;
  double median(const TimedLaunch& run) const;
  /// Returns the median of some times, and records their scatter.
  double middle(std::vector<double> times) const;
  double copy(const Handle<cl_kernel>& kernel) const;
  double local_bytes() const;
  /// Returns the operations per second of a kernel of fma, whose numbers are in such vectors.
  double flops(const char* name, unsigned vector) const;
  double launch() const;
  bool cpu() const { return facts_.type == device::Type::cpu; }
  /// Returns enough work-items to keep the device busy.
  std::size_t many(std::size_t per_unit) const { return facts_.compute_units * per_unit; }

  const device::Facts& facts_;
  runtime::Laboratory laboratory_;
  Handle<cl_program> program_;
  Handle<cl_mem> in_, out_;
  std::size_t bytes_ = 0;  ///< bytes of a buffer, a power of two
  std::size_t group_ = 1;  ///< work-items
  unsigned vector_ = 1;
  mutable double scatter_ = 0;
};

Bench::Bench(cl_device_id device, const device::Facts& facts)
    : facts_(facts), laboratory_(device, CL_QUEUE_PROFILING_ENABLE) {
  cl_int code = CL_SUCCESS;
  vector_ = cpu() ? std::clamp(std::bit_floor(std::max(1u, facts.vector_f32)), 4u, 16u) : 1;
  group_ = cpu() ? 1 : std::min<std::size_t>(kItems, std::bit_floor(facts.max_work_group));
  // Larger than the caches, and a small part of the memory. The cache of a CPU is known, but not
  // that of every GPU.
  std::size_t wished =
      cpu() ? std::clamp<std::size_t>(2 * facts.memory.cache_bytes, 32 << 20, 64 << 20)
            : std::size_t{256} << 20;
  if (facts.memory.largest_buffer > 0) wished = std::min(wished, facts.memory.largest_buffer / 2);
  if (facts.memory.bytes > 0) wished = std::min(wished, facts.memory.bytes / 8);
  bytes_ = std::bit_floor(std::max<std::size_t>(wished, 8 << 20));
  for (Handle<cl_mem>* buffer : {&in_, &out_}) {
    *buffer = Handle(
        clCreateBuffer(laboratory_.context.get(), CL_MEM_READ_WRITE, bytes_, nullptr, &code));
    check(code, "clCreateBuffer");
    const cl_float zero = 0;
    check(clEnqueueFillBuffer(laboratory_.queue.get(), buffer->get(), &zero, sizeof zero, 0, bytes_,
                              0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  }
  const kernel::Handmade made = calibration_kernels(vector_).front();  // one text has all of them
  program_ = laboratory_.program(made.text, made.options);
}

Handle<cl_kernel> Bench::kernel(const char* name) const {
  return runtime::kernel_of(program_.get(), name);
}

/// Returns the seconds of one run, in device time if available.
double Bench::once(const TimedLaunch& run) const {
  cl_event raw = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(laboratory_.queue.get(), run.kernel, 1, nullptr, &run.items,
                               &run.group, 0, nullptr, &raw),
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

double Bench::median(const TimedLaunch& run) const {
  once(run);  // compiles for the work-group size, and touches the pages
  std::vector<double> times;
  double sum = 0;
  for (int i = 0; i < kRounds && (i < 2 || sum < kEnough); ++i) {
    times.push_back(once(run));
    sum += times.back();
  }
  return middle(std::move(times));
}

double Bench::middle(std::vector<double> times) const {
  std::sort(times.begin(), times.end());
  const double found = std::max(times[(times.size() - 1) / 2], 1e-9);
  scatter_ = std::max(scatter_, found / std::max(times[0], 1e-9) - 1);
  return found;
}

/// Returns bytes per second, read and written. Sets the kernel's first three arguments.
double Bench::copy(const Handle<cl_kernel>& kernel) const {
  const std::size_t elements = bytes_ / 16;
  const std::size_t stretch = std::max<std::size_t>(1, elements / std::bit_ceil(many(16)));
  const cl_uint each = cpu() ? static_cast<cl_uint>(stretch) : 1;
  Arguments(kernel.get()).value(in_.get()).value(out_.get()).value(each);
  return 2 * static_cast<double>(bytes_) / median({kernel.get(), elements / each, group_});
}

double Bench::local_bytes() const {
  const auto local = kernel("calibrate_local");
  const cl_uint turns = cpu() ? 64 : 512;
  const std::size_t group = std::min<std::size_t>(kItems, facts_.max_work_group);
  const std::size_t items = std::min(many(cpu() ? 4 : 16) * group, bytes_ / 8 / group * group);
  Arguments(local.get()).value(out_.get()).value(turns);
  const double bytes = 4.0 * 8 * turns * static_cast<double>(items);
  return bytes / median({local.get(), items, group});
}

double Bench::flops(const char* name, unsigned vector) const {
  const auto fma = kernel(name);
  const cl_uint turns = cpu() ? 16384 : 2048;
  const std::size_t items = std::min(many(cpu() ? 8 : 4096), bytes_ / 64 / group_ * group_);
  Arguments(fma.get()).value(out_.get()).value(turns).value(cl_float{0.5F});
  const double operations = 2.0 * 8 * turns * vector * static_cast<double>(items);
  return operations / median({fma.get(), items, group_});
}

/// Returns the seconds of one more kernel in a full queue. It is the difference between many and
/// few launches, which removes the latency. The queue has no profiling.
double Bench::launch() const {
  const auto tiny = kernel("calibrate_launch");
  Arguments(tiny.get()).value(out_.get());
  const auto queue = runtime::make_queue(laboratory_.context.get(), laboratory_.device);
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
    Arguments(segments.get(), 3).value(cl_uint{kShifts[i]});
    rates.segments[i] = copy(segments) / rates.copy_bytes;
  }
  rates.local_bytes = local_bytes();
  rates.flops = flops("calibrate_fma", vector_);
  if (facts_.f64.native) rates.flops_f64 = flops("calibrate_fma_f64", half_vector(vector_));
  rates.launch_seconds = launch();
  return rates;
}

Calibration Bench::measure() {
  Calibration found{rates(), 0};
  found.scatter = scatter_;
  return found;
}

}  // namespace

std::vector<kernel::Handmade> calibration_kernels(unsigned vector) {
  const auto type = [](const char* name, unsigned lanes) {
    return name + (lanes > 1 ? std::to_string(lanes) : std::string());
  };
  const std::string options = "-cl-std=CL1.2 -DVECTOR=" + type("float", vector) +
                              " -DVECTOR_F64=" + type("double", half_vector(vector));
  std::vector<kernel::Handmade> kernels;
  for (const char* name : {"calibrate_copy", "calibrate_segments", "calibrate_walk",
                           "calibrate_local", "calibrate_fma", "calibrate_launch"})
    kernels.push_back({name, options, std::string(kernels::text("calibrate.cl"))});
  return kernels;
}

Calibration calibrate(cl_device_id device, const device::Facts& facts) {
  return Bench(device, facts).measure();
}

device::Rates better_of(const device::Rates& a, const device::Rates& b) {
  if (a.copy_bytes <= 0) return b;
  device::Rates better = a.copy_bytes >= b.copy_bytes ? a : b;  // segments are fractions of it
  better.local_bytes = std::max(a.local_bytes, b.local_bytes);
  better.flops = std::max(a.flops, b.flops);
  better.flops_f64 = std::max(a.flops_f64, b.flops_f64);
  better.launch_seconds = std::min(a.launch_seconds, b.launch_seconds);
  return better;
}

}  // namespace imago::tuner
