/* This file spreads points over the grid. A group adds the points of a bin, or of a part of one, to
   a tile in local memory, and the tile to the grid. Bins of one launch have others between them, so
   their tiles do not meet, and no atomic operations are needed. Macros that the host defines:
   IMAGO_TEAMS (teams of work-items, each with its own tile), IMAGO_SLABS (1: local memory holds
   only some planes of a tile at a time). */

static inline void clear(const NufftGrid *g, const Slab *slab, __local complex_t *tile) {
  const uint cells = SUMS * TILE_CELLS(g, slab);
  for (uint i = local_item(); i < cells; i += IMAGO_ITEMS) tile[i] = 0;
}

/* Returns a cell of a tile, with those of all teams. */
static inline complex_t tile_cell(const NufftGrid *g, const Slab *slab,
                                  __local const complex_t *tile, uint i) {
  complex_t sum = tile[i];
  for (uint team = 1; team < IMAGO_TEAMS; ++team) sum += tile[team * slab_cells(g, slab) + i];
#if IMAGO_COMPENSATED
  for (uint team = 0; team < IMAGO_TEAMS; ++team)
    sum -= tile[TILE_CELLS(g, slab) + team * slab_cells(g, slab) + i];
#endif
  return sum;
}

/* Adds a slab to the grid. A tile that is longer than the grid along x or y meets itself. */
static inline void add_slab(const NufftGrid *g, const Slab *slab, __local const complex_t *tile,
                            __global complex_t *grid) {
  const uint nx = g->cells[0], ny = g->cells[1], rows = min(g->tile[1], ny);
  for (uint row = local_item() / ALONG; row < slab->planes * rows; row += IMAGO_ITEMS / ALONG) {
    const uint z = row / rows, y = row % rows;
    __global complex_t *to =
        grid + ((size_t)wrapped(slab->origin.z + slab->plane + z, g->cells[2]) * ny +
                wrapped(slab->origin.y + y, ny)) * nx;
#if IMAGO_ITEMS == 1
    for (uint from_y = y; from_y < g->tile[1]; from_y += ny) {
      __local const complex_t *from = tile + (z * g->tile[1] + from_y) * g->pitch;
      uint x = 0, at = slab->origin.x;
      while (x < g->tile[0]) {
        const uint count = min(g->tile[0] - x, nx - at);
        for (uint i = 0; i < count; ++i) to[at + i] += from[x + i];
#if IMAGO_COMPENSATED
        __local const complex_t *lost = from + TILE_CELLS(g, slab);
        for (uint i = 0; i < count; ++i) to[at + i] -= lost[x + i];
#endif
        x += count;
        at = 0;
      }
    }
#else
    for (uint x = local_item() % ALONG; x < min(g->tile[0], nx); x += ALONG) {
      complex_t sum = 0;
      for (uint from_y = y; from_y < g->tile[1]; from_y += ny) {
        for (uint from_x = x; from_x < g->tile[0]; from_x += nx)
          sum += tile_cell(g, slab, tile, (z * g->tile[1] + from_y) * g->pitch + from_x);
      }
      to[wrapped(slab->origin.x + x, nx)] += sum;
    }
#endif
  }
}

/* With parts > 0, spreads the parts of bins that have slots (nufft_parts), each to its slot of
   `tiles`. Otherwise spreads the points of all bins of a parity to the grid (bit 0 is that of the
   bins along x); bins with slots then are in their first slot (nufft_add_parts). Each member of the
   batch has `groups` groups, but parts of members with points of their own, which have `slots` = 0,
   are in one list. With `clears`, a group has a member's grid alone, and clears it first. */
KERNEL nufft_spread(const NufftGrid g, const uint parts, const uint parity, const uint groups,
                    const uint slots, __global const uint *starts, __global const uint *first_part,
                    __global const uint *first_slot, __global const uint *bin_of_part,
                    __global const uint *order, __global const uint *cells,
                    __global const real *offsets, __global const number_t *strengths,
                    const ulong offset, __global complex_t *tiles, __global complex_t *grid,
                    const ulong grid_offset, const uint clears, __local complex_t *tile) {
  STAGE
  const uint group = (uint)get_group_id(0) % groups;
  uint member = (uint)get_group_id(0) / groups, bin = member * g.bins_of_member;
  if (parts > 0) {
    bin = bin_of_part[group];
    if (g.bins_of_member > 0) member = bin / g.bins_of_member;
  } else {
    uint rest = group, stride = 1;
    for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
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
  strengths += offset + (g.bins_of_member > 0 ? 0 : (size_t)member * g.points);
  grid += grid_offset + (size_t)member * g.cells[0] * g.cells[1] * g.cells[2];
  tiles +=
      ((size_t)member * slots + first_slot[bin] + (parts > 0 ? group - first : 0)) * g.tile_cells;
  const uint cleared = clears ? g.cells[0] * g.cells[1] * g.cells[2] : 0;
  for (uint i = local_item(); i < cleared; i += IMAGO_ITEMS) grid[i] = 0;
  for (uint plane = 0; plane < planes; plane += g.planes) {
    // Waits until the group has left the slab before. PoCL 5 cannot compile a barrier at the end of
    // a loop.
    BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    slab = slab_at(&g, slab, plane);
    const uint slab_size = slab_cells(&g, &slab);
    __global complex_t *slot = tiles + (size_t)plane * g.tile[1] * g.pitch;
    clear(&g, &slab, tile);
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (adds_slots) {
      for (uint i = local_item(); i < slab_size; i += IMAGO_ITEMS) tile[i] = slot[i];
    }
    add_points(&g, &slab, order, cells, offsets, strengths, tile, STAGED);
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (parts > 0) {
      for (uint i = local_item(); i < slab_size; i += IMAGO_ITEMS)
        slot[i] = tile_cell(&g, &slab, tile, i);
    } else {
      add_slab(&g, &slab, tile, grid);
    }
  }
}
