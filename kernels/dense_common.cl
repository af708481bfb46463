/* This file holds what the selection of a dense spectrum's largest coefficients shares. Defined from
   outside: IMAGO_DOUBLE. */

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

#define GROUP 256

/* |X|, without overflow; not a number where X is none. */
static inline float magnitude(complex_t x) { return (float)hypot(x.x, x.y); }
