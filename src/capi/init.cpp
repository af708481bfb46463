// This file implements the functions of init.h: C functions that fill in the structs of callers.
#include <imago/init.h>

#include <algorithm>
#include <cstring>

namespace {

/// Copies a struct of this version to the caller's, which has `size` bytes.
template <class Struct>
void fill(Struct* it, std::size_t size, Struct made) {
  if (!it) return;
  made.size = size;
  std::memset(static_cast<void*>(it), 0, size);
  std::memcpy(static_cast<void*>(it), &made, std::min(size, sizeof made));
}

}  // namespace

void imago_transform_init(imago_transform* structure, size_t size, size_t dimensions,
                          const size_t* lengths) {
  fill(structure, size, imago_transform_of(dimensions, lengths));
}
void imago_options_init(imago_options* structure, size_t size) {
  fill(structure, size, imago_default_options());
}
void imago_nufft_transform_init(imago_nufft_transform* structure, size_t size, size_t axes,
                                const size_t* modes) {
  fill(structure, size, imago_nufft_of(axes, modes));
}
void imago_factors_init(imago_factors* structure, size_t size, const char* argument) {
  fill(structure, size, imago_factors_of(argument));
}
void imago_addition_init(imago_addition* structure, size_t size, const char* argument) {
  fill(structure, size, imago_addition_of(argument));
}
void imago_frames_init(imago_frames* structure, size_t size, size_t samples, size_t hop) {
  fill(structure, size, imago_frames_of(samples, hop));
}
void imago_code_init(imago_code* structure, size_t size, const char* text, const char* function) {
  fill(structure, size, imago_code_of(text, function));
}
void imago_cl_options_init(imago_cl_options* structure, size_t size) {
  fill(structure, size, imago_default_cl_options());
}
void imago_cl_call_init(imago_cl_call* structure, size_t size) {
  fill(structure, size, imago_default_cl_call());
}
void imago_estimate_init(imago_estimate* structure, size_t size) {
  fill(structure, size, imago_no_estimate());
}
void imago_filter_shape_init(imago_filter_shape* structure, size_t size, size_t dimensions,
                             const size_t* lengths) {
  fill(structure, size, imago_filter_of(dimensions, lengths));
}
void imago_convolution_shape_init(imago_convolution_shape* structure, size_t size,
                                  size_t dimensions, const size_t* signal, const size_t* kernel) {
  fill(structure, size, imago_convolution_of(dimensions, signal, kernel));
}
void imago_integer_convolution_shape_init(imago_integer_convolution_shape* structure, size_t size,
                                          size_t first, size_t second, uint64_t largest_first,
                                          uint64_t largest_second) {
  fill(structure, size, imago_integer_convolution_of(first, second, largest_first, largest_second));
}
void imago_modular_transform_init(imago_modular_transform* structure, size_t size, imago_ring ring,
                                  size_t dimensions, const size_t* lengths) {
  fill(structure, size, imago_modular_transform_of(ring, dimensions, lengths));
}
void imago_sparse_transform_init(imago_sparse_transform* structure, size_t size, size_t length,
                                 size_t sparsity) {
  fill(structure, size, imago_sparse_of(length, sparsity));
}
void imago_nufft_estimate_init(imago_nufft_estimate* structure, size_t size) {
  fill(structure, size, imago_no_nufft_estimate());
}
void imago_zoom_transform_init(imago_zoom_transform* structure, size_t size, size_t dimensions,
                               const size_t* lengths, size_t points) {
  fill(structure, size, imago_zoom_of(dimensions, lengths, points));
}
void imago_short_time_transform_init(imago_short_time_transform* structure, size_t size,
                                     size_t dimensions, const size_t* lengths, size_t frame,
                                     const double* window, size_t hop) {
  fill(structure, size, imago_short_time_of(dimensions, lengths, frame, window, hop));
}
void imago_welch_transform_init(imago_welch_transform* structure, size_t size, size_t dimensions,
                                const size_t* lengths, size_t frame, const double* window,
                                size_t hop) {
  fill(structure, size, imago_welch_of(dimensions, lengths, frame, window, hop));
}
void imago_fir_filter_init(imago_fir_filter* structure, size_t size, size_t dimensions,
                           const size_t* lengths, size_t taps_count, const double* taps) {
  fill(structure, size, imago_fir_filter_of(dimensions, lengths, taps_count, taps));
}
