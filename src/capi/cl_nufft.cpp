// This file implements the nonuniform transforms of imago_cl.h: C functions that use a NufftPlan.
// No exception leaves them.
#include <imago/imago_cl.h>

#include <cstddef>

#include <imago/nufft.hpp>

#include "capi/cl_functions.hpp"

// The name is declared in imago_cl.h.
struct imago_cl_nufft : imago::capi::Owns<imago::NufftPlan> {
  static constexpr const char *kName = "nufft", *kDescription = "nufft_transform";
  static constexpr auto kDescribed = &imago::capi::nufft_transform_of;
};

namespace imago::capi {
namespace {

NufftPoints points_of(const imago_cl_points& points, const NufftTransform& transform) {
  NufftPoints made{.count = points.count, .counts = counts_of(points, transform)};
  for (std::size_t axis = 0; axis < transform.axes; ++axis)
    made.coordinates.push_back(array_of(points.coordinates[axis]));
  return made;
}

void set_points(NufftPlan& plan, const cl::CommandQueue& queue, const imago_cl_points& points,
                const imago_cl_points* frequencies, const Call& call) {
  const NufftTransform& transform = plan.transform();
  const NufftPoints at = points_of(points, transform);
  if (transform.types == NufftTypes::type3) given(frequencies, "frequencies");
  frequencies ? plan.set_points(queue, at, points_of(*frequencies, transform), call)
              : plan.set_points(queue, at, call);
}

/// The functions for arrays of all points; others of these names accept points in parts.
using NufftFunction = void (NufftPlan::*)(const cl::CommandQueue&, const Array&, const Array&,
                                          const Call&) const;
constexpr NufftFunction kNufftType1 = &NufftPlan::type1, kNufftType2 = &NufftPlan::type2;

imago_nufft_step step_of(const NufftStep& step) { return {step.kernels, step.seconds}; }

/// Stores the fields that this version knows; those of later versions stay as they are.
void store(const NufftEstimate& made, imago_nufft_estimate& estimate) {
  estimate.width = made.width;
  estimate.upsampling = made.upsampling;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    estimate.grid[axis] = axis < made.grid.size() ? made.grid[axis] : 0;
    estimate.tile[axis] = axis < made.tile.size() ? made.tile[axis] : 0;
  }
  estimate.predicted_error = made.predicted_error;
  estimate.bins = made.bins;
  estimate.vectors = made.vectors ? 1 : 0;
  estimate.points = made.points;
  estimate.points_bytes = made.points_bytes;
  estimate.modes_bytes = made.modes_bytes;
  estimate.workspace_bytes = made.workspace_bytes;
  estimate.set_points = step_of(made.set_points);
  estimate.type1 = step_of(made.type1);
  estimate.type2 = step_of(made.type2);
}

}  // namespace
}  // namespace imago::capi

namespace capi = imago::capi;

IMAGO_CL_CREATE(nufft, nufft_transform)
IMAGO_CL_ANY(nufft)
IMAGO_CL_WAIT(nufft)
IMAGO_CL_SIZE(nufft, points_bytes)
IMAGO_CL_SIZE(nufft, modes_bytes)
IMAGO_CL_SIZE(nufft, workspace_bytes)

imago_status imago_cl_nufft_set_points(imago_cl_nufft* nufft, cl_command_queue queue,
                                       const imago_cl_points* points,
                                       const imago_cl_points* frequencies,
                                       const imago_cl_call* call) {
  return capi::run(nufft, queue, call, [&](auto& plan, const auto& to, const imago::Call& how) {
    capi::set_points(plan, to, capi::given(points, "points"), frequencies, how);
  });
}

imago_status imago_cl_nufft_type1(const imago_cl_nufft* nufft, cl_command_queue queue,
                                  imago_array strengths, imago_array modes,
                                  const imago_cl_call* call) {
  return capi::run<capi::kNufftType1>(nufft, queue, call, strengths, modes);
}

imago_status imago_cl_nufft_type2(const imago_cl_nufft* nufft, cl_command_queue queue,
                                  imago_array modes, imago_array values,
                                  const imago_cl_call* call) {
  return capi::run<capi::kNufftType2>(nufft, queue, call, modes, values);
}

imago_status imago_cl_nufft_type3(const imago_cl_nufft* nufft, cl_command_queue queue,
                                  imago_array strengths, imago_array values,
                                  const imago_cl_call* call) {
  return capi::run<&imago::NufftPlan::type3>(nufft, queue, call, strengths, values);
}

imago_status imago_cl_nufft_estimate(cl_device_id device, const imago_nufft_transform* transform,
                                     const imago_cl_options* options,
                                     imago_nufft_estimate* estimate) {
  return capi::guarded(capi::last_error(), [&] {
    capi::known(estimate, "nufft_estimate");
    const auto what = capi::nufft_transform_of(capi::known(transform, "nufft_transform"));
    capi::store(
        imago::NufftPlan::estimate(cl::Device(device, true), what, capi::cl_options_of(options)),
        *estimate);
  });
}
