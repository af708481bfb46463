// This file exposes Convolution to Python: for host arrays, with the kernel's spectrum on the
// device.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <imago/convolution.hpp>

#include "arguments.hpp"
#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
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

/// Computes the kernel's spectrum from host memory and waits.
void prepare(OwnConvolution& self, const Memory& kernels) {
  const cl::Buffer from = self.session.buffer_of(kernels);
  const cl::CommandQueue queue = self.session.queue();
  self.prepared->plan.prepare(queue, from, self.prepared->spectrum);
  check(clFinish(queue()), "clFinish");
}

void make(OwnConvolution* self, Session& session, const nb::dict& fields, nb::handle kernels) {
  const ConvolutionShape shape = shape_of(fields);
  Options options = first_options();
  options.f64 = static_cast<F64>(nb::cast<int>(fields["f64"]));
  const HostBytes bytes(kernels.ptr(), "kernel", false);
  const Released released;
  auto plan = interruptibly([context = session.context(), device = session.device(), shape,
                             options] { return Convolution(context, device, shape, options); });
  if (bytes.bytes() < plan.kernel_bytes())
    throw InvalidArgument("kernel has " + std::to_string(bytes.bytes()) + " bytes; it needs " +
                          std::to_string(plan.kernel_bytes()));
  const auto spectrum = session.buffer_of({nullptr, plan.spectrum_bytes()});
  auto* const made = new (self) OwnConvolution{session, owned<Prepared>(std::move(plan), spectrum)};
  try {
    prepare(*made, {bytes.data(), bytes.bytes()});
  } catch (...) {
    made->~OwnConvolution();
    throw;
  }
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
  nb::class_<OwnConvolution>(m, "Convolution")
      .def("__init__", &make, nb::keep_alive<1, 2>(), nb::call_guard<UsesDriver>())
      .def("run", &run, nb::call_guard<UsesDriver>())
      .def("describe", [](const OwnConvolution& c) { return c.prepared->plan.describe(); })
      .def_prop_ro("result", [](const OwnConvolution& c) { return c.prepared->plan.result(); })
      .def_prop_ro("points", [](const OwnConvolution& c) { return c.prepared->plan.points(); });
}

}  // namespace imago::python
