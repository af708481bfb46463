/* This file finds the cells of the points of nonuniform transforms. Macros that the host defines:
   IMAGO_COORDINATES, the number of the type of coordinates, IMAGO_NEGATED (1: the signs of all
   coordinates change), IMAGO_BLOCK, the number of points of a work-item, and IMAGO_LANES (1: a
   work-item finds the cells of eight points at a time, in double precision). */

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
  // The tables have the bits for each exponent of a float, without branches.
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

/* Returns the member of the batch that a point belongs to: the last one whose first point is not
   after it. */
static inline uint member_of_point(uint point, __global const uint *first_points, uint members) {
  uint member = 0, end = members;
  while (end - member > 1) {
    const uint middle = member + (end - member) / 2;
    if (first_points[middle] <= point)
      member = middle;
    else
      end = middle;
  }
  return member;
}

/* The first parameters of the kernels. */
#define COORDINATES                                                                              \
  const NufftGrid g, __global const coordinate_t *x, __global const coordinate_t *y,             \
      __global const coordinate_t *z, const ulong offset_x, const ulong offset_y,                \
      const ulong offset_z

#if IMAGO_LANES
/* CPUs have no vectors of 64-bit products of integers. Doubles hold a coordinate of moderate size
   in periods exactly, as the sum of a product and a small rest. Both kernels find the places, which
   takes less time than to write and read them. So no operation may depend on the kernel. */
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LANES 8

/* 1 / (2 pi): its first 26 bits, and the rest (mpmath). Literals might be rounded to float. */
#define PERIOD_HIGH as_double(0x3fc45f3068000000UL)
#define PERIOD_LOW as_double(0x3e2727220a94fe14UL)

#if IMAGO_COORDINATES == 0
#define AS_COORDINATE as_float
#define LARGEST 0x1p16f
#else
#define AS_COORDINATE as_double
#define LARGEST ((double)0x1p10f)
#endif

/* Returns x rounded to a multiple of a unit, for sizes up to 2^51 units. PoCL's rint() takes tens
   of operations. */
#define ROUNDED(x, unit) (((x) + (unit) * (double)0x1.8p52f) - (unit) * (double)0x1.8p52f)

typedef struct {
  uint cell[LANES];
  real s[LANES];
} Places;

/* Finds the places of points along an axis, as place_of(), which also treats large coordinates.
   `bad` becomes at most the number of a point that is not finite. */
static inline void find_places(const coordinate_t *bits, uint cells, uint width, Places *places,
                               uint *bad) {
#if IMAGO_COORDINATES == 0
  const float8 x = as_float8(vload8(0, bits));
#else
  const double8 x = as_double8(vload8(0, bits));
#endif
#if IMAGO_COORDINATES == 0
  const double8 high = convert_double8(x);
  const double8 low = high * PERIOD_LOW;
#else
  const double8 high = as_double8(as_ulong8(x) & ~0x7ffffffUL);
  const double8 low = high * PERIOD_LOW + (x - high) * (PERIOD_HIGH + PERIOD_LOW);
#endif
  const double8 turns = high * PERIOD_HIGH;
  double8 part = turns - ROUNDED(turns, 1), small = low;
#if IMAGO_NEGATED
  part = -part;
  small = -small;
#endif
  // The first 21 bits of the part times the number of cells are exact.
  const double8 first = ROUNDED(part, (double)0x1p-21f);
  const double8 whole = first * (double)cells;
  // The nearest cell of the place less 1/2 is the cell that the place is in.
  const double8 rest =
      ((part - first) + small) * (double)cells + (double)(width % 2 == 1 ? 0 : -0.5f);
  const double8 cell = ROUNDED(whole + rest, 1), s = ((whole - cell) + rest) * 2;
  const uint before = (width - 1) / 2;
  const int8 shifted = convert_int8(cell) - (int)before;
  const int8 in_grid = select(shifted, shifted + (int)cells, shifted < 0);
  vstore8(as_uint8(in_grid), 0, places->cell);
#if IMAGO_DOUBLE
  vstore8(s, 0, places->s);
#else
  vstore8(convert_float8(s), 0, places->s);
#endif
  if (all(fabs(x) < LARGEST)) return;
  for (uint i = 0; i < LANES; ++i) {
    if (fabs(AS_COORDINATE(bits[i])) < LARGEST) continue;
    bool finite = true;
    const Place place = place_of(fraction_of(bits[i], &finite), cells, width);
    places->cell[i] = place.cell;
    places->s[i] = place.s;
    if (!finite) *bad = min(*bad, i);
  }
}

/* The coordinates of all points along an axis. */
#define ALONG_AXIS(axis) \
  ((axis) == 0 ? x + offset_x : (axis) == 1 ? y + offset_y : z + offset_z)
#endif

/* Members with points of their own: their number (0: there are none), the first point of each, and
   the number of all. If a member has one bin, the points are sorted, and keys are their numbers. */
#define MEMBERS const uint members, __global const uint *first_points

#if defined(BUILD_nufft_keys) && IMAGO_LANES
/* Writes the bin of each point; the report gets the least number of a point that is not finite. */
KERNEL nufft_keys(COORDINATES, __global Point *places, __global uint *keys,
                  __global uint *report, MEMBERS) {
  const size_t begin = get_global_id(0) * IMAGO_BLOCK;
  const size_t end = min(begin + IMAGO_BLOCK, (size_t)g.points);
  uint member = members > 0 ? member_of_point((uint)begin, first_points, members) : 0;
  for (size_t from = begin; from < end; from += LANES) {
    const uint count = (uint)min((size_t)LANES, end - from);
    uint8 key = 0;
    uint stride = 1, bad = LANES;
    UNROLL for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
      __global const coordinate_t *const all = ALONG_AXIS(axis);
      coordinate_t bits[LANES];
      if (count == LANES) {
        vstore8(vload8(0, all + from), 0, bits);
      } else {
        for (uint i = 0; i < LANES; ++i) bits[i] = all[from + min(i, count - 1)];
      }
      Places at;
      find_places(bits, g.cells[axis], g.width, &at, &bad);
      const ulong8 bin = convert_ulong8(vload8(0, at.cell)) * (ulong)g.bins_of_cell[axis] >> 32;
      key += convert_uint8(bin) * stride;
      stride *= g.bins[axis];
    }
    uint block[LANES];
    vstore8(key, 0, block);
    for (uint i = 0; i < count && members > 0; ++i) {
      while (first_points[member + 1] <= from + i) ++member;
      block[i] = g.bins_of_member == 1 ? (uint)from + i : block[i] + member * g.bins_of_member;
    }
    if (count == LANES) {
      vstore8(vload8(0, block), 0, keys + from);
    } else {
      for (uint i = 0; i < count; ++i) keys[from + i] = block[i];
    }
    if (bad < count) atomic_min(&report[IMAGO_NUFFT_BAD_POINT], (uint)from + bad);
  }
}
#elif defined(BUILD_nufft_keys)
/* Writes the place and the bin of each point; the report gets the least number of a point that is
   not finite. */
KERNEL nufft_keys(COORDINATES, __global Point *places, __global uint *keys,
                  __global uint *report, MEMBERS) {
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
  if (g.bins_of_member == 1)
    key = (uint)j;
  else if (members > 0)
    key += g.bins_of_member * member_of_point((uint)j, first_points, members);
  places[j] = point;
  keys[j] = key;
  if (!finite) atomic_min(&report[IMAGO_NUFFT_BAD_POINT], (uint)j);
}
#endif

#ifdef BUILD_nufft_place
/* Writes the first point of each bin, for points from `from` to below `to`. */
static inline void write_starts(size_t from, size_t to, size_t points, uint bins,
                                __global const uint *keys, __global uint *starts) {
  for (size_t p = from; p < to; ++p) {
    for (uint bin = p == 0 ? 0 : keys[p - 1] + 1; bin <= keys[p]; ++bin) starts[bin] = (uint)p;
    if (p + 1 == points) {
      for (uint bin = keys[p] + 1; bin <= bins; ++bin) starts[bin] = (uint)points;
    }
  }
}

/* Writes the places of the sorted points, and the first point of each bin if the sort did not, as
   in one pass. A work-item has IMAGO_BLOCK points: it loads all before it stores, because each load
   may wait for memory. */
KERNEL nufft_place(COORDINATES, __global const Point *places, __global const uint *keys,
                   __global const uint *order, const uint bins, __global uint *cells,
                   __global real *offsets, __global uint *starts, const uint one_pass) {
  const size_t points = g.points, from = get_global_id(0) * IMAGO_BLOCK;
  if (from >= points) return;
  const uint count = (uint)min((size_t)IMAGO_BLOCK, points - from);
#if IMAGO_LANES
  for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
    __global const coordinate_t *const all = ALONG_AXIS(axis);
    coordinate_t bits[IMAGO_BLOCK];
    for (uint i = 0; i < IMAGO_BLOCK; ++i) bits[i] = all[order[from + min(i, count - 1)]];
    for (uint first = 0; first < count; first += LANES) {
      uint bad;
      Places at;
      find_places(bits + first, g.cells[axis], g.width, &at, &bad);
      const size_t to = axis * points + from + first;
      if (count - first >= LANES) {
        vstore8(vload8(0, at.cell), 0, cells + to);
        vstore8(vload8(0, at.s), 0, offsets + to);
      } else {
        for (uint i = 0; i < count - first; ++i) {
          cells[to + i] = at.cell[i];
          offsets[to + i] = at.s[i];
        }
      }
    }
  }
#else
  Point block[IMAGO_BLOCK];
  for (uint i = 0; i < count; ++i) block[i] = places[order[from + i]];
  for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
    for (uint i = 0; i < count; ++i) {
      cells[axis * points + from + i] = block[i].cells[axis];
      offsets[axis * points + from + i] = block[i].s[axis];
    }
  }
#endif
  if (!one_pass) write_starts(from, from + count, points, bins, keys, starts);
}
#endif
