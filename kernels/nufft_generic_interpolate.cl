/* This file interpolates the grid at points by a window of any width. A group has a part of a bin.
   A work-item alone copies the cells that its points need to a tile in local memory first. */

#if IMAGO_ITEMS == 1
static inline void load_tile(const NufftGrid *g, const NufftConstants *c, uint3 origin,
                             __global const complex_t *grid, __local complex_t *tile) {
  const uint nx = g->cells[0], ny = g->cells[1], nz = g->cells[2];
  const uint rows = g->tile[1] * g->tile[2];
  SHORT for (uint row = 0; row < rows; ++row) {
    const uint z = row / g->tile[1], y = row % g->tile[1];
    __global const complex_t *from =
        grid + ((size_t)wrapped(origin.z + z, nz) * ny + wrapped(origin.y + y, ny)) * nx;
    uint x = 0, at = origin.x;
    SHORT while (x < g->tile[0]) {
      const uint count = min(g->tile[0] - x, nx - at);
      SHORT for (uint i = 0; i < count; ++i) tile[row * g->pitch + x + i] = from[at + i];
      x += count;
      at = 0;
    }
  }
  // Vectors read them, and multiply them by 0.
  SHORT for (uint i = 0; i < c->padding; ++i) tile[rows * g->pitch + i] = 0;
}

static inline complex_t value_at(const NufftGrid *g, const NufftConstants *c,
                                 __global const real *polynomials, uint3 origin, uint p,
                                 __global const uint *cells, __global const real *offsets,
                                 __local const complex_t *tile) {
  const uint pitch = g->pitch, plane = pitch * g->tile[1];
  real along_y[2 * IMAGO_MOST_WIDTH], along_z[2 * IMAGO_MOST_WIDTH];
  const uint width_y = values_along(g, c, polynomials, offsets, p, 1, along_y),
             width_z = values_along(g, c, polynomials, offsets, p, 2, along_z);
  tile += cell_in_tile(g, c, cells, p, 0, origin.x) +
          cell_in_tile(g, c, cells, p, 1, origin.y) * pitch +
          cell_in_tile(g, c, cells, p, 2, origin.z) * plane;
  complex_t value = 0;
  SHORT for (uint v = 0; v < c->vectors; ++v) {
    vector_t sum = 0;
    SHORT for (uint k = 0; k < width_z; ++k) {
      __local const real *at = (__local const real *)(tile + k * plane) + v * REALS;
      SHORT for (uint j = 0; j < width_y; ++j, at += 2 * pitch) sum =
          fma((vector_t)(along_z[2 * k] * along_y[2 * j]), LOAD(0, at), sum);
    }
    sum *= values_of(c, polynomials, offsets[p], v);
    value += SUM(sum);
  }
  return value;
}
#else
static inline complex_t value_at(const NufftGrid *g, const NufftConstants *c,
                                 __global const real *polynomials, uint p,
                                 __global const uint *cells, __global const real *offsets,
                                 __global const complex_t *grid) {
  const size_t points = g->points;
  const uint nx = g->cells[0], ny = g->cells[1], nz = g->cells[2], width = g->width;
  real along_x[IMAGO_MOST_WIDTH], along_y[IMAGO_MOST_WIDTH];
  SHORT for (uint j = 0; j < width; ++j) along_x[j] = value_of(c, polynomials, offsets[p], j);
  const uint width_y = c->axes > 1 ? width : 1, width_z = c->axes > 2 ? width : 1;
  SHORT for (uint j = 0; j < width_y; ++j) along_y[j] =
      c->axes > 1 ? value_of(c, polynomials, offsets[points + p], j) : 1;
  const uint x = cells[p], y = cell_in_tile(g, c, cells, p, 1, 0),
             z = cell_in_tile(g, c, cells, p, 2, 0);
  complex_t sum = 0;
  SHORT for (uint k = 0; k < width_z; ++k) {
    __global const complex_t *plane = grid + (size_t)wrapped(z + k, nz) * ny * nx;
    complex_t sum_of_plane = 0;
    SHORT for (uint j = 0; j < width_y; ++j) {
      __global const complex_t *row = plane + (size_t)wrapped(y + j, ny) * nx;
      complex_t sum_of_row = 0;
      SHORT for (uint i = 0; i < width; ++i) sum_of_row += along_x[i] * row[wrapped(x + i, nx)];
      sum_of_plane += along_y[j] * sum_of_row;
    }
    sum += (c->axes > 2 ? value_of(c, polynomials, offsets[2 * points + p], k) : 1) * sum_of_plane;
  }
  return sum;
}
#endif

/* Arguments and launches are those of nufft_interpolate.cl, and two more. */
KERNEL nufft_interpolate(const NufftGrid g, const uint parts, __global const uint *starts,
                         __global const uint *first_part, __global const uint *bin_of_part,
                         __global const uint *order, __global const uint *cells,
                         __global const real *offsets, __global const complex_t *grid,
                         __global real *values, const ulong offset, __local complex_t *tile,
                         const NufftConstants c, __global const real *polynomials) {
  const uint part = (uint)get_group_id(0) % parts, bin = bin_of_part[part];
  const uint member =
      g.bins_of_member > 0 ? bin / g.bins_of_member : (uint)get_group_id(0) / parts;
  const uint from = starts[bin] + (part - first_part[bin]) * g.part;
  const uint to = min(from + g.part, starts[bin + 1]);
  const size_t first = offset + (g.bins_of_member > 0 ? 0 : (size_t)member * g.points);
  grid += (size_t)member * g.cells[0] * g.cells[1] * g.cells[2];
#if IMAGO_ITEMS == 1
  const uint3 origin = origin_of(bin, &g);
  load_tile(&g, &c, origin, grid, tile);
#endif
  SHORT for (uint p = from + local_item(); p < to; p += IMAGO_ITEMS) {
#if IMAGO_ITEMS == 1
    const complex_t value = value_at(&g, &c, polynomials, origin, p, cells, offsets, tile);
#else
    const complex_t value = value_at(&g, &c, polynomials, p, cells, offsets, grid);
#endif
    if (c.real)
      values[first + order[p]] = value.x;
    else
      vstore2(value, first + order[p], values);
  }
}
