// This file describes an OpenCL device as plain data.
#include "runtime/facts.hpp"

#include <algorithm>

#include "base/device_queries.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "runtime/constructs.hpp"
#include "runtime/laboratory.hpp"
#include "runtime/probe.hpp"
#include "runtime/waiting.hpp"

namespace imago::runtime {
namespace {

constexpr double kWorthTelling = 0.02;  // seconds; cached facts take a hundredth of it

template <class T>
T get(cl_device_id device, cl_uint name) {
  return info<T>(clGetDeviceInfo, "clGetDeviceInfo", device, name);
}

/// Other drivers do not know the query.
bool is_launched_by_cuda(cl_device_id device) {
  cl_bool launched = CL_FALSE;
  return clGetDeviceInfo(device, base::kLaunchedByCuda, sizeof launched, &launched, nullptr) ==
             CL_SUCCESS &&
         launched == CL_TRUE;
}

device::Type type_of(cl_device_id device) {
  const auto bits = get<cl_device_type>(device, CL_DEVICE_TYPE);
  if (bits & CL_DEVICE_TYPE_GPU) return device::Type::gpu;
  return bits & CL_DEVICE_TYPE_CPU ? device::Type::cpu : device::Type::accelerator;
}

/// Returns the compute capability on NVIDIA (cl_nv_device_attribute_query) and the vector width on
/// CPUs.
std::string architecture_of(cl_device_id device, const device::Facts& facts) {
  constexpr cl_uint kComputeCapabilityMajor = 0x4000, kComputeCapabilityMinor = 0x4001;
  if (facts.type == device::Type::cpu) return "cpu-" + std::to_string(32 * facts.vector_f32);
  if (device_text(device, CL_DEVICE_EXTENSIONS).find("cl_nv_device_attribute_query") ==
      std::string::npos)
    return {};
  return "sm_" + std::to_string(get<cl_uint>(device, kComputeCapabilityMajor)) +
         std::to_string(get<cl_uint>(device, kComputeCapabilityMinor));
}

}  // namespace

VectorWidths usable_widths(device::Type type, VectorWidths reported) {
  const unsigned least = type == device::Type::cpu ? 4 : 1;
  return {std::max(reported.f32, least),
          reported.f64 == 0 ? 0 : std::max(reported.f64, std::max(least / 2, 1u))};
}

device::Facts reported_facts(cl_device_id device) {
  device::Facts facts;
  facts.name = device_text(device, CL_DEVICE_NAME);
  facts.vendor = device_text(device, CL_DEVICE_VENDOR);
  facts.driver = device_text(device, CL_DRIVER_VERSION);
  facts.platform = platform_text(get<cl_platform_id>(device, CL_DEVICE_PLATFORM), CL_PLATFORM_NAME);
  facts.type = type_of(device);
  facts.compute_units = get<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  facts.max_work_group =
      static_cast<unsigned>(get<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  if (facts.type == device::Type::cpu) facts.simd = 1;  // its work-items do not run in lockstep
  facts.f64.native = get<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  facts.f64.fma = (get<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA) != 0;
  facts.local_bytes = get<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  facts.memory.bytes = get<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.memory.largest_buffer = get<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.memory.cache_bytes = get<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  const auto doubles = get<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
  const VectorWidths widths =
      usable_widths(facts.type, {get<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
                                 facts.f64.native ? std::max(doubles, cl_uint{1}) : 0});
  facts.vector_f32 = widths.f32;
  facts.vector_f64 = widths.f64;
  facts.architecture = architecture_of(device, facts);
  facts.compute_unit.moves_loads = device::moves_loads(facts.architecture);
  facts.by_cuda = is_launched_by_cuda(device);
  return facts;
}

device::Facts facts(cl_device_id device, const DiskCache& disk) {
  const base::Stopwatch watch;
  auto facts = reported_facts(device);
  if (facts.type == device::Type::gpu) {
    const Probe found = probe(device, facts, disk);
    facts.local_bytes = found.local_bytes;
    facts.simd = found.simd;
  }
  facts.waiting = waiting(device, disk);
  facts.keeps_loads = keeps_loads(device, disk);
  if (watch.seconds() > kWorthTelling)
    base::log(LogLevel::info, "detecting the capabilities of " + facts.name + " took " +
                                  base::milliseconds(watch.seconds()));
  return facts;
}

bool are_facts_known(cl_device_id device, const DiskCache& disk) {
  return is_known(waiting_key(device), disk) && is_known(kept_load_key(device), disk);
}

}  // namespace imago::runtime
