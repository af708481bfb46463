/* This file finds the cells of points, in any type of coordinates. The host defines IMAGO_BLOCK,
   the number of points of a work-item. */

/* Returns the bits of a double with the value of a float. Subnormal numbers become 0: they are less
   than 2^-126. */
static inline ulong widened(uint bits) {
  const uint exponent = bits >> 23 & 255;
  const ulong sign = (ulong)(bits >> 31) << 63, digits = (ulong)(bits & 0x7fffff) << 29;
  return exponent == 0 ? 0 : sign | (ulong)(exponent == 255 ? 2047 : exponent + 896) << 52 | digits;
}

/* Returns coordinate i as a fraction of the period in units of 2^-64. */
static inline ulong fraction_at(const NufftConstants *c, __global const uint *coordinates, ulong i,
                                bool *finite) {
  __global const ulong *wide = (__global const ulong *)coordinates;
  ulong fraction;
  switch (c->coordinates) {
    case 0:
      fraction = fraction_of(widened(coordinates[i]), finite);
      break;
    case 1:
      fraction = fraction_of(wide[i], finite);
      break;
    case 2:
      fraction = (ulong)coordinates[i] << 32;
      break;
    default:
      fraction = wide[i];
  }
  return c->negated ? -fraction : fraction;
}

#undef COORDINATES
#define COORDINATES                                                                          \
  const NufftGrid g, __global const uint *x, __global const uint *y, __global const uint *z, \
      const ulong offset_x, const ulong offset_y, const ulong offset_z
#define OF_AXIS(axis, a, b, c) ((axis) == 0 ? (a) : (axis) == 1 ? (b) : (c))

/* Before the sort, writes the bin of each point; the report gets the least number of a point that
   is not finite. After the sort (`is_sorted`), writes the places of the points, and the first point
   of each bin if the sort did not, as in one pass. */
KERNEL nufft_points(COORDINATES, __global uint *keys, __global uint *report,
                    __global const uint *order, const uint bins, __global uint *cells,
                    __global real *offsets, __global uint *starts, const uint one_pass,
                    const NufftConstants c, const uint is_sorted, MEMBERS) {
  const size_t points = g.points, begin = get_global_id(0) * IMAGO_BLOCK;
  const size_t end = min(begin + IMAGO_BLOCK, points);
  SHORT for (size_t p = begin; p < end; ++p) {
    const ulong j = is_sorted ? order[p] : p;
    bool finite = true;
    uint key = 0, stride = 1;
    SHORT for (uint axis = 0; axis < c.axes; ++axis) {
      const ulong fraction =
          fraction_at(&c, OF_AXIS(axis, x, y, z),
                      OF_AXIS(axis, offset_x, offset_y, offset_z) + j, &finite);
      const Place place = place_of(fraction, g.cells[axis], g.width);
      key += stride * bin_of(place.cell, g.bins_of_cell[axis]);
      stride *= g.bins[axis];
      if (is_sorted) {
        cells[axis * points + p] = place.cell;
        offsets[axis * points + p] = place.s;
      }
    }
    if (members > 0 && !(is_sorted && one_pass))
      key = g.bins_of_member == 1 ? (uint)p
                                  : key + g.bins_of_member *
                                              member_of_point((uint)j, first_points, members);
    if (!is_sorted) {
      keys[p] = key;
      if (!finite) atomic_min(&report[IMAGO_NUFFT_BAD_POINT], (uint)p);
    } else if (!one_pass) {
      SHORT for (uint bin = p == 0 ? 0 : keys[p - 1] + 1; bin <= key; ++bin) starts[bin] = (uint)p;
      if (p + 1 == points) {
        SHORT for (uint bin = key + 1; bin <= bins; ++bin) starts[bin] = (uint)points;
      }
    }
  }
}
