/* This file declares imago's interface for C: transforms of arrays in host memory by one device,
   and exact products of integers. It needs no OpenCL to compile. Programs link only imago. In C++,
   use host_plan.hpp, fft.hpp, nufft.hpp or exact.hpp. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <imago/export.hpp>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. imago_last_error() returns the message. Values never change their meaning. */
typedef enum imago_status {
  IMAGO_SUCCESS = 0,          /**< the call succeeded */
  IMAGO_INVALID_ARGUMENT = 1, /**< a mistake of the caller: a field has a value not allowed */
  IMAGO_UNSUPPORTED = 2,      /**< a limit of imago or of the device */
  IMAGO_DEVICE_ERROR = 3,  /**< there is no device, an OpenCL call failed, results are wrong, or the
                                process was forked after its parent had used a device */
  IMAGO_PROFILE_ERROR = 4, /**< a profile (a file of tuned parameters) cannot be used */
  IMAGO_STOPPED = 5,       /**< the caller stopped the call */
  IMAGO_ERROR = 6,         /**< another error of imago */
  IMAGO_OUT_OF_MEMORY = 7, /**< the host does not have enough memory */
  IMAGO_INTERNAL_ERROR = 8 /**< a defect of imago: please report it */
} imago_status;

/** Transform along an axis of n points. imago::Kind (transform.hpp) has the formulas. */
typedef enum imago_kind {
  IMAGO_COMPLEX = 0,  /**< complex DFT */
  IMAGO_REAL = 1,     /**< real DFT; the spectrum has n/2+1 entries. At most one axis */
  IMAGO_DCT1 = 2,     /**< FFTW's REDFT00; n is at least 2 */
  IMAGO_DCT2 = 3,     /**< REDFT10 */
  IMAGO_DCT3 = 4,     /**< REDFT01 */
  IMAGO_DCT4 = 5,     /**< REDFT11 */
  IMAGO_DST1 = 6,     /**< RODFT00 */
  IMAGO_DST2 = 7,     /**< RODFT10 */
  IMAGO_DST3 = 8,     /**< RODFT01 */
  IMAGO_DST4 = 9,     /**< RODFT11 */
  IMAGO_IDENTITY = 10 /**< batch axis: not transformed */
} imago_kind;

/** Precision of the arrays. */
typedef enum imago_precision {
  IMAGO_F32 = 0, /**< float; complex numbers are pairs of float */
  IMAGO_F64 = 1, /**< double; complex numbers are pairs of double */
  IMAGO_F16 = 2  /**< stored in two bytes, computed in float */
} imago_precision;

/** Arithmetic of IMAGO_F64. The arrays hold double in any case (imago::F64). */
typedef enum imago_f64 {
  IMAGO_F64_AUTOMATIC = 0, /**< doubles if the device has them, else pairs */
  IMAGO_F64_NATIVE = 1,    /**< doubles */
  IMAGO_F64_PAIRS = 2,     /**< pairs of float: 48 bits instead of 53, sizes up to 2^120 */
  IMAGO_F64_FAST = 3       /**< pairs if the device has no doubles, or slower ones */
} imago_f64;

/** Place of the result: its own array, or that of the input. */
typedef enum imago_placement {
  IMAGO_OUT_OF_PLACE = 0, /**< two arrays that share no memory */
  IMAGO_IN_PLACE = 1      /**< one array */
} imago_placement;

/** Directions that a plan computes. */
typedef enum imago_directions {
  IMAGO_BOTH = 0,         /**< forward and inverse */
  IMAGO_ONLY_FORWARD = 1, /**< imago_execute_inverse() fails */
  IMAGO_ONLY_INVERSE = 2  /**< imago_execute_forward() fails */
} imago_directions;

/** Normalization. N is the number of imago::Norm: n for n complex points. */
typedef enum imago_norm {
  IMAGO_BACKWARD = 0, /**< inverse divides by N */
  IMAGO_ORTHO = 1,    /**< both divide by sqrt(N); cosine and sine transforms are orthogonal */
  IMAGO_FORWARD = 2,  /**< forward divides by N */
  IMAGO_NONE = 3      /**< no scaling, like FFTW */
} imago_norm;

/** Storage of complex numbers. Real numbers are always IMAGO_INTERLEAVED. */
typedef enum imago_storage {
  IMAGO_INTERLEAVED = 0, /**< pairs (re, im) */
  IMAGO_PLANAR = 1,      /**< real and imaginary parts in two buffers (imago_cl.h) */
  IMAGO_REAL_PARTS = 2   /**< real parts only; imaginary parts are 0 or not written */
} imago_storage;

/** End points of cosine and sine transforms (imago::Norm). */
typedef enum imago_ends {
  IMAGO_ENDS_OF_NORM = 0,  /**< rescaled with IMAGO_ORTHO */
  IMAGO_ENDS_RESCALED = 1, /**< rescaled (SciPy's orthogonalize) */
  IMAGO_ENDS_KEPT = 2      /**< not rescaled */
} imago_ends;

/** List of hooks (hooks.h). */
typedef struct imago_hooks imago_hooks;

/** Layout of an array, in elements of its own type. All 0: packed, row-major. */
typedef struct imago_layout {
  const size_t* strides; /**< strides, one per dimension; null: packed */
  size_t distance;       /**< between batch elements; 0 only if packed or for a batch of 1 */
  size_t offset;         /**< index of the first element */
} imago_layout;

/** Description of a transform. Make it by imago_transform_of(). A field that is 0 has its default.
 * Plans of imago.h have no planar storage, and no hooks with arguments; those of imago_cl.h do.
 *
 * Arrays have the elements of an imago::Plan's buffers. In place, packed rows of n real numbers
 * along a real axis are padded to 2 (n/2+1), like FFTW's; imago_plan_layout() returns the strides.
 */
typedef struct imago_transform {
  size_t size;                 /**< sizeof(imago_transform), from which imago knows its version */
  size_t dimensions;           /**< number of `lengths`, `axes` and strides; at most 64 */
  const size_t* lengths;       /**< lengths of the signal, slowest axis first, at least 1 each */
  const imago_kind* axes;      /**< kind of each axis; null: `kind` for every axis */
  imago_kind kind;             /**< for every axis; IMAGO_REAL: the last one, the others complex */
  imago_precision precision;   /**< precision of signal and spectrum */
  size_t batch;                /**< number of transforms in one call; 0: 1 */
  imago_placement placement;   /**< place of the result */
  imago_directions directions; /**< directions that the plan computes */
  imago_norm norm;             /**< direction that divides */
  double forward_scale;  /**< factor of forward results instead of the norm's; 0: the norm's */
  double inverse_scale;  /**< factor of inverse results; give both factors or neither */
  imago_layout signal;   /**< layout of the array that forward reads and inverse writes */
  imago_layout spectrum; /**< layout of the array that forward writes and inverse reads */
  imago_storage signal_storage;     /**< storage of the signal */
  imago_storage spectrum_storage;   /**< storage of the spectrum */
  imago_ends ends;                  /**< end points of cosine and sine transforms */
  const imago_hooks* forward_load;  /**< hooks as forward loads the signal; null: none */
  const imago_hooks* forward_store; /**< hooks as forward stores the spectrum; null: none */
  const imago_hooks* inverse_load;  /**< hooks as inverse loads the spectrum; null: none */
  const imago_hooks* inverse_store; /**< hooks as inverse stores the signal; null: none */
} imago_transform;

/** Planning options. Make them by imago_default_options(). A field that is 0 has its default. */
typedef struct imago_options {
  size_t size;         /**< sizeof(imago_options) */
  const char* device;  /**< index or part of the name; null: IMAGO_DEVICE, else the first GPU,
                            accelerator or CPU that has the precision */
  size_t memory_limit; /**< limit in bytes of device memory for one call; 0: the device's memory */
  int deterministic;   /**< 1: results are the same in every batch (imago::Options) */
  imago_f64 f64;       /**< arithmetic of IMAGO_F64 */
  int reproducible;    /**< 1: results are the same on every device (imago::Options) */
} imago_options;

/** Returns the description of one complex transform of these lengths: packed, out of place. Set
 * other fields as you need:
 *
 *     const size_t lengths[] = {48, 64};
 *     imago_transform images = imago_transform_of(2, lengths);
 *     images.kind = IMAGO_REAL;
 */
static inline imago_transform imago_transform_of(size_t dimensions, const size_t* lengths) {
  imago_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.dimensions = dimensions;
  transform.lengths = lengths;
  return transform;
}

/** Returns default options. */
static inline imago_options imago_default_options(void) {
  imago_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  return options;
}

/** A transform that is ready to run. It is immutable: several threads may use it at once. */
typedef struct imago_plan imago_plan;

/** Makes a plan. The first plan for a transform compiles kernels, which imago caches on disk. You
 * may free the memory that the structs point to afterwards.
 *
 * Returns IMAGO_INVALID_ARGUMENT for a field that is not allowed, IMAGO_UNSUPPORTED for a limit of
 * imago or of the device, and IMAGO_DEVICE_ERROR if there is no device or OpenCL fails.
 *
 * @param transform description of the transform.
 * @param options planning options; null: all defaults.
 * @param plan receives the plan, for imago_plan_destroy(); null if the call fails. */
IMAGO_API imago_status imago_plan_create(const imago_transform* transform,
                                         const imago_options* options, imago_plan** plan);
/** Frees a plan. No call may be using it. Null does nothing. */
IMAGO_API void imago_plan_destroy(imago_plan* plan);

/** Computes the spectrum of a signal and waits for it. For a plan that is in place, pass the same
 * array twice; otherwise the arrays must share no memory. Any number of threads may call it.
 *
 * Returns IMAGO_INVALID_ARGUMENT, and changes nothing, for null, for an array that is not aligned
 * to its numbers, for arrays that do not fit the placement, and for a direction that the plan does
 * not compute. Returns IMAGO_DEVICE_ERROR if OpenCL fails; the contents of `spectrum` are undefined
 * then. */
IMAGO_API imago_status imago_execute_forward(const imago_plan* plan, const void* signal,
                                             void* spectrum);
/** Computes the signal from its spectrum and waits for it. Arrays and errors are those of
 * imago_execute_forward(). */
IMAGO_API imago_status imago_execute_inverse(const imago_plan* plan, const void* spectrum,
                                             void* signal);

/** Returns the bytes of the smallest array for the signals, with the whole batch and the offset. In
 * place, the array also holds the spectrum. Returns 0 for null. */
IMAGO_API size_t imago_signal_bytes(const imago_plan* plan);
/** Returns the bytes of the smallest array for the spectra, with the whole batch and the offset. In
 * place, returns imago_signal_bytes(). Returns 0 for null. */
IMAGO_API size_t imago_spectrum_bytes(const imago_plan* plan);

/** An array of a transform. */
typedef enum imago_side {
  IMAGO_SIGNAL = 0,  /**< the array that forward reads and inverse writes */
  IMAGO_SPECTRUM = 1 /**< the array that forward writes and inverse reads */
} imago_side;

/** Stores in `*layout` the layout of an array, with its defaults filled in. `layout->strides` is
 * valid as long as the plan; the distance is 0 for a batch of 1. Returns IMAGO_INVALID_ARGUMENT for
 * null and for an unknown `side`. */
IMAGO_API imago_status imago_plan_layout(const imago_plan* plan, imago_side side,
                                         imago_layout* layout);

/** The kernels of a plan (imago::KernelSource and imago::KernelBuild), which belong to imago. */
typedef struct imago_kernels {
  size_t size;                /**< sizeof(imago_kernels) */
  size_t count;               /**< number of kernels */
  const char* const* names;   /**< their names */
  const char* const* sources; /**< their OpenCL C */
  const char* const* options; /**< their options for clBuildProgram() */
  const int* compiled;        /**< 1: compiled by the driver; 0: its binary was cached */
  const double* seconds;      /**< time that the driver needed for each */
} imago_kernels;

/** Stores in `*kernels` the kernels of a plan on one device, for imago_kernels_destroy(); null if
 * the call fails. Returns IMAGO_INVALID_ARGUMENT for null. */
IMAGO_API imago_status imago_plan_kernels(const imago_plan* plan, const imago_kernels** kernels);
/** Frees a list of kernels. Null does nothing. */
IMAGO_API void imago_kernels_destroy(const imago_kernels* kernels);
/** Copies a description of the computation on each device to `text`, cut to `size` bytes with the 0
 * at the end. Returns the length of the whole text without this 0; 0 if the call fails. */
IMAGO_API size_t imago_plan_describe(const imago_plan* plan, char* text, size_t size);

/** Unit and type of coordinates and frequencies (imago::Coordinates). */
typedef enum imago_coordinates {
  IMAGO_RADIANS = 0,       /**< radians, in float for IMAGO_F32 and double for IMAGO_F64 */
  IMAGO_RADIANS_F32 = 1,   /**< float, with the period 2 pi */
  IMAGO_RADIANS_F64 = 2,   /**< double, with the period 2 pi */
  IMAGO_FRACTIONS_I32 = 3, /**< 32-bit integers, with the period 2^32 */
  IMAGO_FRACTIONS_I64 = 4  /**< 64-bit integers, with the period 2^64 */
} imago_coordinates;

/** Types of nonuniform transforms that a plan computes. */
typedef enum imago_nufft_types {
  IMAGO_TYPES_1_AND_2 = 0, /**< both of the next */
  IMAGO_TYPE_1 = 1,        /**< strengths at points to modes */
  IMAGO_TYPE_2 = 2,        /**< modes to values at points */
  IMAGO_TYPE_3 = 3         /**< strengths at points to values at frequencies */
} imago_nufft_types;

/** The error that the tolerance bounds (imago::NufftPromise). */
typedef enum imago_nufft_promise {
  IMAGO_PROMISE_NORM = 0,      /**< the norm, for numbers without correlations */
  IMAGO_PROMISE_EACH_VALUE = 1 /**< each value, relative to the sum of absolute strengths */
} imago_nufft_promise;

/** Order of modes along each axis. */
typedef enum imago_mode_order {
  IMAGO_CENTRED = 0,          /**< frequency -n/2 first, rounded to 0 */
  IMAGO_FREQUENCY_0_FIRST = 1 /**< negative frequencies in the second half, as in a DFT */
} imago_mode_order;

/** Description of nonuniform transforms. Make it by imago_nufft_of(). A field that is 0 has its
 * default. imago::NufftTransform (nufft_transform.hpp) has the formulas. */
typedef struct imago_nufft_transform {
  size_t size;                   /**< sizeof(imago_nufft_transform) */
  size_t axes;                   /**< number of axes, 1 to 3 */
  const size_t* modes;           /**< numbers of modes, slowest axis first; type 3: null */
  double tolerance;              /**< largest error (imago::NufftTransform); 0: 1e-6 */
  imago_precision precision;     /**< IMAGO_F32 or IMAGO_F64 */
  size_t batch;                  /**< number of vectors of strengths in one call; 0: 1 */
  int sign;                      /**< 1 or -1: sign of the exponent of types 1 and 3; 0: 1 */
  imago_coordinates coordinates; /**< unit and type of coordinates; type 3 needs radians */
  imago_mode_order order;        /**< order of modes */
  imago_nufft_types types;       /**< types that the plan computes */
  size_t points;                 /**< expected number of points; 0: as many as modes */
  int real; /**< 1: strengths of types 1 and 3 and values of type 2 are real (imago::NufftTransform)
             */
  imago_nufft_promise promise; /**< the error that the tolerance bounds */
  int points_per_member;       /**< 1: each of the `batch` vectors has points of its own
                                    (imago_nufft_points::counts) */
} imago_nufft_transform;

/** Points, or the frequencies of type 3: an array of `count` coordinates for each axis, in the
 * order of the modes. Arrays of other axes are not used. */
typedef struct imago_nufft_points {
  size_t count;               /**< number of points, below 2^31 */
  const void* coordinates[3]; /**< arrays of the type imago_nufft_transform::coordinates */
  /** Read only with imago_nufft_transform::points_per_member: the number of points of each vector
   * of the batch, whose coordinates, strengths and values stand one vector after the other; `count`
   * is the sum. */
  const size_t* counts;
} imago_nufft_points;

/** Returns the description of transforms of types 1 and 2 in f32 with these modes. Set other fields
 * as you need. For type 3, pass null and set `types`. */
static inline imago_nufft_transform imago_nufft_of(size_t axes, const size_t* modes) {
  imago_nufft_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  transform.axes = axes;
  transform.modes = modes;
  return transform;
}

/** Nonuniform transforms that are ready to run, with their points. */
typedef struct imago_nufft_plan imago_nufft_plan;

/** Makes a plan of nonuniform transforms; otherwise as imago_plan_create(). Returns
 * IMAGO_UNSUPPORTED also for a tolerance that the precision cannot reach; the message has the
 * smallest.
 *
 * @param transform description of the transforms.
 * @param options planning options, without `memory_limit`; null: all defaults.
 * @param plan receives the plan, for imago_nufft_destroy(); null if the call fails. */
IMAGO_API imago_status imago_nufft_create(const imago_nufft_transform* transform,
                                          const imago_options* options, imago_nufft_plan** plan);
/** Frees a plan. No call may be using it. Null does nothing. */
IMAGO_API void imago_nufft_destroy(imago_nufft_plan* plan);

/** Copies the points of later calls, and sorts them. No other call may be using the plan. Returns
 * IMAGO_INVALID_ARGUMENT for null, for arrays that are not aligned to their numbers, and for
 * coordinates that are NaN or infinite. Returns IMAGO_UNSUPPORTED for a type 3 whose grid is too
 * large for the device, and IMAGO_DEVICE_ERROR if OpenCL fails. The plan may then have no points.
 *
 * @param plan the plan.
 * @param points the points.
 * @param frequencies the frequencies of type 3; otherwise null. */
IMAGO_API imago_status imago_nufft_set_points(imago_nufft_plan* plan,
                                              const imago_nufft_points* points,
                                              const imago_nufft_points* frequencies);

/** Computes modes from strengths and waits for them. The arrays are packed complex numbers: for
 * each vector of the batch one number per point, and the modes in row-major order. With
 * imago_nufft_transform::real, strengths are real numbers, as are values of type 2. Any number of
 * threads may call it.
 *
 * Returns IMAGO_INVALID_ARGUMENT, and changes nothing, before imago_nufft_set_points(), for null,
 * for arrays that are not aligned to their numbers or overlap, and for a type that the plan does
 * not compute. Returns IMAGO_DEVICE_ERROR if OpenCL fails; the contents of `modes` are undefined
 * then. */
IMAGO_API imago_status imago_nufft_type1(const imago_nufft_plan* plan, const void* strengths,
                                         void* modes);
/** Computes values at the points from modes and waits for them. Arrays and errors are those of
 * imago_nufft_type1(). */
IMAGO_API imago_status imago_nufft_type2(const imago_nufft_plan* plan, const void* modes,
                                         void* values);
/** Computes values at the frequencies from strengths and waits for them. Arrays and errors are
 * those of imago_nufft_type1(). */
IMAGO_API imago_status imago_nufft_type3(const imago_nufft_plan* plan, const void* strengths,
                                         void* values);

/** Place of the products beyond the last element of a convolution of integers (imago::Wrap). */
typedef enum imago_wrap {
  IMAGO_LINEAR = 0,    /**< it has an element for each of them */
  IMAGO_CYCLIC = 1,    /**< it adds them to the elements from the first one on */
  IMAGO_NEGACYCLIC = 2 /**< it subtracts them from these */
} imago_wrap;

/** Results of an exact convolution (imago::IntegerResults). */
typedef enum imago_integer_results {
  IMAGO_INT64 = 0,  /**< signed integers of 64 bits, up to 2^63 - 1 */
  IMAGO_MODULO = 1, /**< words of 64 bits: sums modulo 2^64 */
  IMAGO_INT128 = 2  /**< signed integers of 128 bits: two words, the lower one first */
} imago_integer_results;

/** Computes the convolution of two sequences of integers, without rounding, on the default device
 * (imago::exact::convolve()). The first call for a number of elements compiles kernels. Any number
 * of threads may call it.
 *
 * Returns IMAGO_INVALID_ARGUMENT for null, for a count of 0, for sequences that wrap and have
 * different lengths, and unless the largest absolute values prove that no result is too large:
 * their product, times the smaller count, must be at most 2^63 - 1 for IMAGO_INT64, and about 2^124
 * for IMAGO_INT128. IMAGO_MODULO allows any integers, signed or unsigned. Returns
 * IMAGO_DEVICE_ERROR if OpenCL fails.
 *
 * @param first the first sequence.
 * @param first_count its number of integers.
 * @param second the second sequence.
 * @param second_count its number of integers.
 * @param wrap place of the products beyond the last element.
 * @param results size of the results.
 * @param result receives `first_count` integers if the convolution wraps; else
 * `first_count + second_count - 1`. It may be one of the sequences. */
IMAGO_API imago_status imago_exact_convolve(const int64_t* first, size_t first_count,
                                            const int64_t* second, size_t second_count,
                                            imago_wrap wrap, imago_integer_results results,
                                            int64_t* result);

/** Computes the product of two natural numbers, which are arrays of words of 64 bits, the least
 * significant first (imago::exact::multiply()). Otherwise as imago_exact_convolve().
 *
 * Returns IMAGO_INVALID_ARGUMENT for null, and if both numbers have more than 2^27 words.
 *
 * @param first the first number; 0 words are the number 0.
 * @param first_count its number of words.
 * @param second the second number.
 * @param second_count its number of words.
 * @param product receives `first_count + second_count` words. It may be one of the numbers. */
IMAGO_API imago_status imago_exact_multiply(const uint64_t* first, size_t first_count,
                                            const uint64_t* second, size_t second_count,
                                            uint64_t* product);

/** Returns the message of the last call of this thread that failed; "" if none has failed. It is
 * valid until the next call fails. */
IMAGO_API const char* imago_last_error(void);
/** Returns the version of the library, such as "0.1.0". */
IMAGO_API const char* imago_version(void);

#ifdef __cplusplus
}
#endif
