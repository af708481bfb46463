/* This file holds the common part of all methods' kernels: types, complex numbers, the format of
   tones, and the histogram of energies. Macros that the host defines: IMAGO_DOUBLE (arithmetic in
   f64), and IMAGO_REAL_SIGNAL for kernels that read a signal. */

#if IMAGO_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 complex_t;
#define TONE_WORDS 6
#else
typedef float real;
typedef float2 complex_t;
#define TONE_WORDS 4
#endif

#if IMAGO_REAL_SIGNAL
typedef real signal_t;
#else
typedef complex_t signal_t;
#endif

/* Return the number of the work-item in its group, and among all. For compilers that repeat loads
   after a barrier (runtime/constructs.hpp), the numbers are volatile, so that nothing can be
   computed again from them. */
#ifdef IMAGO_VOLATILE_ITEM
static inline uint local_item(void) {
  volatile uint kept_item = (uint)get_local_id(0);
  return kept_item;
}
static inline size_t global_item(void) {
  volatile size_t kept_item = get_global_id(0);
  return kept_item;
}
#else
static inline uint local_item(void) { return (uint)get_local_id(0); }
static inline size_t global_item(void) { return get_global_id(0); }
#endif

static inline complex_t times(complex_t x, complex_t y) {
  return (complex_t)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
static inline complex_t times_conjugate(complex_t x, complex_t y) {
  return (complex_t)(x.x * y.x + x.y * y.y, x.y * y.x - x.x * y.y);
}
static inline real square(complex_t x) { return x.x * x.x + x.y * x.y; }

/* Returns a size as a float, which is 0 only for 0. */
static inline float float_of(real size) {
  const float rounded = (float)size;
  return size > 0 && rounded < FLT_MIN ? FLT_MIN : rounded;
}

/* The format of a tone: frequency, real and imaginary part, each with the least significant word
   first. */
static inline complex_t amplitude_of(__global const uint *tone) {
#if IMAGO_DOUBLE
  return (complex_t)(as_double((uint2)(tone[2], tone[3])), as_double((uint2)(tone[4], tone[5])));
#else
  return (complex_t)(as_float(tone[2]), as_float(tone[3]));
#endif
}
static inline void put_tone(__global uint *tone, ulong f, complex_t amplitude) {
  tone[0] = (uint)f;
  tone[1] = (uint)(f >> 32);
#if IMAGO_DOUBLE
  const uint2 re = as_uint2(amplitude.x), im = as_uint2(amplitude.y);
  tone[2] = re.x, tone[3] = re.y, tone[4] = im.x, tone[5] = im.y;
#else
  tone[2] = as_uint(amplitude.x), tone[3] = as_uint(amplitude.y);
#endif
}

/* Returns the bin of an energy: 4 per octave; the fifth bin from the end holds the largest energy,
   `peak`. */
static inline uint bin_below(float energy, uint peak, int bins) {
  const int below = (int)(peak >> 21) - (int)(as_uint(energy) >> 21);
  return (uint)clamp(bins - 5 - below, 0, bins - 1);
}
