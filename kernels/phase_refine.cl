/* Corrects every amplitude by the remainder of its frequency in the buckets; `round` is the last
   one of peeling. The first pass leaves out hashes in which a hidden tone disturbs the estimate. A
   second pass, for noisy signals, uses the least-squares mean over all hashes. IMAGO_LANES
   work-items per tone and hash share the shifts, and the adjacent buckets whose tones reach this
   one. */

#define GROUP_TONES 16
#define PLACES (GROUP_TONES * IMAGO_HASHES) /* IMAGO_LANES times as many work-items have a place */

#if IMAGO_MEDIAN
#define PHASE_REFINE phase_refine_1
/* The results of the last round are not subtracted yet. */
#define PENDING(slot) event_of(store, slot, round)
#define IS_PENDING (state[IMAGO_EVENTS + round] != 0)
#else
#define PHASE_REFINE phase_refine_2
#define PENDING(slot) (*pending_after(store, slot, pass - 1))
#define IS_PENDING true
#endif

static inline real median(real x, real y, real z) { return max(min(x, y), min(max(x, y), z)); }

/* Returns a lane's part of a tone with these phases in a bucket's values: its amplitude, multiplied
   by the window's response and by the number of shifts. */
static inline complex_t held(const Attempt *a, __global const complex_t *spectrum,
                      __global const complex_t *phases, uint lane) {
  complex_t sum = (complex_t)(0);
  for (uint t = lane; t < a->shifts; t += IMAGO_LANES)
    sum += times_conjugate(spectrum[(size_t)t << a->log_buckets], phases[t]);
  return sum;
}

/* Returns the same product for the pending tones near the bucket, which its values still
   contain. */
static inline complex_t held_pending(const Store *store, Bucket bucket,
                                     __global const complex_t *phases, uint lane, uint round,
                                     uint pass) {
  const Attempt *a = store->a;
  const List list = list_of_tones(a, bucket.hash);
  complex_t sum = (complex_t)(0);
  for (uint d = lane; d < SPAN; d += IMAGO_LANES) {
    uint slot = first_of(store, list, bucket.index + d - IMAGO_NEIGHBOURS);
    while (slot != 0) {
      const size_t place = place_of(slot - 1, bucket.hash);
      __global const complex_t *others = phases_of(store, place);
      const complex_t share = PENDING(slot - 1) * weight_of(store, place, d);
      complex_t product = (complex_t)(0);
      for (uint t = 0; t < a->shifts; ++t) product += times_conjugate(others[t], phases[t]);
      sum += times(share, product);
      slot = store->state[list.next + slot - 1];
    }
  }
  return sum;
}

/* Returns the least-squares mean over the hashes. The first pass omits hashes far from the median,
   in which other tones are hidden. */
#define FAR 4 /* factor on squared distances, relative to the median distance */

static inline complex_t combine(__local const complex_t *sums, __local const real *weights) {
#if IMAGO_MEDIAN
  const complex_t x = sums[0] / weights[0], y = sums[1] / weights[1], z = sums[2] / weights[2];
  const complex_t middle = (complex_t)(median(x.x, y.x, z.x), median(x.y, y.y, z.y));
  const real distances[] = {square(x - middle), square(y - middle), square(z - middle)};
  const real limit = FAR * median(distances[0], distances[1], distances[2]);
#endif
  complex_t sum = (complex_t)(0);
  real weight = 0;
  for (uint h = 0; h < IMAGO_HASHES; ++h) {
#if IMAGO_MEDIAN
    if (distances[h] > limit) continue;
#endif
    sum += sums[h] * weights[h];
    weight += weights[h] * weights[h];
  }
  return sum / weight;
}

/* Adds a correction to a tone's amplitude and to its pending part. */
static inline void correct(const Store *store, uint index, uint round, uint pass,
                    complex_t correction) {
  const uint slot = store->state[tone_slots_at(store->a) + index];
  __global complex_t *amplitude = store->amplitudes + slot;
  const complex_t pending = PENDING(slot) + correction;
#if IMAGO_MEDIAN
  *amplitude += pending;
#else
  *amplitude += correction;
#endif
  put_tone(store->state + IMAGO_TONES + (size_t)index * TONE_WORDS, frequency_of(store, slot),
           *amplitude);
  *pending_after(store, slot, pass) = pending;
}

typedef struct {
  complex_t sums[PLACES * IMAGO_LANES];
  real responses[PLACES];
} Refining;

static inline void refine(const Store *store, __global complex_t *spectra, uint round, uint pass,
                          uint group, __local Refining *refining) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  __local complex_t *sums = refining->sums;
  __local real *responses = refining->responses;
  const uint i = local_item(), place = i % PLACES, lane = i / PLACES;
  const uint hash = place % IMAGO_HASHES;
  const uint first = group * GROUP_TONES, index = first + place / IMAGO_HASHES;
  const uint slot = state[tone_slots_at(a) + index]; /* valid or not: memory is large enough */
  const uint count = tones_before(store, round + 1);
  const bool takes = index < count && lane < IMAGO_LANES;
#if IMAGO_MEDIAN
  if (first == 0) { /* the check adds to these words */
    for (uint bin = i; bin < IMAGO_BINS; bin += GROUP) state[IMAGO_HISTOGRAM + bin] = 0;
    if (i == 0) state[IMAGO_WORST] = 0;
  }
#endif
  if (first >= count) return;
  if (takes) {
    const uint g = multiply_modulo(a, a->sigma[hash], frequency_of(store, slot));
    const Bucket bucket = {hash, bucket_of(a, g)};
    const size_t at = place_of(slot, hash);
    __global const complex_t *phases_here = phases_of(store, at);
    complex_t sum = held(a, values_of(a, spectra, bucket), phases_here, lane);
    if (IS_PENDING) sum -= held_pending(store, bucket, phases_here, lane, round, pass);
    sums[i] = sum / (real)a->shifts;
    if (lane == IMAGO_LANES - 1) responses[place] = weight_of(store, at, IMAGO_NEIGHBOURS);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (takes && lane == 0) {
    complex_t sum = sums[place];
    for (uint other = 1; other < IMAGO_LANES; ++other) sum += sums[other * PLACES + place];
    sums[place] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (takes && hash == 0 && lane == 0)
    correct(store, index, round, pass, combine(sums + place, responses + place));
}

#if !IMAGO_WHOLE
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void PHASE_REFINE(ARGUMENTS) {
  __local Refining refining;
  const Store store = STORE;
  refine(&store, spectra, round, turn, (uint)get_group_id(0), &refining);
}
#endif
