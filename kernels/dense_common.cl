/* This file holds the common part of the kernels that select a dense spectrum's largest
   coefficients. */

#define GROUP 256

/* Both kernels must compute bitwise equal magnitudes. */
#pragma OPENCL FP_CONTRACT OFF

/* Returns |X| without overflow; NaN if X is NaN, and 0 only for 0. (hypot() gives the same, but
   takes a CPU thirty times as long.) */
static inline float magnitude(complex_t v) {
  const real x = fabs(v.x), y = fabs(v.y);
  const real large = x > y ? x : y, small = x > y ? y : x;
  const real ratio = large > 0 ? small / large : small;
  return float_of(fabs(large * sqrt(1 + ratio * ratio)));
}

/* Returns the bits of the exponent: 0 for zeros and denormals, all set if x is not finite. */
static inline uint exponent_of(real x) {
#if IMAGO_DOUBLE
  return (uint)(as_ulong(x) >> 52) & 2047;
#else
  return (as_uint(x) >> 23) & 255;
#endif
}
