// This file implements the nonuniform transforms of imago.h: C functions that use a NufftPlan on
// copies of host arrays, or on the arrays themselves (Pool::on_buffers). No exception leaves them.
#include <imago/imago.h>

#include <cstddef>
#include <string>
#include <vector>

#include <imago/nufft.hpp>
#include <imago/pool.hpp>

#include "api/nufft_modes.hpp"
#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/precision.hpp"
#include "capi/calls.hpp"
#include "host/arrays.hpp"
#include "runtime/memory.hpp"

// The name is declared in imago.h.
struct imago_nufft_plan {
  imago::Pool pool;
  imago::NufftPlan plan;
};

namespace imago {
namespace {

/// A function of NufftPlan, and the names of its arrays.
struct NufftCall {
  void (NufftPlan::*enqueue)(const cl::CommandQueue&, const Array&, const Array&,
                             const Call&) const;
  const char *from, *to;
  bool from_modes = false;
};
constexpr NufftCall kType1{&NufftPlan::type1, "strengths", "modes"},
    kType2{&NufftPlan::type2, "modes", "values", true},
    kType3{&NufftPlan::type3, "strengths", "values"};

imago_nufft_plan* make_nufft_plan(const imago_nufft_transform& transform,
                                  const imago_options& options) {
  const NufftTransform what = capi::nufft_transform_of(transform);
  if (options.memory_limit != 0)
    base::unsupported("nonuniform transforms have no options.memory_limit", "set it to 0");
  const F64 f64 = capi::f64_of(options);
  const Pool pool = capi::pool_of(options, what.precision);
  const Options plan{.deterministic = options.deterministic != 0,
                     .reproducible = options.reproducible != 0,
                     .f64 = f64};
  return new imago_nufft_plan{pool, {pool.context(), pool.device(), what, plan}};
}

/// Points on the device. An Array does not own its buffer.
struct PointCopies {
  std::vector<cl::Buffer> buffers;
  NufftPoints points;
};

PointCopies copies_of(const imago_nufft_plan& handle, const imago_nufft_points& points,
                      const std::string& name) {
  const NufftTransform& transform = handle.plan.transform();
  const std::size_t bytes = nufft::coordinate_bytes(transform.coordinates);
  api::check_count(points.count);
  PointCopies copies{{}, {{}, points.count, capi::counts_of(points, transform)}};
  for (std::size_t axis = 0; axis < transform.axes; ++axis) {
    const void* const data = points.coordinates[axis];
    cl::Buffer& copy = copies.buffers.emplace_back();
    if (points.count > 0) {
      host::check_pointer(base::indexed(name + ".coordinates", axis).c_str(), data, bytes);
      const cl_context context = handle.pool.context()();
      copy = cl::Buffer(runtime::allocate_copy(context, points.count * bytes, data).take(), false);
    }
    copies.points.coordinates.emplace_back(copy);
  }
  return copies;
}

void set_nufft_points(imago_nufft_plan& handle, const imago_nufft_points& points,
                      const imago_nufft_points* frequencies) {
  NufftPlan& plan = handle.plan;
  if (plan.transform().types == NufftTypes::type3) capi::given(frequencies, "frequencies");
  const PointCopies at = copies_of(handle, points, "points"),
                    to = frequencies ? copies_of(handle, *frequencies, "frequencies")
                                     : PointCopies();
  handle.pool.on_buffers({}, {}, [&](const cl::CommandQueue& queue, const auto&, const auto&) {
    frequencies ? plan.set_points(queue, at.points, to.points) : plan.set_points(queue, at.points);
    runtime::check(clFinish(queue()), "clFinish");
  });
}

/// C's arrays have no type and no size: those of the plan are taken for granted.
void execute_nufft(const NufftCall& call, const imago_nufft_plan* given, const void* from,
                   void* to) {
  const imago_nufft_plan& handle = capi::given(given, "plan");
  const NufftPlan& plan = handle.plan;
  const std::size_t sizes[] = {plan.points_bytes(), plan.modes_bytes()};
  const HostBytes source{const_cast<void*>(from), sizes[call.from_modes]},
      target{to, sizes[!call.from_modes]};
  const std::size_t number = base::bytes_of(plan.transform().precision);
  if (source.bytes > 0) host::check_pointer(call.from, from, number);
  if (target.bytes > 0) host::check_pointer(call.to, to, number);
  host::check_apart(std::string(call.from) + " and " + call.to, source, target);
  handle.pool.on_buffers(
      source, target,
      [&](const cl::CommandQueue& queue, const cl::Buffer& read, const cl::Buffer& written) {
        (plan.*call.enqueue)(queue, read, written, {});
      });
}

}  // namespace
}  // namespace imago

namespace capi = imago::capi;

imago_status imago_nufft_create(const imago_nufft_transform* transform,
                                const imago_options* options, imago_nufft_plan** plan) {
  return capi::create(plan, "plan", [&] {
    const auto what = capi::known(transform, "nufft_transform");
    return imago::make_nufft_plan(what,
                                  options ? capi::known(options, "options") : imago_options{});
  });
}

void imago_nufft_destroy(imago_nufft_plan* plan) { delete plan; }

imago_status imago_nufft_set_points(imago_nufft_plan* plan, const imago_nufft_points* points,
                                    const imago_nufft_points* frequencies) {
  return capi::guarded(capi::last_error(), [&] {
    capi::given(plan, "plan");
    imago::set_nufft_points(*plan, capi::given(points, "points"), frequencies);
  });
}

imago_status imago_nufft_type1(const imago_nufft_plan* plan, const void* strengths, void* modes) {
  return capi::guarded(capi::last_error(),
                       [&] { imago::execute_nufft(imago::kType1, plan, strengths, modes); });
}

imago_status imago_nufft_type2(const imago_nufft_plan* plan, const void* modes, void* values) {
  return capi::guarded(capi::last_error(),
                       [&] { imago::execute_nufft(imago::kType2, plan, modes, values); });
}

imago_status imago_nufft_type3(const imago_nufft_plan* plan, const void* strengths, void* values) {
  return capi::guarded(capi::last_error(),
                       [&] { imago::execute_nufft(imago::kType3, plan, strengths, values); });
}
