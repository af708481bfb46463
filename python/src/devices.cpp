// This file exposes devices to Python.
#include <nanobind/stl/string.h>
#include <imago/devices.hpp>

#include "bindings.hpp"
#include "facts.hpp"
#include "gil.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

nb::dict facts(const cl::Device& device) {
  nb::dict found;
  const auto type = number_of<cl_device_type>(device, CL_DEVICE_TYPE);
  found["name"] = text_of(device, CL_DEVICE_NAME);
  found["driver"] = text_of(device, CL_DRIVER_VERSION);
  found["version"] = text_of(device, CL_DEVICE_VERSION);
  found["type"] = type & CL_DEVICE_TYPE_GPU   ? "gpu"
                  : type & CL_DEVICE_TYPE_CPU ? "cpu"
                                              : "accelerator";
  found["compute_units"] = number_of<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  found["memory"] = number_of<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  found["float64"] = number_of<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  return found;
}

nb::list device_list() {
  std::vector<cl::Device> found;
  {
    const Released released;
    found = devices();
  }
  nb::list list;
  for (const cl::Device& device : found) list.append(facts(device));
  return list;
}

}  // namespace

void add_devices(nb::module_& m) {
  m.def("devices", &device_list, nb::call_guard<UsesDriver>());
  m.def(
      "facts", [](const Session& session) { return facts(session.device()); },
      nb::call_guard<UsesDriver>());
}

}  // namespace imago::python
