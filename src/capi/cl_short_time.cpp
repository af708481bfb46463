// This file implements the short-time transforms of imago_cl.h: C functions
// that use a ShortTimePlan. No exception leaves them.
#include <imago/imago_cl.h>

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/short_time.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {

ShortTimeTransform short_time_transform_of(const imago_short_time_transform& t) {
  ShortTimeTransform made;
  made.kind = chosen(problem::kKinds, t.kind, "kind");
  made.precision = chosen(kPrecisions, t.precision, "precision");
  made.lengths = lengths_of(t.dimensions, t.lengths, "lengths");
  made.axis = t.axis;
  if (t.batch != 0) made.batch = t.batch;
  made.window = complex_of(t.frame, &given(t.window, "window"), t.window_im);
  if (t.dual) made.dual = complex_of(t.frame, t.dual, t.dual_im);
  made.points = t.points;
  made.hop = t.hop;
  made.before = t.before;
  made.frames = t.frames;
  made.roll = t.roll;
  made.border = chosen(problem::kBorders, t.border, "border");
  made.directions = chosen(problem::kDirections, t.directions, "directions");
  made.signal = layout_of(t.signal, t.dimensions, t.signal_storage, "signal_storage");
  made.spectrum = layout_of(t.spectrum, t.dimensions + 1, t.spectrum_storage, "spectrum_storage");
  made.on_forward = ends_of(t.forward_load, t.forward_store);
  made.on_inverse = ends_of(t.inverse_load, t.inverse_store);
  return made;
}

}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_short_time : imago::capi::OwnsWithLayouts<imago::ShortTimePlan> {
  static constexpr const char *kName = "short_time", *kDescription = "short_time_transform";
  static constexpr auto kDescribed = &imago::capi::short_time_transform_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(short_time, short_time_transform)
IMAGO_CL_ESTIMATE(short_time, short_time_transform)
IMAGO_CL_ANY(short_time)
IMAGO_CL_WAIT(short_time)
IMAGO_CL_LAYOUT(short_time)
IMAGO_CL_SIZE(short_time, frames)
IMAGO_CL_SIZE(short_time, bins)
IMAGO_CL_SIZE(short_time, signal_bytes)
IMAGO_CL_SIZE(short_time, spectrum_bytes)
IMAGO_CL_SIZE(short_time, workspace_bytes)

imago_status imago_cl_short_time_forward(const imago_cl_short_time* short_time,
                                         cl_command_queue queue, imago_array signal,
                                         imago_array spectra, const imago_cl_call* call) {
  return capi::run<&imago::ShortTimePlan::forward>(short_time, queue, call, signal, spectra);
}

imago_status imago_cl_short_time_inverse(const imago_cl_short_time* short_time,
                                         cl_command_queue queue, imago_array spectra,
                                         imago_array signal, const imago_cl_call* call) {
  return capi::run<&imago::ShortTimePlan::inverse>(short_time, queue, call, spectra, signal);
}

imago_status imago_dual_window(size_t frame, const double* window, const double* window_im,
                               size_t hop, double* dual, double* dual_im) {
  return capi::guarded(capi::last_error(), [&] {
    const auto factors = capi::complex_of(frame, &capi::given(window, "window"), window_im);
    const std::vector<std::complex<double>> made = imago::dual_window(factors, hop);
    capi::result_of(dual, "dual");
    for (std::size_t j = 0; j < made.size(); ++j) {
      dual[j] = made[j].real();
      if (dual_im) dual_im[j] = made[j].imag();
    }
  });
}
