/* This file declares hooks for C: operations on elements that run inside a transform's kernels, as
   these load elements from your arrays and store results. It needs no OpenCL to compile. In C++,
   use hooks.hpp, which has the formulas. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <imago/imago.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes an empty list of hooks. Functions below add hooks, which run in this order. Plans copy
 * the list, so you may free it after you made them.
 *
 *     imago_hooks* load = NULL;
 *     imago_hooks_create(&load);
 *     imago_hook_window(load, 1, "hann");  // axis 1, the buffer `hann` of each call
 *     transform.forward_load = load;
 *
 * All functions of this file return IMAGO_INVALID_ARGUMENT for null and for a number that is not of
 * its enumeration, and IMAGO_OUT_OF_MEMORY. The list is then as before. Axes, ranges and places of
 * hooks are checked when a plan is made. An `argument` is a name that each call gives a value. */
IMAGO_API imago_status imago_hooks_create(imago_hooks** hooks);
/** Frees a list. Null does nothing. */
IMAGO_API void imago_hooks_destroy(imago_hooks* hooks);

/** Adds a multiplication by a constant. */
IMAGO_API imago_status imago_hook_scale(imago_hooks* hooks, double factor);
/** Adds a multiplication by the call's number `argument`. */
IMAGO_API imago_status imago_hook_scale_by(imago_hooks* hooks, const char* argument);
/** Adds a multiplication by real factors, one for each index along an axis, in the call's buffer
 * `argument`. */
IMAGO_API imago_status imago_hook_window(imago_hooks* hooks, size_t axis, const char* argument);

/** Factors in a buffer of the call (imago::hook::Multiply). Make it by imago_factors_of(). */
typedef struct imago_factors {
  size_t size;          /**< sizeof(imago_factors) */
  const char* argument; /**< name of the call's argument that is the buffer */
  const size_t* axes;   /**< axes of the buffer, ascending; null: all */
  size_t axes_count;    /**< number of `axes` */
  int batched;          /**< 1: separate factors for each batch element */
  int real;             /**< 1: real factors; for real elements they always are */
  int conjugate;        /**< 1: multiplies by complex conjugates */
  int of_real;          /**< 1: your promise that the factors are the spectrum of real numbers */
} imago_factors;

/** Returns complex factors of the shape of one batch element. */
static inline imago_factors imago_factors_of(const char* argument) {
  imago_factors factors;
  memset(&factors, 0, sizeof factors);
  factors.size = sizeof factors;
  factors.argument = argument;
  return factors;
}

/** Adds a multiplication by factors. */
IMAGO_API imago_status imago_hook_multiply(imago_hooks* hooks, const imago_factors* factors);
/** Adds the weighted sum of `count` arrays in memory, `stride` elements apart. Only as the first
 * hook at load. */
IMAGO_API imago_status imago_hook_weighted_sum(imago_hooks* hooks, const imago_factors* weights,
                                               size_t count, size_t stride);
/** Makes elements outside of begin <= index < end zero: they are not read, or not written. */
IMAGO_API imago_status imago_hook_zero_outside(imago_hooks* hooks, size_t axis, size_t begin,
                                               size_t end);

/** Integer types that memory may hold instead of floating-point numbers. */
typedef enum imago_integer {
  IMAGO_I8 = 0,  /**< int8_t */
  IMAGO_U8 = 1,  /**< uint8_t */
  IMAGO_I16 = 2, /**< int16_t */
  IMAGO_U16 = 3  /**< uint16_t */
} imago_integer;

/** Adds a conversion of integers in memory: integer times `scale` as the first hook at load;
 * element times `scale`, rounded and saturated, as the last hook at store. */
IMAGO_API imago_status imago_hook_integer(imago_hooks* hooks, imago_integer type, double scale);
/** Adds |x|^2, a real number. Only at store. */
IMAGO_API imago_status imago_hook_power(imago_hooks* hooks);
/** Adds 10 log10 max(|x|^2, floor), a real number, with floor > 0. Only at store. */
IMAGO_API imago_status imago_hook_decibels(imago_hooks* hooks, double floor);
/** Adds a conversion of complex elements: memory holds only their real parts. */
IMAGO_API imago_status imago_hook_real_part(imago_hooks* hooks);
/** Adds the complex conjugate. */
IMAGO_API imago_status imago_hook_conjugate(imago_hooks* hooks);
/** Adds the elements to those in memory. Only as the last hook at store, out of place. */
IMAGO_API imago_status imago_hook_accumulate(imago_hooks* hooks);
/** Adds a shift along `count` axes, like NumPy's fftshift; with `back`, like ifftshift. */
IMAGO_API imago_status imago_hook_shift(imago_hooks* hooks, size_t count, const size_t* axes,
                                        int back);
/** Adds a shift along an axis, like NumPy's roll. */
IMAGO_API imago_status imago_hook_roll(imago_hooks* hooks, size_t axis, int64_t by);
/** Adds a multiplication by exp(2 pi i j numerator / denominator), with j the index along the
 * axis. */
IMAGO_API imago_status imago_hook_modulate(imago_hooks* hooks, size_t axis, int64_t numerator,
                                           uint64_t denominator);

/** Frames of a longer signal as rows of the array (imago::hook::Frames). Make it by
 * imago_frames_of(). */
typedef struct imago_frames {
  size_t size;          /**< sizeof(imago_frames) */
  size_t frames;        /**< the dimension that counts frames */
  size_t axis;          /**< the dimension of a frame's elements */
  size_t hop;           /**< number of samples from one frame to the next; 0: 1 */
  size_t before;        /**< samples by which the first frame starts before the signal */
  size_t samples;       /**< length of the signal */
  const char* argument; /**< the call's number by which frames move; null: they do not */
  size_t unit;          /**< samples by which the argument 1 moves the frames; 0: 1 */
} imago_frames;

/** Returns frames along dimension 0 with elements along dimension 1. */
static inline imago_frames imago_frames_of(size_t samples, size_t hop) {
  imago_frames frames;
  memset(&frames, 0, sizeof frames);
  frames.size = sizeof frames;
  frames.axis = 1;
  frames.hop = hop;
  frames.samples = samples;
  return frames;
}

/** Adds a mapping of rows to frames of a signal. */
IMAGO_API imago_status imago_hook_frames(imago_hooks* hooks, const imago_frames* frames);

/** Type of a parameter of your function. */
typedef enum imago_parameter_type {
  IMAGO_REAL_BUFFER = 0,    /**< __global const float*, or double* */
  IMAGO_COMPLEX_BUFFER = 1, /**< __global const float2*, or double2* */
  IMAGO_REAL_NUMBER = 2,    /**< float, or double */
  IMAGO_INTEGER_NUMBER = 3  /**< int */
} imago_parameter_type;

/** Parameter of your function. */
typedef struct imago_parameter {
  imago_parameter_type type; /**< its type */
  const char* argument;      /**< name of the call's argument */
} imago_parameter;

/** Function of one element in OpenCL C (imago::hook::Code). Make it by imago_code_of(). */
typedef struct imago_code {
  size_t size;                       /**< sizeof(imago_code) */
  const char* text;                  /**< OpenCL C, at most 64 KiB */
  const char* function;              /**< name of the function in `text` */
  const imago_parameter* parameters; /**< its parameters after `at` */
  size_t parameters_count;           /**< number of `parameters` */
  int lanes;                         /**< 1: written for vectors of elements */
} imago_code;

/** Returns a function without parameters of its own. */
static inline imago_code imago_code_of(const char* text, const char* function) {
  imago_code code;
  memset(&code, 0, sizeof code);
  code.size = sizeof code;
  code.text = text;
  code.function = function;
  return code;
}

/** Adds a call of your function. */
IMAGO_API imago_status imago_hook_code(imago_hooks* hooks, const imago_code* code);
/** Adds a call of your function that itself reads an element from memory, as the first hook at
 * load, or writes it there, as the last hook at store (imago::hook::Access).
 *
 * @param hooks the list.
 * @param text OpenCL C, at most 64 KiB.
 * @param function name of the function in `text`.
 * @param userdata name of the call's buffer for the function; null: none.
 * @param bytes bytes of an element in memory; 0: those of the element. */
IMAGO_API imago_status imago_hook_access(imago_hooks* hooks, const char* text, const char* function,
                                         const char* userdata, size_t bytes);

/** Twiddle factors between the steps of a long 1-D transform (imago::hook::LineTwiddle). */
typedef struct imago_line_twiddle {
  size_t size;          /**< sizeof(imago_line_twiddle) */
  size_t along;         /**< a dimension of the transform */
  size_t column;        /**< another one */
  uint64_t points;      /**< length of the 1-D transform, up to 2^60 */
  uint64_t first;       /**< index of the array's first column in the whole line */
  const char* argument; /**< the call's integer that is added to `first`; null: none */
  int conjugate;        /**< 1: multiplies by complex conjugates */
} imago_line_twiddle;

/** Adds a multiplication by the twiddle factors. */
IMAGO_API imago_status imago_hook_line_twiddle(imago_hooks* hooks,
                                               const imago_line_twiddle* twiddle);

/** Addition of factor * a * b, with the numbers a and b in buffers of the call (imago::hook::Add).
 * Make it by imago_addition_of(). */
typedef struct imago_addition {
  size_t size;           /**< sizeof(imago_addition) */
  const char* argument;  /**< name of the call's argument that is the buffer of a */
  const size_t* strides; /**< distances in it between adjacent indices; null: packed */
  size_t strides_count;  /**< number of `strides`: that of the dimensions */
  size_t distance;       /**< distance between batch elements; 0: all share their numbers */
  size_t offset;         /**< place of the first element's number */
  int real;              /**< 1: a is real; for real elements it always is */
  double factor;         /**< a constant */
  const char* times;     /**< the call's buffer of b, real numbers; null: b is 1 */
  size_t axis;           /**< the dimension of b */
  const char* argument_of_offset; /**< the call's integer that moves all places; null: none */
  size_t unit;                    /**< numbers or pairs by which the integer 1 moves them; 0: 1 */
} imago_addition;

/** Returns the addition of complex numbers that are packed, for one batch element. */
static inline imago_addition imago_addition_of(const char* argument) {
  imago_addition addition;
  memset(&addition, 0, sizeof addition);
  addition.size = sizeof addition;
  addition.argument = argument;
  addition.factor = 1;
  return addition;
}

/** Adds an addition of numbers in buffers. */
IMAGO_API imago_status imago_hook_add(imago_hooks* hooks, const imago_addition* addition);

#ifdef __cplusplus
}
#endif
