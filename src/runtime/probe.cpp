// This file measures device properties that a GPU's driver does not report.
#include "runtime/probe.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <imago/error.hpp>

#include "base/log.hpp"
#include "kernels/text.hpp"
#include "runtime/laboratory.hpp"

namespace imago::runtime {
namespace {

constexpr const char* kFile = "probe.cl";
// No current GPU gives a work-group more (NVIDIA's largest: 227 KB).
constexpr std::size_t kMostLocal = 256 * 1024;
constexpr std::size_t kGrain = 1024;
// Sizes that GPUs of recent years give a work-group. A try costs one compilation, or two if the
// size is too large. To find 226 KB, these sizes need 4 compilations; bisection needs 11.
constexpr std::size_t kKnownLocal[] = {64 * kGrain,  96 * kGrain,  98 * kGrain,
                                       128 * kGrain, 162 * kGrain, 226 * kGrain};
constexpr std::size_t kItems = 64, kGroups = 16;

std::uint32_t expected(std::uint32_t group, std::uint32_t item, std::uint32_t count) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = item; i < count; i += kItems) {
    sum = sum * 3u + (count - 1 - i + group) * 2654435761u;
  }
  return sum;
}

class Bench {
 public:
  explicit Bench(cl_device_id device);
  /// Tries a failed launch again, because drivers reject too much memory with the same codes as a
  /// temporary failure.
  bool runs_with(std::size_t local_bytes) const { return tried(local_bytes) || tried(local_bytes); }
  unsigned simd() const;

 private:
  bool tried(std::size_t local_bytes) const;
  Handle<cl_kernel> kernel_with(std::size_t local_bytes) const;

  Laboratory laboratory_;
  Handle<cl_mem> out_;
};

Bench::Bench(cl_device_id device) : laboratory_(device) {
  cl_int code = CL_SUCCESS;
  out_ = Handle(clCreateBuffer(laboratory_.context.get(), CL_MEM_WRITE_ONLY,
                               kItems * kGroups * sizeof(std::uint32_t), nullptr, &code));
  check(code, "clCreateBuffer");
}

/// Throws DeviceError if the compiler rejects this much memory.
Handle<cl_kernel> Bench::kernel_with(std::size_t local_bytes) const {
  return laboratory_.kernel(probe_kernel(local_bytes));
}

bool Bench::tried(std::size_t local_bytes) const try {
  const Handle<cl_kernel> kernel = kernel_with(local_bytes);
  const cl_mem out = out_.get();
  const std::size_t items = kItems, all = kItems * kGroups;
  std::vector<std::uint32_t> sums(all);
  check(clSetKernelArg(kernel.get(), 0, sizeof out, &out), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(laboratory_.queue.get(), kernel.get(), 1, nullptr, &all, &items, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(laboratory_.queue.get(), out, CL_TRUE, 0, all * sizeof sums[0],
                            sums.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  const auto count = static_cast<std::uint32_t>(local_bytes / sizeof(std::uint32_t));
  bool right = true;
  for (std::uint32_t i = 0; right && i < all; ++i)
    right = sums[i] == expected(i / kItems, i % kItems, count);
  return right;
} catch (const DeviceError&) {
  return false;
}

unsigned Bench::simd() const {
  const Handle<cl_kernel> kernel = kernel_with(1024);
  std::size_t multiple = 1;
  check(clGetKernelWorkGroupInfo(kernel.get(), laboratory_.device,
                                 CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                 &multiple, nullptr),
        "clGetKernelWorkGroupInfo");
  return static_cast<unsigned>(multiple);
}

Probe parse(const Bytes& bytes) {
  Probe found;
  std::istringstream text(bytes);
  text >> found.local_bytes >> found.simd;
  return text && found.simd > 0 ? found : Probe();
}

}  // namespace

kernel::Handmade probe_kernel(std::size_t local_bytes) {
  return {
      "imago_probe",
      "-cl-std=CL1.2" + kernel::defined("IMAGO_WORDS", local_bytes / sizeof(std::uint32_t)) + "u",
      std::string(kernels::text(kFile)), kItems};
}

std::size_t next_size(std::size_t good, std::size_t bad) {
  const std::size_t middle = good + (bad - good) / 2 / kGrain * kGrain;
  std::size_t nearest = 0;
  const auto distance = [=](std::size_t size) {
    return size > middle ? size - middle : middle - size;
  };
  for (const std::size_t known : kKnownLocal) {
    for (const std::size_t size : {known, known + kGrain}) {  // a device of that size runs the
                                                              // first and fails the second
      if (good < size && size < bad && (nearest == 0 || distance(size) < distance(nearest)))
        nearest = size;
    }
  }
  return nearest ? nearest : middle;
}

Probe measure(cl_device_id device, std::size_t reported, std::size_t most) {
  const Bench bench(device);
  std::size_t good = reported, bad = most + kGrain;
  if (good < bad && !bench.runs_with(good + kGrain)) bad = good + kGrain;
  while (good + kGrain < bad) {
    const std::size_t size = next_size(good, bad);
    (bench.runs_with(size) ? good : bad) = size;
  }
  return {good, bench.simd()};
}

Probe probe(cl_device_id device, const device::Facts& reported, const DiskCache& disk) {
  const auto find = [&] {
    const Probe found = measure(device, reported.local_bytes, kMostLocal);
    base::log(LogLevel::info, reported.name + ": " + std::to_string(found.local_bytes) +
                                  " bytes of local memory per work-group (reported: " +
                                  std::to_string(reported.local_bytes) + ")");
    return std::to_string(found.local_bytes) + " " + std::to_string(found.simd);
  };
  const auto is_enough = [&](const Bytes& bytes) {
    return parse(bytes).local_bytes >= reported.local_bytes;
  };
  const auto found =
      found_once(property_key("probe 2", kFile, device), disk,
                 "cannot detect the capabilities of " + reported.name, find, is_enough);
  return found ? parse(*found) : Probe{reported.local_bytes, reported.simd};
}

}  // namespace imago::runtime
