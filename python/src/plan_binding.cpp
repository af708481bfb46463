// This file offers Plan to Python: any Transform, on host arrays and on another package's buffers.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include <imago/plan.hpp>

#include "arguments.hpp"
#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "handles.hpp"
#include "hooks.hpp"
#include "interrupts.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

/// A plan and where it works.
struct OwnPlan {
  Session& session;  ///< which nanobind keeps alive
  Owned<Plan> plan;
};

Layout layout_of(nb::handle h, const char* name) {
  Layout layout;
  layout.strides = attribute_of<std::vector<std::size_t>>(h, name, "strides");
  layout.distance = attribute_of<std::size_t>(h, name, "distance");
  layout.offset = attribute_of<std::size_t>(h, name, "offset");
  const auto storage = attribute_of<std::string>(h, name, "storage");
  if (storage != "interleaved" && storage != "real")
    throw InvalidArgument("storage is " + storage + ": interleaved or real");
  if (storage == "real") layout.storage = Storage::real;
  return layout;
}

/// Of a dictionary with the fields of Transform; what is an enumeration comes as its number.
Hooks both_hooks_of(const nb::dict& d, const std::string& name) {
  const nb::object hooks = nb::borrow(d[name.c_str()]);
  return {hooks_of(hooks.attr("load"), name + ".load"),
          hooks_of(hooks.attr("store"), name + ".store")};
}

Transform transform_of(const nb::dict& d) {
  Transform t;
  for (const int kind : nb::cast<std::vector<int>>(d["axes"]))
    t.axes.push_back(static_cast<Kind>(kind));
  t.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  t.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  t.batch = entry_of<std::size_t>(d, "batch");
  t.placement = entry_of<bool>(d, "in_place") ? Placement::in_place : Placement::out_of_place;
  t.directions = static_cast<Directions>(nb::cast<int>(d["directions"]));
  t.norm = static_cast<Norm>(nb::cast<int>(d["norm"]));
  if (const auto scale = entry_of<std::optional<std::pair<double, double>>>(d, "scale"))
    t.scale = Scale{scale->first, scale->second};
  t.orthogonal = entry_of<std::optional<bool>>(d, "orthogonal");
  t.signal = layout_of(d["signal"], "signal");
  t.spectrum = layout_of(d["spectrum"], "spectrum");
  t.on_forward = both_hooks_of(d, "on_forward");
  t.on_inverse = both_hooks_of(d, "on_inverse");
  if (!d["filter"].is_none()) t.filter = hooks_of(d["filter"], "filter");
  return t;
}

void make(OwnPlan* self, Session& session, const nb::dict& fields) {
  const Transform transform = transform_of(fields);
  const Options options{.deterministic = entry_of<bool>(fields, "deterministic"),
                        .recipe = entry_of<std::optional<std::string>>(fields, "recipe")};
  const nb::gil_scoped_release released;
  new (self) OwnPlan{session, interruptibly([context = session.context(), device = session.device(),
                                             transform, options] {
                       return owned<Plan>(context, device, transform, options);
                     })};
}

void compute(const Plan& plan, const cl::CommandQueue& queue, bool inverse, const Array& from,
             const Array& to, const Call& call) {
  const bool in_place = plan.transform().placement == Placement::in_place;
  if (in_place && inverse)
    plan.inverse(queue, to, call);
  else if (in_place)
    plan.forward(queue, to, call);
  else if (inverse)
    plan.inverse(queue, from, to, call);
  else
    plan.forward(queue, from, to, call);
}

void run(OwnPlan& self, bool inverse, nb::handle x, nb::handle out, const nb::dict& values) {
  const bool in_place = x.is(out);
  const HostBytes from(x.ptr(), "x", in_place), to(out.ptr(), "out", true);
  const Call call{.arguments = host_arguments(self.session, values)};
  const nb::gil_scoped_release released;
  self.session.on_buffers(
      {from.data(), from.bytes()}, {to.data(), to.bytes()},
      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& result) {
        compute(*self.plan, queue, inverse, in, result, call);
      });
}

using Place = std::pair<std::uintptr_t, std::size_t>;  // a buffer's address, elements before

std::uintptr_t enqueue(OwnPlan& self, std::uintptr_t queue, bool inverse, const Place& x,
                       const Place& out, const nb::dict& values,
                       const std::vector<std::uintptr_t>& waits) {
  const auto in_queue = object_at<cl::CommandQueue>(queue);
  cl::Event done;
  const Call call{
      .waits = waits_at(waits, in_queue), .event = &done, .arguments = device_arguments(values)};
  const nb::gil_scoped_release released;
  compute(*self.plan, in_queue, inverse, Array(object_at<cl::Buffer>(x.first), x.second),
          Array(object_at<cl::Buffer>(out.first), out.second), call);
  return given_away(done);
}

nb::list sources(const OwnPlan& self) {
  nb::list list;
  for (const KernelSource& source : self.plan->sources())
    list.append(nb::make_tuple(source.name, source.source, source.options));
  return list;
}

}  // namespace

void add_plan(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<OwnPlan>(m, "Plan")
      .def("__init__", &make, nb::keep_alive<1, 2>(), Guard())
      .def("run", &run, Guard())
      .def("enqueue", &enqueue, Guard())
      .def("sources", &sources)
      .def("describe", [](const OwnPlan& p) { return p.plan->describe(); })
      .def("recipe", [](const OwnPlan& p) { return p.plan->recipe(); })
      .def_prop_ro("signal_bytes", [](const OwnPlan& p) { return p.plan->signal_bytes(); })
      .def_prop_ro("spectrum_bytes", [](const OwnPlan& p) { return p.plan->spectrum_bytes(); })
      .def_prop_ro("workspace_bytes", [](const OwnPlan& p) { return p.plan->workspace_bytes(); })
      .def_prop_ro("table_bytes", [](const OwnPlan& p) { return p.plan->table_bytes(); });
}

}  // namespace imago::python
