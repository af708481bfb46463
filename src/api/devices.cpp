// This file implements the choice of a device.
#include <imago/devices.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago {
namespace {

std::string name_of(cl_device_id device) { return runtime::device_text(device, CL_DEVICE_NAME); }

bool has_doubles(cl_device_id device) {
  return runtime::info<cl_device_fp_config>(clGetDeviceInfo, "clGetDeviceInfo", device,
                                            CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
}

std::string listing(const std::vector<cl_device_id>& devices) {
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " \"" + name_of(devices[i]) + "\"";
  }
  return text;
}

cl_device_id named(const std::vector<cl_device_id>& devices, const std::string& wish,
                   const std::string& field) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wish.data(), wish.data() + wish.size(), index);
  if (error == std::errc() && end == wish.data() + wish.size() && index < devices.size()) {
    return devices[index];
  }
  for (const cl_device_id device : devices) {
    if (base::lower_case(name_of(device)).find(base::lower_case(wish)) != std::string::npos)
      return device;
  }
  base::invalid(field, "\"" + wish + "\"",
                "it must be an index or a part of a name: " + listing(devices));
}

/// Returns the first GPU, accelerator or CPU. For f64 it has doubles, if one of them has.
cl_device_id first_for(const std::vector<cl_device_id>& devices, Precision precision) {
  for (const bool any : {precision != Precision::f64, true}) {
    for (const cl_device_type type :
         {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU}) {
      for (const cl_device_id device : devices) {
        const auto types = runtime::info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device,
                                                         CL_DEVICE_TYPE);
        if ((types & type) && (any || has_doubles(device))) return device;
      }
    }
  }
  return devices.front();
}

/// Returns IMAGO_DEVICE; null if it is not set or empty.
const char* wish_of_environment() {
  const char* const variable = std::getenv("IMAGO_DEVICE");
  return variable && *variable ? variable : nullptr;
}

}  // namespace

std::vector<cl::Device> devices() {
  std::vector<cl::Device> found;
  for (const cl_device_id device : runtime::all_devices()) found.emplace_back(device, true);
  return found;
}

cl::Device find_device(const std::string& wish, Precision precision) {
  const auto all = runtime::all_devices();
  if (all.empty()) base::no_device();
  if (!wish.empty()) return cl::Device(named(all, wish, "device"), true);
  const char* const variable = wish_of_environment();
  if (variable) return cl::Device(named(all, variable, "IMAGO_DEVICE"), true);
  return cl::Device(first_for(all, precision), true);
}

cl::Device dealt_device(std::size_t turn) {
  const cl::Device own = find_device();
  if (wish_of_environment()) return own;
  std::vector<cl::Device> alike;
  for (const cl::Device& device : devices()) {
    if (device.getInfo<CL_DEVICE_TYPE>() == own.getInfo<CL_DEVICE_TYPE>() &&
        device.getInfo<CL_DEVICE_PLATFORM>() == own.getInfo<CL_DEVICE_PLATFORM>())
      alike.push_back(device);
  }
  return alike.at(turn % alike.size());
}

}  // namespace imago
