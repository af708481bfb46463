/* This file defines the argument that nonuniform transforms pass to their kernels by value. It is
   C, compiled both into the library and into the kernels. */

enum {
  IMAGO_NUFFT_BAD_POINT = 0, /* words of the report: number of a point that is not finite, or */
  IMAGO_NUFFT_NO_POINT = 0x7fffffff, /* this */
  IMAGO_NUFFT_PARTS = 1,     /* number of parts */
  IMAGO_NUFFT_SLOTS = 2,     /* number of parts of bins that have several */
  IMAGO_NUFFT_IN_ONE_PLACE = 3, /* most points of a bin; after nufft_crowds, the estimated number
                                   of points in one place that a sum adds */
  IMAGO_NUFFT_REPORT = 4     /* words */
};

/* Axes are in the order of memory: x, the fastest, is the first. */
typedef struct {
  uint cells[3];   /* lengths of the grid */
  uint bins[3];    /* bins along each axis: 1, or an even number, so that bins of equal parity have
                      others between them */
  uint bins_of_cell[3]; /* in units of 2^-32, rounded down: bin b has the cells c with
                           b <= c bins_of_cell < b + 1 */
  uint tile[3];    /* cells that the points of a bin are spread over: those of the largest bin, and
                      the kernel's width less 1 */
  uint pitch;      /* distance of a tile's rows in cells */
  uint planes;     /* planes of a tile that local memory holds at a time */
  uint width;      /* cells that a point is spread over along an axis */
  uint points;     /* number of points */
  uint part;       /* most points of a part of a bin */
  uint tile_cells; /* distance of tiles in memory in cells */
  uint bins_of_member; /* 0: all members of the batch have the same points. Otherwise each has points
                          of its own, and as many bins, which follow those of the members before */
} NufftGrid;
