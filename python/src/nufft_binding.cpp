// This file binds NufftPlan to Python, for host arrays and for another package's buffers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <imago/nufft.hpp>

#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "handles.hpp"
#include "interrupts.hpp"
#include "opencl.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using OwnNufft = Own<NufftPlan>;

/// Converts a dictionary with the fields of NufftTransform. Enumerations are given as numbers.
NufftTransform transform_of(const nb::dict& d) {
  NufftTransform t;
  t.modes = entry_of<std::vector<std::size_t>>(d, "modes");
  t.tolerance = entry_of<double>(d, "tolerance");
  t.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  t.batch = entry_of<std::size_t>(d, "batch");
  t.sign = nb::cast<int>(d["sign"]);
  t.coordinates = static_cast<Coordinates>(nb::cast<int>(d["coordinates"]));
  t.centred = entry_of<bool>(d, "centred");
  t.axes = entry_of<std::size_t>(d, "axes");
  t.types = static_cast<NufftTypes>(nb::cast<int>(d["types"]));
  t.points = entry_of<std::size_t>(d, "points");
  t.real = entry_of<bool>(d, "real");
  t.promise = static_cast<NufftPromise>(nb::cast<int>(d["promise"]));
  t.points_per_member = entry_of<bool>(d, "points_per_member");
  return t;
}

void make(OwnNufft* self, Session& session, const nb::dict& fields) {
  make_own(self, session, transform_of(fields), first_options());
}

/// Sets the points, and the frequencies of a type 3.
void set_points(NufftPlan& plan, const cl::CommandQueue& queue, const NufftPoints& points,
                const NufftPoints& frequencies, const Call& call) {
  if (plan.transform().types == NufftTypes::type3)
    plan.set_points(queue, points, frequencies, call);
  else
    plan.set_points(queue, points, call);
}

/// Contiguous host arrays, one for each axis.
class HostPoints {
 public:
  explicit HostPoints(const nb::list& coordinates) {
    for (const nb::handle array : coordinates) arrays_.emplace_back(array.ptr(), "x", false);
  }
  /// Returns points in copies of the arrays, which this object owns.
  NufftPoints sent(const Session& session, std::size_t count) {
    NufftPoints points{.count = count};
    for (const HostBytes& array : arrays_) {
      buffers_.push_back(session.buffer_of({array.data(), array.bytes()}));
      points.coordinates.emplace_back(buffers_.back());
    }
    return points;
  }

 private:
  std::deque<HostBytes> arrays_;  // HostBytes cannot move
  std::vector<cl::Buffer> buffers_;
};

/// Uses host arrays, which may change afterwards.
void set_host_points(OwnNufft& self, const nb::list& coordinates, std::size_t count,
                     std::vector<std::size_t> counts, const nb::list& frequencies,
                     std::size_t targets) {
  HostPoints from(coordinates), to(frequencies);
  const Released released;
  const auto& session = self.session;
  NufftPoints points = from.sent(session, count);
  points.counts = std::move(counts);
  set_points(*self.plan, session.queue(), points, to.sent(session, targets), {});
}

void compute(const NufftPlan& plan, const cl::CommandQueue& queue, int type, const Array& from,
             const Array& to, const Call& call) {
  switch (type) {
    case 1:
      return plan.type1(queue, from, to, call);
    case 2:
      return plan.type2(queue, from, to, call);
    default:
      return plan.type3(queue, from, to, call);
  }
}

void run(OwnNufft& self, int type, nb::handle from, nb::handle to) {
  const HostBytes read(from.ptr(), "data", false), written(to.ptr(), "out", true);
  const Released released;
  self.session.on_buffers(
      {read.data(), read.bytes()}, {written.data(), written.bytes()},
      [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& result) {
        compute(*self.plan, queue, type, in, result, {});
      });
}

NufftPoints points_in(const std::vector<Place>& places, std::size_t count) {
  NufftPoints points{.count = count};
  for (const Place& place : places) points.coordinates.push_back(array_at(place));
  return points;
}

/// Uses buffers, and waits.
void set_points_in(OwnNufft& self, std::uintptr_t queue, const std::vector<Place>& coordinates,
                   std::size_t count, std::vector<std::size_t> counts,
                   const std::vector<Place>& frequencies, std::size_t targets, const Waits& waits) {
  const auto in_queue = object_at<cl::CommandQueue>(queue);
  Call call;
  if (waits) call.waits = waits_at(*waits, in_queue);
  const Released released;
  NufftPoints points = points_in(coordinates, count);
  points.counts = std::move(counts);
  set_points(*self.plan, in_queue, points, points_in(frequencies, targets), call);
}

std::uintptr_t enqueue(OwnNufft& self, std::uintptr_t queue, int type, const Place& from,
                       const Place& to, const Waits& waits) {
  return enqueued(object_at<cl::CommandQueue>(queue), waits, {},
                  [&](const cl::CommandQueue& in_queue, const Call& call) {
                    compute(*self.plan, in_queue, type, array_at(from), array_at(to), call);
                  });
}

nb::dict step_of(const NufftStep& step) {
  nb::dict d;
  d["kernels"] = step.kernels;
  d["seconds"] = step.seconds;
  return d;
}

nb::dict estimate(const Session& session, const nb::dict& fields) {
  const NufftEstimate made = NufftPlan::estimate(session.device(), transform_of(fields));
  nb::dict d;
  d["width"] = made.width;
  d["upsampling"] = made.upsampling;
  d["grid"] = nb::tuple(nb::cast(made.grid));
  d["predicted_error"] = made.predicted_error;
  d["bins"] = made.bins;
  d["tile"] = nb::tuple(nb::cast(made.tile));
  d["vectors"] = made.vectors;
  d["points"] = made.points;
  d["points_bytes"] = made.points_bytes;
  d["modes_bytes"] = made.modes_bytes;
  d["workspace_bytes"] = made.workspace_bytes;
  d["set_points"] = step_of(made.set_points);
  d["type1"] = step_of(made.type1);
  d["type2"] = step_of(made.type2);
  return d;
}

}  // namespace

void add_nufft(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  m.def("least_tolerance", [](const nb::dict& d) { return least_tolerance(transform_of(d)); });
  m.def("nufft_estimate", &estimate, Guard());
  nb::class_<OwnNufft>(m, "Nufft")
      .def("__init__", &make, nb::keep_alive<1, 2>(), Guard())
      .def("set_points", &set_host_points, Guard())
      .def("set_points_in", &set_points_in, Guard())
      .def("run", &run, Guard())
      .def("enqueue", &enqueue, Guard())
      .def("describe", [](const OwnNufft& n) { return n.plan->describe(); })
      .def_prop_ro("grid", [](const OwnNufft& n) { return n.plan->grid(); })
      .def_prop_ro("width", [](const OwnNufft& n) { return n.plan->width(); })
      .def_prop_ro("predicted_error", [](const OwnNufft& n) { return n.plan->predicted_error(); })
      .def_prop_ro("workspace_bytes", [](const OwnNufft& n) { return n.plan->workspace_bytes(); });
}

}  // namespace imago::python
