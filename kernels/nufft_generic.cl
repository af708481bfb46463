/* This file begins the kernels that serve all nonuniform transforms of a precision. They have as
   arguments what other kernels have as constants: NufftConstants, and the table of the window's
   polynomials. IMAGO_AXES is 3: missing axes have one cell and one bin. The files of other kernels
   that follow loop over the axes of a grid `g`. */

#undef IMAGO_AXES
#define IMAGO_AXES axes_of(g)
static inline uint axes_of(const NufftGrid *g) {
  return g->cells[2] > 1 ? 3 : g->cells[1] > 1 ? 2 : 1;
}

/* Returns number i at the points. */
static inline complex_t strength_at(const NufftConstants *c, __global const real *numbers,
                                    size_t i) {
  return c->real ? (complex_t)(numbers[i], 0) : vload2(i, numbers);
}

/* Returns the least cell of a tile that a point is spread over, along an axis. */
static inline uint cell_in_tile(const NufftGrid *g, const NufftConstants *c,
                                __global const uint *cells, uint p, uint axis, uint origin) {
  return axis < c->axes ? cells[(size_t)axis * g->points + p] - origin : 0;
}

/* Compilers of CPUs would otherwise unroll each loop, and add variants with vectors. That takes
   most of the time of a compilation that must be short. */
#if defined(__clang__) && IMAGO_ITEMS == 1
#define SHORT _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#else
#define SHORT
#endif
#undef UNROLL
#define UNROLL SHORT

#if IMAGO_ITEMS == 1
/* A work-item alone computes with vectors along x, each with the real and imaginary parts of some
   cells. The table has a row for each power of the variable, lowest first, with each cell's factor
   twice and zeros after the last. */
#if IMAGO_DOUBLE
typedef double4 vector_t;
#define REALS 4
#define LOAD vload4
#define STORE vstore4
#define PAIRS(z) (z), (z)
#define SUM(v) ((v).lo + (v).hi)
#else
typedef float8 vector_t;
#define REALS 8
#define LOAD vload8
#define STORE vstore8
#define PAIRS(z) (z), (z), (z), (z)
#define SUM(v) ((v).lo.lo + (v).lo.hi + (v).hi.lo + (v).hi.hi)
#endif

/* Returns vector v of the window's values at a place s. */
static inline vector_t values_of(const NufftConstants *c, __global const real *polynomials, real s,
                                 uint v) {
  const uint row = c->vectors * REALS;
  polynomials += v * REALS;
  vector_t sum = LOAD(0, polynomials + c->degree * row);
  SHORT for (uint power = c->degree; power-- > 0;) sum =
      fma(sum, (vector_t)s, LOAD(0, polynomials + power * row));
  return sum;
}

/* Writes the window's values along y or z, each twice, and returns their number. */
static inline uint values_along(const NufftGrid *g, const NufftConstants *c,
                                __global const real *polynomials, __global const real *offsets,
                                uint p, uint axis, real *values) {
  if (axis >= c->axes) {
    values[0] = 1;
    return 1;
  }
  const real s = offsets[(size_t)axis * g->points + p];
  SHORT for (uint v = 0; v < c->vectors; ++v)
      STORE(values_of(c, polynomials, s, v), 0, values + v * REALS);
  return g->width;
}
#else
/* Returns the window's value in cell j at a place s. The table has a row for each cell, with the
   factors of the powers of the variable, lowest first. */
static inline real value_of(const NufftConstants *c, __global const real *polynomials, real s,
                            uint j) {
  polynomials += j * (c->degree + 1);
  real sum = polynomials[c->degree];
  SHORT for (uint power = c->degree; power-- > 0;) sum = fma(sum, s, polynomials[power]);
  return sum;
}
#endif
