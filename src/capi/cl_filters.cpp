// This file implements the filters and convolutions of imago_cl.h: C functions that use a Filter or
// a Convolution. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/convolution.hpp>
#include <imago/filter.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

FilterShape filter_shape_of(const imago_filter_shape& s) {
  FilterShape made;
  made.kind = chosen(problem::kKinds, s.kind, "kind");
  made.axes = axes_of(s.dimensions, s.axes);
  made.precision = chosen(kPrecisions, s.precision, "precision");
  made.lengths = lengths_of(s.dimensions, s.lengths, "lengths");
  if (s.batch != 0) made.batch = s.batch;
  made.placement = chosen(problem::kPlacements, s.placement, "placement");
  if (s.scale != 0) made.scale = s.scale;
  made.signal = layout_of(s.signal, s.dimensions, s.signal_storage, "signal_storage");
  made.result = layout_of(s.result, s.dimensions, s.result_storage, "result_storage");
  made.ends = ends_of(s.load, s.store);
  made.spectrum = list_of(s.spectrum);
  return made;
}

ConvolutionShape convolution_shape_of(const imago_convolution_shape& s) {
  ConvolutionShape made;
  made.signal = lengths_of(s.dimensions, s.signal, "signal");
  made.kernel = lengths_of(s.dimensions, s.kernel, "kernel");
  made.extent = chosen(problem::kExtents, s.extent, "extent");
  made.correlate = s.correlate != 0;
  made.complex = s.complex_arrays != 0;
  made.precision = chosen(kPrecisions, s.precision, "precision");
  if (s.batch != 0) made.batch = s.batch;
  made.of = chosen(problem::kKernels, s.kernels_of, "kernels_of");
  if (s.kernels != 0) made.kernels = s.kernels;
  if (s.channels != 0) made.channels = s.channels;
  made.blocks = s.one_block == 0;
  made.ends = ends_of(s.load, s.store);
  made.spectrum = list_of(s.spectrum);
  return made;
}

}  // namespace
}  // namespace imago::capi

// The names are declared in imago_cl.h.
struct imago_cl_filter : imago::capi::Owns<imago::Filter> {
  static constexpr const char *kName = "filter", *kDescription = "filter_shape";
  static constexpr auto kDescribed = &imago::capi::filter_shape_of;
};
struct imago_cl_convolution : imago::capi::Owns<imago::Convolution> {
  static constexpr const char *kName = "convolution", *kDescription = "convolution_shape";
  static constexpr auto kDescribed = &imago::capi::convolution_shape_of;
};

namespace capi = imago::capi;

IMAGO_CL_CREATE(filter, filter_shape)
IMAGO_CL_ESTIMATE(filter, filter_shape)
IMAGO_CL_ANY(filter)
IMAGO_CL_WAIT(filter)
IMAGO_CL_TEXT(filter, recipe)
IMAGO_CL_SIZE(filter, signal_bytes)
IMAGO_CL_SIZE(filter, result_bytes)
IMAGO_CL_SIZE(filter, workspace_bytes)

IMAGO_CL_CREATE(convolution, convolution_shape)
IMAGO_CL_ESTIMATE(convolution, convolution_shape)
IMAGO_CL_ANY(convolution)
IMAGO_CL_WAIT(convolution)
IMAGO_CL_SIZE(convolution, signal_bytes)
IMAGO_CL_SIZE(convolution, kernel_bytes)
IMAGO_CL_SIZE(convolution, spectrum_bytes)
IMAGO_CL_SIZE(convolution, result_bytes)
IMAGO_CL_SIZE(convolution, workspace_bytes)

imago_status imago_cl_filter_apply(const imago_cl_filter* filter, cl_command_queue queue,
                                   imago_array signal, imago_array result,
                                   const imago_cl_call* call) {
  using imago::Call, imago::Filter;
  return capi::run(filter, queue, call, [&](const Filter& used, const auto& to, const Call& how) {
    const bool in_place = used.shape().placement == imago::Placement::in_place;
    in_place&& capi::same_array(signal, result)
        ? used.apply(to, capi::array_of(signal), how)
        : used.apply(to, capi::array_of(signal), capi::array_of(result), how);
  });
}

imago_status imago_cl_convolution_prepare(const imago_cl_convolution* convolution,
                                          cl_command_queue queue, imago_array kernels,
                                          imago_array spectrum, const imago_cl_call* call) {
  return capi::run<&imago::Convolution::prepare>(convolution, queue, call, kernels, spectrum);
}

imago_status imago_cl_convolution_apply(const imago_cl_convolution* convolution,
                                        cl_command_queue queue, imago_array signal, cl_mem spectrum,
                                        imago_array result, const imago_cl_call* call) {
  return capi::run<&imago::Convolution::apply>(convolution, queue, call, signal, spectrum, result);
}

const size_t* imago_cl_convolution_result(const imago_cl_convolution* convolution) {
  const size_t* result = nullptr;
  if (convolution)
    capi::guarded(capi::last_error(), [&] { result = convolution->object.result().data(); });
  return result;
}
