/* Corrects every amplitude by what the buckets still hold at its frequency; `round` is the last one
   of peeling. Twice: the first time the median of the hashes, which a tone that is still hidden in
   one of them does not disturb, then the least-squares mean over all of them. A work-item per tone and hash. */

#define GROUP_TONES 32

#if IMAGO_PASS == 1
#define PHASE_REFINE phase_refine_1
#else
#define PHASE_REFINE phase_refine_2
#endif

#if IMAGO_PASS == 1
/* What the last round found is not subtracted yet. */
#define PENDING(slot) event_of(store, slot, round)
#define IS_PENDING (state[IMAGO_EVENTS + round] != 0)
#else
#define PENDING(slot) store->amplitudes[(size_t)slots_of(store->a) + (slot)]
#define IS_PENDING true
#endif

static inline real median(real x, real y, real z) { return max(min(x, y), min(max(x, y), z)); }

/* Subtracts from a bucket's values what is pending near it. */
static inline void subtract_pending(const Store *store, Bucket bucket, uint round, complex_t *values) {
  const Attempt *a = store->a;
  for (int d = -IMAGO_NEIGHBOURS; d <= IMAGO_NEIGHBOURS; ++d) {
    const uint near = (bucket.index + (uint)d) & (buckets_of(a) - 1);
    uint slot = store->state[heads_at(a) + bucket.hash * buckets_of(a) + near];
    while (slot != 0) {
      subtract(store, bucket, slot - 1, PENDING(slot - 1), values);
      slot = store->state[next_at(a) + (size_t)bucket.hash * slots_of(a) + slot - 1];
    }
  }
}

/* What a bucket still holds of a tone: its amplitude times the window's response. */
static inline complex_t left_over(const Attempt *a, __global const complex_t *phases,
                           const complex_t *values) {
  complex_t sum = (complex_t)(0);
  for (uint t = 0; t < a->shifts; ++t) sum += times_conjugate(values[t], phases[t]);
  return sum / (real)a->shifts;
}

static inline complex_t combine(__local const complex_t *sums, __local const real *weights) {
#if IMAGO_PASS == 1
  const complex_t x = sums[0] / weights[0], y = sums[1] / weights[1], z = sums[2] / weights[2];
  return (complex_t)(median(x.x, y.x, z.x), median(x.y, y.y, z.y));
#else
  complex_t sum = (complex_t)(0);
  real weight = 0;
  for (uint h = 0; h < IMAGO_HASHES; ++h) {
    sum += sums[h] * weights[h];
    weight += weights[h] * weights[h];
  }
  return sum / weight;
#endif
}

static inline void list_tone(__global uint *state, uint index, uint f, complex_t amplitude) {
  __global uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
  tone[0] = f;
  tone[1] = 0;
#if IMAGO_DOUBLE
  const uint2 re = as_uint2(amplitude.x), im = as_uint2(amplitude.y);
  tone[2] = re.x, tone[3] = re.y, tone[4] = im.x, tone[5] = im.y;
#else
  tone[2] = as_uint(amplitude.x), tone[3] = as_uint(amplitude.y);
#endif
}

/* Adds a correction; what is pending then includes it. */
static inline void correct(const Store *store, uint index, uint round, complex_t correction) {
  const uint slot = store->state[tone_slots_at(store->a) + index];
  __global complex_t *amplitude = store->amplitudes + slot;
  const complex_t pending = PENDING(slot) + correction;
#if IMAGO_PASS == 1
  *amplitude += pending;
#else
  *amplitude += correction;
  list_tone(store->state, index, frequency_of(store, slot), *amplitude);
#endif
  store->amplitudes[(size_t)IMAGO_PASS * slots_of(store->a) + slot] = pending;
}

__kernel __attribute__((reqd_work_group_size(GROUP_TONES *IMAGO_HASHES, 1, 1))) void
    PHASE_REFINE(ARGUMENTS) {
  __local complex_t sums[GROUP_TONES * IMAGO_HASHES];
  __local real weights[GROUP_TONES * IMAGO_HASHES];
  const Store store = STORE;
  const uint i = (uint)get_local_id(0), hash = i % IMAGO_HASHES;
  const uint count = tones_before(&store, round + 1);
  const bool pending = IS_PENDING;
  const uint first = (uint)get_group_id(0) * GROUP_TONES, index = first + i / IMAGO_HASHES;
#if IMAGO_PASS == 1
  if (first == 0) { /* the check adds to these */
    for (uint bin = i; bin < IMAGO_BINS; bin += GROUP_TONES * IMAGO_HASHES)
      state[IMAGO_HISTOGRAM + bin] = 0;
    if (i == 0) state[IMAGO_WORST] = 0;
  }
#endif
  if (first >= count) return;
  if (index < count) {
    const uint slot = state[tone_slots_at(&a) + index];
    const uint g = multiply_modulo(&a, a.sigma[hash], frequency_of(&store, slot));
    const Bucket bucket = {hash, bucket_of(&a, g)};
    __global const complex_t *spectrum = values_of(&a, spectra, bucket);
    complex_t values[IMAGO_MAX_SHIFTS];
    for (uint t = 0; t < a.shifts; ++t) values[t] = spectrum[(size_t)t << a.log_buckets];
    if (pending) subtract_pending(&store, bucket, round, values);
    sums[i] = left_over(&a, phases_of(&store, slot, hash), values);
    weights[i] = response(offset_of(&a, g, bucket.index));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (index < count && hash == 0)
    correct(&store, index, round, combine(sums + i, weights + i));
}
