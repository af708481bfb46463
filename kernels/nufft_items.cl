/* This file adds points to tiles by the work-items of a GPU. Each work-item of a team has the cells
   whose numbers along x, and along y, have its remainder modulo the kernel's width: every point has
   one such cell (a column of cells in three dimensions), and no two work-items have the same. So
   points follow each other without barriers. The team's points are each IMAGO_TEAMS-th one. */

#if IMAGO_AXES == 1
#define LANES IMAGO_WIDTH
#else
#define LANES (IMAGO_WIDTH * IMAGO_WIDTH)
#endif
#define IMAGO_TILE_PADDING 0
/* The remainders of all teams. A work-item has several of them if the group is small. */
#define OWNERS (IMAGO_TEAMS * LANES)
#if IMAGO_ITEMS < OWNERS
#define EACH_OWNER for (uint owner = item; owner < OWNERS; owner += IMAGO_ITEMS)
#else
#define EACH_OWNER for (uint owner = item; owner < OWNERS; owner = OWNERS)
#endif

/* Local memory for IMAGO_BATCH points: the kernel's values along each axis, along x and y in the
   order of remainders; the strengths; the first cells of the points in the tile. */
#define STAGE                                                  \
  __local real staged_values[IMAGO_AXES * IMAGO_BATCH * IMAGO_WIDTH]; \
  __local complex_t staged_strengths[IMAGO_BATCH];             \
  __local uint staged_cells[IMAGO_AXES * IMAGO_BATCH];
#define STAGED staged_values, staged_strengths, staged_cells

/* Returns the cell with a remainder among those from `packed` on. */
static inline uint cell_of(uint packed, uint remainder) {
  return (packed >> 8) + remainder + (remainder < (packed & 255) ? IMAGO_WIDTH : 0);
}

static inline void add_points(const NufftGrid *g, const Slab *slab, __global const uint *order,
                              __global const uint *cells, __global const real *offsets,
                              __global const number_t *strengths, __local complex_t *tile,
                              __local real *staged_values, __local complex_t *staged_strengths,
                              __local uint *staged_cells) {
  const uint item = local_item();
  const uint pitch = g->pitch, plane = pitch * g->tile[1];
  const uint lost = TILE_CELLS(g, slab);
  const uint origin[3] = {slab->origin.x, slab->origin.y, slab->origin.z};
  for (uint base = slab->from; base < slab->to; base += IMAGO_BATCH) {
    const uint count = min((uint)IMAGO_BATCH, slab->to - base);
    for (uint i = item; i < count; i += IMAGO_ITEMS) {
      staged_strengths[i] = STRENGTH(strengths[order[base + i]]);
      for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
        const size_t p = (size_t)axis * g->points + base + i;
        const uint cell = cells[p] - origin[axis];
        const uint first = axis < 2 ? cell % IMAGO_WIDTH : 0;
        staged_cells[axis * IMAGO_BATCH + i] = axis < 2 ? (cell - first) << 8 | first : cell;
        __local real *values = staged_values + (axis * IMAGO_BATCH + i) * IMAGO_WIDTH;
        real kernel_values[IMAGO_WIDTH];
        evaluate(offsets[p], kernel_values);
        UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
          values[first + j < IMAGO_WIDTH ? first + j : first + j - IMAGO_WIDTH] = kernel_values[j];
      }
    }
    BARRIER(CLK_LOCAL_MEM_FENCE);
    EACH_OWNER {
      const uint team = owner / LANES, lane = owner % LANES;
      const uint along_x = lane % IMAGO_WIDTH, along_y = lane / IMAGO_WIDTH;
      __local complex_t *own = tile + team * slab_cells(g, slab);
      for (uint i = team; i < count; i += IMAGO_TEAMS) {
        complex_t strength = staged_strengths[i] * staged_values[i * IMAGO_WIDTH + along_x];
        uint at = cell_of(staged_cells[i], along_x);
#if IMAGO_AXES > 1
        strength *= staged_values[(IMAGO_BATCH + i) * IMAGO_WIDTH + along_y];
        at += cell_of(staged_cells[IMAGO_BATCH + i], along_y) * pitch;
#endif
#if IMAGO_AXES < 3
        ADD_TO(complex_t, own[at], own[lost + at], strength)
#else
        __local const real *values = staged_values + (2 * IMAGO_BATCH + i) * IMAGO_WIDTH;
        const uint z = staged_cells[2 * IMAGO_BATCH + i];
#if IMAGO_SLABS || IMAGO_COMPENSATED
        const uint end = slab->plane + slab->planes;
        for (uint j = max(z, slab->plane); j < min(z + IMAGO_WIDTH, end); ++j) {
          const uint cell = at + (j - slab->plane) * plane;
          ADD_TO(complex_t, own[cell], own[lost + cell], strength * values[j - z])
        }
#else
        // All loads come first: the compiler cannot know that the cells differ.
        __local complex_t *column = own + at + z * plane;
        complex_t sums[IMAGO_WIDTH];
        UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j) sums[j] = column[j * plane];
        UNROLL
        for (uint j = 0; j < IMAGO_WIDTH; ++j) column[j * plane] = sums[j] + strength * values[j];
#endif
#endif
      }
    }
    BARRIER(CLK_LOCAL_MEM_FENCE);
  }
}
