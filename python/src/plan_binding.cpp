// This file binds Plan, Filter, ZoomPlan, ShortTimePlan, WelchPlan and RaggedPlan to Python: any
// description, on host arrays and on another package's buffers.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <optional>
#include <type_traits>
#include <utility>

#include <imago/filter.hpp>
#include <imago/plan.hpp>
#include <imago/ragged.hpp>
#include <imago/short_time.hpp>
#include <imago/welch.hpp>
#include <imago/zoom.hpp>

#include "arguments.hpp"
#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "handles.hpp"
#include "hooks.hpp"
#include "interrupts.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

Layout layout_of(nb::handle h, const char* name) {
  Layout layout;
  layout.strides = attribute_of<std::vector<std::size_t>>(h, name, "strides");
  layout.distance = attribute_of<std::size_t>(h, name, "distance");
  layout.offset = attribute_of<std::size_t>(h, name, "offset");
  const auto storage = attribute_of<std::string>(h, name, "storage");
  if (storage != "interleaved" && storage != "real")
    throw InvalidArgument("storage is " + storage + "; it must be interleaved or real");
  if (storage == "real") layout.storage = Storage::real;
  return layout;
}

Hooks both_hooks_of(const nb::dict& d, const std::string& name) {
  const nb::object hooks = nb::borrow(d[name.c_str()]);
  return {hooks_of(hooks.attr("load"), name + ".load"),
          hooks_of(hooks.attr("store"), name + ".store")};
}

/// Sets the fields that a Transform and a FilterShape share.
template <class Shape>
Shape shape_of(const nb::dict& d) {
  Shape shape;
  for (const int kind : nb::cast<std::vector<int>>(d["axes"]))
    shape.axes.push_back(static_cast<Kind>(kind));
  shape.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  shape.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  shape.batch = entry_of<std::size_t>(d, "batch");
  shape.placement = entry_of<bool>(d, "in_place") ? Placement::in_place : Placement::out_of_place;
  shape.signal = layout_of(d["signal"], "signal");
  return shape;
}

/// Returns the description of a plan from a dictionary of its fields; enumerations are numbers.
template <class Made>
auto described_by(const nb::dict& d);

template <>
auto described_by<Plan>(const nb::dict& d) {
  auto t = shape_of<Transform>(d);
  t.directions = static_cast<Directions>(nb::cast<int>(d["directions"]));
  t.norm = static_cast<Norm>(nb::cast<int>(d["norm"]));
  if (const auto scale = entry_of<std::optional<std::pair<double, double>>>(d, "scale"))
    t.scale = Scale{scale->first, scale->second};
  t.orthogonal = entry_of<std::optional<bool>>(d, "orthogonal");
  t.spectrum = layout_of(d["spectrum"], "spectrum");
  t.on_forward = both_hooks_of(d, "on_forward");
  t.on_inverse = both_hooks_of(d, "on_inverse");
  return t;
}

template <>
auto described_by<Filter>(const nb::dict& d) {
  auto shape = shape_of<FilterShape>(d);
  shape.scale = entry_of<double>(d, "scale");
  shape.result = layout_of(d["result"], "result");
  shape.ends = both_hooks_of(d, "ends");
  shape.spectrum = hooks_of(d["spectrum"], "spectrum");
  return shape;
}

template <>
auto described_by<ZoomPlan>(const nb::dict& d) {
  ZoomTransform zoom;
  zoom.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  zoom.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  zoom.axis = entry_of<std::size_t>(d, "axis");
  zoom.batch = entry_of<std::size_t>(d, "batch");
  zoom.points = entry_of<std::size_t>(d, "points");
  zoom.from = entry_of<double>(d, "from"), zoom.to = entry_of<double>(d, "to");
  zoom.rate = entry_of<double>(d, "rate");
  zoom.endpoint = entry_of<bool>(d, "endpoint");
  using Point = std::complex<double>;
  using Points = std::pair<Point, std::optional<Point>>;
  if (const auto spiral = nb::cast<std::optional<Points>>(d["spiral"]))
    zoom.spiral = Spiral{spiral->first, spiral->second};
  zoom.directions = entry_of<bool>(d, "adjoint") ? Directions::inverse : Directions::forward;
  zoom.signal = layout_of(d["signal"], "signal");
  zoom.spectrum = layout_of(d["spectrum"], "spectrum");
  return zoom;
}

template <>
auto described_by<ShortTimePlan>(const nb::dict& d) {
  using Factors = std::vector<std::complex<double>>;
  ShortTimeTransform t;
  t.kind = entry_of<bool>(d, "real") ? Kind::real : Kind::complex;
  t.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  t.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  t.axis = entry_of<std::size_t>(d, "axis");
  t.window = nb::cast<Factors>(d["window"]), t.dual = nb::cast<Factors>(d["dual"]);
  t.points = entry_of<std::size_t>(d, "points"), t.hop = entry_of<std::size_t>(d, "hop");
  t.before = entry_of<std::size_t>(d, "before"), t.frames = entry_of<std::size_t>(d, "frames");
  t.roll = nb::cast<std::int64_t>(d["roll"]);
  t.border = static_cast<Border>(nb::cast<int>(d["border"]));
  t.directions = entry_of<bool>(d, "inverse") ? Directions::inverse : Directions::forward;
  t.signal = layout_of(d["signal"], "signal");
  t.spectrum = layout_of(d["spectrum"], "spectrum");
  (entry_of<bool>(d, "inverse") ? t.on_inverse.load : t.on_forward.store) =
      hooks_of(d["on_bins"], "on_bins");
  t.on_forward.load = hooks_of(d["on_samples"], "on_samples");
  return t;
}

template <>
auto described_by<WelchPlan>(const nb::dict& d) {
  WelchTransform t;
  t.kind = entry_of<bool>(d, "real") ? Kind::real : Kind::complex;
  t.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  t.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  t.axis = entry_of<std::size_t>(d, "axis");
  t.window = nb::cast<std::vector<std::complex<double>>>(d["window"]);
  t.points = entry_of<std::size_t>(d, "points"), t.hop = entry_of<std::size_t>(d, "hop");
  t.cross = entry_of<bool>(d, "cross");
  t.signal = layout_of(d["signal"], "signal"), t.other = layout_of(d["other"], "other");
  t.spectrum = layout_of(d["spectrum"], "spectrum");
  t.on_forward = both_hooks_of(d, "on_forward");
  t.on_other = both_hooks_of(d, "on_other");
  return t;
}

RowLayout row_layout_of(const nb::dict& d, const std::string& name) {
  const nb::object h = nb::borrow(d[name.c_str()]);
  RowLayout layout;
  layout.offsets = attribute_of<std::vector<std::size_t>>(h, name.c_str(), "offsets");
  layout.stride = attribute_of<std::size_t>(h, name.c_str(), "stride");
  layout.distance = attribute_of<std::size_t>(h, name.c_str(), "distance");
  return layout;
}

RowFactors row_factors_of(const nb::dict& d, const char* load, const char* store) {
  using Factors = std::vector<std::complex<double>>;
  return {nb::cast<Factors>(d[load]), nb::cast<Factors>(d[store])};
}

template <>
auto described_by<RaggedPlan>(const nb::dict& d) {
  RaggedTransform t;
  t.kind = static_cast<Kind>(nb::cast<int>(d["kind"]));
  t.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  t.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  t.batch = entry_of<std::size_t>(d, "batch");
  t.signal = row_layout_of(d, "signal"), t.spectrum = row_layout_of(d, "spectrum");
  t.kept = entry_of<std::vector<std::size_t>>(d, "kept");
  t.norm = static_cast<Norm>(nb::cast<int>(d["norm"]));
  t.directions = static_cast<Directions>(nb::cast<int>(d["directions"]));
  t.on_forward = row_factors_of(d, "forward_load", "forward_store");
  t.on_inverse = row_factors_of(d, "inverse_load", "inverse_store");
  return t;
}

template <class Made>
void make(Own<Made>* self, Session& session, const nb::dict& fields) {
  const auto description = described_by<Made>(fields);
  // A Plan waits for its kernels, as its page says; what is made of plans begins at once.
  const bool waits = std::is_same_v<Made, Plan> && !fields.contains("at_once");
  Options options = waits ? Options() : first_options();
  options.deterministic = entry_of<bool>(fields, "deterministic");
  options.reproducible = fields.contains("reproducible") && entry_of<bool>(fields, "reproducible");
  options.f64 = static_cast<F64>(nb::cast<int>(fields["f64"]));
  options.recipe = entry_of<std::optional<std::string>>(fields, "recipe");
  make_own(self, session, description, options);
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

void compute(const Filter& filter, const cl::CommandQueue& queue, bool /*inverse*/,
             const Array& from, const Array& to, const Call& call) {
  if (filter.shape().placement == Placement::in_place)
    filter.apply(queue, to, call);
  else
    filter.apply(queue, from, to, call);
}

void compute(const ZoomPlan& zoom, const cl::CommandQueue& queue, bool adjoint, const Array& from,
             const Array& to, const Call& call) {
  adjoint ? zoom.adjoint(queue, from, to, call) : zoom.forward(queue, from, to, call);
}

void compute(const ShortTimePlan& plan, const cl::CommandQueue& queue, bool inverse,
             const Array& from, const Array& to, const Call& call) {
  inverse ? plan.inverse(queue, from, to, call) : plan.forward(queue, from, to, call);
}

void compute(const RaggedPlan& plan, const cl::CommandQueue& queue, bool inverse, const Array& from,
             const Array& to, const Call& call) {
  inverse ? plan.inverse(queue, from, to, call) : plan.forward(queue, from, to, call);
}

void compute(const WelchPlan& plan, const cl::CommandQueue& queue, bool /*inverse*/,
             const Array& from, const Array& to, const Call& call) {
  plan.power(queue, from, to, call);
}

std::size_t written_bytes(const Plan& plan) { return plan.spectrum_bytes(); }
std::size_t written_bytes(const Filter& filter) { return filter.result_bytes(); }
std::size_t written_bytes(const ZoomPlan& zoom) { return zoom.spectrum_bytes(); }
std::size_t written_bytes(const ShortTimePlan& plan) { return plan.spectrum_bytes(); }
std::size_t written_bytes(const RaggedPlan& plan) { return plan.spectrum_bytes(); }
std::size_t written_bytes(const WelchPlan& plan) { return plan.spectrum_bytes(); }

template <class Made>
void run(Own<Made>& self, bool inverse, nb::handle x, nb::handle out, const nb::dict& values) {
  const bool in_place = x.is(out);
  const HostBytes from(x.ptr(), "x", in_place), to(out.ptr(), "out", true);
  const Call call{.arguments = host_arguments(self.session, values)};
  const Released released;
  self.session.on_buffers(
      {from.data(), from.bytes()}, {to.data(), to.bytes()},
      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& result) {
        compute(*self.plan, queue, inverse, in, result, call);
      });
}

template <class Made>
std::uintptr_t enqueue(Own<Made>& self, std::uintptr_t queue, bool inverse, const Place& x,
                       const Place& out, const nb::dict& values, const Waits& waits) {
  return enqueued(object_at<cl::CommandQueue>(queue), waits, device_arguments(values),
                  [&](const cl::CommandQueue& in_queue, const Call& call) {
                    compute(*self.plan, in_queue, inverse, array_at(x), array_at(out), call);
                  });
}

void run_cross(Own<WelchPlan>& self, nb::handle x, nb::handle y, nb::handle out,
               const nb::dict& values) {
  const HostBytes from(x.ptr(), "x", false), other(y.ptr(), "y", false), to(out.ptr(), "out", true);
  const Call call{.arguments = host_arguments(self.session, values)};
  const Released released;
  const cl::Buffer second = self.session.buffer_of({other.data(), other.bytes()});
  self.session.on_buffers(
      {from.data(), from.bytes()}, {to.data(), to.bytes()},
      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& result) {
        self.plan->cross(queue, in, second, result, call);
      });
}

std::uintptr_t enqueue_cross(Own<WelchPlan>& self, std::uintptr_t queue, const Place& x,
                             const Place& y, const Place& out, const nb::dict& values,
                             const Waits& waits) {
  return enqueued(object_at<cl::CommandQueue>(queue), waits, device_arguments(values),
                  [&](const cl::CommandQueue& in_queue, const Call& call) {
                    self.plan->cross(in_queue, array_at(x), array_at(y), array_at(out), call);
                  });
}

template <class Made>
nb::list sources(const Own<Made>& self) {
  nb::list list;
  for (const KernelSource& source : self.plan->sources())
    list.append(nb::make_tuple(source.name, source.source, source.options));
  return list;
}

template <class Made>
nb::class_<Own<Made>> add(nb::module_& m, const char* name) {
  using Self = Own<Made>;
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<Self> bound(m, name);
  bound.def("__init__", &make<Made>, nb::keep_alive<1, 2>(), Guard())
      .def("run", &run<Made>, Guard())
      .def("enqueue", &enqueue<Made>, Guard())
      .def("sources", &sources<Made>)
      .def("describe", [](const Self& p) { return p.plan->describe(); })
      .def_prop_ro("signal_bytes", [](const Self& p) { return p.plan->signal_bytes(); })
      .def_prop_ro("written_bytes", [](const Self& p) { return written_bytes(*p.plan); })
      .def_prop_ro("workspace_bytes", [](const Self& p) { return p.plan->workspace_bytes(); });
  constexpr bool ragged = std::is_same_v<Made, RaggedPlan>;
  if constexpr (std::is_same_v<Made, Plan> || std::is_same_v<Made, Filter>)
    bound.def("recipe", [](const Self& p) { return p.plan->recipe(); });
  if constexpr (std::is_same_v<Made, Plan> || std::is_same_v<Made, Filter> || ragged)
    bound.def_prop_ro("table_bytes", [](const Self& p) { return p.plan->table_bytes(); });
  return bound;
}

}  // namespace

void add_plan(nb::module_& m) {
  add<Plan>(m, "Plan");
  add<Filter>(m, "Filter");
  add<ZoomPlan>(m, "Zoom");
  add<ShortTimePlan>(m, "ShortTime");
  add<RaggedPlan>(m, "Ragged");
  add<WelchPlan>(m, "Welch")
      .def("run_cross", &run_cross, nb::call_guard<UsesDriver>())
      .def("enqueue_cross", &enqueue_cross, nb::call_guard<UsesDriver>());
}

}  // namespace imago::python
