// This file tests if work-groups of one kernel can wait for each other.
#include "runtime/waiting.hpp"

#include <cstdint>
#include <vector>

#include <imago/error.hpp>

#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/laboratory.hpp"
#include "runtime/memory.hpp"

namespace imago::runtime {
namespace {

constexpr const char* kFile = "waiting.cl";
// More groups in total than any current device runs at the same time.
constexpr std::size_t kGroups = 4096;
constexpr unsigned kRuns = 3;
// Number of polls, about a second: of a GPU's second-level cache, or of a CPU's first-level cache.
// On a CPU the other group may be without a core for a while.
constexpr const char *kGpuPatience = "2000000", *kCpuPatience = "200000000";

/// True if a call failed because of what the kernel needs from the device. Other failures are
/// temporary and must not be cached.
bool is_refusal(cl_int code) {
  return code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS ||
         code == CL_INVALID_WORK_GROUP_SIZE;
}

bool is_cpu(cl_device_id device) {
  return (info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_TYPE) &
          CL_DEVICE_TYPE_CPU) != 0;
}

/// A context, and the memory of the kernel.
struct Bench {
  Bench(cl_device_id of, unsigned work_group)
      : laboratory(of),
        items(work_group),
        first(allocate(laboratory.context.get(), kGroups * items * sizeof(std::uint32_t))),
        second(allocate(laboratory.context.get(), kGroups * items * sizeof(std::uint32_t))),
        counters(allocate_zeros(laboratory.context.get(), 2 * sizeof(cl_int))) {}

  bool works(const std::string& standard) const;

 private:
  Handle<cl_kernel> build(const std::string& standard) const;
  bool run(cl_kernel kernel, std::uint32_t seed) const;

  Laboratory laboratory;
  unsigned items;
  Handle<cl_mem> first, second, counters;
};

Handle<cl_kernel> Bench::build(const std::string& standard) const {
  return laboratory.kernel(waiting_kernel(standard, items, is_cpu(laboratory.device)));
}

bool Bench::run(cl_kernel kernel, std::uint32_t seed) const {
  Arguments(kernel)
      .value(first.get())
      .value(second.get())
      .value(counters.get())
      .value(static_cast<cl_int>(kGroups))
      .value(static_cast<cl_uint>(seed));
  const std::size_t group = items, all = 2 * kGroups * items, count = kGroups * items;
  check(clEnqueueNDRangeKernel(laboratory.queue.get(), kernel, 1, nullptr, &all, &group, 0, nullptr,
                               nullptr),
        "clEnqueueNDRangeKernel");
  std::vector<std::uint32_t> found(count);
  check(clEnqueueReadBuffer(laboratory.queue.get(), second.get(), CL_TRUE, 0,
                            count * sizeof found[0], found.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  cl_int left[2] = {1, 1};
  check(clEnqueueReadBuffer(laboratory.queue.get(), counters.get(), CL_TRUE, 0, sizeof left, left,
                            0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto source = static_cast<std::uint32_t>((std::uint64_t{i} * 7 + 3) % count);
    if (found[i] != source * 2654435761u + seed) return false;
  }
  return left[0] == 0 && left[1] == 0;
}

bool Bench::works(const std::string& standard) const try {
  const auto kernel = build(standard);
  bool right = true;
  for (unsigned i = 1; right && i <= kRuns; ++i) right = run(kernel.get(), i);
  return right;
} catch (const DeviceError& error) {
  if (!is_refusal(error.code())) throw;
  return false;
}

/// On CPUs, only work-groups of one work-item may wait (engine/launches.cpp), so larger ones are
/// not tried: it saves a compilation at the first use of a device.
std::string tried(cl_device_id device) {
  const auto version = device_text(device, CL_DEVICE_VERSION);  // "OpenCL 3.0 ..."
  const char major = version.size() > 7 ? version[7] : '1';
  for (const char* standard : {"CL3.0", "CL2.0"}) {
    if (standard[2] > major) continue;
    if (Bench(device, 1).works(standard) && (is_cpu(device) || Bench(device, 64).works(standard)))
      return standard;
  }
  return {};
}

}  // namespace

kernel::Handmade waiting_kernel(const std::string& standard, std::size_t items, bool cpu) {
  return {"imago_waiting",
          "-cl-std=" + standard + kernel::defined("IMAGO_ITEMS", items) +
              " -DIMAGO_PATIENCE=" + (cpu ? kCpuPatience : kGpuPatience),
          std::string(kernels::text(kFile)), items};
}

base::Digest waiting_key(cl_device_id device) { return property_key("waiting 2", kFile, device); }

std::string waiting(cl_device_id device, const DiskCache& disk) {
  const Bytes none = "none";
  const auto found =
      found_once(waiting_key(device), disk, "cannot detect the device's capabilities", [&] {
        const std::string standard = tried(device);
        return standard.empty() ? none : standard;
      });
  return found && *found != none ? *found : std::string();
}

}  // namespace imago::runtime
