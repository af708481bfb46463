/* This file interpolates the grid at points. A group has a part of a bin. With IMAGO_TILED, it
   copies the cells that its points need to a tile in local memory first. */

#if IMAGO_TILED
static inline void load_tile(const NufftGrid *g, uint3 origin, __global const complex_t *grid,
                             __local complex_t *tile) {
  const uint nx = g->cells[0], ny = g->cells[1], nz = g->cells[2];
  for (uint row = local_item() / ALONG; row < g->tile[1] * g->tile[2]; row += IMAGO_ITEMS / ALONG) {
    const uint z = row / g->tile[1], y = row % g->tile[1];
    __global const complex_t *from =
        grid + ((size_t)wrapped(origin.z + z, nz) * ny + wrapped(origin.y + y, ny)) * nx;
    __local complex_t *to = tile + row * g->pitch;
#if IMAGO_ITEMS == 1
    uint x = 0, at = origin.x;
    while (x < g->tile[0]) {
      const uint count = min(g->tile[0] - x, nx - at);
      for (uint i = 0; i < count; ++i) to[x + i] = from[at + i];
      x += count;
      at = 0;
    }
#else
    for (uint x = local_item() % ALONG; x < g->tile[0]; x += ALONG)
      to[x] = from[wrapped(origin.x + x, nx)];
#endif
  }
#if IMAGO_ITEMS == 1
  // Vectors read them, and multiply them by 0.
  for (uint i = 0; i < IMAGO_TILE_PADDING; ++i)
    tile[g->tile[1] * g->tile[2] * g->pitch + i] = 0;
#endif
}
#endif

#if IMAGO_ITEMS == 1
static inline complex_t value_at(const NufftGrid *g, uint3 origin, uint p,
                                 __global const uint *cells, __global const real *offsets,
                                 __local const complex_t *tile) {
  const size_t points = g->points;
  const uint pitch = g->pitch, plane = pitch * g->tile[1];
  const Row row = row_of(offsets[p]);
  __local const complex_t *at = tile + (cells[p] - origin.x);
  Row sum;
  UNROLL for (uint v = 0; v < VECTORS; ++v) sum.vectors[v] = 0;
#if IMAGO_REST
  sum.rest = 0;
#endif
#if IMAGO_AXES == 1
  take_row(&sum, 1, (__local const real *)at);
#else
  real along_y[ROW_REALS];
  const Row row_y = row_of(offsets[points + p]);
  to_array(&row_y, along_y);
  at += (cells[points + p] - origin.y) * pitch;
#if IMAGO_AXES == 2
  UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
      take_row(&sum, along_y[2 * j], (__local const real *)(at + j * pitch));
#else
  real along_z[ROW_REALS];
  const Row row_z = row_of(offsets[2 * points + p]);
  to_array(&row_z, along_z);
  at += (cells[2 * points + p] - origin.z) * plane;
  for (uint k = 0; k < IMAGO_WIDTH; ++k) {
    UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
        take_row(&sum, along_z[2 * k] * along_y[2 * j],
                 (__local const real *)(at + k * plane + j * pitch));
  }
#endif
#endif
  return product(&sum, &row);
}
#else
#if IMAGO_TILED
#define CELLS __local const complex_t
#else
#define CELLS __global const complex_t
#endif
static inline complex_t row_sum(CELLS *row, uint x, uint cells, const real *values) {
  complex_t sum = 0;
  UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j) sum += values[j] * row[wrapped(x + j, cells)];
  return sum;
}

static inline complex_t value_at(const NufftGrid *g, uint3 origin, uint p,
                                 __global const uint *cells, __global const real *offsets,
                                 CELLS *from) {
  const size_t points = g->points;
  // In a tile, no index is beyond the end.
  const uint nx = IMAGO_TILED ? 0xffffffffu : g->cells[0],
             ny = IMAGO_TILED ? 0xffffffffu : g->cells[1],
             nz = IMAGO_TILED ? 0xffffffffu : g->cells[2];
  const uint pitch = IMAGO_TILED ? g->pitch : g->cells[0];
  const size_t plane = (size_t)pitch * (IMAGO_TILED ? g->tile[1] : g->cells[1]);
  real along_x[IMAGO_WIDTH];
  evaluate(offsets[p], along_x);
  const uint x = cells[p] - origin.x;
#if IMAGO_AXES == 1
  return row_sum(from, x, nx, along_x);
#else
  real along_y[IMAGO_WIDTH];
  evaluate(offsets[points + p], along_y);
  const uint y = cells[points + p] - origin.y;
#if IMAGO_AXES == 2
  complex_t sum = 0;
  UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
      sum += along_y[j] * row_sum(from + wrapped(y + j, ny) * (size_t)pitch, x, nx, along_x);
  return sum;
#else
  real along_z[IMAGO_WIDTH];
  evaluate(offsets[2 * points + p], along_z);
  const uint z = cells[2 * points + p] - origin.z;
  complex_t sum = 0;
  for (uint k = 0; k < IMAGO_WIDTH; ++k) {
    CELLS *rows = from + wrapped(z + k, nz) * plane;
    complex_t sum_of_plane = 0;
    UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
      sum_of_plane +=
          along_y[j] * row_sum(rows + wrapped(y + j, ny) * (size_t)pitch, x, nx, along_x);
    sum += along_z[k] * sum_of_plane;
  }
  return sum;
#endif
#endif
}
#endif

KERNEL nufft_interpolate(const NufftGrid g, const uint parts, __global const uint *starts,
                         __global const uint *first_part, __global const uint *bin_of_part,
                         __global const uint *order, __global const uint *cells,
                         __global const real *offsets, __global const complex_t *grid,
                         __global number_t *values, const ulong offset, __local complex_t *tile) {
  const uint part = (uint)get_group_id(0) % parts, bin = bin_of_part[part];
  const uint member =
      g.bins_of_member > 0 ? bin / g.bins_of_member : (uint)get_group_id(0) / parts;
  const uint from = starts[bin] + (part - first_part[bin]) * g.part;
  const uint to = min(from + g.part, starts[bin + 1]);
  grid += (size_t)member * g.cells[0] * g.cells[1] * g.cells[2];
  values += offset + (g.bins_of_member > 0 ? 0 : (size_t)member * g.points);
#if IMAGO_TILED
  const uint3 origin = origin_of(bin, &g);
  load_tile(&g, origin, grid, tile);
  BARRIER(CLK_LOCAL_MEM_FENCE);
  for (uint p = from + local_item(); p < to; p += IMAGO_ITEMS)
    values[order[p]] = VALUE(value_at(&g, origin, p, cells, offsets, tile));
#else
  for (uint p = from + local_item(); p < to; p += IMAGO_ITEMS)
    values[order[p]] = VALUE(value_at(&g, (uint3)(0), p, cells, offsets, grid));
#endif
}
