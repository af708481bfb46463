// This file exposes Session to Python: transforms of host arrays, and of another package's arrays
// on the device.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <imago/devices.hpp>
#include <imago/memory.hpp>

#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "buffer.hpp"
#include "facts.hpp"
#include "gil.hpp"
#include "handles.hpp"
#include "interrupts.hpp"
#include "process.hpp"
#include "session.hpp"
#include "wish.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using Lengths = std::vector<std::size_t>;

/// Returns true if the copy to the device would be much larger than the elements that it needs.
bool wasteful(const Session& session, const Problem& problem, const View& from) {
  if (session.in_host_memory()) return false;
  std::size_t elements = 1;
  for (const Py_ssize_t extent : from.extents) elements *= static_cast<std::size_t>(extent);
  return problem.from_bytes() > 2 * elements * from.element_bytes();
}

/// Returns false if no layout can describe the arrays, or if the copy would be wasteful. The caller
/// then passes a packed copy.
bool transform(Session& session, nb::handle x, nb::handle out, const nb::bytes& kinds,
               Lengths lengths, int flags, double scale) {
  const HostArray from(x.ptr(), "x", false), to(out.ptr(), "the result", true);
  const auto problem =
      problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
  if (!problem || wasteful(session, *problem, from.view())) return false;
  const Released released;
  session.run(*problem, from.data(), to.data());
  return true;
}

std::string describe(Session& session, nb::handle x, nb::handle out, const nb::bytes& kinds,
                     Lengths lengths, int flags, double scale) {
  const HostArray from(x.ptr(), "x", false), to(out.ptr(), "the result", true);
  const auto problem =
      problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
  if (!problem)
    throw InvalidArgument(
        "the strides of x are negative or not multiples of its element size; give a copy");
  const Released released;
  return session.describe(*problem);
}

/// The place of a device array in its buffer: its shape, its strides in bytes, and its type ('f',
/// 'd', 'F' or 'D').
struct DeviceArray {
  std::vector<Py_ssize_t> extents, strides;
  char type;

  explicit DeviceArray(const nb::tuple& t)
      : extents(nb::cast<std::vector<Py_ssize_t>>(t[0])),
        strides(nb::cast<std::vector<Py_ssize_t>>(t[1])),
        type(nb::cast<const char*>(t[2])[0]) {}
  View view() const {
    return {extents, strides, type == 'F' || type == 'D', type == 'd' || type == 'D', true};
  }
};

void make_device_call(DeviceCall* self, const nb::tuple& x, const nb::tuple& out,
                      const nb::bytes& kinds, Lengths lengths, int flags, double scale) {
  const DeviceArray from(x), to(out);
  auto problem =
      problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
  if (!problem)
    throw InvalidArgument(
        "the strides of x or of the result are negative or not multiples of the element size; give "
        "a copy");
  new (self) DeviceCall(std::move(*problem));
}

/// Returns the array at a place that counts bytes.
Array array_at_byte(const Place& place, std::size_t element_bytes, const char* name) {
  if (place.second % element_bytes != 0)
    throw InvalidArgument(std::string(name) + " begins at byte " + std::to_string(place.second) +
                          " of its buffer; it must be a multiple of " +
                          std::to_string(element_bytes));
  return array_at({place.first, place.second / element_bytes});
}

/// Returns the address of an event that completes after the transform.
std::uintptr_t enqueue(Session& session, const DeviceCall& device_call, std::uintptr_t queue,
                       const Place& x, const Place& out, const Waits& waits) {
  const Problem& problem = device_call.problem;
  return enqueued(object_at<cl::CommandQueue>(queue), waits, {},
                  [&](const cl::CommandQueue& in_queue, const Call& call) {
                    session.enqueue(
                        device_call, in_queue, array_at_byte(x, problem.from_element_bytes(), "x"),
                        array_at_byte(out, problem.to_element_bytes(), "the result"), call);
                  });
}

/// Memory on a session's device, with a copy of bytes.
struct OwnBuffer {
  Owned<cl::Buffer> buffer;
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>((*buffer)()); }
};

void make_buffer(OwnBuffer* self, const Session& session, const nb::bytes& values) {
  void* const data = const_cast<void*>(values.data());  // OpenCL only reads it
  new (self) OwnBuffer{owned<cl::Buffer>(session.buffer_of({data, values.size()}))};
}

nb::dict statistics(Session& session) {
  const auto counts = session.counts();
  nb::dict found;
  found["computed"] = session.computed();
  found["generic"] = session.generic();
  found["plans"] = counts.values;
  found["workspace_bytes"] = counts.bytes;
  found["hits"] = counts.hits;
  found["misses"] = counts.misses;
  return found;
}

}  // namespace

void add_session(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  m.def("end_work", &end_work);
  m.def("compile_first", &compile_first);
  m.def("release_memory", &release_memory, nb::call_guard<Released>());
  nb::class_<OwnBuffer>(m, "Buffer")
      .def("__init__", &make_buffer, Guard())
      .def_prop_ro("int_ptr", &OwnBuffer::address);
  nb::class_<DeviceCall>(m, "DeviceCall").def("__init__", &make_device_call);
  nb::class_<Session>(m, "Session")
      .def(
          "__init__",
          [](Session* self, const std::string& wish, bool doubles) {
            const Released released;
            new (self) Session(find_device(wish, doubles ? Precision::f64 : Precision::f32));
          },
          Guard())
      .def(
          "__init__",
          [](Session* self, std::uintptr_t context, std::uintptr_t device) {
            new (self) Session(object_at<cl::Device>(device), object_at<cl::Context>(context));
          },
          Guard())
      .def("transform", &transform, Guard())
      .def("describe", &describe, Guard())
      .def("enqueue", &enqueue, Guard())
      .def("limit_plans", &Session::limit_plans, Guard())
      .def("clear", &Session::clear, Guard())
      .def_prop_rw("in_host_memory", &Session::in_host_memory, &Session::set_in_host_memory)
      .def_prop_ro(
          "name", [](const Session& s) { return text_of(s.device(), CL_DEVICE_NAME); }, Guard())
      .def_prop_ro("float64", &Session::has_doubles)
      .def_prop_ro("statistics", &statistics);
}

}  // namespace imago::python
