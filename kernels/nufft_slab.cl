/* This file defines the part of a tile that local memory holds while points are spread. */

/* The planes of a tile that local memory holds, and those of its points. */
typedef struct {
  uint3 origin;
  uint plane, planes; /* first plane, number of planes */
  uint from, to;      /* points */
} Slab;

static inline uint slab_cells(const NufftGrid *g, const Slab *slab) {
  return slab->planes * g->tile[1] * g->pitch;
}

/* Returns the cells of the tiles of all teams. With compensated sums, as many follow. */
#define TILE_CELLS(g, slab) (IMAGO_TEAMS * slab_cells(g, slab) + IMAGO_TILE_PADDING)
#if IMAGO_COMPENSATED
#define SUMS 2
#else
#define SUMS 1
#endif

static inline Slab slab_at(const NufftGrid *g, Slab slab, uint plane) {
  slab.plane = plane;
  slab.planes = min(g->planes, g->tile[2] - plane);
  return slab;
}
