// This file implements the zooms of imago_cl.h: C functions that use a ZoomPlan. No exception
// leaves them.
#include <imago/imago_cl.h>

#include <complex>

#include <imago/zoom.hpp>

#include "capi/cl_structs.hpp"
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

imago_status imago_cl_zoom_create(cl_context context, cl_device_id device,
                                  const imago_zoom_transform* transform,
                                  const imago_cl_options* options, imago_cl_zoom** zoom) {
  return capi::create(context, device, transform, options, zoom);
}

void imago_cl_zoom_destroy(imago_cl_zoom* zoom) { delete zoom; }

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

size_t imago_cl_zoom_signal_bytes(const imago_cl_zoom* zoom) {
  return capi::size_of<&imago::ZoomPlan::signal_bytes>(zoom);
}
size_t imago_cl_zoom_spectrum_bytes(const imago_cl_zoom* zoom) {
  return capi::size_of<&imago::ZoomPlan::spectrum_bytes>(zoom);
}
size_t imago_cl_zoom_workspace_bytes(const imago_cl_zoom* zoom) {
  return capi::size_of<&imago::ZoomPlan::workspace_bytes>(zoom);
}
size_t imago_cl_zoom_table_bytes(const imago_cl_zoom* zoom) {
  return capi::size_of<&imago::ZoomPlan::table_bytes>(zoom);
}

imago_status imago_cl_zoom_layout(const imago_cl_zoom* zoom, imago_side side,
                                  imago_layout* layout) {
  return capi::store_layout(zoom, side, layout);
}

size_t imago_cl_zoom_describe(const imago_cl_zoom* zoom, char* text, size_t size) {
  return capi::copy_text<&imago::ZoomPlan::describe>(zoom, text, size);
}
imago_status imago_cl_zoom_wait(const imago_cl_zoom* zoom, double seconds, int* ready) {
  return capi::wait_for(zoom, seconds, ready);
}
imago_status imago_cl_zoom_kernels(const imago_cl_zoom* zoom, const imago_kernels** kernels) {
  return capi::store_kernels(zoom, kernels);
}

imago_status imago_cl_zoom_estimate(cl_device_id device, const imago_zoom_transform* transform,
                                    const imago_cl_options* options, imago_estimate* estimate) {
  return capi::estimate_of<imago_cl_zoom>(device, transform, options, estimate);
}
