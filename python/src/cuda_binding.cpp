// This file binds transforms of arrays in CUDA's memory, and the handles of CUDA's streams and
// memory with which the classes for OpenCL's buffers compute.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>

#include <imago/cuda.hpp>

#include "bindings.hpp"
#include "opencl.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

// The arrays' library knows how large they are.
constexpr std::size_t kBytes = SIZE_MAX / 4;

CudaStream stream_at(std::uintptr_t address) { return reinterpret_cast<CudaStream>(address); }

/// A handle of an object, as pyopencl's classes have one.
template <class Object>
struct CudaHandle {
  Object object;
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(object()); }
};

using CudaQueue = CudaHandle<cl::CommandQueue>;
using CudaBuffer = CudaHandle<cl::Buffer>;

/// The end of the commands that a stream has got so far.
struct CudaEvent {
  cl::Event event;
  bool done() const {
    cl_int status = CL_QUEUED;
    check(
        clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
    return status <= CL_COMPLETE;
  }
};

/// An array that another library passes in a capsule of DLPack. It holds the memory.
struct DlpackArray {
  nb::ndarray<nb::ro> array;

  explicit DlpackArray(nb::handle capsule) : array(nb::cast<nb::ndarray<nb::ro>>(capsule)) {}
  nb::tuple strides() const {
    nb::list strides;
    for (std::size_t i = 0; i < array.ndim(); ++i)
      strides.append(array.stride(i) * static_cast<std::int64_t>(array.itemsize()));
    return nb::tuple(strides);
  }
};

/// The primary context of a GPU, with the cache of its plans.
struct CudaSession {
  CudaScope scope;
  Session session;

  explicit CudaSession(int gpu)
      : scope(CudaScope::of_gpu(gpu)), session(scope.device(), scope.context()) {}

  /// Enqueues a transform between two addresses into a stream.
  void enqueue(const DeviceCall& device_call, std::uintptr_t stream, CudaPointer x,
               CudaPointer out) {
    const Released released;
    auto* const in_stream = stream_at(stream);
    const cl::Buffer from = scope.buffer(x, kBytes), to = scope.buffer(out, kBytes);
    if (scope.is_capturing(in_stream))
      return session.enqueue_apart(device_call, scope.queue(in_stream), from, to);
    session.enqueue(device_call, scope.queue(in_stream), from, to, {});
  }

  CudaQueue queue(std::uintptr_t stream) const { return {scope.queue(stream_at(stream))}; }
  CudaBuffer buffer(CudaPointer address) const { return {scope.buffer(address, kBytes)}; }
  bool is_capturing(std::uintptr_t stream) const { return scope.is_capturing(stream_at(stream)); }

  CudaEvent event(std::uintptr_t stream) const {
    CudaEvent made;
    check(clEnqueueMarkerWithWaitList(scope.queue(stream_at(stream))(), 0, nullptr, &made.event()),
          "clEnqueueMarkerWithWaitList");
    return made;
  }

  /// Lets a stream's later commands wait for those that another one has got.
  void wait(std::uintptr_t stream, std::uintptr_t other) const {
    const CudaEvent end = event(other);
    check(clEnqueueMarkerWithWaitList(scope.queue(stream_at(stream))(), 1, &end.event(), nullptr),
          "clEnqueueMarkerWithWaitList");
  }
};

}  // namespace

void add_cuda(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<CudaQueue>(m, "CudaQueue").def_prop_ro("int_ptr", &CudaQueue::address);
  nb::class_<CudaBuffer>(m, "CudaBuffer").def_prop_ro("int_ptr", &CudaBuffer::address);
  nb::class_<CudaEvent>(m, "CudaEvent").def_prop_ro("done", &CudaEvent::done, Guard());
  nb::class_<DlpackArray>(m, "DlpackArray")
      .def(nb::init<nb::handle>())
      .def_prop_ro(
          "address",
          [](const DlpackArray& a) { return reinterpret_cast<std::uintptr_t>(a.array.data()); })
      .def_prop_ro("strides", &DlpackArray::strides);
  nb::class_<CudaSession>(m, "CudaSession")
      .def(
          "__init__",
          [](CudaSession* self, int gpu) {
            const Released released;
            new (self) CudaSession(gpu);
          },
          Guard())
      .def("enqueue", &CudaSession::enqueue, Guard())
      .def("queue", &CudaSession::queue, Guard())
      .def("buffer", &CudaSession::buffer, Guard())
      .def("is_capturing", &CudaSession::is_capturing, Guard())
      .def("event", &CudaSession::event, Guard())
      .def("wait", &CudaSession::wait, Guard())
      .def_prop_ro(
          "session", [](CudaSession& self) -> Session& { return self.session; },
          nb::rv_policy::reference_internal);
}

}  // namespace imago::python
