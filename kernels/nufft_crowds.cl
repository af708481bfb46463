/* This file finds places with many points, whose sums need compensation. */

/* Returns the estimated number of points of a bin that are in one place, from the pairs of some of
   its points whose offsets from one cell are nearly equal. One or two pairs are chance: 0. */
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
  return pairs < 3 ? 0 : (uint)((ulong)points * pairs / (SAMPLES * (SAMPLES - 1) / 2));
}

/* Replaces the largest number of points of a bin in the report by the estimated number of points in
   one place, of which a sum has at most those of a part. Does nothing if no bin has more than
   `limit` points. Only the largest of each item's bins, or of each section of them, is examined,
   and only if it is large. One group. */
KERNEL nufft_crowds(const NufftGrid g, const uint bins, const uint limit,
                    __global const uint *starts, __global const uint *cells,
                    __global const real *offsets, __global uint *report) {
  __local uint crowds[IMAGO_ITEMS];
  const uint most = report[IMAGO_NUFFT_IN_ONE_PLACE];
#if IMAGO_ITEMS == 1
  const uint section = (bins + 255) / 256, step = 1;
#else
  const uint section = bins, step = IMAGO_ITEMS;
#endif
  uint crowd = 0;
  for (uint from = 0; from < bins && most > limit; from += section) {
    uint points = 0, start = 0;
    for (uint bin = from + local_item(); bin < min(from + section, bins); bin += step) {
      if (starts[bin + 1] - starts[bin] > points) {
        start = starts[bin];
        points = starts[bin + 1] - start;
      }
    }
    if (points > max(limit, most / 8))
      crowd = max(crowd, min(g.part, in_one_place(start, points, &g, cells, offsets)));
  }
  crowds[local_item()] = crowd;
  BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (local_item() == 0) {
    for (uint i = 1; i < IMAGO_ITEMS; ++i) crowd = max(crowd, crowds[i]);
    report[IMAGO_NUFFT_IN_ONE_PLACE] = crowd;
  }
}
