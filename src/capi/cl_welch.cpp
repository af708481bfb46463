// This file implements the averaged spectra of imago_cl.h: C functions that use
// a WelchPlan. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/welch.hpp>

#include "capi/cl_functions.hpp"
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

IMAGO_CL_CREATE(welch, welch_transform)
IMAGO_CL_ESTIMATE(welch, welch_transform)
IMAGO_CL_ANY(welch)
IMAGO_CL_WAIT(welch)
IMAGO_CL_LAYOUT(welch)
IMAGO_CL_SIZE(welch, frames)
IMAGO_CL_SIZE(welch, bins)
IMAGO_CL_SIZE(welch, signal_bytes)
IMAGO_CL_SIZE(welch, other_bytes)
IMAGO_CL_SIZE(welch, spectrum_bytes)
IMAGO_CL_SIZE(welch, sum_bytes)
IMAGO_CL_SIZE(welch, workspace_bytes)

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
