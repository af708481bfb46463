/* This file relates the points and frequencies of a type 3 to a grid: Lee and Greengard, "The type
   3 nonuniform FFT and its applications", J. Comput. Phys. 206 (2005). Coordinates are decoded by
   integers, so that angles are exact and need no doubles. Macros that the host defines:
   IMAGO_DOUBLE (numbers in f64) and IMAGO_DOUBLE_COORDINATES. */

#if IMAGO_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 complex_t;
#else
typedef float real;
typedef float2 complex_t;
#endif

/* The bits of a coordinate. */
#if IMAGO_DOUBLE_COORDINATES
typedef ulong coordinate_t;
#define BITS 64
#define DIGITS 52
#else
typedef uint coordinate_t;
#define BITS 32
#define DIGITS 23
#endif
#define LARGEST_EXPONENT ((1 << (BITS - 1 - DIGITS)) - 1)

static inline int exponent_of(coordinate_t bits) {
  return (int)(bits >> DIGITS) & LARGEST_EXPONENT;
}
static inline bool is_negative(coordinate_t bits) { return bits >> (BITS - 1) != 0; }

#define KERNEL __kernel __attribute__((reqd_work_group_size(IMAGO_ITEMS, 1, 1))) void

/* Writes the least and the largest coordinate of each group's points, and 1 if one is not finite.
   They are written as keys: whole numbers in the order of the coordinates. */
#ifdef BUILD_nufft_extent
static inline ulong key_of(coordinate_t bits) {
  const coordinate_t sign = (coordinate_t)1 << (BITS - 1);
  return is_negative(bits) ? (coordinate_t)~bits : bits | sign;
}

KERNEL nufft_extent(const uint points, __global const coordinate_t *x, const ulong offset,
                    __global ulong *extents) {
  __local ulong least[IMAGO_ITEMS], largest[IMAGO_ITEMS], bad[IMAGO_ITEMS];
  const uint item = (uint)get_local_id(0);
  ulong own_least = ULONG_MAX, own_largest = 0, own_bad = 0;
  for (size_t j = get_global_id(0); j < points; j += get_global_size(0)) {
    const coordinate_t bits = x[offset + j];
    own_least = min(own_least, key_of(bits));
    own_largest = max(own_largest, key_of(bits));
    if (exponent_of(bits) == LARGEST_EXPONENT) own_bad = 1;
  }
  least[item] = own_least;
  largest[item] = own_largest;
  bad[item] = own_bad;
  for (uint step = IMAGO_ITEMS / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) {
      least[item] = min(least[item], least[item + step]);
      largest[item] = max(largest[item], largest[item + step]);
      bad[item] = max(bad[item], bad[item + step]);
    }
  }
  if (item == 0) {
    __global ulong *own = extents + 3 * get_group_id(0);
    own[0] = least[0];
    own[1] = largest[0];
    own[2] = bad[0];
  }
}
#endif

/* A whole number of 128 bits, modulo 2^128. */
typedef struct {
  ulong high, low;
} Wide;

static inline Wide negated(Wide a) {
  return (Wide){~a.high + (a.low == 0 ? 1 : 0), -a.low};
}

/* Returns a - b. */
static inline Wide difference_of(Wide a, Wide b) {
  return (Wide){a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}

/* Returns digits 2^by; the rest is cut off. */
static inline Wide shifted(ulong digits, int by) {
  if (by <= -64 || by >= 128) return (Wide){0, 0};
  if (by <= 0) return (Wide){0, digits >> -by};
  if (by < 64) return (Wide){digits >> (64 - by), digits << by};
  return (Wide){digits << (by - 64), 0};
}

/* The angles slope (x - middle) of an axis, as integers: struct Angle of src/nufft/angles.hpp, in
   its order. */
typedef ulong8 Angle;

/* Returns (x - middle) without its sign, in units of the angle. */
static inline Wide distance_of(coordinate_t bits, Angle angle, bool *negative) {
  const int exponent = exponent_of(bits), bias = LARGEST_EXPONENT / 2 + DIGITS;
  const ulong digits = (bits & (((coordinate_t)1 << DIGITS) - 1)) |
                       (exponent == 0 ? 0 : (coordinate_t)1 << DIGITS);
  // Subnormal numbers have the unit of the smallest normal ones.
  const Wide size = shifted(digits, max(exponent, 1) - bias - (int)(long)angle.s5);
  const Wide place = is_negative(bits) ? negated(size) : size;
  const Wide difference = difference_of(place, (Wide){angle.s0, angle.s1});
  *negative = difference.high >> 63 != 0;
  return *negative ? negated(difference) : difference;
}

/* Returns the angle of a distance in units of 2^-64 turns, modulo 1. */
static inline ulong turns_of(Wide distance, bool negative, Angle angle) {
  const ulong whole = angle.s2, part = angle.s3;
  const ulong turns = (distance.high * whole << 2) +
                      (mul_hi(distance.low, whole) << 2 | distance.low * whole >> 62) +
                      (mul_hi(distance.high, part) << 2 | distance.high * part >> 62);
  return negative != (angle.s4 != 0) ? -turns : turns;
}

/* Writes the angles of coordinates, plus a shift, in units of 2^-64 turns. */
#ifdef BUILD_nufft_rescale
KERNEL nufft_rescale(const uint points, __global const coordinate_t *x, const ulong offset,
                     const Angle angle, const ulong shift, __global ulong *fractions) {
  const size_t j = get_global_id(0);
  if (j >= points) return;
  bool negative;
  const Wide distance = distance_of(x[offset + j], angle, &negative);
  fractions[j] = turns_of(distance, negative, angle) + shift;
}
#endif

/* Writes exp(i angle) for the sum of a point's angles. It is divided along each axis by the
   kernel's Fourier transform, whose logarithm is a sum of `terms` Chebyshev polynomials of
   2 a^2 - 1, where a is the distance divided by the reach. The constants of all axes are in
   `scale`. */
#ifdef BUILD_nufft_factors
KERNEL nufft_factors(const uint points, const uint axes, __global const coordinate_t *x,
                     __global const coordinate_t *y, __global const coordinate_t *z,
                     const ulong offset_x, const ulong offset_y, const ulong offset_z,
                     const Angle angle_x, const Angle angle_y, const Angle angle_z,
                     const uint terms, __global const real *series, const real scale,
                     __global complex_t *factors) {
  const size_t j = get_global_id(0);
  if (j >= points) return;
  const coordinate_t coordinates[3] = {x[offset_x + j], y[offset_y + j], z[offset_z + j]};
  const Angle angles[3] = {angle_x, angle_y, angle_z};
  ulong turns = 0;
  real logarithm = 0;
  for (uint axis = 0; axis < axes; ++axis) {
    bool negative;
    const Wide distance = distance_of(coordinates[axis], angles[axis], &negative);
    turns += turns_of(distance, negative, angles[axis]);
    if (terms == 0) continue;
    const real unit = (real)0x1p-62f;
    const real a = ((real)distance.high * unit) * ((real)angles[axis].s6 * unit);
    const real t = 2 * a * a - 1;
    real own = 0, after = 0;
    for (uint i = terms - 1; i > 0; --i) {
      const real next = series[i] + 2 * t * own - after;
      after = own;
      own = next;
    }
    logarithm += t * own - after;
  }
  // An eighth of a turn at most is left for the functions of real numbers.
  const uint quarter = (uint)((turns + 0x2000000000000000UL) >> 62);
  const real half_turns =
      (real)(long)(turns - ((ulong)quarter << 62)) * (real)0x1p-63f;
  const real size = terms == 0 ? 1 : scale * exp(-logarithm);
  const real cosine = size * cospi(half_turns), sine = size * sinpi(half_turns);
  const complex_t turned = quarter & 1 ? (complex_t)(-sine, cosine) : (complex_t)(cosine, sine);
  factors[j] = quarter & 2 ? -turned : turned;
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
