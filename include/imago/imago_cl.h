/* This file declares imago's interface for C on device memory: transforms, filters, convolutions,
   exact convolutions of integers, zooms, rows of different lengths, averaged spectra, streams, and
   short-time, sparse and nonuniform transforms of buffers in your OpenCL context. Programs link
   imago and OpenCL. In a process that was forked after its parent had used imago, every function
   fails with IMAGO_DEVICE_ERROR at once. In C++, use plan.hpp, filter.hpp, convolution.hpp,
   exact.hpp, zoom.hpp, ragged.hpp, short_time.hpp, welch.hpp, stream.hpp, sparse.hpp and nufft.hpp,
   which explain each of them. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include <imago/hooks.h>
#include <imago/imago.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array in device memory. */
typedef struct imago_array {
  cl_mem re;     /**< buffer of interleaved numbers, or of the real parts */
  cl_mem im;     /**< buffer of the imaginary parts; null: interleaved */
  size_t offset; /**< index of the first element, added to the layout's offset */
} imago_array;

/** Returns the array that starts at the beginning of a buffer. */
static inline imago_array imago_array_of(cl_mem buffer) {
  imago_array array;
  memset(&array, 0, sizeof array);
  array.re = buffer;
  return array;
}

/** Returns the array with real and imaginary parts in two buffers. */
static inline imago_array imago_planar_array(cl_mem re, cl_mem im) {
  imago_array array = imago_array_of(re);
  array.im = im;
  return array;
}

/** Scratch memory that plans and threads may share (imago::Workspace). */
typedef struct imago_workspace imago_workspace;

/** Allocates a workspace of `bytes` bytes. Returns IMAGO_INVALID_ARGUMENT for null,
 * IMAGO_UNSUPPORTED for more than the device allows in one buffer, and IMAGO_DEVICE_ERROR if OpenCL
 * fails. `*workspace` is for imago_workspace_destroy(), and null if the call fails. */
IMAGO_API imago_status imago_workspace_create(cl_context context, cl_device_id device, size_t bytes,
                                              imago_workspace** workspace);
/** Makes a workspace of your buffer, to which it holds a reference. Kernels overwrite all of it.
 * Returns IMAGO_INVALID_ARGUMENT for null and for a buffer that kernels may not read or write. */
IMAGO_API imago_status imago_workspace_of(cl_mem buffer, imago_workspace** workspace);
/** Frees a workspace. Plans that use it keep its memory. Null does nothing. */
IMAGO_API void imago_workspace_destroy(imago_workspace* workspace);

/** Kernels of a plan's first calls (imago::FirstCall). */
typedef enum imago_first_call {
  IMAGO_COMPILE = 0, /**< kernels for this transform; making the plan waits for the compiler */
  IMAGO_GENERIC_THEN_COMPILED = 1, /**< generic kernels, until those for this transform are ready */
  IMAGO_GENERIC = 2                /**< generic kernels in every call */
} imago_first_call;

/** Planning options (imago::Options). Make them by imago_default_cl_options(). A field that is 0
 * has its default. Paths are in UTF-8. */
typedef struct imago_cl_options {
  size_t size;                   /**< sizeof(imago_cl_options) */
  int deterministic;             /**< 1: results are the same in every batch */
  imago_f64 f64;                 /**< arithmetic of IMAGO_F64 */
  imago_first_call first_call;   /**< kernels of the first calls */
  imago_workspace* workspace;    /**< used instead of the plan's own; null: the plan's own */
  int workspace_of_call;         /**< 1: the plan has no workspace; each call supplies one */
  size_t workspace_limit;        /**< limit of the workspace in bytes; 0: that of one buffer */
  int trust_device;              /**< 1: skips the device's self-tests */
  int no_disk_cache;             /**< 1: does not cache kernels and tables on disk */
  const char* cache_directory;   /**< folder of cached kernels; null: the user's */
  int no_profiles;               /**< 1: does not use tuned parameters */
  const char* profile_directory; /**< searched first for tuned parameters; null: none */
  const char* recipe; /**< result of imago_cl_plan_recipe(): the same choices; null: none */
  int reproducible;   /**< 1: results are the same on every device */
} imago_cl_options;

/** Returns default options. */
static inline imago_cl_options imago_default_cl_options(void) {
  imago_cl_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  return options;
}

/** Value of a hook's argument in one call: a buffer, or a number. */
typedef struct imago_argument {
  const char* name; /**< name that the hook uses */
  cl_mem buffer;    /**< the buffer; null: `number` is the value */
  size_t offset;    /**< first entry of the buffer, in numbers or in pairs for complex numbers */
  double number;    /**< the number */
} imago_argument;

/** Optional arguments of one call. Make them by imago_default_cl_call(). */
typedef struct imago_cl_call {
  size_t size;                     /**< sizeof(imago_cl_call) */
  size_t waits_count;              /**< number of `waits` */
  const cl_event* waits;           /**< events that the call's kernels wait for */
  cl_event* event;                 /**< receives an event, for clReleaseEvent(); null: no event */
  imago_workspace* workspace;      /**< workspace of this call; null: the plan's own */
  size_t arguments_count;          /**< number of `arguments` */
  const imago_argument* arguments; /**< the arguments of the direction's hooks, in any order */
  size_t events_size;              /**< number of places in `events` */
  cl_event* events;                /**< receives an event of each kernel, for clReleaseEvent() */
  size_t* events_count;            /**< receives their number, also if there are too few places */
  size_t count;                    /**< transforms that are computed; 0: the whole batch */
} imago_cl_call;

/** Returns a call without optional arguments. */
static inline imago_cl_call imago_default_cl_call(void) {
  imago_cl_call call;
  memset(&call, 0, sizeof call);
  call.size = sizeof call;
  return call;
}

/** A transform of device memory (imago::Plan). It is immutable: several threads may use it. */
typedef struct imago_cl_plan imago_cl_plan;

/** Makes a plan for a device of a context; both stay yours. Compiles kernels that no cache holds.
 * You may free the memory that the structs point to afterwards.
 *
 * Returns IMAGO_INVALID_ARGUMENT for null and for a field that is not allowed, IMAGO_UNSUPPORTED
 * for a limit of imago or of the device, and IMAGO_DEVICE_ERROR if OpenCL fails or the device
 * failed its self-test.
 *
 * @param context the context of later calls.
 * @param device a device of the context.
 * @param transform description of the transform.
 * @param options planning options; null: all defaults.
 * @param plan receives the plan, for imago_cl_plan_destroy(); null if the call fails. */
IMAGO_API imago_status imago_cl_plan_create(cl_context context, cl_device_id device,
                                            const imago_transform* transform,
                                            const imago_cl_options* options, imago_cl_plan** plan);
/** Frees a plan. Calls that it enqueued may still run. Null does nothing. */
IMAGO_API void imago_cl_plan_destroy(imago_cl_plan* plan);

/** Enqueues the computation of a signal's spectrum, and never waits for the device. For a plan that
 * is in place, pass the same array twice. Any number of threads may call it.
 *
 * Returns IMAGO_INVALID_ARGUMENT, with nothing enqueued, for null, for buffers that are too small,
 * overlap or do not fit the plan, and for arguments that hooks do not have (imago::Plan::forward()
 * has the list). Returns IMAGO_DEVICE_ERROR if OpenCL fails; the contents of the spectrum are
 * undefined then. `call` may be null. */
IMAGO_API imago_status imago_cl_forward(const imago_cl_plan* plan, cl_command_queue queue,
                                        imago_array signal, imago_array spectrum,
                                        const imago_cl_call* call);
/** Enqueues the computation of the signal of a spectrum. Otherwise as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_inverse(const imago_cl_plan* plan, cl_command_queue queue,
                                        imago_array spectrum, imago_array signal,
                                        const imago_cl_call* call);

/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_signal_bytes(const imago_cl_plan* plan);
/** Returns the bytes of the smallest buffer for the spectra; 0 for null. */
IMAGO_API size_t imago_cl_spectrum_bytes(const imago_cl_plan* plan);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_workspace_bytes(const imago_cl_plan* plan);
/** Stores in `*layout` the layout of an array, as imago_plan_layout(). */
IMAGO_API imago_status imago_cl_plan_layout(const imago_cl_plan* plan, imago_side side,
                                            imago_layout* layout);
/** Waits up to `seconds` seconds for the kernels for this transform (imago::Plan::wait()), and
 * stores 1 in `*ready` if calls use them, else 0. Returns IMAGO_INVALID_ARGUMENT for null. */
IMAGO_API imago_status imago_cl_plan_wait(const imago_cl_plan* plan, double seconds, int* ready);
/** Copies a description of the plan's kernels to `text`, cut to `size` bytes with the 0 at the end.
 * Returns the length of the whole text without this 0; 0 if the call fails. */
IMAGO_API size_t imago_cl_plan_describe(const imago_cl_plan* plan, char* text, size_t size);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_plan_kernels(const imago_cl_plan* plan,
                                             const imago_kernels** kernels);
/** Copies the plan's choices, for imago_cl_options::recipe; otherwise as
 * imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_plan_recipe(const imago_cl_plan* plan, char* text, size_t size);

/** Predicted requirements of a plan (imago::Estimate). Make it by imago_no_estimate(). */
typedef struct imago_estimate {
  size_t size;            /**< sizeof(imago_estimate) */
  size_t signal_bytes;    /**< imago_cl_signal_bytes() */
  size_t spectrum_bytes;  /**< imago_cl_spectrum_bytes() */
  size_t workspace_bytes; /**< imago_cl_workspace_bytes() */
  size_t table_bytes;     /**< bytes of constant tables, which plans share */
  size_t kernels;         /**< launches of one call */
  size_t bytes_moved;     /**< bytes read and written in global memory by one call */
  double seconds;         /**< predicted time of one call; for comparisons only */
} imago_estimate;

/** Returns an empty estimate, for imago_cl_estimate(). */
static inline imago_estimate imago_no_estimate(void) {
  imago_estimate estimate;
  memset(&estimate, 0, sizeof estimate);
  estimate.size = sizeof estimate;
  return estimate;
}

/** Predicts what a plan needs, without building a kernel. Fails as imago_cl_plan_create(). */
IMAGO_API imago_status imago_cl_estimate(cl_device_id device, const imago_transform* transform,
                                         const imago_cl_options* options, imago_estimate* estimate);
/** Stores in `*best` the length between n and 1.25 n whose transform is predicted to be fastest.
 * `like` is the transform, whose lengths are ignored; null: complex, in f32. Returns
 * IMAGO_INVALID_ARGUMENT for null and for n outside of 1 to 2^32-1. */
IMAGO_API imago_status imago_cl_good_size(cl_device_id device, size_t n,
                                          const imago_transform* like, size_t* best);

/** Description of a filter: a forward transform, hooks on the spectrum, and an inverse transform.
 * Make it by imago_filter_of(). A field that is 0 has its default. */
typedef struct imago_filter_shape {
  size_t size;                  /**< sizeof(imago_filter_shape) */
  size_t dimensions;            /**< number of `lengths`, `axes` and strides; at most 64 */
  const size_t* lengths;        /**< lengths of the signal, slowest axis first */
  const imago_kind* axes;       /**< kind of each axis; null: `kind` for every axis */
  imago_kind kind;              /**< IMAGO_COMPLEX, IMAGO_REAL or IMAGO_IDENTITY */
  imago_precision precision;    /**< precision of signal and result */
  size_t batch;                 /**< number of signals in one call; 0: 1 */
  imago_placement placement;    /**< place of the result */
  double scale;                 /**< factor of the result; 0: 1 */
  imago_layout signal;          /**< layout of the array that is read */
  imago_layout result;          /**< layout of the array that is written */
  imago_storage signal_storage; /**< storage of the signal */
  imago_storage result_storage; /**< storage of the result */
  const imago_hooks* load;      /**< hooks of the signal as it is loaded; null: none */
  const imago_hooks* spectrum;  /**< hooks of the spectrum; null: none */
  const imago_hooks* store;     /**< hooks of the result as it is stored; null: none */
} imago_filter_shape;

/** Returns the description of a filter of complex arrays without hooks. */
static inline imago_filter_shape imago_filter_of(size_t dimensions, const size_t* lengths) {
  imago_filter_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.size = sizeof shape;
  shape.dimensions = dimensions;
  shape.lengths = lengths;
  return shape;
}

/** A filter of device memory (imago::Filter). It is immutable. */
typedef struct imago_cl_filter imago_cl_filter;

/** Makes a filter, for imago_cl_filter_destroy(). Fails as imago_cl_plan_create(). */
IMAGO_API imago_status imago_cl_filter_create(cl_context context, cl_device_id device,
                                              const imago_filter_shape* shape,
                                              const imago_cl_options* options,
                                              imago_cl_filter** filter);
/** Frees a filter. Null does nothing. */
IMAGO_API void imago_cl_filter_destroy(imago_cl_filter* filter);
/** Enqueues the filter. In place, pass the same array twice. Otherwise as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_filter_apply(const imago_cl_filter* filter, cl_command_queue queue,
                                             imago_array signal, imago_array result,
                                             const imago_cl_call* call);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_filter_signal_bytes(const imago_cl_filter* filter);
/** Returns the bytes of the smallest buffer for the results; 0 for null. */
IMAGO_API size_t imago_cl_filter_result_bytes(const imago_cl_filter* filter);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_filter_workspace_bytes(const imago_cl_filter* filter);
/** Copies a description of the filter's kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_filter_describe(const imago_cl_filter* filter, char* text, size_t size);
/** Waits for the kernels for this filter, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_filter_wait(const imago_cl_filter* filter, double seconds,
                                            int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_filter_kernels(const imago_cl_filter* filter,
                                               const imago_kernels** kernels);
/** Predicts what a filter needs, without building a kernel (imago::Filter::estimate()). Fails as
 * imago_cl_filter_create(). */
IMAGO_API imago_status imago_cl_filter_estimate(cl_device_id device,
                                                const imago_filter_shape* shape,
                                                const imago_cl_options* options,
                                                imago_estimate* estimate);
/** Copies the filter's choices, as imago_cl_plan_recipe(). */
IMAGO_API size_t imago_cl_filter_recipe(const imago_cl_filter* filter, char* text, size_t size);

/** Range of the computed elements of a convolution of n with m elements. */
typedef enum imago_extent {
  IMAGO_FULL = 0,    /**< all n + m - 1 elements */
  IMAGO_SAME = 1,    /**< n elements, starting at (m - 1) / 2 */
  IMAGO_VALID = 2,   /**< n - m + 1 elements: the kernel lies inside the signal */
  IMAGO_CIRCULAR = 3 /**< n elements; indices wrap around */
} imago_extent;

/** Assignment of kernels to signals. */
typedef enum imago_kernels_of {
  IMAGO_KERNEL_SHARED = 0, /**< one kernel for all signals */
  IMAGO_KERNEL_EACH = 1,   /**< a separate kernel for each signal */
  IMAGO_KERNEL_ALL = 2     /**< each signal with each of `kernels` */
} imago_kernels_of;

/** Description of a convolution (imago::ConvolutionShape). Make it by imago_convolution_of(). A
 * field that is 0 has its default. */
typedef struct imago_convolution_shape {
  size_t size;                 /**< sizeof(imago_convolution_shape) */
  size_t dimensions;           /**< number of axes; at most 64 */
  const size_t* signal;        /**< lengths of one signal, slowest axis first */
  const size_t* kernel;        /**< lengths of one kernel along the same axes */
  imago_extent extent;         /**< range of the computed elements */
  int correlate;               /**< 1: correlation, with the conjugate of the kernel */
  int complex_arrays;          /**< 1: all arrays are complex; 0: all are real */
  imago_precision precision;   /**< precision of the arrays */
  size_t batch;                /**< number of signals; 0: 1 */
  imago_kernels_of kernels_of; /**< assignment of kernels to signals */
  size_t kernels;              /**< number of kernels for IMAGO_KERNEL_ALL; 0: 1 */
  size_t channels;             /**< number of arrays whose convolutions are summed; 0: 1 */
  int one_block;               /**< 1: long signals are never convolved block by block */
  const imago_hooks* load;     /**< hooks of the signal as it is loaded; null: none */
  const imago_hooks* spectrum; /**< hooks of the spectrum after the product; null: none */
  const imago_hooks* store;    /**< hooks of the result as it is stored; null: none */
} imago_convolution_shape;

/** Returns the description of a full convolution of real arrays. */
static inline imago_convolution_shape imago_convolution_of(size_t dimensions, const size_t* signal,
                                                           const size_t* kernel) {
  imago_convolution_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.size = sizeof shape;
  shape.dimensions = dimensions;
  shape.signal = signal;
  shape.kernel = kernel;
  return shape;
}

/** A convolution in device memory (imago::Convolution). It is immutable. */
typedef struct imago_cl_convolution imago_cl_convolution;

/** Makes a convolution, for imago_cl_convolution_destroy(). Fails as imago_cl_plan_create(), also
 * with IMAGO_INVALID_ARGUMENT for a recipe. */
IMAGO_API imago_status imago_cl_convolution_create(cl_context context, cl_device_id device,
                                                   const imago_convolution_shape* shape,
                                                   const imago_cl_options* options,
                                                   imago_cl_convolution** convolution);
/** Frees a convolution. Null does nothing. */
IMAGO_API void imago_cl_convolution_destroy(imago_cl_convolution* convolution);
/** Enqueues the computation of the kernels' spectrum, once for many imago_cl_convolution_apply().
 * Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_convolution_prepare(const imago_cl_convolution* convolution,
                                                    cl_command_queue queue, imago_array kernels,
                                                    imago_array spectrum,
                                                    const imago_cl_call* call);
/** Enqueues the convolution of the signals with the kernels of a spectrum, which starts at the
 * beginning of its buffer. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_convolution_apply(const imago_cl_convolution* convolution,
                                                  cl_command_queue queue, imago_array signal,
                                                  cl_mem spectrum, imago_array result,
                                                  const imago_cl_call* call);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_convolution_signal_bytes(const imago_cl_convolution* convolution);
/** Returns the bytes of the smallest buffer for the kernels; 0 for null. */
IMAGO_API size_t imago_cl_convolution_kernel_bytes(const imago_cl_convolution* convolution);
/** Returns the bytes of the smallest buffer for the kernels' spectra; 0 for null. */
IMAGO_API size_t imago_cl_convolution_spectrum_bytes(const imago_cl_convolution* convolution);
/** Returns the bytes of the smallest buffer for the results; 0 for null. */
IMAGO_API size_t imago_cl_convolution_result_bytes(const imago_cl_convolution* convolution);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_convolution_workspace_bytes(const imago_cl_convolution* convolution);
/** Returns the lengths of one result, slowest axis first, valid as long as the convolution; null
 * for null. */
IMAGO_API const size_t* imago_cl_convolution_result(const imago_cl_convolution* convolution);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_convolution_describe(const imago_cl_convolution* convolution, char* text,
                                               size_t size);
/** Waits for the kernels for this convolution, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_convolution_wait(const imago_cl_convolution* convolution,
                                                 double seconds, int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_convolution_kernels(const imago_cl_convolution* convolution,
                                                    const imago_kernels** kernels);
/** Predicts what imago_cl_convolution_apply() needs, without building a kernel
 * (imago::Convolution::estimate()). Fails as imago_cl_convolution_create(). */
IMAGO_API imago_status imago_cl_convolution_estimate(cl_device_id device,
                                                     const imago_convolution_shape* shape,
                                                     const imago_cl_options* options,
                                                     imago_estimate* estimate);

/** Description of an exact convolution of integers (imago::IntegerConvolutionShape). Make it by
 * imago_integer_convolution_of(). */
typedef struct imago_integer_convolution_shape {
  size_t size;                   /**< sizeof(imago_integer_convolution_shape) */
  size_t first;                  /**< number of elements of the first sequence */
  size_t second;                 /**< number of elements of the second one */
  uint64_t largest_first;        /**< bound of the absolute values of the first sequence */
  uint64_t largest_second;       /**< bound of those of the second one */
  imago_wrap wrap;               /**< place of the products beyond the last element */
  imago_integer_results results; /**< size of the results */
} imago_integer_convolution_shape;

/** Returns the description of a linear convolution, which has first + second - 1 elements of 64
 * bits. */
static inline imago_integer_convolution_shape imago_integer_convolution_of(
    size_t first, size_t second, uint64_t largest_first, uint64_t largest_second) {
  imago_integer_convolution_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.size = sizeof shape;
  shape.first = first;
  shape.second = second;
  shape.largest_first = largest_first;
  shape.largest_second = largest_second;
  return shape;
}

/** An exact convolution in device memory (imago::IntegerConvolution). It is immutable. */
typedef struct imago_cl_integer_convolution imago_cl_integer_convolution;

/** Makes an exact convolution, for imago_cl_integer_convolution_destroy(). Fails as
 * imago_cl_plan_create(), also with IMAGO_INVALID_ARGUMENT for bounds with which a result may
 * be too large: the smaller length times both bounds must be at most 2^63 - 1 for IMAGO_INT64, and
 * about 2^124 for the others. */
IMAGO_API imago_status imago_cl_integer_convolution_create(
    cl_context context, cl_device_id device, const imago_integer_convolution_shape* shape,
    const imago_cl_options* options, imago_cl_integer_convolution** convolution);
/** Frees an exact convolution. Null does nothing. */
IMAGO_API void imago_cl_integer_convolution_destroy(imago_cl_integer_convolution* convolution);
/** Enqueues the convolution. The buffers hold 64-bit integers from their first byte on, and
 * `result` has two for each result with IMAGO_INT128; `first` and `second` may be the same one, and
 * `result` must not overlap them. Integers that exceed their bound give a wrong result. Fails as
 * imago_cl_forward(). */
IMAGO_API imago_status imago_cl_integer_convolution_apply(
    const imago_cl_integer_convolution* convolution, cl_command_queue queue, cl_mem first,
    cl_mem second, cl_mem result, const imago_cl_call* call);
/** Returns the complex residues of a transform, a power of two; 0 for null. */
IMAGO_API size_t
imago_cl_integer_convolution_points(const imago_cl_integer_convolution* convolution);
/** Returns the bytes of the plan's own memory; 0 for null. */
IMAGO_API size_t
imago_cl_integer_convolution_memory_bytes(const imago_cl_integer_convolution* convolution);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t
imago_cl_integer_convolution_workspace_bytes(const imago_cl_integer_convolution* convolution);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_integer_convolution_describe(
    const imago_cl_integer_convolution* convolution, char* text, size_t size);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_integer_convolution_kernels(
    const imago_cl_integer_convolution* convolution, const imago_kernels** kernels);

/** Ring of a number-theoretic transform: integers modulo a prime p (imago::Ring). */
typedef enum imago_ring {
  IMAGO_GOLDILOCKS = 0, /**< p = 2^64 - 2^32 + 1; words of 64 bits; lengths up to 2^32 */
  IMAGO_BABY_BEAR = 1,  /**< p = 2^31 - 2^27 + 1; words of 32 bits; lengths up to 2^27 */
  IMAGO_KOALA_BEAR = 2  /**< p = 2^31 - 2^24 + 1; words of 32 bits; lengths up to 2^24 */
} imago_ring;

/** Order of the spectrum of a number-theoretic transform (imago::Order). */
typedef enum imago_order {
  IMAGO_NATURAL = 0,     /**< element k is at place k */
  IMAGO_BIT_REVERSED = 1 /**< at the place whose bits are those of k in reverse, on each axis */
} imago_order;

/** Description of number-theoretic transforms (imago::ModularTransform). Make it by
 * imago_modular_transform_of(). */
typedef struct imago_modular_transform {
  size_t size;               /**< sizeof(imago_modular_transform) */
  size_t dimensions;         /**< number of `lengths` */
  const size_t* lengths;     /**< powers of two, from 2 to what the ring has, slowest axis first */
  size_t batch;              /**< number of transforms */
  imago_ring ring;           /**< the ring */
  imago_order order;         /**< order of the spectrum */
  uint64_t coset;            /**< a residue, not 0 */
  imago_placement placement; /**< place of the result */
  imago_directions directions; /**< directions that the plan has kernels for */
} imago_modular_transform;

/** Returns the description of one transform in a ring, in natural order and both directions, whose
 * coset is 1. */
static inline imago_modular_transform imago_modular_transform_of(imago_ring ring, size_t dimensions,
                                                                 const size_t* lengths) {
  imago_modular_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.ring = ring;
  transform.dimensions = dimensions;
  transform.lengths = lengths;
  transform.batch = 1;
  transform.coset = 1;
  return transform;
}

/** Number-theoretic transforms in device memory (imago::ModularPlan). It is immutable. */
typedef struct imago_cl_modular imago_cl_modular;

/** Makes a plan, for imago_cl_modular_destroy(). Fails as imago_cl_plan_create(), also with
 * IMAGO_INVALID_ARGUMENT for a length that the ring does not have, and for a coset that is no
 * residue but 0. */
IMAGO_API imago_status imago_cl_modular_create(cl_context context, cl_device_id device,
                                               const imago_modular_transform* transform,
                                               const imago_cl_options* options,
                                               imago_cl_modular** modular);
/** Frees a plan. Null does nothing. */
IMAGO_API void imago_cl_modular_destroy(imago_cl_modular* modular);
/** Enqueues the transforms of a signal. Both buffers are the same one if the plan is in place.
 * Numbers above p - 1 give a wrong result. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_modular_forward(const imago_cl_modular* modular,
                                                cl_command_queue queue, cl_mem signal,
                                                cl_mem spectrum, const imago_cl_call* call);
/** Enqueues the inverse transforms of a spectrum. Otherwise as imago_cl_modular_forward(). */
IMAGO_API imago_status imago_cl_modular_inverse(const imago_cl_modular* modular,
                                                cl_command_queue queue, cl_mem spectrum,
                                                cl_mem signal, const imago_cl_call* call);
/** Returns the bytes of a signal and of a spectrum; 0 for null. */
IMAGO_API size_t imago_cl_modular_bytes(const imago_cl_modular* modular);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_modular_workspace_bytes(const imago_cl_modular* modular);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_modular_describe(const imago_cl_modular* modular, char* text,
                                           size_t size);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_modular_kernels(const imago_cl_modular* modular,
                                                const imago_kernels** kernels);

/** Method of a sparse transform. */
typedef enum imago_sparse_method {
  IMAGO_SPARSE_AUTOMATIC = 0, /**< chosen by imago */
  IMAGO_SPARSE_PHASE = 1,     /**< buckets, located by phases */
  IMAGO_SPARSE_VOTING = 2,    /**< buckets, located by voting; powers of two from 4096 to 2^31 */
  IMAGO_SPARSE_DENSE = 3      /**< the whole transform, whose largest coefficients are kept */
} imago_sparse_method;

/** Confidence in a sparse spectrum (imago::Verdict). */
typedef enum imago_verdict {
  IMAGO_VERIFIED = 0,    /**< all samples were read and agree */
  IMAGO_CONSISTENT = 1,  /**< the samples that were read agree */
  IMAGO_NOISE_FLOOR = 2, /**< the remainder looks like noise */
  IMAGO_UNVERIFIED = 3   /**< none of these */
} imago_verdict;

/** Description of a sparse transform (imago::SparseTransform). Make it by imago_sparse_of(). A
 * field that is 0 has its default. */
typedef struct imago_sparse_transform {
  size_t size;                /**< sizeof(imago_sparse_transform) */
  size_t length;              /**< length of the signal, at least 1 */
  size_t sparsity;            /**< expected number of coefficients; 0: unknown */
  imago_kind kind;            /**< IMAGO_COMPLEX or IMAGO_REAL */
  imago_precision precision;  /**< IMAGO_F32 or IMAGO_F64 */
  imago_sparse_method method; /**< method that finds the coefficients */
  int forbid_dense;           /**< 1: never computes the dense transform */
  int verified;               /**< 1: reads the whole signal to verify a result */
  double tolerance;           /**< largest relative residual; 0: chosen by imago */
  double noise;               /**< known noise level relative to the signal; 0: estimated */
  int has_seed;               /**< 1: random numbers begin at `seed`; 0: at a random seed */
  uint64_t seed;              /**< seed of the random numbers */
} imago_sparse_transform;

/** Returns the description of a sparse transform of complex f32. */
static inline imago_sparse_transform imago_sparse_of(size_t length, size_t sparsity) {
  imago_sparse_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.length = length;
  transform.sparsity = sparsity;
  return transform;
}

/** Result of a sparse transform (imago::SparseSpectrum), which belongs to imago. */
typedef struct imago_sparse_spectrum {
  size_t size;              /**< sizeof(imago_sparse_spectrum) */
  size_t count;             /**< number of coefficients */
  const uint64_t* indices;  /**< their indices, ascending */
  const double* values;     /**< their values, not scaled: `count` pairs (re, im) */
  imago_verdict verdict;    /**< confidence in the result */
  imago_sparse_method used; /**< method of the result */
  double residual;          /**< relative error of the signal of these coefficients */
  double floor;             /**< smallest coefficient that would have been found */
  uint64_t checked;         /**< random samples compared with the sum of coefficients */
  double difference;        /**< largest difference of these */
  double unseen;            /**< largest fraction of samples that may differ by more */
  uint64_t seed;            /**< seed that was used */
  uint64_t samples;         /**< number of samples read in all attempts */
  size_t attempts;          /**< number of sparse attempts */
} imago_sparse_spectrum;

/** A sparse transform (imago::SparsePlan). Calls of one plan run one after the other. */
typedef struct imago_cl_sparse imago_cl_sparse;

/** Makes a sparse transform, for imago_cl_sparse_destroy(). Fails as imago_cl_plan_create(). */
IMAGO_API imago_status imago_cl_sparse_create(cl_context context, cl_device_id device,
                                              const imago_sparse_transform* transform,
                                              const imago_cl_options* options,
                                              imago_cl_sparse** sparse);
/** Frees a sparse transform. Null does nothing. */
IMAGO_API void imago_cl_sparse_destroy(imago_cl_sparse* sparse);
/** Computes the sparse spectrum of a signal, and waits until it is on the host. A signal that is
 * not sparse is not an error: check imago_sparse_spectrum::verdict. Fails as imago_cl_forward(),
 * also with IMAGO_INVALID_ARGUMENT for a call with a workspace or arguments.
 *
 * @param sparse the sparse transform.
 * @param queue a queue of its context and device.
 * @param signal array of `length` numbers.
 * @param call events; null: none.
 * @param spectrum receives the result, for imago_sparse_spectrum_destroy(); null if the call
 *     fails. */
IMAGO_API imago_status imago_cl_sparse_forward(const imago_cl_sparse* sparse,
                                               cl_command_queue queue, imago_array signal,
                                               const imago_cl_call* call,
                                               const imago_sparse_spectrum** spectrum);
/** Frees a result. Null does nothing. */
IMAGO_API void imago_sparse_spectrum_destroy(const imago_sparse_spectrum* spectrum);
/** Returns the bytes of the smallest buffer for the signal; 0 for null. */
IMAGO_API size_t imago_cl_sparse_signal_bytes(const imago_cl_sparse* sparse);
/** Returns the bytes of device memory that the plan owns; 0 for null. */
IMAGO_API size_t imago_cl_sparse_workspace_bytes(const imago_cl_sparse* sparse);
/** Copies a description of the method, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_sparse_describe(const imago_cl_sparse* sparse, char* text, size_t size);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_sparse_kernels(const imago_cl_sparse* sparse,
                                               const imago_kernels** kernels);
/** Predicts what a call needs whose first attempt succeeds, without building a kernel
 * (imago::SparsePlan::estimate()). Fails as imago_cl_sparse_create(). */
IMAGO_API imago_status imago_cl_sparse_estimate(cl_device_id device,
                                                const imago_sparse_transform* transform,
                                                const imago_cl_options* options,
                                                imago_estimate* estimate);

/** Points in device memory, or the frequencies of type 3: an array of `count` coordinates for each
 * axis, in the order of the modes. Arrays of other axes are not used. */
typedef struct imago_cl_points {
  size_t count;               /**< number of points, below 2^31 */
  imago_array coordinates[3]; /**< arrays of the type imago_nufft_transform::coordinates */
  const size_t* counts;       /**< like imago_nufft_points::counts */
} imago_cl_points;

/** Nonuniform transforms of device memory, with their points (imago::NufftPlan). */
typedef struct imago_cl_nufft imago_cl_nufft;

/** Makes nonuniform transforms, for imago_cl_nufft_destroy(). Fails as imago_nufft_create(). */
IMAGO_API imago_status imago_cl_nufft_create(cl_context context, cl_device_id device,
                                             const imago_nufft_transform* transform,
                                             const imago_cl_options* options,
                                             imago_cl_nufft** nufft);
/** Frees nonuniform transforms. Null does nothing. */
IMAGO_API void imago_cl_nufft_destroy(imago_cl_nufft* nufft);
/** Copies and sorts the points of later calls, and waits for the device. No other call may be using
 * `nufft`. `frequencies` are those of type 3; otherwise null. Fails as imago_cl_forward() and for
 * coordinates that are NaN or infinite; there may then be no points. */
IMAGO_API imago_status imago_cl_nufft_set_points(imago_cl_nufft* nufft, cl_command_queue queue,
                                                 const imago_cl_points* points,
                                                 const imago_cl_points* frequencies,
                                                 const imago_cl_call* call);
/** Enqueues the computation of modes from strengths: packed arrays of complex numbers. Fails as
 * imago_cl_forward(), and with IMAGO_INVALID_ARGUMENT before imago_cl_nufft_set_points(). */
IMAGO_API imago_status imago_cl_nufft_type1(const imago_cl_nufft* nufft, cl_command_queue queue,
                                            imago_array strengths, imago_array modes,
                                            const imago_cl_call* call);
/** Enqueues the computation of values at the points from modes. Fails as imago_cl_nufft_type1(). */
IMAGO_API imago_status imago_cl_nufft_type2(const imago_cl_nufft* nufft, cl_command_queue queue,
                                            imago_array modes, imago_array values,
                                            const imago_cl_call* call);
/** Enqueues the computation of values at the frequencies. Fails as imago_cl_nufft_type1(). */
IMAGO_API imago_status imago_cl_nufft_type3(const imago_cl_nufft* nufft, cl_command_queue queue,
                                            imago_array strengths, imago_array values,
                                            const imago_cl_call* call);
/** Returns the bytes of a call's strengths or values; 0 for null. */
IMAGO_API size_t imago_cl_nufft_points_bytes(const imago_cl_nufft* nufft);
/** Returns the bytes of a call's modes, of type 3 those of its values; 0 for null. */
IMAGO_API size_t imago_cl_nufft_modes_bytes(const imago_cl_nufft* nufft);
/** Returns the bytes of device memory that the plan owns; 0 for null. */
IMAGO_API size_t imago_cl_nufft_workspace_bytes(const imago_cl_nufft* nufft);
/** Copies a description of the method, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_nufft_describe(const imago_cl_nufft* nufft, char* text, size_t size);
/** Waits for the kernels for this transform, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_nufft_wait(const imago_cl_nufft* nufft, double seconds, int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_nufft_kernels(const imago_cl_nufft* nufft,
                                              const imago_kernels** kernels);

/** Predicted launches and time of a step of nonuniform transforms. */
typedef struct imago_nufft_step {
  size_t kernels; /**< launches of one call; 0: the plan has no such step */
  double seconds; /**< predicted time of one call; for comparisons only */
} imago_nufft_step;

/** Choices and predicted requirements of nonuniform transforms of types 1 and 2
 * (imago::NufftEstimate). Make it by imago_no_nufft_estimate(). */
typedef struct imago_nufft_estimate {
  size_t size;                 /**< sizeof(imago_nufft_estimate) */
  size_t width;                /**< cells along an axis that a point is spread over */
  double upsampling;           /**< least number of cells of the grid for a mode of an axis */
  size_t grid[3];              /**< lengths of the grid, slowest axis first, then 0 */
  double predicted_error;      /**< upper bound of the error without rounding */
  size_t bins;                 /**< number of bins by which points are sorted */
  size_t tile[3];              /**< cells of a bin's tile, in the order of `grid` */
  int vectors;                 /**< 1: kernels with vectors; 0: work-groups */
  size_t points;               /**< number of points */
  size_t points_bytes;         /**< imago_cl_nufft_points_bytes() */
  size_t modes_bytes;          /**< imago_cl_nufft_modes_bytes() */
  size_t workspace_bytes;      /**< imago_cl_nufft_workspace_bytes() */
  imago_nufft_step set_points; /**< imago_cl_nufft_set_points() */
  imago_nufft_step type1;      /**< imago_cl_nufft_type1() */
  imago_nufft_step type2;      /**< imago_cl_nufft_type2() */
} imago_nufft_estimate;

/** Returns an empty estimate, for imago_cl_nufft_estimate(). */
static inline imago_nufft_estimate imago_no_nufft_estimate(void) {
  imago_nufft_estimate estimate;
  memset(&estimate, 0, sizeof estimate);
  estimate.size = sizeof estimate;
  return estimate;
}

/** Predicts what imago_nufft_transform::points points need that are spread evenly, without building
 * a kernel. Fails as imago_cl_nufft_create(), and with IMAGO_INVALID_ARGUMENT for type 3, whose
 * grid depends on the points. */
IMAGO_API imago_status imago_cl_nufft_estimate(cl_device_id device,
                                               const imago_nufft_transform* transform,
                                               const imago_cl_options* options,
                                               imago_nufft_estimate* estimate);

/** Points of the complex plane for the chirp z-transform, z[k] = start ratio^-k (imago::Spiral).
 * Both are pairs (re, im). */
typedef struct imago_spiral {
  double start[2]; /**< first point; 0: 1 */
  double ratio[2]; /**< point k divided by point k + 1; 0: the points divide the circle */
} imago_spiral;

/** Places of the rows of one side (imago::RowLayout): element j of row r of field f is at
 * offsets[r] + j stride + f distance, in elements. All 0: packed. */
typedef struct imago_row_layout {
  const size_t* offsets; /**< first element of each row; null: one row after the other */
  size_t stride;         /**< distance of the elements of a row; 0: 1 */
  size_t distance;       /**< distance of fields; 0: that of fields one after the other */
} imago_row_layout;

/** Description of transforms of rows of different lengths (imago::RaggedTransform). A field of 0
 * has its default. */
typedef struct imago_ragged_transform {
  size_t size;                 /**< sizeof(imago_ragged_transform) */
  size_t rows;                 /**< number of `lengths` */
  const size_t* lengths;       /**< length of each row, at least 1 */
  size_t batch;                /**< number of fields, each with all rows; 0: 1 */
  imago_kind kind;             /**< kind of each row */
  imago_precision precision;   /**< IMAGO_F32 or IMAGO_F64 */
  imago_norm norm;             /**< direction that divides, by the length of each row */
  imago_directions directions; /**< directions that the plan computes */
  imago_row_layout signal;     /**< layout of the signal */
  imago_row_layout spectrum;   /**< layout of the spectrum */
  const size_t* kept;          /**< entries of each row's spectrum in memory; null: all */
  /** Factors of the elements of one field, row after row, as pairs of real and imaginary parts:
   * those that a direction reads (load) and writes (store). Null: 1. */
  const double* forward_load;
  const double* forward_store; /**< factors of the spectrum that forward() writes */
  const double* inverse_load;  /**< factors of the spectrum that inverse() reads */
  const double* inverse_store; /**< factors of the signal that inverse() writes */
} imago_ragged_transform;

/** Transforms of rows in device memory (imago::RaggedPlan). They are immutable. */
typedef struct imago_cl_ragged imago_cl_ragged;

/** Makes a plan of rows, for imago_cl_ragged_destroy(). Fails as imago_cl_plan_create(), also with
 * IMAGO_INVALID_ARGUMENT for a recipe and parameters. */
IMAGO_API imago_status imago_cl_ragged_create(cl_context context, cl_device_id device,
                                              const imago_ragged_transform* transform,
                                              const imago_cl_options* options,
                                              imago_cl_ragged** ragged);
/** Frees a plan of rows. Null does nothing. */
IMAGO_API void imago_cl_ragged_destroy(imago_cl_ragged* ragged);
/** Enqueues the computation of the spectrum of each row. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_ragged_forward(const imago_cl_ragged* ragged,
                                               cl_command_queue queue, imago_array signal,
                                               imago_array spectrum, const imago_cl_call* call);
/** Enqueues the computation of the rows from their spectra. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_ragged_inverse(const imago_cl_ragged* ragged,
                                               cl_command_queue queue, imago_array spectrum,
                                               imago_array signal, const imago_cl_call* call);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_ragged_signal_bytes(const imago_cl_ragged* ragged);
/** Returns the bytes of the smallest buffer for the spectra; 0 for null. */
IMAGO_API size_t imago_cl_ragged_spectrum_bytes(const imago_cl_ragged* ragged);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_ragged_workspace_bytes(const imago_cl_ragged* ragged);
/** Returns the bytes of constant tables; 0 for null. */
IMAGO_API size_t imago_cl_ragged_table_bytes(const imago_cl_ragged* ragged);
/** Copies a description of the rows and launches, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_ragged_describe(const imago_cl_ragged* ragged, char* text, size_t size);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_ragged_kernels(const imago_cl_ragged* ragged,
                                               const imago_kernels** kernels);
/** Predicts what a plan of rows needs, without building a kernel. Fails as
 * imago_cl_ragged_create(). */
IMAGO_API imago_status imago_cl_ragged_estimate(cl_device_id device,
                                                const imago_ragged_transform* transform,
                                                const imago_cl_options* options,
                                                imago_estimate* estimate);

/** Description of a zoom: the Fourier transform of a signal at equally spaced frequencies of a
 * range (imago::ZoomTransform). Frequency k, in cycles per sample, is
 * (from + k (to - from) / points) / rate. Make it by imago_zoom_of(). Any other field than `axis`,
 * `from` and `to` has its default if it is 0. */
typedef struct imago_zoom_transform {
  size_t size;                    /**< sizeof(imago_zoom_transform) */
  size_t dimensions;              /**< number of `lengths` and strides; at most 64 */
  const size_t* lengths;          /**< lengths of the signal, slowest axis first */
  size_t axis;                    /**< the transformed axis; imago_zoom_of(): the last */
  size_t batch;                   /**< number of signals in one call; 0: 1 */
  size_t points;                  /**< number of frequencies, from 1 to 2^40 */
  double from;                    /**< first frequency, in units of `rate` */
  double to;                      /**< end of the range, in units of `rate`; imago_zoom_of(): 1 */
  double rate;                    /**< the sampling rate, above 0, such as 48000 (Hz); 0: 1 */
  int endpoint;                   /**< 1: `to` is the last frequency, not one too far */
  const imago_spiral* spiral;     /**< points instead of frequencies; null: frequencies */
  imago_precision precision;      /**< precision of signal and spectrum */
  imago_directions directions;    /**< IMAGO_ONLY_INVERSE: only imago_cl_zoom_adjoint() */
  imago_layout signal;            /**< layout of the signal */
  imago_layout spectrum;          /**< layout of the spectrum */
  imago_storage signal_storage;   /**< storage of the signal; IMAGO_REAL_PARTS: real signals */
  imago_storage spectrum_storage; /**< storage of the spectrum */
} imago_zoom_transform;

/** Returns the description of a zoom along the last axis, with `points` frequencies from 0 to the
 * sampling rate. */
static inline imago_zoom_transform imago_zoom_of(size_t dimensions, const size_t* lengths,
                                                 size_t points) {
  imago_zoom_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.dimensions = dimensions;
  transform.lengths = lengths;
  transform.axis = dimensions > 0 ? dimensions - 1 : 0;
  transform.points = points;
  transform.to = 1;
  return transform;
}

/** A zoom in device memory (imago::ZoomPlan). It is immutable. */
typedef struct imago_cl_zoom imago_cl_zoom;

/** Makes a zoom, for imago_cl_zoom_destroy(). Fails as imago_cl_plan_create(), also with
 * IMAGO_INVALID_ARGUMENT for a recipe. */
IMAGO_API imago_status imago_cl_zoom_create(cl_context context, cl_device_id device,
                                            const imago_zoom_transform* transform,
                                            const imago_cl_options* options, imago_cl_zoom** zoom);
/** Frees a zoom. Null does nothing. */
IMAGO_API void imago_cl_zoom_destroy(imago_cl_zoom* zoom);
/** Enqueues the computation of the spectrum at the frequencies. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_zoom_forward(const imago_cl_zoom* zoom, cl_command_queue queue,
                                             imago_array signal, imago_array spectrum,
                                             const imago_cl_call* call);
/** Enqueues the computation of the adjoint, x[j] = sum_k X[k] exp(2 pi i j f[k]) for frequencies
 * f[k]. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_zoom_adjoint(const imago_cl_zoom* zoom, cl_command_queue queue,
                                             imago_array spectrum, imago_array signal,
                                             const imago_cl_call* call);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_zoom_signal_bytes(const imago_cl_zoom* zoom);
/** Returns the bytes of the smallest buffer for the spectra; 0 for null. */
IMAGO_API size_t imago_cl_zoom_spectrum_bytes(const imago_cl_zoom* zoom);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_zoom_workspace_bytes(const imago_cl_zoom* zoom);
/** Returns the bytes of constant tables, with those of the chirps; 0 for null. */
IMAGO_API size_t imago_cl_zoom_table_bytes(const imago_cl_zoom* zoom);
/** Stores in `*layout` the layout of an array, as imago_plan_layout(). */
IMAGO_API imago_status imago_cl_zoom_layout(const imago_cl_zoom* zoom, imago_side side,
                                            imago_layout* layout);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_zoom_describe(const imago_cl_zoom* zoom, char* text, size_t size);
/** Waits for the kernels for this zoom, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_zoom_wait(const imago_cl_zoom* zoom, double seconds, int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_zoom_kernels(const imago_cl_zoom* zoom,
                                             const imago_kernels** kernels);
/** Predicts what a zoom needs, without building a kernel. Fails as imago_cl_zoom_create(). */
IMAGO_API imago_status imago_cl_zoom_estimate(cl_device_id device,
                                              const imago_zoom_transform* transform,
                                              const imago_cl_options* options,
                                              imago_estimate* estimate);

/** Samples outside of the signal, which frames at its ends need (imago::Border). */
typedef enum imago_border {
  IMAGO_BORDER_ZEROS = 0, /**< 0 */
  IMAGO_BORDER_EDGE = 1,  /**< the nearest sample of the signal */
  IMAGO_BORDER_EVEN = 2,  /**< the signal reflected at its first and last sample */
  IMAGO_BORDER_ODD = 3    /**< the signal reflected through its first and last sample */
} imago_border;

/** Description of a short-time Fourier transform (imago::ShortTimeTransform, which has the
 * formula). Spectra have the dimensions of the signal, with frames instead of samples, and a last
 * dimension of bins. Make it by imago_short_time_of(). Any other field than `axis`, `kind` and
 * `before` has its default if it is 0. */
typedef struct imago_short_time_transform {
  size_t size;                     /**< sizeof(imago_short_time_transform) */
  size_t dimensions;               /**< number of `lengths` and strides; at most 64 */
  const size_t* lengths;           /**< lengths of the signal, slowest axis first */
  size_t axis;                     /**< axis of the samples; imago_short_time_of(): the last */
  imago_kind kind;                 /**< IMAGO_REAL: points/2+1 bins; IMAGO_COMPLEX: `points` */
  imago_precision precision;       /**< IMAGO_F32 or IMAGO_F64 */
  size_t batch;                    /**< number of signals in one call; 0: 1 */
  size_t frame;                    /**< number of samples in a frame */
  const double* window;            /**< `frame` factors of a frame's samples */
  const double* window_im;         /**< their imaginary parts; null: 0 */
  const double* dual;              /**< `frame` factors of the inverse; null: the dual window */
  const double* dual_im;           /**< their imaginary parts; null: 0 */
  size_t points;                   /**< length of the transforms; below `frame`: folded; 0: equal */
  size_t hop;                      /**< number of samples from one frame to the next */
  size_t before;                   /**< samples by which frame 0 starts before the signal */
  size_t frames;                   /**< number of frames; 0: all that start in the signal */
  int64_t roll;                    /**< samples by which a padded frame is shifted around */
  imago_border border;             /**< samples outside of the signal */
  imago_directions directions;     /**< directions that the plan computes */
  imago_layout signal;             /**< layout of the signal */
  imago_layout spectrum;           /**< layout of the spectra: dimensions + 1 strides */
  imago_storage signal_storage;    /**< storage of the signal */
  imago_storage spectrum_storage;  /**< storage of the spectra */
  const imago_hooks* forward_load; /**< hooks of frames, before the window; null: none */
  const imago_hooks* forward_store; /**< hooks of the bins as they are stored; null: none */
  const imago_hooks* inverse_load;  /**< hooks of the bins as they are loaded; null: none */
  const imago_hooks* inverse_store; /**< hooks of frames as they are stored; null: none */
} imago_short_time_transform;

/** Returns the description of a transform of real signals along the last axis. The first frame
 * starts frame - hop samples before the signal, so that each sample is in as many frames. */
static inline imago_short_time_transform imago_short_time_of(size_t dimensions,
                                                             const size_t* lengths, size_t frame,
                                                             const double* window, size_t hop) {
  imago_short_time_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.dimensions = dimensions;
  transform.lengths = lengths;
  transform.axis = dimensions > 0 ? dimensions - 1 : 0;
  transform.kind = IMAGO_REAL;
  transform.frame = frame;
  transform.window = window;
  transform.hop = hop;
  transform.before = frame > hop ? frame - hop : 0;
  return transform;
}

/** A short-time Fourier transform in device memory (imago::ShortTimePlan). It is immutable. */
typedef struct imago_cl_short_time imago_cl_short_time;

/** Makes a short-time transform, for imago_cl_short_time_destroy(). Fails as
 * imago_cl_plan_create(), also with IMAGO_INVALID_ARGUMENT for a recipe, and for a window without a
 * dual window if the inverse needs one. */
IMAGO_API imago_status imago_cl_short_time_create(cl_context context, cl_device_id device,
                                                  const imago_short_time_transform* transform,
                                                  const imago_cl_options* options,
                                                  imago_cl_short_time** short_time);
/** Frees a short-time transform. Null does nothing. */
IMAGO_API void imago_cl_short_time_destroy(imago_cl_short_time* short_time);
/** Enqueues the computation of the spectra of the frames. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_short_time_forward(const imago_cl_short_time* short_time,
                                                   cl_command_queue queue, imago_array signal,
                                                   imago_array spectra, const imago_cl_call* call);
/** Enqueues the computation of the signal whose frames have these spectra, or of the nearest signal
 * if there is none. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_short_time_inverse(const imago_cl_short_time* short_time,
                                                   cl_command_queue queue, imago_array spectra,
                                                   imago_array signal, const imago_cl_call* call);
/** Returns the number of frames of a signal; 0 for null. */
IMAGO_API size_t imago_cl_short_time_frames(const imago_cl_short_time* short_time);
/** Returns the number of bins of a frame; 0 for null. */
IMAGO_API size_t imago_cl_short_time_bins(const imago_cl_short_time* short_time);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_short_time_signal_bytes(const imago_cl_short_time* short_time);
/** Returns the bytes of the smallest buffer for the spectra; 0 for null. */
IMAGO_API size_t imago_cl_short_time_spectrum_bytes(const imago_cl_short_time* short_time);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_short_time_workspace_bytes(const imago_cl_short_time* short_time);
/** Stores in `*layout` the layout of an array, as imago_plan_layout(). That of the spectra has
 * dimensions + 1 strides. */
IMAGO_API imago_status imago_cl_short_time_layout(const imago_cl_short_time* short_time,
                                                  imago_side side, imago_layout* layout);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_short_time_describe(const imago_cl_short_time* short_time, char* text,
                                              size_t size);
/** Waits for the kernels for this transform, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_short_time_wait(const imago_cl_short_time* short_time,
                                                double seconds, int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_short_time_kernels(const imago_cl_short_time* short_time,
                                                   const imago_kernels** kernels);
/** Predicts what the forward transform needs, or the inverse if it is the only one, without
 * building a kernel (imago::ShortTimePlan::estimate()). Fails as imago_cl_short_time_create(). */
IMAGO_API imago_status imago_cl_short_time_estimate(cl_device_id device,
                                                    const imago_short_time_transform* transform,
                                                    const imago_cl_options* options,
                                                    imago_estimate* estimate);
/** Stores the canonical dual window of `frame` factors in `dual` and, unless it is null, in
 * `dual_im` (imago::dual_window()). `window_im` may be null: 0. Returns IMAGO_INVALID_ARGUMENT for
 * null, and if the window has no dual window. */
IMAGO_API imago_status imago_dual_window(size_t frame, const double* window,
                                         const double* window_im, size_t hop, double* dual,
                                         double* dual_im);

/** Description of spectra that are averaged over overlapping frames (imago::WelchTransform, which
 * has the formula). Results have the dimensions of the signal without that of the samples, and a
 * last dimension of bins. Make it by imago_welch_of(). Any other field than `axis` and `kind` has
 * its default if it is 0. */
typedef struct imago_welch_transform {
  size_t size;                    /**< sizeof(imago_welch_transform) */
  size_t dimensions;              /**< number of `lengths` and strides; at most 64 */
  const size_t* lengths;          /**< lengths of a signal, slowest axis first */
  size_t axis;                    /**< axis of the samples; imago_welch_of(): the last */
  imago_kind kind;                /**< IMAGO_REAL: points/2+1 bins; IMAGO_COMPLEX: `points` */
  imago_precision precision;      /**< IMAGO_F32 or IMAGO_F64 */
  size_t batch;                   /**< number of signals in one call; 0: 1 */
  size_t frame;                   /**< number of samples in a frame */
  const double* window;           /**< `frame` factors of a frame's samples */
  const double* window_im;        /**< their imaginary parts; null: 0 */
  size_t points;                  /**< length of the transforms, at least `frame`; 0: `frame` */
  size_t hop;                     /**< number of samples from one frame to the next */
  int cross;                      /**< 1: cross spectra of two signals, which are complex */
  imago_layout signal;            /**< layout of the signal */
  imago_layout other;             /**< layout of the second signal */
  imago_layout spectrum;          /**< layout of the results, with the stride of the bins last */
  imago_storage signal_storage;   /**< storage of the signal */
  imago_storage other_storage;    /**< storage of the second signal */
  imago_storage spectrum_storage; /**< storage of the results */
  const imago_hooks* load;        /**< hooks of frames, before the window; null: none */
  const imago_hooks* store;       /**< hooks of the bins before they are squared; null: none */
  const imago_hooks* other_load;  /**< `load` of the second signal; null: none */
  const imago_hooks* other_store; /**< `store` of the second signal; null: none */
} imago_welch_transform;

/** Returns the description of the power spectrum of real signals along the last axis. */
static inline imago_welch_transform imago_welch_of(size_t dimensions, const size_t* lengths,
                                                   size_t frame, const double* window, size_t hop) {
  imago_welch_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.dimensions = dimensions;
  transform.lengths = lengths;
  transform.axis = dimensions > 0 ? dimensions - 1 : 0;
  transform.kind = IMAGO_REAL;
  transform.frame = frame;
  transform.window = window;
  transform.hop = hop;
  return transform;
}

/** An averaged spectrum in device memory (imago::WelchPlan). It is immutable. */
typedef struct imago_cl_welch imago_cl_welch;

/** Makes an averaged spectrum, for imago_cl_welch_destroy(). Fails as imago_cl_plan_create(), also
 * with IMAGO_INVALID_ARGUMENT for a recipe and for signals shorter than the window. */
IMAGO_API imago_status imago_cl_welch_create(cl_context context, cl_device_id device,
                                             const imago_welch_transform* transform,
                                             const imago_cl_options* options,
                                             imago_cl_welch** welch);
/** Frees an averaged spectrum. Null does nothing. */
IMAGO_API void imago_cl_welch_destroy(imago_cl_welch* welch);
/** Enqueues the computation of the mean of |X|^2, real numbers. Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_welch_power(const imago_cl_welch* welch, cl_command_queue queue,
                                            imago_array signal, imago_array spectrum,
                                            const imago_cl_call* call);
/** Enqueues the computation of the mean of conj(X) Y, complex numbers, for a plan with `cross`.
 * Fails as imago_cl_forward(). */
IMAGO_API imago_status imago_cl_welch_cross(const imago_cl_welch* welch, cl_command_queue queue,
                                            imago_array signal, imago_array other,
                                            imago_array spectrum, const imago_cl_call* call);
/** Returns the number of frames of a signal; 0 for null. */
IMAGO_API size_t imago_cl_welch_frames(const imago_cl_welch* welch);
/** Returns the number of bins; 0 for null. */
IMAGO_API size_t imago_cl_welch_bins(const imago_cl_welch* welch);
/** Returns the bytes of the smallest buffer for the signals; 0 for null. */
IMAGO_API size_t imago_cl_welch_signal_bytes(const imago_cl_welch* welch);
/** Returns the bytes of the smallest buffer for the second signals; 0 for null. */
IMAGO_API size_t imago_cl_welch_other_bytes(const imago_cl_welch* welch);
/** Returns the bytes of the smallest buffer for the results; 0 for null. */
IMAGO_API size_t imago_cl_welch_spectrum_bytes(const imago_cl_welch* welch);
/** Returns the bytes that each call allocates; 0 for null. */
IMAGO_API size_t imago_cl_welch_sum_bytes(const imago_cl_welch* welch);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_welch_workspace_bytes(const imago_cl_welch* welch);
/** Stores in `*layout` the layout of the signal, or of the results, as imago_plan_layout(). */
IMAGO_API imago_status imago_cl_welch_layout(const imago_cl_welch* welch, imago_side side,
                                             imago_layout* layout);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_welch_describe(const imago_cl_welch* welch, char* text, size_t size);
/** Waits for the kernels for this spectrum, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_welch_wait(const imago_cl_welch* welch, double seconds, int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_welch_kernels(const imago_cl_welch* welch,
                                              const imago_kernels** kernels);
/** Predicts what an averaged spectrum needs, without building a kernel
 * (imago::WelchPlan::estimate()). Fails as imago_cl_welch_create(). */
IMAGO_API imago_status imago_cl_welch_estimate(cl_device_id device,
                                               const imago_welch_transform* transform,
                                               const imago_cl_options* options,
                                               imago_estimate* estimate);

/** Description of a filter with a finite impulse response (imago::FirFilter), for a stream:
 * y[t] = sum_j taps[j] x[t - j]. Make it by imago_fir_filter_of(). Any other field than `kind` has
 * its default if it is 0. */
typedef struct imago_fir_filter {
  size_t size;               /**< sizeof(imago_fir_filter) */
  size_t dimensions;         /**< number of `lengths`; at most 64 */
  const size_t* lengths;     /**< the most samples of a block, then the lengths of channels */
  size_t taps_count;         /**< number of `taps` */
  const double* taps;        /**< the impulse response */
  const double* taps_im;     /**< its imaginary parts; null: 0 */
  size_t points;             /**< length of the transforms, above taps_count; 0: chosen by imago */
  imago_kind kind;           /**< IMAGO_REAL or IMAGO_COMPLEX: samples and taps */
  imago_precision precision; /**< IMAGO_F32 or IMAGO_F64 */
  imago_storage storage;     /**< IMAGO_INTERLEAVED or IMAGO_PLANAR: storage of complex samples */
  const imago_hooks* load;   /**< hooks of the samples as they are loaded; null: none */
  const imago_hooks* store;  /**< hooks of the results as they are stored; null: none */
  size_t decimation;         /**< samples for one result: result i is y[i decimation]; 0: 1 */
  size_t interpolation;      /**< each sample becomes as many, by zeros behind it; 0: 1 */
} imago_fir_filter;

/** Returns the description of a filter of real samples. */
static inline imago_fir_filter imago_fir_filter_of(size_t dimensions, const size_t* lengths,
                                                   size_t taps_count, const double* taps) {
  imago_fir_filter filter;
  memset(&filter, 0, sizeof filter);
  filter.size = sizeof filter;
  filter.dimensions = dimensions;
  filter.lengths = lengths;
  filter.taps_count = taps_count;
  filter.taps = taps;
  filter.kind = IMAGO_REAL;
  return filter;
}

/** A transform of a signal that arrives in blocks (imago::Stream). Arrays are packed; their first
 * dimension is time. One thread at a time may use it. */
typedef struct imago_cl_stream imago_cl_stream;

/** Makes a short-time transform of a stream, or its inverse, for imago_cl_stream_destroy(). Its
 * calls are enqueued on `queue`. Lengths are the number of samples in the largest block, then those
 * of channels, so set `axis` to 0. `directions` must not be IMAGO_BOTH, `before` must be less than
 * a frame, and batch, frames, border and layouts must have their defaults. Fails as
 * imago_cl_short_time_create(). */
IMAGO_API imago_status imago_cl_stream_create(cl_command_queue queue,
                                              const imago_short_time_transform* transform,
                                              const imago_cl_options* options,
                                              imago_cl_stream** stream);
/** Makes a filter of a stream, for imago_cl_stream_destroy(). Its calls are enqueued on `queue`.
 * Fails as imago_cl_plan_create(). */
IMAGO_API imago_status imago_cl_stream_create_fir(cl_command_queue queue,
                                                  const imago_fir_filter* filter,
                                                  const imago_cl_options* options,
                                                  imago_cl_stream** stream);
/** Frees a stream. Null does nothing. */
IMAGO_API void imago_cl_stream_destroy(imago_cl_stream* stream);
/** Enqueues the next `count` elements of the stream, samples or frames, and their results. Fails as
 * imago_cl_forward(), also for more elements than imago_cl_stream_most(). After
 * IMAGO_DEVICE_ERROR, call imago_cl_stream_reset() before the next call.
 *
 * @param stream the stream.
 * @param from array of `count` elements.
 * @param count number of elements.
 * @param to array for imago_cl_stream_results() results.
 * @param call optional arguments; null: none.
 * @param results receives the number of results, 0 if the call fails; null: not needed. */
IMAGO_API imago_status imago_cl_stream_push(imago_cl_stream* stream, imago_array from, size_t count,
                                            imago_array to, const imago_cl_call* call,
                                            size_t* results);
/** Ends the stream: enqueues the imago_cl_stream_remaining() results that are left, as if zeros
 * followed. The next call begins a new stream. Otherwise as imago_cl_stream_push(). */
IMAGO_API imago_status imago_cl_stream_finish(imago_cl_stream* stream, imago_array to,
                                              const imago_cl_call* call, size_t* results);
/** Discards the stream; the next call begins a new one. Returns IMAGO_INVALID_ARGUMENT for null. */
IMAGO_API imago_status imago_cl_stream_reset(imago_cl_stream* stream);
/** Returns the number of results of `count` more elements; 0 for null. */
IMAGO_API size_t imago_cl_stream_results(const imago_cl_stream* stream, size_t count);
/** Returns the number of results of imago_cl_stream_finish(); 0 for null. */
IMAGO_API size_t imago_cl_stream_remaining(const imago_cl_stream* stream);
/** Returns the most elements that one call accepts; 0 for null. */
IMAGO_API size_t imago_cl_stream_most(const imago_cl_stream* stream);
/** Returns the most results of one call; 0 for null. */
IMAGO_API size_t imago_cl_stream_most_results(const imago_cl_stream* stream);
/** Returns the bytes of `count` elements; planar: in each of the two buffers; 0 for null. */
IMAGO_API size_t imago_cl_stream_input_bytes(const imago_cl_stream* stream, size_t count);
/** Returns the bytes of `count` results; planar: in each of the two buffers; 0 for null. */
IMAGO_API size_t imago_cl_stream_result_bytes(const imago_cl_stream* stream, size_t count);
/** Returns the bytes of device memory for elements and results that later calls need; 0 for null.
 */
IMAGO_API size_t imago_cl_stream_kept_bytes(const imago_cl_stream* stream);
/** Returns the bytes of the workspace; 0 for null and if none is needed. */
IMAGO_API size_t imago_cl_stream_workspace_bytes(const imago_cl_stream* stream);
/** Copies a description of the kernels, as imago_cl_plan_describe(). */
IMAGO_API size_t imago_cl_stream_describe(const imago_cl_stream* stream, char* text, size_t size);
/** Waits for the kernels for this stream, as imago_cl_plan_wait(). */
IMAGO_API imago_status imago_cl_stream_wait(const imago_cl_stream* stream, double seconds,
                                            int* ready);
/** Stores the kernels in `*kernels`, as imago_plan_kernels(). */
IMAGO_API imago_status imago_cl_stream_kernels(const imago_cl_stream* stream,
                                               const imago_kernels** kernels);
/** Predicts what the largest block of a short-time transform needs, without building a kernel
 * (imago::Stream::estimate()). Fails as imago_cl_stream_create(). */
IMAGO_API imago_status imago_cl_stream_estimate(cl_device_id device,
                                                const imago_short_time_transform* transform,
                                                const imago_cl_options* options,
                                                imago_estimate* estimate);
/** Predicts what the largest block of a filter needs, without building a kernel
 * (imago::Stream::estimate()). Fails as imago_cl_stream_create_fir(). */
IMAGO_API imago_status imago_cl_stream_estimate_fir(cl_device_id device,
                                                    const imago_fir_filter* filter,
                                                    const imago_cl_options* options,
                                                    imago_estimate* estimate);

#ifdef __cplusplus
}
#endif
