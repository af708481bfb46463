/* This file holds the common part of the kernels of nonuniform transforms. Macros that the host
   defines: IMAGO_DOUBLE (arithmetic in f64), IMAGO_AXES and IMAGO_ITEMS (work-items of a group). */

#if IMAGO_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 complex_t;
#else
typedef float real;
typedef float2 complex_t;
#endif

/* A number at a point. IMAGO_REAL (1: real numbers) is defined where strengths or values are. */
#if IMAGO_REAL
typedef real number_t;
#define STRENGTH(number) ((complex_t)(number, 0))
#define VALUE(number) (number).x
#else
typedef complex_t number_t;
#define STRENGTH(number) (number)
#define VALUE(number) (number)
#endif

#define KERNEL __kernel __attribute__((reqd_work_group_size(IMAGO_ITEMS, 1, 1))) void

/* A work-item alone waits for nobody. PoCL 5 cannot compile the barriers of its loops. */
#if IMAGO_ITEMS == 1
#define BARRIER(fence)
#else
#define BARRIER(fence) barrier(fence)
#endif

#ifdef IMAGO_VOLATILE_ITEM
static inline uint local_item(void) {
  volatile uint kept_item = (uint)get_local_id(0);
  return kept_item;
}
#else
static inline uint local_item(void) { return (uint)get_local_id(0); }
#endif

/* Returns the first cell of a bin along an axis: the least one in it. */
static inline uint first_of_bin(uint bin, uint bins_of_cell) {
  return (uint)((((ulong)bin << 32) + bins_of_cell - 1) / bins_of_cell);
}

/* Returns the first cells of a bin. */
static inline uint3 origin_of(uint bin, const NufftGrid *g) {
  if (g->bins_of_member > 0) bin %= g->bins_of_member;
  const uint x = bin % g->bins[0], row = bin / g->bins[0];
  uint3 origin = (uint3)(first_of_bin(x, g->bins_of_cell[0]), 0, 0);
#if IMAGO_AXES > 1
  origin.y = first_of_bin(row % g->bins[1], g->bins_of_cell[1]);
#endif
#if IMAGO_AXES > 2
  origin.z = first_of_bin(row / g->bins[1], g->bins_of_cell[2]);
#endif
  return origin;
}

/* Returns an index modulo n, for indices below 2 n. */
static inline uint wrapped(uint i, uint n) { return i < n ? i : i - n; }

/* Sums in local memory. With IMAGO_COMPENSATED, each sum has a second number, which is what it
   exceeds the exact sum by (Kahan 1965), in a second part of the memory. */
#if IMAGO_COMPENSATED
#define ADD_TO(type, sum, lost, x)            \
  {                                           \
    const type given_ = (x) - (lost), sum_ = (sum), total_ = sum_ + given_; \
    (lost) = (total_ - sum_) - given_;        \
    (sum) = total_;                           \
  }
#else
#define ADD_TO(type, sum, lost, x) (sum) += (x);
#endif

/* Work-items along a row of a tile. */
#if IMAGO_ITEMS < 32
#define ALONG IMAGO_ITEMS
#else
#define ALONG 32
#endif

#define UNROLL _Pragma("unroll")
