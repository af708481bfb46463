// This file implements the filters and convolutions of imago_cl.h: C functions that use a Filter or
// a Convolution. No exception leaves them.
#include <imago/imago_cl.h>

#include <imago/convolution.hpp>
#include <imago/filter.hpp>

#include "capi/cl_structs.hpp"
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

imago_status imago_cl_filter_create(cl_context context, cl_device_id device,
                                    const imago_filter_shape* shape,
                                    const imago_cl_options* options, imago_cl_filter** filter) {
  return capi::create(context, device, shape, options, filter);
}

void imago_cl_filter_destroy(imago_cl_filter* filter) { delete filter; }

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

size_t imago_cl_filter_signal_bytes(const imago_cl_filter* filter) {
  return capi::size_of<&imago::Filter::signal_bytes>(filter);
}
size_t imago_cl_filter_result_bytes(const imago_cl_filter* filter) {
  return capi::size_of<&imago::Filter::result_bytes>(filter);
}
size_t imago_cl_filter_workspace_bytes(const imago_cl_filter* filter) {
  return capi::size_of<&imago::Filter::workspace_bytes>(filter);
}

size_t imago_cl_filter_describe(const imago_cl_filter* filter, char* text, size_t size) {
  return capi::copy_text<&imago::Filter::describe>(filter, text, size);
}
imago_status imago_cl_filter_wait(const imago_cl_filter* filter, double seconds, int* ready) {
  return capi::wait_for(filter, seconds, ready);
}
imago_status imago_cl_filter_kernels(const imago_cl_filter* filter, const imago_kernels** kernels) {
  return capi::store_kernels(filter, kernels);
}
imago_status imago_cl_filter_estimate(cl_device_id device, const imago_filter_shape* shape,
                                      const imago_cl_options* options, imago_estimate* estimate) {
  return capi::estimate_of<imago_cl_filter>(device, shape, options, estimate);
}

size_t imago_cl_filter_recipe(const imago_cl_filter* filter, char* text, size_t size) {
  return capi::copy_text<&imago::Filter::recipe>(filter, text, size);
}

imago_status imago_cl_convolution_create(cl_context context, cl_device_id device,
                                         const imago_convolution_shape* shape,
                                         const imago_cl_options* options,
                                         imago_cl_convolution** convolution) {
  return capi::create(context, device, shape, options, convolution);
}

void imago_cl_convolution_destroy(imago_cl_convolution* convolution) { delete convolution; }

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

size_t imago_cl_convolution_signal_bytes(const imago_cl_convolution* convolution) {
  return capi::size_of<&imago::Convolution::signal_bytes>(convolution);
}
size_t imago_cl_convolution_kernel_bytes(const imago_cl_convolution* convolution) {
  return capi::size_of<&imago::Convolution::kernel_bytes>(convolution);
}
size_t imago_cl_convolution_spectrum_bytes(const imago_cl_convolution* convolution) {
  return capi::size_of<&imago::Convolution::spectrum_bytes>(convolution);
}
size_t imago_cl_convolution_result_bytes(const imago_cl_convolution* convolution) {
  return capi::size_of<&imago::Convolution::result_bytes>(convolution);
}
size_t imago_cl_convolution_workspace_bytes(const imago_cl_convolution* convolution) {
  return capi::size_of<&imago::Convolution::workspace_bytes>(convolution);
}
const size_t* imago_cl_convolution_result(const imago_cl_convolution* convolution) {
  const size_t* result = nullptr;
  if (convolution)
    capi::guarded(capi::last_error(), [&] { result = convolution->object.result().data(); });
  return result;
}

size_t imago_cl_convolution_describe(const imago_cl_convolution* convolution, char* text,
                                     size_t size) {
  return capi::copy_text<&imago::Convolution::describe>(convolution, text, size);
}
imago_status imago_cl_convolution_wait(const imago_cl_convolution* convolution, double seconds,
                                       int* ready) {
  return capi::wait_for(convolution, seconds, ready);
}
imago_status imago_cl_convolution_kernels(const imago_cl_convolution* convolution,
                                          const imago_kernels** kernels) {
  return capi::store_kernels(convolution, kernels);
}
imago_status imago_cl_convolution_estimate(cl_device_id device,
                                           const imago_convolution_shape* shape,
                                           const imago_cl_options* options,
                                           imago_estimate* estimate) {
  return capi::estimate_of<imago_cl_convolution>(device, shape, options, estimate);
}
