// This file implements the zooms of imago_cl.h: C functions that use a ZoomPlan. No exception
// leaves them.
#include <imago/imago_cl.h>

#include <complex>

#include <imago/zoom.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

Spiral spiral_of(const imago_spiral& s) {
  const std::complex<double> start(s.start[0], s.start[1]), ratio(s.ratio[0], s.ratio[1]);
  Spiral made;
  if (start != 0.0) made.start = start;
  if (ratio != 0.0) made.ratio = ratio;
  return made;
}

ZoomTransform zoom_transform_of(const imago_zoom_transform& t) {
  ZoomTransform made;
  made.precision = chosen(kPrecisions, t.precision, "precision");
  made.lengths = lengths_of(t.dimensions, t.lengths, "lengths");
  made.axis = t.axis;
  if (t.batch != 0) made.batch = t.batch;
  made.points = t.points;
  made.from = t.from;
  made.to = t.to;
  if (t.rate != 0) made.rate = t.rate;
  made.endpoint = t.endpoint != 0;
  if (t.spiral) made.spiral = spiral_of(*t.spiral);
  made.directions = chosen(problem::kDirections, t.directions, "directions");
  made.signal = layout_of(t.signal, t.dimensions, t.signal_storage, "signal_storage");
  made.spectrum = layout_of(t.spectrum, t.dimensions, t.spectrum_storage, "spectrum_storage");
  return made;
}

}  // namespace
}  // namespace imago::capi

// The name is declared in imago_cl.h.
struct imago_cl_zoom : imago::capi::OwnsWithLayouts<imago::ZoomPlan> {
  static constexpr const char *kName = "zoom", *kDescription = "zoom_transform";
  static constexpr auto kDescribed = &imago::capi::zoom_transform_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(zoom, zoom_transform)
IMAGO_CL_ESTIMATE(zoom, zoom_transform)
IMAGO_CL_ANY(zoom)
IMAGO_CL_WAIT(zoom)
IMAGO_CL_LAYOUT(zoom)
IMAGO_CL_SIZE(zoom, signal_bytes)
IMAGO_CL_SIZE(zoom, spectrum_bytes)
IMAGO_CL_SIZE(zoom, workspace_bytes)
IMAGO_CL_SIZE(zoom, table_bytes)

imago_status imago_cl_zoom_forward(const imago_cl_zoom* zoom, cl_command_queue queue,
                                   imago_array signal, imago_array spectrum,
                                   const imago_cl_call* call) {
  return capi::run<&imago::ZoomPlan::forward>(zoom, queue, call, signal, spectrum);
}

imago_status imago_cl_zoom_adjoint(const imago_cl_zoom* zoom, cl_command_queue queue,
                                   imago_array spectrum, imago_array signal,
                                   const imago_cl_call* call) {
  return capi::run<&imago::ZoomPlan::adjoint>(zoom, queue, call, spectrum, signal);
}
