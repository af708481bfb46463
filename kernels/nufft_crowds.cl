/* This file finds places with many points, whose sums need compensation. */

/* Returns the estimated number of points of a bin that are in one place, from the pairs of some of
   its points whose offsets from one cell are nearly equal. */
#define SAMPLES 16
static inline uint in_one_place(uint from, uint points, const NufftGrid *g,
                                __global const uint *cells, __global const real *offsets) {
  uint places[SAMPLES], pairs = 0;
  UNROLL for (uint i = 0; i < SAMPLES; ++i) {
    const size_t p = from + (size_t)i * points / SAMPLES;
    uint place = 0;
    for (uint axis = 0; axis < IMAGO_AXES; ++axis) {
      const size_t at = (size_t)axis * g->points + p;
      place = place * 2654435761u + cells[at] * 32 + (uint)((offsets[at] + 1) * 16);
    }
    places[i] = place;
  }
  for (uint i = 1; i < SAMPLES; ++i) {
    for (uint j = 0; j < i; ++j) pairs += places[j] == places[i];
  }
  return (uint)((ulong)points * pairs / (SAMPLES * (SAMPLES - 1) / 2));
}

/* Sets the largest value of the group. */
static inline void set_largest(__local uint *largest, uint value) {
#if IMAGO_ITEMS == 1
  *largest = max(*largest, value);
#else
  atomic_max(largest, value);
#endif
}

/* Replaces the largest number of points of a bin in the report by the estimated number of points in
   one place. Large bins are examined: of each item's bins, or of each part of them, the largest
   one. One group. */
KERNEL nufft_crowds(const NufftGrid g, const uint bins, __global const uint *starts,
                    __global const uint *cells, __global const real *offsets,
                    __global uint *report) {
  __local uint crowd;
  const uint most = report[IMAGO_NUFFT_IN_ONE_PLACE];
  const uint each = (bins + IMAGO_ITEMS - 1) / IMAGO_ITEMS;
  const uint from = min(local_item() * each, bins), to = min(from + each, bins);
  const uint section = max(1u, IMAGO_ITEMS >= 256 ? each : (bins + 255) / 256);
  if (local_item() == 0) crowd = 0;
  BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint first = from; first < to; first += section) {
    uint largest = first;
    for (uint bin = first + 1; bin < min(first + section, to); ++bin) {
      if (starts[bin + 1] - starts[bin] > starts[largest + 1] - starts[largest]) largest = bin;
    }
    const uint points = starts[largest + 1] - starts[largest];
    if (points >= max(64u, most / 8))
      set_largest(&crowd, in_one_place(starts[largest], points, &g, cells, offsets));
  }
  BARRIER(CLK_LOCAL_MEM_FENCE);
  if (local_item() == 0) report[IMAGO_NUFFT_IN_ONE_PLACE] = crowd;
}
