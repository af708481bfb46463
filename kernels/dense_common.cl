/* This file holds what the selection of a dense spectrum's largest coefficients shares. */

#define GROUP 256

/* Both kernels find the same size of a coefficient, to the last bit. */
#pragma OPENCL FP_CONTRACT OFF

/* |X|, without overflow; not a number where X is none, and 0 for 0 alone. (hypot() does as much, and takes
   a CPU thirty times as long.) */
static inline float magnitude(complex_t v) {
  const real x = fabs(v.x), y = fabs(v.y);
  const real large = x > y ? x : y, small = x > y ? y : x;
  const real ratio = large > 0 ? small / large : small;
  return float_of(fabs(large * sqrt(1 + ratio * ratio)));
}

/* The bits of an exponent: 0 of zeros and denormals, all set where x is not finite. */
static inline uint exponent_of(real x) {
#if IMAGO_DOUBLE
  return (uint)(as_ulong(x) >> 52) & 2047;
#else
  return (as_uint(x) >> 23) & 255;
#endif
}
