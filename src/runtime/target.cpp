// This file identifies the device that code is built for, and lists the devices.
#include "runtime/target.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/held_signals.hpp"
#include "base/log.hpp"

namespace imago::runtime {

base::Digest identity(cl_device_id device) {
  const auto platform =
      info<cl_platform_id>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_PLATFORM);
  base::Hasher hasher;
  for (const cl_uint name :
       {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_VERSION}) {
    hasher.field(device_text(device, name));
  }
  for (const cl_uint name : {CL_PLATFORM_NAME, CL_PLATFORM_VERSION}) {
    hasher.field(platform_text(platform, name));
  }
  return hasher.digest();
}

Target make_target(cl_context context, cl_device_id device, std::string_view generator) {
  if (!context) base::invalid("context", "null", "give an OpenCL context");
  if (!device)
    base::invalid("device", "null", "give a device of the context, or a sub-device of one");
  const auto devices =
      info_list<cl_device_id>(clGetContextInfo, "clGetContextInfo", context, CL_CONTEXT_DEVICES);
  if (place_among(devices, device) == devices.size()) {
    base::invalid("device", "\"" + device_text(device, CL_DEVICE_NAME) + "\"",
                  "give a device of the context, or a sub-device of one");
  }
  return {context, device, identity(device), generator};
}

std::size_t place_among(const std::vector<cl_device_id>& devices, cl_device_id device) {
  auto place = std::find(devices.begin(), devices.end(), device);
  while (place == devices.end() && device) {
    device =
        info<cl_device_id>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_PARENT_DEVICE);
    place = std::find(devices.begin(), devices.end(), device);
  }
  return static_cast<std::size_t>(place - devices.begin());
}

namespace {

cl_int append_devices(cl_platform_id platform, std::vector<cl_device_id>& devices) {
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code != CL_SUCCESS || count == 0) return code;
  std::vector<cl_device_id> found(count);
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr);
  if (code == CL_SUCCESS) devices.insert(devices.end(), found.begin(), found.end());
  return code;
}

}  // namespace

bool is_pocl(cl_device_id device) {
  const auto platform =
      info<cl_platform_id>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_PLATFORM);
  return platform_text(platform, CL_PLATFORM_NAME) == "Portable Computing Language";
}

std::vector<cl_device_id> all_devices() {
  base::use_driver();
  const base::HeldSignals held;          // PoCL starts the threads here that link kernels
  constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, of cl_khr_icd
  cl_uint count = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code == kNoPlatform) return {};
  check(code, "clGetPlatformIDs");
  if (count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");

  std::vector<cl_device_id> devices;
  cl_int failed = CL_SUCCESS;
  for (const cl_platform_id platform : platforms) {
    const cl_int status = append_devices(platform, devices);
    if (status != CL_SUCCESS && status != CL_DEVICE_NOT_FOUND) failed = status;
  }
  // The failure of one platform must not hide the others.
  if (devices.empty()) check(failed, "clGetDeviceIDs");
  if (failed != CL_SUCCESS)
    base::log(LogLevel::warning, "cannot list the devices of a platform: clGetDeviceIDs failed: " +
                                     error_name(failed));
  return devices;
}

}  // namespace imago::runtime
