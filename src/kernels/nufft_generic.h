/* This file defines the second argument of generic kernels of nonuniform transforms, which are
   compiled once for a device and a precision. It is C, compiled both into the library and into the
   kernels. */

/* The numbers that kernels for one transform have as constants. */
typedef struct {
  uint axes;        /* number of axes */
  uint coordinates; /* number of the type of coordinates */
  uint negated;     /* 1: the signs of all coordinates change */
  uint real;        /* 1: numbers at points are real numbers */
  uint degree;      /* degree of the window's polynomials */
  uint vectors;     /* vectors of a row of the window's values, for a work-item alone */
  uint padding;     /* cells at the end of a tile, for these vectors */
  uint compensated; /* 1: sums of strengths are compensated */
  uint teams;       /* teams of a group that spreads, each with its own tile */
  uint batch;       /* points that such a group prepares at a time */
} NufftConstants;
