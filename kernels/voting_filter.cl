/* Permutes, filters and folds: bucket b of a loop becomes the sum over the taps j = b modulo B of
   tap[j] x[sigma j + tau]. IMAGO_INDEX_MAPPING: a sample's place is computed as a product; else it
   is updated from one sample to the next. IMAGO_LOOP_PARTITION: a work-item owns a bucket, and no
   two work-items write to one place; else a work-item owns taps and adds to their buckets by
   atomics. */

#define STRETCH 64u /* taps of a work-item that updates its place and owns no bucket */

static inline uint taps_of(const Voting *v) { return v->rounds << v->log_buckets; }

/* Returns the place of the sample of tap i. Tap 0 belongs to j = -taps/2. */
static inline uint place_of(const Voting *v, uint loop, uint i) {
  return modulo(v, v->sigma[loop] * (i - taps_of(v) / 2) + v->tau[loop]);
}
/* Returns the first tap of a bucket. */
static inline uint first_tap(const Voting *v, uint bucket) {
  return (bucket + taps_of(v) / 2) & (buckets_of(v) - 1);
}

/* Clears the memory to which attempts add. With `loop` 1, only the work memory, which is the
   comb's. */
#ifdef BUILD_voting_clear
KERNEL(voting_clear) {
  const size_t item = global_item(), items = get_global_size(0);
  const size_t cleared = selected_at(&v);
  const size_t scores = ((size_t)1 << v.log_length) / 4 + (v.log_comb != 0 ? 1u << v.log_comb : 0);
  for (size_t i = item; i < cleared; i += items) work[i] = 0;
  if (loop == 1) return;
  for (size_t i = item; i < IMAGO_TONES; i += items) state[i] = 0;
  for (size_t i = item; i < scores; i += items) score[i] = 0;
#if !IMAGO_LOOP_PARTITION
  const size_t elements = (size_t)v.loops << v.log_buckets;
  for (size_t i = item; i < elements; i += items) spectra[i] = (complex_t)(0);
#endif
}
#endif

#if IMAGO_LOOP_PARTITION

#ifdef BUILD_voting_filter
KERNEL(voting_filter) {
  const uint item = (uint)global_item();
  const uint of_loop = item >> v.log_buckets, bucket = item & (buckets_of(&v) - 1);
  const uint first = first_tap(&v, bucket);
  complex_t sum = (complex_t)(0);
#if IMAGO_INDEX_MAPPING
  for (uint m = 0; m < v.rounds; ++m) {
    const uint i = first + (m << v.log_buckets);
    sum += taps[i] * sample_at(&v, signal, place_of(&v, of_loop, i));
  }
#else
  const uint step = v.sigma[of_loop] << v.log_buckets;
  uint place = place_of(&v, of_loop, first);
  for (uint m = 0; m < v.rounds; ++m) {
    sum += taps[first + (m << v.log_buckets)] * sample_at(&v, signal, place);
    place = modulo(&v, place + step);
  }
#endif
  spectra[item] = sum;
}
#endif

#else

static inline void add(volatile __global uint *to, float value) {
  uint before = 0, seen; /* a guess, because a plain load would race with the atomics of others */
  do {
    seen = before;
    before = atomic_cmpxchg(to, seen, as_uint(as_float(seen) + value));
  } while (before != seen);
}

#ifdef BUILD_voting_filter
KERNEL(voting_filter) {
#if IMAGO_INDEX_MAPPING
  const uint stretch = 1u;
#else
  const uint stretch = STRETCH;
#endif
  const uint stretches = taps_of(&v) / stretch, item = (uint)global_item();
  const uint of_loop = item / stretches, first = (item - of_loop * stretches) * stretch;
  if (of_loop >= v.loops) return;
  uint place = place_of(&v, of_loop, first);
  for (uint i = first; i < first + stretch; ++i) {
    const complex_t value = (complex_t)(taps[i]) * sample_at(&v, signal, place);
    const uint bucket = (i - taps_of(&v) / 2) & (buckets_of(&v) - 1);
    volatile __global uint *to =
        (volatile __global uint *)(spectra + ((size_t)of_loop << v.log_buckets) + bucket);
    add(to, (float)value.x);
    add(to + 1, (float)value.y);
    place = modulo(&v, place + v.sigma[of_loop]);
  }
}
#endif

#endif

/* The layout transformation: stores the samples of a loop in the order of its taps. Loops alternate
   between the two halves of the chunk. A second kernel sums them. */
#ifdef BUILD_voting_remap
KERNEL(voting_remap) {
  const uint i = (uint)global_item();
  chunk[(loop & 1) * (size_t)taps_of(&v) + i] = sample_at(&v, signal, place_of(&v, loop, i));
}
#endif

#ifdef BUILD_voting_accumulate
KERNEL(voting_accumulate) {
  const uint bucket = (uint)global_item(), first = first_tap(&v, bucket);
  const size_t start = (loop & 1) * (size_t)taps_of(&v);
  complex_t sum = (complex_t)(0);
  for (uint m = 0; m < v.rounds; ++m) {
    const uint i = first + (m << v.log_buckets);
    sum += taps[i] * chunk[start + i];
  }
  spectra[((size_t)loop << v.log_buckets) + bucket] = sum;
}
#endif

/* The comb: a loop's aliased samples; each holds the frequencies of one residue modulo the number
   of samples. */
#ifdef BUILD_voting_comb
KERNEL(voting_comb) {
  const uint item = (uint)global_item(), of_loop = item >> v.log_buckets;
  const uint i = item & (buckets_of(&v) - 1);
  const uint time = modulo(&v, (i << log_bucket(&v)) + v.tau[of_loop]);
  spectra[item] = sample_at(&v, signal, time) / (real)buckets_of(&v);
}
#endif
