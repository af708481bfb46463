/* This file declares functions that fill in the structs of the other headers, for languages that
   cannot call their inline functions, and for programs that load the library at run time (dlopen).
   In C and C++, use the inline functions. */
#pragma once

#include <stddef.h>

#include <imago/hooks.h>
#include <imago/imago.h>
#include <imago/imago_cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Fills in the struct as imago_transform_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_transform_init(imago_transform* structure, size_t size, size_t dimensions,
                                    const size_t* lengths);
/** Fills in the struct as imago_default_options() does. `size` is the size of the caller's struct,
 * of this or of another version. Null does nothing. */
IMAGO_API void imago_options_init(imago_options* structure, size_t size);
/** Fills in the struct as imago_nufft_of() does. `size` is the size of the caller's struct, of this
 * or of another version. Null does nothing. */
IMAGO_API void imago_nufft_transform_init(imago_nufft_transform* structure, size_t size,
                                          size_t axes, const size_t* modes);
/** Fills in the struct as imago_factors_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_factors_init(imago_factors* structure, size_t size, const char* argument);
/** Fills in the struct as imago_addition_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_addition_init(imago_addition* structure, size_t size, const char* argument);
/** Fills in the struct as imago_frames_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_frames_init(imago_frames* structure, size_t size, size_t samples, size_t hop);
/** Fills in the struct as imago_code_of() does. `size` is the size of the caller's struct, of this
 * or of another version. Null does nothing. */
IMAGO_API void imago_code_init(imago_code* structure, size_t size, const char* text,
                               const char* function);
/** Fills in the struct as imago_default_cl_options() does. `size` is the size of the caller's
 * struct, of this or of another version. Null does nothing. */
IMAGO_API void imago_cl_options_init(imago_cl_options* structure, size_t size);
/** Fills in the struct as imago_default_cl_call() does. `size` is the size of the caller's struct,
 * of this or of another version. Null does nothing. */
IMAGO_API void imago_cl_call_init(imago_cl_call* structure, size_t size);
/** Fills in the struct as imago_no_estimate() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_estimate_init(imago_estimate* structure, size_t size);
/** Fills in the struct as imago_filter_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_filter_shape_init(imago_filter_shape* structure, size_t size,
                                       size_t dimensions, const size_t* lengths);
/** Fills in the struct as imago_convolution_of() does. `size` is the size of the caller's struct,
 * of this or of another version. Null does nothing. */
IMAGO_API void imago_convolution_shape_init(imago_convolution_shape* structure, size_t size,
                                            size_t dimensions, const size_t* signal,
                                            const size_t* kernel);
/** Fills in the struct as imago_integer_convolution_of() does. `size` is the size of the caller's
 * struct, of this or of another version. Null does nothing. */
IMAGO_API void imago_integer_convolution_shape_init(imago_integer_convolution_shape* structure,
                                                    size_t size, size_t first, size_t second,
                                                    uint64_t largest_first,
                                                    uint64_t largest_second);
/** Fills in the struct as imago_modular_transform_of() does. `size` is the size of the caller's
 * struct, of this or of another version. Null does nothing. */
IMAGO_API void imago_modular_transform_init(imago_modular_transform* structure, size_t size,
                                            imago_ring ring, size_t dimensions,
                                            const size_t* lengths);
/** Fills in the struct as imago_sparse_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_sparse_transform_init(imago_sparse_transform* structure, size_t size,
                                           size_t length, size_t sparsity);
/** Fills in the struct as imago_no_nufft_estimate() does. `size` is the size of the caller's
 * struct, of this or of another version. Null does nothing. */
IMAGO_API void imago_nufft_estimate_init(imago_nufft_estimate* structure, size_t size);
/** Fills in the struct as imago_zoom_of() does. `size` is the size of the caller's struct, of this
 * or of another version. Null does nothing. */
IMAGO_API void imago_zoom_transform_init(imago_zoom_transform* structure, size_t size,
                                         size_t dimensions, const size_t* lengths, size_t points);
/** Fills in the struct as imago_short_time_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_short_time_transform_init(imago_short_time_transform* structure, size_t size,
                                               size_t dimensions, const size_t* lengths,
                                               size_t frame, const double* window, size_t hop);
/** Fills in the struct as imago_welch_of() does. `size` is the size of the caller's struct, of this
 * or of another version. Null does nothing. */
IMAGO_API void imago_welch_transform_init(imago_welch_transform* structure, size_t size,
                                          size_t dimensions, const size_t* lengths, size_t frame,
                                          const double* window, size_t hop);
/** Fills in the struct as imago_fir_filter_of() does. `size` is the size of the caller's struct, of
 * this or of another version. Null does nothing. */
IMAGO_API void imago_fir_filter_init(imago_fir_filter* structure, size_t size, size_t dimensions,
                                     const size_t* lengths, size_t taps_count, const double* taps);

#ifdef __cplusplus
}
#endif
