// This file implements the averaged spectra of imago_cl.h: C functions that use
// a WelchPlan. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/welch.hpp>

#include "capi/cl_structs.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

WelchTransform welch_transform_of(const imago_welch_transform& t) {
  WelchTransform made;
  made.kind = chosen(problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, t.precision, "precision");
  made.lengths = lengths_of(t.dimensions, t.lengths, "lengths");
  made.axis = t.axis;
  if (t.batch != 0) made.batch = t.batch;
  made.window = complex_of(t.frame, &given(t.window, "window"), t.window_im);
  made.points = t.points;
  made.hop = t.hop;
  made.cross = t.cross != 0;
  made.signal = layout_of(t.signal, t.dimensions, t.signal_storage, "signal_storage");
  made.other = layout_of(t.other, t.dimensions, t.other_storage, "other_storage");
  made.spectrum = layout_of(t.spectrum, t.dimensions, t.spectrum_storage, "spectrum_storage");
  made.on_forward = ends_of(t.load, t.store);
  made.on_other = ends_of(t.other_load, t.other_store);
  return made;
}

}  // namespace
}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_welch : imago::capi::OwnsWithLayouts<imago::WelchPlan> {
  static constexpr const char *kName = "welch", *kDescription = "welch_transform";
  static constexpr auto kDescribed = &imago::capi::welch_transform_of;
};

namespace capi = imago::capi;

imago_status imago_cl_welch_create(cl_context context, cl_device_id device,
                                   const imago_welch_transform* transform,
                                   const imago_cl_options* options, imago_cl_welch** welch) {
  return capi::create(context, device, transform, options, welch);
}

void imago_cl_welch_destroy(imago_cl_welch* welch) { delete welch; }

imago_status imago_cl_welch_power(const imago_cl_welch* welch, cl_command_queue queue,
                                  imago_array signal, imago_array spectrum,
                                  const imago_cl_call* call) {
  return capi::run<&imago::WelchPlan::power>(welch, queue, call, signal, spectrum);
}

imago_status imago_cl_welch_cross(const imago_cl_welch* welch, cl_command_queue queue,
                                  imago_array signal, imago_array other, imago_array spectrum,
                                  const imago_cl_call* call) {
  return capi::run<&imago::WelchPlan::cross>(welch, queue, call, signal, other, spectrum);
}

size_t imago_cl_welch_frames(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::frames>(welch);
}
size_t imago_cl_welch_bins(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::bins>(welch);
}
size_t imago_cl_welch_signal_bytes(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::signal_bytes>(welch);
}
size_t imago_cl_welch_other_bytes(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::other_bytes>(welch);
}
size_t imago_cl_welch_spectrum_bytes(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::spectrum_bytes>(welch);
}
size_t imago_cl_welch_sum_bytes(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::sum_bytes>(welch);
}
size_t imago_cl_welch_workspace_bytes(const imago_cl_welch* welch) {
  return capi::size_of<&imago::WelchPlan::workspace_bytes>(welch);
}

imago_status imago_cl_welch_layout(const imago_cl_welch* welch, imago_side side,
                                   imago_layout* layout) {
  return capi::store_layout(welch, side, layout);
}

size_t imago_cl_welch_describe(const imago_cl_welch* welch, char* text, size_t size) {
  return capi::copy_text<&imago::WelchPlan::describe>(welch, text, size);
}
imago_status imago_cl_welch_wait(const imago_cl_welch* welch, double seconds, int* ready) {
  return capi::wait_for(welch, seconds, ready);
}
imago_status imago_cl_welch_kernels(const imago_cl_welch* welch, const imago_kernels** kernels) {
  return capi::store_kernels(welch, kernels);
}
imago_status imago_cl_welch_estimate(cl_device_id device, const imago_welch_transform* transform,
                                     const imago_cl_options* options, imago_estimate* estimate) {
  return capi::estimate_of<imago_cl_welch>(device, transform, options, estimate);
}
