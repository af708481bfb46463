/* This file adds points to tiles, and tiles to points, by vectors along x. Macros that the host
   defines: IMAGO_VECTOR (reals of a vector), IMAGO_VECTORS (vectors of a row of the kernel) and
   IMAGO_REST (reals of the shorter vector after them; 0: none). A row has the real and the
   imaginary parts of IMAGO_WIDTH cells; what vectors have more is 0. */

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if IMAGO_DOUBLE
#define VECTOR_OF(n) JOIN(double, n)
#else
#define VECTOR_OF(n) JOIN(float, n)
#endif
#define LOAD(n) JOIN(vload, n)
#define STORE(n) JOIN(vstore, n)
typedef VECTOR_OF(IMAGO_VECTOR) vector_t;
#if IMAGO_REST
typedef VECTOR_OF(IMAGO_REST) rest_t;
#endif
#define VECTORS IMAGO_VECTORS
#define ROW_REALS (VECTORS * IMAGO_VECTOR + IMAGO_REST)

/* Values of the kernel along an axis, each twice: for the real and the imaginary part. */
typedef struct {
  vector_t vectors[VECTORS];
#if IMAGO_REST
  rest_t rest;
#endif
} Row;

static inline Row row_of(real s) {
  Row row;
  UNROLL for (uint v = 0; v < VECTORS; ++v) {
    vector_t sum = LOAD(IMAGO_VECTOR)(0, polynomials[IMAGO_DEGREE] + v * IMAGO_VECTOR);
    UNROLL for (int power = IMAGO_DEGREE - 1; power >= 0; --power)
        sum = fma(sum, (vector_t)s, LOAD(IMAGO_VECTOR)(0, polynomials[power] + v * IMAGO_VECTOR));
    row.vectors[v] = sum;
  }
#if IMAGO_REST
  rest_t sum = LOAD(IMAGO_REST)(0, polynomials[IMAGO_DEGREE] + VECTORS * IMAGO_VECTOR);
  UNROLL for (int power = IMAGO_DEGREE - 1; power >= 0; --power)
      sum = fma(sum, (rest_t)s, LOAD(IMAGO_REST)(0, polynomials[power] + VECTORS * IMAGO_VECTOR));
  row.rest = sum;
#endif
  return row;
}

static inline void to_array(const Row *row, real *array) {
  UNROLL for (uint v = 0; v < VECTORS; ++v)
      STORE(IMAGO_VECTOR)(row->vectors[v], 0, array + v * IMAGO_VECTOR);
#if IMAGO_REST
  STORE(IMAGO_REST)(row->rest, 0, array + VECTORS * IMAGO_VECTOR);
#endif
}

#define PAIRS_2(c) (c)
#define PAIRS_4(c) (c), (c)
#define PAIRS_8(c) PAIRS_4(c), PAIRS_4(c)
#define PAIRS_16(c) PAIRS_8(c), PAIRS_8(c)
#define PAIRS(n) JOIN(PAIRS_, n)

/* Returns the row times a complex number. */
static inline Row times_strength(Row row, complex_t c) {
  UNROLL for (uint v = 0; v < VECTORS; ++v) row.vectors[v] *= (vector_t)(PAIRS(IMAGO_VECTOR)(c));
#if IMAGO_REST
  row.rest *= (rest_t)(PAIRS(IMAGO_REST)(c));
#endif
  return row;
}

/* Adds the row times a number to a row of the tile; what compensated sums lose is `lost` reals
   after them. */
#if IMAGO_COMPENSATED
#define ADD_VECTOR(n, type, row, factor, at, lost)                            \
  {                                                                           \
    const type before = LOAD(n)(0, at);                                       \
    const type given = fma((type)(factor), row, -LOAD(n)(0, (at) + (lost)));  \
    const type total = before + given;                                        \
    STORE(n)((total - before) - given, 0, (at) + (lost));                     \
    STORE(n)(total, 0, at);                                                   \
  }
#else
#define ADD_VECTOR(n, type, row, factor, at, lost) \
  STORE(n)(fma((type)(factor), row, LOAD(n)(0, at)), 0, at);
#endif
static inline void add_row(const Row *row, real factor, __local real *to, uint lost) {
  UNROLL for (uint v = 0; v < VECTORS; ++v)
      ADD_VECTOR(IMAGO_VECTOR, vector_t, row->vectors[v], factor, to + v * IMAGO_VECTOR, lost)
#if IMAGO_REST
  ADD_VECTOR(IMAGO_REST, rest_t, row->rest, factor, to + VECTORS * IMAGO_VECTOR, lost)
#endif
}

/* Adds a row of the tile times a number to the row. */
static inline void take_row(Row *row, real factor, __local const real *from) {
  UNROLL for (uint v = 0; v < VECTORS; ++v)
    row->vectors[v] =
        fma((vector_t)factor, LOAD(IMAGO_VECTOR)(0, from + v * IMAGO_VECTOR), row->vectors[v]);
#if IMAGO_REST
  row->rest = fma((rest_t)factor, LOAD(IMAGO_REST)(0, from + VECTORS * IMAGO_VECTOR), row->rest);
#endif
}

#define SUM_2(v) (v)
#define SUM_4(v) ((v).lo + (v).hi)
#define SUM_8(v) SUM_4((v).lo + (v).hi)
#define SUM_16(v) SUM_8((v).lo + (v).hi)
#define SUM(n) JOIN(SUM_, n)

/* Returns the sum of the products of two rows: of all real parts, and of all imaginary ones. */
static inline complex_t product(const Row *a, const Row *b) {
  complex_t sum = 0;
  UNROLL for (uint v = 0; v < VECTORS; ++v) {
    const vector_t both = a->vectors[v] * b->vectors[v];
    sum += SUM(IMAGO_VECTOR)(both);
  }
#if IMAGO_REST
  const rest_t both = a->rest * b->rest;
  sum += SUM(IMAGO_REST)(both);
#endif
  return sum;
}

#define IMAGO_TILE_PADDING (ROW_REALS / 2 - IMAGO_WIDTH)
#define STAGE
#define STAGED 0

#ifdef BUILD_nufft_spread
static inline void add_points(const NufftGrid *g, const Slab *slab, __global const uint *order,
                              __global const uint *cells, __global const real *offsets,
                              __global const number_t *strengths, __local complex_t *tile,
                              int unused) {
  const size_t points = g->points;
  const uint pitch = g->pitch, plane = pitch * g->tile[1], lost = 2 * TILE_CELLS(g, slab);
  // Strengths are loaded before they are needed, because each load may wait for memory.
#define BLOCK 64
  complex_t block[BLOCK];
  for (uint p = slab->from; p < slab->to; ++p) {
    const uint i = (p - slab->from) % BLOCK;
    if (i == 0) {
      const uint count = min((uint)BLOCK, slab->to - p);
      for (uint k = 0; k < count; ++k) block[k] = STRENGTH(strengths[order[p + k]]);
    }
    const Row row = row_of(offsets[p]), own = times_strength(row, block[i]);
    __local complex_t *at = tile + (cells[p] - slab->origin.x);
#if IMAGO_AXES == 1
    add_row(&own, 1, (__local real *)at, lost);
#else
    real along_y[ROW_REALS];
    const Row row_y = row_of(offsets[points + p]);
    to_array(&row_y, along_y);
    at += (cells[points + p] - slab->origin.y) * pitch;
#if IMAGO_AXES == 2
    UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
        add_row(&own, along_y[2 * j], (__local real *)(at + j * pitch), lost);
#else
    real along_z[ROW_REALS];
    const Row row_z = row_of(offsets[2 * points + p]);
    to_array(&row_z, along_z);
    const uint z = cells[2 * points + p] - slab->origin.z;
    const uint end = min(z + IMAGO_WIDTH, slab->plane + slab->planes);
    for (uint k = max(z, slab->plane); k < end; ++k) {
      __local complex_t *at_z = at + (k - slab->plane) * plane;
      UNROLL for (uint j = 0; j < IMAGO_WIDTH; ++j)
          add_row(&own, along_z[2 * (k - z)] * along_y[2 * j], (__local real *)(at_z + j * pitch),
                  lost);
    }
#endif
#endif
  }
}
#endif
