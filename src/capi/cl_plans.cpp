// This file implements the plans of imago_cl.h: C functions that use a Plan. No exception leaves
// them.
#include <imago/imago_cl.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "capi/cl_structs.hpp"

// The name is declared in imago_cl.h.
struct imago_cl_plan {
  imago::Plan plan;
  imago::Layout signal, spectrum;
};

namespace imago::capi {
namespace {

void execute(bool inverse, const imago_cl_plan* handle, cl_command_queue queue,
             const imago_array& from, const imago_array& to, const imago_cl_call* call) {
  const Plan& plan = given(handle, "plan").plan;
  enqueue(queue, call, [&](const cl::CommandQueue& used, const Call& how) {
    const Array source = array_of(from), target = array_of(to);
    if (plan.transform().placement == Placement::in_place && same_array(from, to))
      inverse ? plan.inverse(used, target, how) : plan.forward(used, target, how);
    else
      inverse ? plan.inverse(used, source, target, how) : plan.forward(used, source, target, how);
  });
}

/// Returns `seconds` as a time to wait: at least 0, at most a year.
std::chrono::milliseconds time_of(double seconds) {
  constexpr double kYear = 365.0 * 24 * 3600;
  if (!(seconds >= 0)) base::invalid("seconds", seconds, "it must be at least 0");
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::ceil(std::fmin(seconds, kYear) * 1000)));
}

/// Stores the fields that this version knows; those of later versions stay as they are.
void store(const Estimate& made, imago_estimate& estimate) {
  estimate.signal_bytes = made.signal_bytes;
  estimate.spectrum_bytes = made.spectrum_bytes;
  estimate.workspace_bytes = made.workspace_bytes;
  estimate.table_bytes = made.table_bytes;
  estimate.kernels = made.kernels;
  estimate.bytes_moved = made.bytes_moved;
  estimate.seconds = made.seconds;
}

}  // namespace
}  // namespace imago::capi

namespace capi = imago::capi;

imago_status imago_cl_plan_create(cl_context context, cl_device_id device,
                                  const imago_transform* transform, const imago_cl_options* options,
                                  imago_cl_plan** plan) {
  return capi::create(
      context, device, options, plan, "plan",
      [&](const cl::Context& in, const cl::Device& on, const imago::Options& how) {
        imago::Plan made(in, on, capi::transform_of(capi::known(transform, "transform")), how);
        imago::Layout signal = made.signal_layout(), spectrum = made.spectrum_layout();
        return std::unique_ptr<imago_cl_plan>(
            new imago_cl_plan{std::move(made), std::move(signal), std::move(spectrum)});
      });
}

void imago_cl_plan_destroy(imago_cl_plan* plan) { delete plan; }

imago_status imago_cl_forward(const imago_cl_plan* plan, cl_command_queue queue, imago_array signal,
                              imago_array spectrum, const imago_cl_call* call) {
  return capi::guarded(capi::last_error(),
                       [&] { capi::execute(false, plan, queue, signal, spectrum, call); });
}

imago_status imago_cl_inverse(const imago_cl_plan* plan, cl_command_queue queue,
                              imago_array spectrum, imago_array signal, const imago_cl_call* call) {
  return capi::guarded(capi::last_error(),
                       [&] { capi::execute(true, plan, queue, spectrum, signal, call); });
}

size_t imago_cl_signal_bytes(const imago_cl_plan* plan) {
  return capi::size_of(plan, &imago_cl_plan::plan, &imago::Plan::signal_bytes);
}
size_t imago_cl_spectrum_bytes(const imago_cl_plan* plan) {
  return capi::size_of(plan, &imago_cl_plan::plan, &imago::Plan::spectrum_bytes);
}
size_t imago_cl_workspace_bytes(const imago_cl_plan* plan) {
  return capi::size_of(plan, &imago_cl_plan::plan, &imago::Plan::workspace_bytes);
}

imago_status imago_cl_plan_layout(const imago_cl_plan* plan, imago_side side,
                                  imago_layout* layout) {
  return capi::guarded(capi::last_error(), [&] {
    const imago_cl_plan& handle = capi::given(plan, "plan");
    capi::result_of(layout, "layout") = capi::c_layout_of(
        capi::chosen(capi::kIsSpectrum, side, "side") ? handle.spectrum : handle.signal);
  });
}

imago_status imago_cl_plan_wait(const imago_cl_plan* plan, double seconds, int* ready) {
  return capi::guarded(capi::last_error(), [&] {
    const imago::Plan& waited = capi::given(plan, "plan").plan;
    const auto most = capi::time_of(seconds);
    if (most.count() > 0) waited.wait(most);
    capi::result_of(ready, "ready") = waited.ready();
  });
}

size_t imago_cl_plan_describe(const imago_cl_plan* plan, char* text, size_t size) {
  return capi::copy_text(plan, "plan", text, size,
                         [](const imago_cl_plan& p) { return p.plan.describe(); });
}

size_t imago_cl_plan_recipe(const imago_cl_plan* plan, char* text, size_t size) {
  return capi::copy_text(plan, "plan", text, size,
                         [](const imago_cl_plan& p) { return p.plan.recipe(); });
}

imago_status imago_cl_estimate(cl_device_id device, const imago_transform* transform,
                               const imago_cl_options* options, imago_estimate* estimate) {
  return capi::guarded(capi::last_error(), [&] {
    capi::known(estimate, "estimate");
    const auto what = capi::transform_of(capi::known(transform, "transform"));
    capi::store(imago::estimate(cl::Device(device, true), what, capi::cl_options_of(options)),
                *estimate);
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
