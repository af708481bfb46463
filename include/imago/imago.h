/* This file is imago for C: transforms of arrays in host memory by one device. It needs no OpenCL
   to compile; link imago alone. C++ has host_plan.hpp, which this stands on, and fft.hpp. */
#pragma once

#include <stddef.h>
#include <string.h>

#include <imago/export.hpp>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call; imago_last_error() has the text. Values never change their meaning. */
typedef enum imago_status {
  IMAGO_SUCCESS = 0,          /**< all is done */
  IMAGO_INVALID_ARGUMENT = 1, /**< the caller's mistake: the field, its value and what is allowed */
  IMAGO_UNSUPPORTED = 2,      /**< a limit of imago or of the device: what to do instead */
  IMAGO_DEVICE_ERROR = 3,  /**< there is no device, an OpenCL call failed, or results are wrong */
  IMAGO_PROFILE_ERROR = 4, /**< a profile cannot be used */
  IMAGO_STOPPED = 5,       /**< the caller stopped it */
  IMAGO_ERROR = 6,         /**< another error of imago's */
  IMAGO_OUT_OF_MEMORY = 7, /**< the host has not enough memory */
  IMAGO_INTERNAL_ERROR = 8 /**< a defect of imago: please report it */
} imago_status;

/** What is done along an axis of n points: imago::Kind has the sums. */
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
  IMAGO_IDENTITY = 10 /**< this axis is only batch */
} imago_kind;

/** Of the arrays. */
typedef enum imago_precision {
  IMAGO_F32 = 0, /**< float, pairs of float */
  IMAGO_F64 = 1, /**< double, pairs of double; where the device has it */
  IMAGO_F16 = 2  /**< stored in two bytes, computed in float */
} imago_precision;

/** Whether the result takes an array of its own or the place of what is read. */
typedef enum imago_placement {
  IMAGO_OUT_OF_PLACE = 0, /**< two arrays that share no memory */
  IMAGO_IN_PLACE = 1      /**< one array */
} imago_placement;

/** Which directions a plan has. */
typedef enum imago_directions {
  IMAGO_BOTH = 0,         /**< forward and inverse */
  IMAGO_ONLY_FORWARD = 1, /**< imago_execute_inverse() fails */
  IMAGO_ONLY_INVERSE = 2  /**< imago_execute_forward() fails */
} imago_directions;

/** Which direction divides, by imago::Norm's number N (of n complex points n). */
typedef enum imago_norm {
  IMAGO_BACKWARD = 0, /**< inverse divides by N */
  IMAGO_ORTHO = 1,    /**< both divide by its root; cosine and sine transforms are orthogonal */
  IMAGO_FORWARD = 2,  /**< forward divides by N */
  IMAGO_NONE = 3      /**< no factor at all, as FFTW */
} imago_norm;

/** Where the elements of one side lie, in elements of its own type. Zeros: packed, row-major. */
typedef struct imago_layout {
  const size_t* strides; /**< one per dimension; null: packed */
  size_t distance;       /**< between batch members; 0 only where packed or for one */
  size_t offset;         /**< of the first element */
} imago_layout;

/** What to compute: made by imago_transform_of(). What is 0 has its default.
 *
 * Elements lie as those of an imago::Plan. In place packed rows along a real axis of n reals are
 * padded to 2 (n/2+1), as FFTW pads them: imago_plan_layout() says it. */
typedef struct imago_transform {
  size_t size;               /**< sizeof(imago_transform), by which later versions know this one */
  size_t dimensions;         /**< of `lengths`, `axes` and strides; 64 at most */
  const size_t* lengths;     /**< of the signal, the slowest axis first, at least 1 each */
  const imago_kind* axes;    /**< one per dimension; null: `kind` everywhere */
  imago_kind kind;           /**< for every axis; IMAGO_REAL: the last one, the others complex */
  imago_precision precision; /**< of both sides */
  size_t batch;              /**< transforms of one call; 0: 1 */
  imago_placement placement; /**< of the result */
  imago_directions directions; /**< that the plan has */
  imago_norm norm;             /**< which direction divides */
  double forward_scale;        /**< factor of forward results in the norm's place; 0: the norm's */
  double inverse_scale;        /**< as much for inverse ones; both are given, or none */
  imago_layout signal;         /**< what forward reads and inverse writes */
  imago_layout spectrum;       /**< what forward writes and inverse reads */
} imago_transform;

/** How to plan: made by imago_default_options(). What is 0 has its default. */
typedef struct imago_options {
  size_t size;         /**< sizeof(imago_options) */
  const char* device;  /**< its index or a part of its name; null: IMAGO_DEVICE, else the first GPU,
                            accelerator or CPU that has the precision */
  size_t memory_limit; /**< most bytes of the device's memory for one call; 0: what it has */
  int deterministic;   /**< 1: as imago::Options::deterministic */
} imago_options;

/** One complex transform of these lengths, packed, out of place; the fields say more:
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

/** Options that change nothing. */
static inline imago_options imago_default_options(void) {
  imago_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  return options;
}

/** A transform that is ready to run. It never changes: threads share it. */
typedef struct imago_plan imago_plan;

/** Makes a plan; the first one of a kind compiles kernels, which are kept on disk. What the structs
 * point to is not needed any more afterwards.
 *
 * @param transform what to compute.
 * @param options how; null: all defaults.
 * @param plan where to put the plan, for imago_plan_destroy(); null is put there where it fails. */
IMAGO_API imago_status imago_plan_create(const imago_transform* transform,
                                         const imago_options* options, imago_plan** plan);
/** Frees a plan that no call uses any more; null is none. */
IMAGO_API void imago_plan_destroy(imago_plan* plan);

/** Computes the spectrum of a signal and waits for it. Of a plan that is in place both are the same
 * array, of another one they share no memory. After IMAGO_DEVICE_ERROR what `spectrum` holds is not
 * defined. From any number of threads. */
IMAGO_API imago_status imago_execute_forward(const imago_plan* plan, const void* signal,
                                             void* spectrum);
/** Computes the signal of a spectrum, as imago_execute_forward(). */
IMAGO_API imago_status imago_execute_inverse(const imago_plan* plan, const void* spectrum,
                                             void* signal);

/** Returns the bytes of the signal's array, with the whole batch and the offset; in place the array
 * holds the spectrum, too. Returns 0 for null. */
IMAGO_API size_t imago_signal_bytes(const imago_plan* plan);
/** Returns the same for the spectrum. */
IMAGO_API size_t imago_spectrum_bytes(const imago_plan* plan);

/** A side of a transform. */
typedef enum imago_side {
  IMAGO_SIGNAL = 0,  /**< what forward reads and inverse writes */
  IMAGO_SPECTRUM = 1 /**< what forward writes and inverse reads */
} imago_side;

/** Where the elements of a side lie, with everything that the transform left open.
 * `layout->strides` lives as long as the plan; the distance is 0 where the batch is 1. */
IMAGO_API imago_status imago_plan_layout(const imago_plan* plan, imago_side side,
                                         imago_layout* layout);

/** What was wrong in the last call of this thread that failed; "" before one did. It is there until
 * the next one fails. */
IMAGO_API const char* imago_last_error(void);
/** The library's version, "0.1.0". */
IMAGO_API const char* imago_version(void);

#ifdef __cplusplus
}
#endif
