// This file binds transforms of arrays in CUDA's memory.
#include <nanobind/nanobind.h>

#include <imago/cuda.hpp>

#include "bindings.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

/// The primary context of a GPU, with the cache of its plans.
struct CudaSession {
  CudaScope scope;
  Session session;

  explicit CudaSession(int gpu)
      : scope(CudaScope::of_gpu(gpu)), session(scope.device(), scope.context()) {}

  /// Enqueues a transform between two addresses into a stream.
  void enqueue(const DeviceCall& device_call, std::uintptr_t stream, CudaPointer x,
               CudaPointer out) {
    // The arrays' library knows how large they are.
    constexpr std::size_t kBytes = SIZE_MAX / 4;
    const Released released;
    auto* const in_stream = reinterpret_cast<CudaStream>(stream);
    const cl::Buffer from = scope.buffer(x, kBytes), to = scope.buffer(out, kBytes);
    if (scope.is_capturing(in_stream))
      return session.enqueue_apart(device_call, scope.queue(in_stream), from, to);
    session.enqueue(device_call, scope.queue(in_stream), from, to, {});
  }
};

}  // namespace

void add_cuda(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<CudaSession>(m, "CudaSession")
      .def(
          "__init__",
          [](CudaSession* self, int gpu) {
            const Released released;
            new (self) CudaSession(gpu);
          },
          Guard())
      .def("enqueue", &CudaSession::enqueue, Guard())
      .def_prop_ro(
          "session", [](CudaSession& self) -> Session& { return self.session; },
          nb::rv_policy::reference_internal);
}

}  // namespace imago::python
