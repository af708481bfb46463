// This file exposes Convolution to Python, for host arrays and for CUDA's memory, with the kernel's
// spectrum on the device.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include <imago/convolution.hpp>

#include "arguments.hpp"
#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "handles.hpp"
#include "hooks.hpp"
#include "interrupts.hpp"
#include "opencl.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

/// A kernel's spectrum on the device, and the plan that multiplies signals by it.
struct Prepared {
  Convolution plan;
  cl::Buffer spectrum;
};

struct OwnConvolution {
  Session& session;  ///< kept alive by nanobind
  Owned<Prepared> prepared;
};

/// Converts a dictionary with the fields of ConvolutionShape. Enumerations are given as numbers.
ConvolutionShape shape_of(const nb::dict& d) {
  ConvolutionShape s;
  s.signal = entry_of<std::vector<std::size_t>>(d, "signal");
  s.kernel = entry_of<std::vector<std::size_t>>(d, "kernel");
  s.extent = static_cast<Extent>(nb::cast<int>(d["extent"]));
  s.correlate = entry_of<bool>(d, "correlate");
  s.complex = entry_of<bool>(d, "complex");
  s.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  s.batch = entry_of<std::size_t>(d, "batch");
  s.of = static_cast<Kernels>(nb::cast<int>(d["of"]));
  s.kernels = entry_of<std::size_t>(d, "kernels");
  s.channels = entry_of<std::size_t>(d, "channels");
  s.ends = {hooks_of(d["load"], "load"), hooks_of(d["store"], "store")};
  s.spectrum = hooks_of(d["spectrum"], "spectrum");
  s.blocks = entry_of<bool>(d, "blocks");
  return s;
}

/// Makes the plan and computes the spectrum of the kernels, for which it waits. `kernels_of`
/// returns their buffer for a number of bytes, and the offset there in elements.
template <class KernelsOf>
void make(OwnConvolution* self, Session& session, const nb::dict& fields,
          const cl::CommandQueue& given, KernelsOf kernels_of) {
  const ConvolutionShape shape = shape_of(fields);
  Options options = first_options();
  options.f64 = static_cast<F64>(nb::cast<int>(fields["f64"]));
  const Released released;
  auto plan = interruptibly([context = session.context(), device = session.device(), shape,
                             options] { return Convolution(context, device, shape, options); });
  const auto [kernels, offset] = kernels_of(plan.kernel_bytes());
  const auto spectrum = session.buffer_of({nullptr, plan.spectrum_bytes()});
  const cl::CommandQueue queue = given() ? given : session.queue();
  plan.prepare(queue, {kernels, offset}, spectrum);
  check(clFinish(queue()), "clFinish");
  new (self) OwnConvolution{session, owned<Prepared>(std::move(plan), spectrum)};
}

void make_on_host(OwnConvolution* self, Session& session, const nb::dict& fields,
                  nb::handle kernels) {
  const HostBytes bytes(kernels.ptr(), "kernel", false);
  make(self, session, fields, {}, [&](std::size_t needed) {
    if (bytes.bytes() < needed)
      throw InvalidArgument("kernel has " + std::to_string(bytes.bytes()) + " bytes; it needs " +
                            std::to_string(needed));
    return std::pair(session.buffer_of({bytes.data(), bytes.bytes()}), std::size_t{0});
  });
}

/// Takes kernels in a buffer, which are complete when the queue's commands are.
void make_on_device(OwnConvolution* self, Session& session, const nb::dict& fields,
                    std::uintptr_t queue, const Place& kernels) {
  make(self, session, fields, object_at<cl::CommandQueue>(queue), [&](std::size_t) {
    return std::pair(object_at<cl::Buffer>(kernels.first), kernels.second);
  });
}

std::uintptr_t enqueue(OwnConvolution& self, std::uintptr_t queue, const Place& x, const Place& out,
                       const nb::dict& values, const Waits& waits) {
  return enqueued(object_at<cl::CommandQueue>(queue), waits, device_arguments(values),
                  [&](const cl::CommandQueue& in_queue, const Call& call) {
                    const Prepared& prepared = *self.prepared;
                    prepared.plan.apply(in_queue, array_at(x), prepared.spectrum, array_at(out),
                                        call);
                  });
}

void run(OwnConvolution& self, nb::handle x, nb::handle out, const nb::dict& values) {
  const HostBytes from(x.ptr(), "x", false), to(out.ptr(), "out", true);
  const Call call{.arguments = host_arguments(self.session, values)};
  const Released released;
  self.session.on_buffers(
      {from.data(), from.bytes()}, {to.data(), to.bytes()},
      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& result) {
        self.prepared->plan.apply(queue, in, self.prepared->spectrum, result, call);
      });
}

}  // namespace

void add_convolution(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<OwnConvolution>(m, "Convolution")
      .def("__init__", &make_on_host, nb::keep_alive<1, 2>(), Guard())
      .def("__init__", &make_on_device, nb::keep_alive<1, 2>(), Guard())
      .def("run", &run, Guard())
      .def("enqueue", &enqueue, Guard())
      .def("describe", [](const OwnConvolution& c) { return c.prepared->plan.describe(); })
      .def_prop_ro("result", [](const OwnConvolution& c) { return c.prepared->plan.result(); })
      .def_prop_ro("points", [](const OwnConvolution& c) { return c.prepared->plan.points(); });
}

}  // namespace imago::python
