/* This file relates the points and frequencies of a type 3 to a grid: Lee and Greengard, "The type
   3 nonuniform FFT and its applications", J. Comput. Phys. 206 (2005). Macros that the host
   defines: IMAGO_DOUBLE (numbers in f64) and IMAGO_DOUBLE_COORDINATES. */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#if IMAGO_DOUBLE
typedef double real;
typedef double2 complex_t;
#else
typedef float real;
typedef float2 complex_t;
#endif
#if IMAGO_DOUBLE_COORDINATES
typedef double coordinate_t;
#else
typedef float coordinate_t;
#endif

#define KERNEL __kernel __attribute__((reqd_work_group_size(IMAGO_ITEMS, 1, 1))) void

/* Writes the least and the largest coordinate of each group's points, and 1 if one is not finite. */
#ifdef BUILD_nufft_extent
KERNEL nufft_extent(const uint points, __global const coordinate_t *x, const ulong offset,
                    __global double *extents) {
  __local double least[IMAGO_ITEMS], largest[IMAGO_ITEMS], bad[IMAGO_ITEMS];
  const uint item = (uint)get_local_id(0);
  double own_least = INFINITY, own_largest = -INFINITY, own_bad = 0;
  for (size_t j = get_global_id(0); j < points; j += get_global_size(0)) {
    const double value = (double)x[offset + j];
    own_least = fmin(own_least, value);
    own_largest = fmax(own_largest, value);
    if (!isfinite(value)) own_bad = 1;
  }
  least[item] = own_least;
  largest[item] = own_largest;
  bad[item] = own_bad;
  for (uint step = IMAGO_ITEMS / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) {
      least[item] = fmin(least[item], least[item + step]);
      largest[item] = fmax(largest[item], largest[item + step]);
      bad[item] = fmax(bad[item], bad[item + step]);
    }
  }
  if (item == 0) {
    __global double *own = extents + 3 * get_group_id(0);
    own[0] = least[0];
    own[1] = largest[0];
    own[2] = bad[0];
  }
}
#endif

/* Writes coordinates as fractions of a period, in units of 2^-64: (x - middle) scale + shift. */
#ifdef BUILD_nufft_rescale
KERNEL nufft_rescale(const uint points, __global const coordinate_t *x, const ulong offset,
                     const double middle, const double scale, const ulong shift,
                     __global ulong *fractions) {
  const size_t j = get_global_id(0);
  if (j >= points) return;
  // The scale alone, times 2^64, may be infinite.
  fractions[j] = (ulong)(long)(((double)x[offset + j] - middle) * scale * 0x1p64) + shift;
}
#endif

/* A number as the sum of two: angles of points far from 0 have many turns, whose fraction needs more
   digits than a double has. */
typedef struct {
  double high, low;
} Pair;

static inline Pair sum_of(double a, double b) {
  const double sum = a + b, from_b = sum - a;
  return (Pair){sum, (a - (sum - from_b)) + (b - from_b)};
}
static inline Pair product_of(Pair a, double b) {
  const double product = a.high * b;
  return (Pair){product, fma(a.high, b, -product) + a.low * b};
}

/* Writes exp(i slope (x - middle)), divided along each axis by a sum of `terms` Chebyshev
   polynomials: the kernel's Fourier transform, for (x - middle) / reach from -1 to 1. */
#ifdef BUILD_nufft_factors
KERNEL nufft_factors(const uint points, const uint axes, __global const coordinate_t *x,
                     __global const coordinate_t *y, __global const coordinate_t *z,
                     const ulong offset_x, const ulong offset_y, const ulong offset_z,
                     const double4 slope, const double4 middle, const double4 reach,
                     const uint terms, __global const double *series,
                     __global complex_t *factors) {
  const size_t j = get_global_id(0);
  if (j >= points) return;
  const Pair differences[3] = {sum_of((double)x[offset_x + j], -middle.x),
                               sum_of((double)y[offset_y + j], -middle.y),
                               sum_of((double)z[offset_z + j], -middle.z)};
  const double slopes[3] = {slope.x, slope.y, slope.z}, reaches[3] = {reach.x, reach.y, reach.z};
  Pair angle = {0, 0};
  double divisor = 1;
  for (uint axis = 0; axis < axes; ++axis) {
    const Pair own_angle = product_of(differences[axis], slopes[axis]);
    const Pair sum = sum_of(angle.high, own_angle.high);
    angle = (Pair){sum.high, angle.low + own_angle.low + sum.low};
    if (terms == 0) continue;
    const double a = differences[axis].high / reaches[axis], t = 2 * a * a - 1;
    double own = 0, after = 0;
    for (uint i = terms - 1; i > 0; --i) {
      const double next = series[i] + 2 * t * own - after;
      after = own;
      own = next;
    }
    divisor *= series[0] + t * own - after;
  }
  double cosine, cosine_low;
  const double sine = sincos(angle.high, &cosine), sine_low = sincos(angle.low, &cosine_low);
  factors[j] = (complex_t)((cosine * cosine_low - sine * sine_low) / divisor,
                           (sine * cosine_low + cosine * sine_low) / divisor);
}
#endif

/* Multiplies the numbers of each member of a batch by the factors. */
#ifdef BUILD_nufft_multiply
KERNEL nufft_multiply(const uint points, const ulong count, __global const complex_t *factors,
                      __global const complex_t *from, const ulong from_offset,
                      __global complex_t *to, const ulong to_offset) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  const complex_t a = from[from_offset + i], b = factors[i % points];
  to[to_offset + i] = (complex_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
#endif

/* Multiplies the real numbers of each member of a batch by the factors. */
#ifdef BUILD_nufft_multiply_real
KERNEL nufft_multiply_real(const uint points, const ulong count, __global const complex_t *factors,
                           __global const real *from, const ulong from_offset,
                           __global complex_t *to, const ulong to_offset) {
  const size_t i = get_global_id(0);
  if (i < count) to[to_offset + i] = from[from_offset + i] * factors[i % points];
}
#endif
