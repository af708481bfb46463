// This file is imago._core: sessions and devices, as thin as they can be. What arguments mean is
// decided in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include <imago/host.hpp>

#include "buffer.hpp"
#include "layout.hpp"
#include "opencl.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

Wish wish_of(const nb::bytes& kinds, std::vector<std::size_t> lengths, int flags, double scale) {
  Wish wish;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto kind = static_cast<unsigned char>(kinds.c_str()[i]);
    if (kind > static_cast<unsigned char>(Kind::identity))
      throw InvalidArgument("kinds[" + std::to_string(i) + "] is " + std::to_string(kind) +
                            ": 0 to 10, imago::Kind");
    wish.kinds.push_back(static_cast<Kind>(kind));
  }
  wish.lengths = std::move(lengths);
  wish.inverse = flags & 1;
  wish.orthogonal = flags & 2;
  wish.conjugate = flags & 4;
  wish.scale = scale;
  return wish;
}

/// False where the arrays lie as no layout can say, or where a device would have to be sent much
/// more than it needs: give a packed copy.
bool transform(Session& session, nb::handle x, nb::handle out, const nb::bytes& kinds,
               std::vector<std::size_t> lengths, int flags, double scale) {
  const HostArray from(x.ptr(), "x", false), to(out.ptr(), "the result", true);
  const auto problem =
      problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
  if (!problem) return false;
  if (!session.in_host_memory()) {
    std::size_t elements = 1;
    for (const Py_ssize_t extent : from.view().extents)
      elements *= static_cast<std::size_t>(extent);
    if (problem->from_bytes() > 2 * elements * from.view().element_bytes()) return false;
  }
  const nb::gil_scoped_release released;
  session.run(*problem, from.data(), to.data());
  return true;
}

std::string describe(Session& session, nb::handle x, nb::handle out, const nb::bytes& kinds,
                     std::vector<std::size_t> lengths, int flags, double scale) {
  const HostArray from(x.ptr(), "x", false), to(out.ptr(), "the result", true);
  const auto problem =
      problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
  if (!problem) throw InvalidArgument("the strides of x: multiples of its elements, not negative");
  const nb::gil_scoped_release released;
  return session.describe(*problem);
}

std::string text_of(const cl::Device& device, cl_device_info name) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device(), name, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(device(), name, bytes, text.data(), nullptr), "clGetDeviceInfo");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

template <class T>
T number_of(const cl::Device& device, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(device(), name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

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
    const nb::gil_scoped_release released;
    found = devices();
  }
  nb::list list;
  for (const cl::Device& device : found) list.append(facts(device));
  return list;
}

PyObject* g_error = nullptr;  // NOLINT: the translator needs it; the module keeps it alive

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArgument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const Unsupported& e) {
    PyErr_SetString(PyExc_NotImplementedError, e.what());
  } catch (const DeviceError& e) {
    std::string text = e.what();
    if (!e.build_log().empty()) text += "\n" + e.build_log();
    PyErr_SetString(g_error, text.c_str());
  } catch (const Error& e) {
    PyErr_SetString(g_error, e.what());
  }
}

}  // namespace
}  // namespace imago::python

NB_MODULE(_core, m) {
  using namespace imago::python;  // NOLINT: the module's own names
  m.doc() = "What imago's Python package calls in the C++ library.";
  g_error = PyErr_NewExceptionWithDoc("imago.Error", "OpenCL failed, or a device computes wrong.",
                                      PyExc_RuntimeError, nullptr);
  m.attr("Error") = nb::steal(g_error);
  nb::register_exception_translator(translate);

  nb::class_<Session>(m, "Session")
      .def("__init__",
           [](Session* self, const std::string& wish, bool doubles) {
             const nb::gil_scoped_release released;
             new (self) Session(
                 imago::find_device(wish, doubles ? imago::Precision::f64 : imago::Precision::f32));
           })
      .def("transform", &transform)
      .def("describe", &describe)
      .def("facts", [](const Session& s) { return facts(s.device()); })
      .def("clear", [](Session& s) { s.plans().clear(); })
      .def_prop_ro("name", [](const Session& s) { return text_of(s.device(), CL_DEVICE_NAME); })
      .def_prop_ro("float64", &Session::has_doubles)
      .def_prop_ro("statistics", [](Session& s) {
        const auto counts = s.plans().counts();
        nb::dict found;
        found["computed"] = s.computed();
        found["plans"] = counts.plans;
        found["workspace_bytes"] = counts.bytes;
        found["hits"] = counts.hits;
        found["misses"] = counts.misses;
        return found;
      });
  m.def("devices", &device_list);
}
