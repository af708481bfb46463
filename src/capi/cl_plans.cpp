// This file implements the plans of imago_cl.h: C functions that use a Plan. No exception leaves
// them.
#include <imago/imago_cl.h>

#include "capi/cl_functions.hpp"

// The name is declared in imago_cl.h.
struct imago_cl_plan : imago::capi::OwnsWithLayouts<imago::Plan> {
  static constexpr const char *kName = "plan", *kDescription = "transform";
  static constexpr auto kDescribed = &imago::capi::transform_of;
};

namespace imago::capi {
namespace {

imago_status execute(bool inverse, const imago_cl_plan* handle, cl_command_queue queue,
                     const imago_array& from, const imago_array& to, const imago_cl_call* call) {
  return run(handle, queue, call, [&](const Plan& plan, const auto& used, const Call& how) {
    const Array source = array_of(from), target = array_of(to);
    if (plan.transform().placement == Placement::in_place && same_array(from, to))
      inverse ? plan.inverse(used, target, how) : plan.forward(used, target, how);
    else
      inverse ? plan.inverse(used, source, target, how) : plan.forward(used, source, target, how);
  });
}

}  // namespace
}  // namespace imago::capi

namespace capi = imago::capi;

IMAGO_CL_CREATE(plan, transform)
IMAGO_CL_ANY(plan)
IMAGO_CL_WAIT(plan)
IMAGO_CL_LAYOUT(plan)
IMAGO_CL_TEXT(plan, recipe)

imago_status imago_cl_forward(const imago_cl_plan* plan, cl_command_queue queue, imago_array signal,
                              imago_array spectrum, const imago_cl_call* call) {
  return capi::execute(false, plan, queue, signal, spectrum, call);
}

imago_status imago_cl_inverse(const imago_cl_plan* plan, cl_command_queue queue,
                              imago_array spectrum, imago_array signal, const imago_cl_call* call) {
  return capi::execute(true, plan, queue, spectrum, signal, call);
}

size_t imago_cl_signal_bytes(const imago_cl_plan* plan) {
  return capi::size_of<&imago::Plan::signal_bytes>(plan);
}
size_t imago_cl_spectrum_bytes(const imago_cl_plan* plan) {
  return capi::size_of<&imago::Plan::spectrum_bytes>(plan);
}
size_t imago_cl_workspace_bytes(const imago_cl_plan* plan) {
  return capi::size_of<&imago::Plan::workspace_bytes>(plan);
}

imago_status imago_cl_estimate(cl_device_id device, const imago_transform* transform,
                               const imago_cl_options* options, imago_estimate* estimate) {
  return capi::store_estimate(device, options, estimate, [&](const auto& on, const auto& how) {
    return imago::estimate(on, capi::transform_of(capi::known(transform, "transform")), how);
  });
}

imago_status imago_cl_good_size(cl_device_id device, size_t n, const imago_transform* like,
                                size_t* best) {
  return capi::guarded(capi::last_error(), [&] {
    const imago::Transform what =
        like ? capi::transform_of(capi::known(like, "transform")) : imago::Transform{};
    capi::result_of(best, "best") = imago::good_size(cl::Device(device, true), n, what);
  });
}
