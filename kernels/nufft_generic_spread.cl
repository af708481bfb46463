/* This file spreads points over the grid by a window of any width, as nufft_spread.cl does for one.
   A work-item alone adds vectors to its tile. The work-items of a group own cells: nufft_items.cl
   explains how. */

#define GENERIC_TILE_CELLS(g, c, slab) ((c)->teams * slab_cells(g, slab) + (c)->padding)

/* Adds x to a sum. */
#define GENERIC_ADD(type, c, sum, lost, x)                                   \
  if ((c)->compensated) {                                                    \
    const type given = (x) - (lost), before = (sum), total = before + given; \
    (lost) = (total - before) - given;                                       \
    (sum) = total;                                                           \
  } else {                                                                   \
    (sum) += (x);                                                            \
  }

static inline void clear_tiles(const NufftGrid *g, const NufftConstants *c, const Slab *slab,
                               __local complex_t *tile) {
  const uint cells = (c->compensated ? 2 : 1) * GENERIC_TILE_CELLS(g, c, slab);
  SHORT for (uint i = local_item(); i < cells; i += IMAGO_ITEMS) tile[i] = 0;
}

/* Returns a cell of a tile, with those of all teams. */
static inline complex_t sum_of_teams(const NufftGrid *g, const NufftConstants *c, const Slab *slab,
                                     __local const complex_t *tile, uint i) {
  complex_t sum = 0;
  SHORT for (uint team = 0; team < c->teams; ++team) sum += tile[team * slab_cells(g, slab) + i];
  if (c->compensated) {
    SHORT for (uint team = 0; team < c->teams; ++team) {
      sum -= tile[GENERIC_TILE_CELLS(g, c, slab) + team * slab_cells(g, slab) + i];
    }
  }
  return sum;
}

/* Adds a slab to the grid. A tile that is longer than the grid along x or y meets itself. */
static inline void add_slab_to(const NufftGrid *g, const NufftConstants *c, const Slab *slab,
                               __local const complex_t *tile, __global complex_t *grid) {
  const uint nx = g->cells[0], ny = g->cells[1], rows = min(g->tile[1], ny);
  SHORT for (uint row = local_item() / ALONG; row < slab->planes * rows;
             row += IMAGO_ITEMS / ALONG) {
    const uint z = row / rows, y = row % rows;
    __global complex_t *to =
        grid + ((size_t)wrapped(slab->origin.z + slab->plane + z, g->cells[2]) * ny +
                wrapped(slab->origin.y + y, ny)) *
                   nx;
    SHORT for (uint x = local_item() % ALONG; x < min(g->tile[0], nx); x += ALONG) {
      complex_t sum = 0;
      SHORT for (uint from_y = y; from_y < g->tile[1]; from_y += ny) {
        SHORT for (uint from_x = x; from_x < g->tile[0]; from_x += nx) {
          sum += sum_of_teams(g, c, slab, tile, (z * g->tile[1] + from_y) * g->pitch + from_x);
        }
      }
      to[wrapped(slab->origin.x + x, nx)] += sum;
    }
  }
}

/* The arrays of points. */
#define POINTS                                                                          \
  __global const uint *order, __global const uint *cells, __global const real *offsets, \
      __global const real *strengths

#if IMAGO_ITEMS == 1
static inline void add_points(const NufftGrid *g, const NufftConstants *c,
                              __global const real *polynomials, const Slab *slab, POINTS,
                              size_t first_strength, __local complex_t *tile) {
  const uint pitch = g->pitch, plane = pitch * g->tile[1];
  const uint lost = 2 * GENERIC_TILE_CELLS(g, c, slab);
  SHORT for (uint p = slab->from; p < slab->to; ++p) {
    const complex_t strength = strength_at(c, strengths, first_strength + order[p]);
    real along_y[2 * IMAGO_MOST_WIDTH], along_z[2 * IMAGO_MOST_WIDTH];
    const uint width_y = values_along(g, c, polynomials, offsets, p, 1, along_y),
               width_z = values_along(g, c, polynomials, offsets, p, 2, along_z);
    const uint x = cell_in_tile(g, c, cells, p, 0, slab->origin.x),
               y = cell_in_tile(g, c, cells, p, 1, slab->origin.y),
               z = cell_in_tile(g, c, cells, p, 2, slab->origin.z);
    const uint end = min(z + width_z, slab->plane + slab->planes);
    SHORT for (uint v = 0; v < c->vectors; ++v) {
      const vector_t row = values_of(c, polynomials, offsets[p], v) * (vector_t)(PAIRS(strength));
      SHORT for (uint k = max(z, slab->plane); k < end; ++k) {
        __local real *at =
            (__local real *)(tile + (k - slab->plane) * plane + y * pitch + x) + v * REALS;
        SHORT for (uint j = 0; j < width_y; ++j, at += 2 * pitch) {
          const vector_t factor = (vector_t)(along_z[2 * (k - z)] * along_y[2 * j]);
          if (c->compensated) {
            const vector_t before = LOAD(0, at);
            const vector_t given = fma(factor, row, -LOAD(0, at + lost));
            const vector_t total = before + given;
            STORE((total - before) - given, 0, at + lost);
            STORE(total, 0, at);
          } else {
            STORE(fma(factor, row, LOAD(0, at)), 0, at);
          }
        }
      }
    }
  }
}
#define STAGED_POINTS
#else
/* Local memory for c->batch points: the window's values along each axis, along x and y in the order
   of remainders; the strengths; the first cells of the points in the tile. */
typedef struct {
  __local real *values;
  __local complex_t *strengths;
  __local uint *cells;
} Prepared;

/* Returns the cell with a remainder among `width` cells from `packed` on. */
static inline uint cell_with(uint packed, uint remainder, uint width) {
  return (packed >> 8) + remainder + (remainder < (packed & 255) ? width : 0);
}

static inline void prepare(const NufftGrid *g, const NufftConstants *c,
                           __global const real *polynomials, const Slab *slab, uint base,
                           uint count, POINTS, size_t first_strength, const Prepared *to) {
  const uint width = g->width, origin[3] = {slab->origin.x, slab->origin.y, slab->origin.z};
  SHORT for (uint t = local_item(); t < c->axes * count * width; t += IMAGO_ITEMS) {
    const uint j = t % width, i = t / width % count, axis = t / width / count;
    const size_t p = (size_t)axis * g->points + base + i;
    const uint cell = cells[p] - origin[axis], first = axis < 2 ? cell % width : 0;
    const uint place = first + j < width ? first + j : first + j - width;
    to->values[(axis * c->batch + i) * width + place] = value_of(c, polynomials, offsets[p], j);
    if (j == 0) to->cells[axis * c->batch + i] = axis < 2 ? (cell - first) << 8 | first : cell;
    if (j == 0 && axis == 0)
      to->strengths[i] = strength_at(c, strengths, first_strength + order[base + i]);
  }
}

/* Adds prepared points: those of a team are each c->teams-th one. */
static inline void add_prepared(const NufftGrid *g, const NufftConstants *c, const Slab *slab,
                                uint count, const Prepared *from, __local complex_t *tile) {
  const uint width = g->width, pitch = g->pitch, plane = pitch * g->tile[1];
  const uint lanes = c->axes == 1 ? width : width * width, lost = GENERIC_TILE_CELLS(g, c, slab);
  const uint end = slab->plane + slab->planes;
  SHORT for (uint owner = local_item(); owner < c->teams * lanes; owner += IMAGO_ITEMS) {
    const uint team = owner / lanes, along_x = owner % lanes % width,
               along_y = owner % lanes / width;
    __local complex_t *own = tile + team * slab_cells(g, slab);
    SHORT for (uint i = team; i < count; i += c->teams) {
      complex_t strength = from->strengths[i] * from->values[i * width + along_x];
      uint at = cell_with(from->cells[i], along_x, width);
      if (c->axes > 1) {
        strength *= from->values[(c->batch + i) * width + along_y];
        at += cell_with(from->cells[c->batch + i], along_y, width) * pitch;
      }
      if (c->axes < 3) {
        GENERIC_ADD(complex_t, c, own[at], own[lost + at], strength)
      } else {
        __local const real *values = from->values + (2 * c->batch + i) * width;
        const uint z = from->cells[2 * c->batch + i];
        SHORT for (uint j = max(z, slab->plane); j < min(z + width, end); ++j) {
          const uint cell = at + (j - slab->plane) * plane;
          GENERIC_ADD(complex_t, c, own[cell], own[lost + cell], strength * values[j - z])
        }
      }
    }
  }
}

static inline void add_points(const NufftGrid *g, const NufftConstants *c,
                              __global const real *polynomials, const Slab *slab, POINTS,
                              size_t first_strength, const Prepared *prepared,
                              __local complex_t *tile) {
  SHORT for (uint base = slab->from; base < slab->to; base += c->batch) {
    const uint count = min(c->batch, slab->to - base);
    prepare(g, c, polynomials, slab, base, count, order, cells, offsets, strengths, first_strength,
            prepared);
    BARRIER(CLK_LOCAL_MEM_FENCE);
    add_prepared(g, c, slab, count, prepared, tile);
    BARRIER(CLK_LOCAL_MEM_FENCE);
  }
}
#define STAGED_POINTS &prepared,
#endif

/* Arguments and launches are those of nufft_spread.cl, and four more. */
KERNEL nufft_spread(const NufftGrid g, const uint parts, const uint parity, const uint groups,
                    const uint slots, __global const uint *starts, __global const uint *first_part,
                    __global const uint *first_slot, __global const uint *bin_of_part,
                    __global const uint *order, __global const uint *cells,
                    __global const real *offsets, __global const real *strengths,
                    const ulong offset, __global complex_t *tiles, __global complex_t *grid,
                    const ulong grid_offset, const uint clears, __local complex_t *tile,
                    const NufftConstants c,
                    __global const real *polynomials, __local real *prepared_values,
                    __local complex_t *prepared_strengths, __local uint *prepared_cells) {
#if IMAGO_ITEMS > 1
  const Prepared prepared = {prepared_values, prepared_strengths, prepared_cells};
#endif
  const uint group = (uint)get_group_id(0) % groups;
  uint member = (uint)get_group_id(0) / groups, bin = member * g.bins_of_member;
  if (parts > 0) {
    bin = bin_of_part[group];
    if (g.bins_of_member > 0) member = bin / g.bins_of_member;
  } else {
    uint rest = group, stride = 1;
    SHORT for (uint axis = 0; axis < c.axes; ++axis) {
      const uint count = g.bins[axis] == 1 ? 1 : g.bins[axis] / 2, i = rest % count;
      rest /= count;
      bin += stride * (g.bins[axis] == 1 ? 0 : 2 * i + (parity >> axis & 1));
      stride *= g.bins[axis];
    }
  }
  const uint first = first_part[bin], count = first_part[bin + 1] - first;
  const bool has_slots = first_slot[bin + 1] > first_slot[bin],
             adds_slots = parts == 0 && has_slots;
  // No barrier is in a branch, and none follows a return: some compilers cannot do that.
  const uint planes = count == 0 || (parts > 0 && !has_slots) ? 0 : g.tile[2];
  Slab slab;
  slab.origin = origin_of(bin, &g);
  slab.from = starts[bin] + (parts > 0 ? (group - first) * g.part : 0);
  slab.to = adds_slots ? slab.from : min(slab.from + g.part, starts[bin + 1]);
  grid += grid_offset + (size_t)member * g.cells[0] * g.cells[1] * g.cells[2];
  tiles +=
      ((size_t)member * slots + first_slot[bin] + (parts > 0 ? group - first : 0)) * g.tile_cells;
  const uint cleared = clears ? g.cells[0] * g.cells[1] * g.cells[2] : 0;
  SHORT for (uint i = local_item(); i < cleared; i += IMAGO_ITEMS) grid[i] = 0;
  SHORT for (uint plane = 0; plane < planes; plane += g.planes) {
    // Waits until the group has left the slab before.
    BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    slab = slab_at(&g, slab, plane);
    const uint slab_size = slab_cells(&g, &slab);
    __global complex_t *slot = tiles + (size_t)plane * g.tile[1] * g.pitch;
    clear_tiles(&g, &c, &slab, tile);
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (adds_slots) {
      SHORT for (uint i = local_item(); i < slab_size; i += IMAGO_ITEMS) tile[i] = slot[i];
    }
    add_points(&g, &c, polynomials, &slab, order, cells, offsets, strengths,
               offset + (g.bins_of_member > 0 ? 0 : (size_t)member * g.points),
               STAGED_POINTS tile);
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (parts > 0) {
      SHORT for (uint i = local_item(); i < slab_size; i += IMAGO_ITEMS) slot[i] =
          sum_of_teams(&g, &c, &slab, tile, i);
    } else {
      add_slab_to(&g, &c, &slab, tile, grid);
    }
  }
}
