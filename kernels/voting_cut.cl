/* The cutoff: selects the buckets of each location loop that may hold tones. They are either those
   above a threshold, which a histogram of the energies gives, or the first ones in the order of a
   bitonic sort (Batcher, AFIPS 1968). */

#define OWN_BINS (IMAGO_CUT_BINS / GROUP)
#define CHUNK 2048 /* buckets per counting group */

static inline uint bin_of(float energy) { return min(as_uint(energy) >> 20, IMAGO_CUT_BINS - 1u); }

/* Noise energies are exponentially distributed: the 15 % quantile is 0.1625 of the mean. */
#define QUANTILE 0.15f
#define QUANTILE_TO_MEAN (1 / 0.1625f)
#define DETECTED 9 /* multiple of the noise's mean energy below which buckets get no votes */

#ifdef BUILD_voting_bins
KERNEL(voting_bins) {
  __local uint own[IMAGO_CUT_BINS];
  __local uint peak;
  const uint i = local_item(), buckets = buckets_of(&v), groups = max(1u, buckets / CHUNK);
  const uint of_loop = (uint)get_group_id(0) / groups;
  const uint first = ((uint)get_group_id(0) - of_loop * groups) * CHUNK;
  for (uint bin = i; bin < IMAGO_CUT_BINS; bin += GROUP) own[bin] = 0;
  if (i == 0) peak = 0;
  uint largest = 0; /* the bits of energies have the order of the energies; NaN comes last */
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = first + i; b < min(buckets, first + CHUNK); b += GROUP) {
    const float energy = (float)square(spectra[((size_t)of_loop << v.log_buckets) + b]);
    atomic_inc(&own[bin_of(energy)]);
    largest = max(largest, as_uint(energy));
  }
  atomic_max(&peak, largest);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = i; bin < IMAGO_CUT_BINS; bin += GROUP) {
    if (own[bin] != 0)
      atomic_add((volatile __global uint *)&work[histograms_at(of_loop) + bin], own[bin]);
  }
  if (i == 0) atomic_max((volatile __global uint *)&work[IMAGO_CUT_PEAK], peak);
}
#endif

/* Returns the lowest bin such that it and the bins below it hold at least `wanted` of the
   counts. */
static inline uint bin_at(__global const uint *bins, __local const uint *parts, uint wanted) {
  uint sum = 0, part = 0;
  while (part + 1 < GROUP && sum + parts[part] < wanted) sum += parts[part++];
  uint bin = part * OWN_BINS;
  while (bin + 1 < (part + 1) * OWN_BINS && (sum += bins[bin]) < wanted) ++bin;
  return bin;
}

/* Computes the smallest selected energy, with one group per loop. */
#ifdef BUILD_voting_limit
KERNEL(voting_limit) {
  __local uint parts[GROUP];
  const uint i = local_item(), of_loop = (uint)get_group_id(0);
  __global const uint *bins = work + histograms_at(of_loop);
  uint sum = 0;
  for (uint bin = 0; bin < OWN_BINS; ++bin) sum += bins[i * OWN_BINS + bin];
  parts[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i != 0) return;
  const uint buckets = buckets_of(&v);
  const uint low = bin_at(bins, parts, (uint)(QUANTILE * (float)buckets) + 1);
  const float noise = QUANTILE_TO_MEAN * as_float((low << 20) | 0x80000u);
  /* Selects the bins above the one that contains the first bucket too many. */
  const uint top = bin_at(bins, parts, buckets - min(buckets, v.most)) + 1;
  const float own = v.own_noise * v.own_noise * as_float(work[IMAGO_CUT_PEAK]);
  const float limit = max(as_float(top << 20), DETECTED * max(noise, own));
  work[IMAGO_CUT_NOISE + of_loop] = as_uint(noise);
  work[IMAGO_CUT_LIMIT + of_loop] = as_uint(limit);
}
#endif

/* The linear selection, with one work-item per bucket of the location loops. */
#ifdef BUILD_voting_select
KERNEL(voting_select) {
  const uint item = (uint)global_item();
  const uint of_loop = item >> v.log_buckets, bucket = item & (buckets_of(&v) - 1);
  if (!((float)square(spectra[item]) >= as_float(work[IMAGO_CUT_LIMIT + of_loop]))) return;
  const uint index = atomic_inc((volatile __global uint *)&work[IMAGO_CUT_COUNT + of_loop]);
  if (index < v.most) work[selected_at(&v) + (size_t)of_loop * v.most + index] = bucket;
}
#endif

/* ---- Sort and select: `chunk` holds the keys, energies above bucket numbers ---- */

#define SORTED (2 * GROUP) /* keys of a group */

static inline void order(__local ulong *keys, uint i, uint j, bool descending) {
  const ulong x = keys[i], y = keys[j];
  if ((x < y) == descending) keys[i] = y, keys[j] = x;
}

/* Returns the lower of the two keys that work-item `i` compares at a stride. */
static inline uint lower_of(uint i, uint stride) { return 2 * i - (i & (stride - 1)); }

/* Executes all strides below SORTED: for the sizes 2 .. SORTED (size 0, which makes the keys
   first), else for `size`. */
#ifdef BUILD_voting_sort_group
KERNEL(voting_sort_group) {
  __local ulong keys[SORTED];
  __global ulong *all = (__global ulong *)chunk;
  const uint i = local_item(), first = (uint)get_group_id(0) * SORTED;
  const uint most = min((uint)SORTED, buckets_of(&v)); /* loops are sorted separately */
  for (uint j = i; j < SORTED; j += GROUP) {
    const uint item = first + j;
    if (size != 0) {
      keys[j] = all[item];
    } else if ((item >> v.log_buckets) < v.location) {
      const float energy = (float)square(spectra[item]);
      keys[j] = (ulong)as_uint(energy) << 32 | (item & (buckets_of(&v) - 1));
    } else {
      keys[j] = 0;
    }
  }
  for (uint part = size == 0 ? 2 : SORTED; part <= most; part *= 2) {
    const uint of = size == 0 ? part : size;
    for (uint stride = part / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = lower_of(i, stride), place = (first + low) & (buckets_of(&v) - 1);
      order(keys, low, low + stride, of >= buckets_of(&v) || (place & of) == 0);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = i; j < SORTED; j += GROUP) all[first + j] = keys[j];
}
#endif

/* Executes one stride, `loop`, of sequences of `size`, with one work-item per pair of keys. */
#ifdef BUILD_voting_sort_stride
KERNEL(voting_sort_stride) {
  __global ulong *all = (__global ulong *)chunk;
  const uint low = lower_of((uint)global_item(), loop);
  const uint place = low & (buckets_of(&v) - 1);
  const bool descending = size >= buckets_of(&v) || (place & size) == 0;
  const ulong x = all[low], y = all[low + loop];
  if ((x < y) == descending) all[low] = y, all[low + loop] = x;
}
#endif

/* Copies the first keys of each loop, with one group per loop. */
#ifdef BUILD_voting_take
KERNEL(voting_take) {
  const uint i = local_item(), of_loop = (uint)get_group_id(0);
  __global const ulong *keys = (__global const ulong *)chunk + ((size_t)of_loop << v.log_buckets);
  for (uint j = i; j < v.most; j += GROUP)
    work[selected_at(&v) + (size_t)of_loop * v.most + j] = (uint)keys[j];
  if (i != 0) return;
  const uint buckets = buckets_of(&v), low = buckets - 1 - (uint)(QUANTILE * (float)buckets);
  work[IMAGO_CUT_COUNT + of_loop] = v.most;
  work[IMAGO_CUT_NOISE + of_loop] =
      as_uint(QUANTILE_TO_MEAN * as_float((uint)(keys[low] >> 32)));
  atomic_max((volatile __global uint *)&work[IMAGO_CUT_PEAK], (uint)(keys[0] >> 32));
}
#endif
