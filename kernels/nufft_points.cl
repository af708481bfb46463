/* This file finds the cells of the points of nonuniform transforms. Macros that the host defines:
   IMAGO_COORDINATES, the number of the type of coordinates, and IMAGO_NEGATED (1: the signs of all
   coordinates change). */

#if IMAGO_COORDINATES == 0 || IMAGO_COORDINATES == 2
typedef uint coordinate_t;
#else
typedef ulong coordinate_t;
#endif

#if IMAGO_COORDINATES == 1
/* Returns 64 bits of 1 / (2 pi) after the binary point, after the first `skipped`, which may be
   negative. The table `periods` has the bits for the largest exponent of a double. */
static inline ulong bits_of_period(int skipped) {
  if (skipped <= -64) return 0;
  if (skipped < 0) return periods[0] >> -skipped;
  const int word = skipped / 64, shift = skipped % 64;
  return shift == 0 ? periods[word] : periods[word] << shift | periods[word + 1] >> (64 - shift);
}

/* Returns mantissa times 2^exponent radians as a fraction of the period, modulo 1. Bits of the
   quotient of 2^64 and more are multiples of the period, and drop out. */
static inline ulong turns(ulong mantissa, int exponent) {
  return mantissa * bits_of_period(exponent) + mul_hi(mantissa, bits_of_period(exponent + 64));
}
#endif

/* Returns a coordinate as a fraction of the period in units of 2^-64, by integers only: it is exact
   but for a few units, for any size of the coordinate, and needs no doubles. */
static inline ulong fraction_of(coordinate_t bits, bool *finite) {
#if IMAGO_COORDINATES == 0
  // The same as for doubles. The tables have the bits for each exponent of a float.
  const uint exponent = bits >> 23 & 255;
  *finite = *finite && exponent != 255;
  const ulong mantissa = (bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
  const ulong low = low_periods[exponent];
  const ulong size =
      mantissa * high_periods[exponent] +
      ((mantissa * (low >> 32) + (mantissa * (low & 0xffffffffUL) >> 32)) >> 32);
  const ulong fraction = bits >> 31 ? -size : size;
#elif IMAGO_COORDINATES == 1
  const uint exponent = (uint)(bits >> 52) & 2047;
  const ulong digits = bits & 0xfffffffffffffUL;
  *finite = *finite && exponent != 2047;
  const ulong size = exponent == 0 ? 0 : turns(digits | 0x10000000000000UL, (int)exponent - 1075);
  const ulong fraction = bits >> 63 ? -size : size;
#elif IMAGO_COORDINATES == 2
  const ulong fraction = (ulong)bits << 32;
#else
  const ulong fraction = bits;
#endif
  return IMAGO_NEGATED ? -fraction : fraction;
}

/* The place of a point along an axis: its first cell, and the variable of the kernel's polynomials
   (nufft/kernel.hpp), from -1 to 1. */
typedef struct {
  uint cell;
  real s;
} Place;

/* The places of a point along all axes, next to each other in memory. */
typedef struct {
  real s[IMAGO_AXES];
  uint cells[IMAGO_AXES];
} Point;

static inline Place place_of(ulong fraction, uint cells, uint width) {
  // The product is the place in cells, with 64 bits after the point.
  const ulong low = (fraction & 0xffffffffUL) * cells;
  const ulong high = (fraction >> 32) * cells + (low >> 32);
  uint cell = (uint)(high >> 32);
  ulong rest = high << 32 | (low & 0xffffffffUL);
  if (width % 2 == 1) {
    rest += 0x8000000000000000UL;
    if (rest < 0x8000000000000000UL) ++cell;
  }
  const uint before = (width - 1) / 2;
  Place place;
  place.cell = wrapped(cell < before ? cell + cells - before : cell - before, cells);
  place.s = (real)(long)(rest ^ 0x8000000000000000UL) * (real)0x1p-63f;
  return place;
}

/* Returns the bin of a cell along an axis. */
static inline uint bin_of(uint cell, uint bins_of_cell) {
  return (uint)((ulong)cell * bins_of_cell >> 32);
}

#ifdef BUILD_nufft_keys
/* Writes the place and the bin of each point; the report gets the least number of a point that is
   not finite. */
KERNEL nufft_keys(const NufftGrid g, __global const coordinate_t *x, __global const coordinate_t *y,
                  __global const coordinate_t *z, const ulong offset_x, const ulong offset_y,
                  const ulong offset_z, __global Point *places, __global uint *keys,
                  __global uint *report) {
  const size_t j = get_global_id(0);
  if (j >= g.points) return;
  const ulong3 offsets = (ulong3)(offset_x, offset_y, offset_z) + j;
  bool finite = true;
  Point point;
  Place place = place_of(fraction_of(x[offsets.x], &finite), g.cells[0], g.width);
  point.cells[0] = place.cell;
  point.s[0] = place.s;
  uint key = bin_of(place.cell, g.bins_of_cell[0]);
#if IMAGO_AXES > 1
  place = place_of(fraction_of(y[offsets.y], &finite), g.cells[1], g.width);
  point.cells[1] = place.cell;
  point.s[1] = place.s;
  key += g.bins[0] * bin_of(place.cell, g.bins_of_cell[1]);
#endif
#if IMAGO_AXES > 2
  place = place_of(fraction_of(z[offsets.z], &finite), g.cells[2], g.width);
  point.cells[2] = place.cell;
  point.s[2] = place.s;
  key += g.bins[0] * g.bins[1] * bin_of(place.cell, g.bins_of_cell[2]);
#endif
  places[j] = point;
  keys[j] = key;
  if (!finite) atomic_min(&report[IMAGO_NUFFT_BAD_POINT], (uint)j);
}
#endif

#ifdef BUILD_nufft_place
/* Writes the places of the sorted points, and the first point of each bin. A work-item has
   IMAGO_BLOCK points: it loads all before it stores, because each load may wait for memory. */
KERNEL nufft_place(const NufftGrid g, __global const Point *places, __global const uint *keys,
                   __global const uint *order, const uint bins, __global uint *cells,
                   __global real *offsets, __global uint *starts) {
  const size_t points = g.points, from = get_global_id(0) * IMAGO_BLOCK;
  if (from >= points) return;
  const uint count = (uint)min((size_t)IMAGO_BLOCK, points - from);
  Point block[IMAGO_BLOCK];
  for (uint i = 0; i < count; ++i) block[i] = places[order[from + i]];
  for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
    for (uint i = 0; i < count; ++i) {
      cells[axis * points + from + i] = block[i].cells[axis];
      offsets[axis * points + from + i] = block[i].s[axis];
    }
  }
  for (size_t p = from; p < from + count; ++p) {
    for (uint bin = p == 0 ? 0 : keys[p - 1] + 1; bin <= keys[p]; ++bin) starts[bin] = (uint)p;
    if (p + 1 == points) {
      for (uint bin = keys[p] + 1; bin <= bins; ++bin) starts[bin] = (uint)points;
    }
  }
}
#endif
