/* This file holds the common part of the stages that process every bucket. A group has
   IMAGO_BUCKETS adjacent buckets of one hash, with IMAGO_LANES work-items each, which hold the
   values at every IMAGO_LANES-th shift. Work-items of a lane are adjacent, so that they load and
   store adjacent elements. */

#define BUCKETS IMAGO_BUCKETS
#define OF_BUCKETS(a) ((IMAGO_HASHES << (a)->log_buckets) / BUCKETS) /* groups for the buckets */
#define HELD ((IMAGO_SHIFTS + IMAGO_LANES - 1) / IMAGO_LANES)

/* The place of a work-item. */
typedef struct {
  uint item, of_group, lane; /* in the group; its bucket, in the group; its lane */
  Bucket bucket, first;      /* its own bucket, and the group's first one */
} Seat;

static inline Seat take_seat(const Attempt *a, uint group) {
  const uint item = local_item(), first = group * BUCKETS;
  const uint hash = first >> a->log_buckets, index = first & (buckets_of(a) - 1);
  const Seat seat = {
      item, item % BUCKETS, item / BUCKETS, {hash, index + item % BUCKETS}, {hash, index}};
  return seat;
}

static inline void load_values(const Attempt *a, const Seat *seat,
                               __global const complex_t *spectrum, complex_t *values) {
#pragma unroll
  for (uint i = 0; i < HELD; ++i) {
    const uint t = seat->lane + i * IMAGO_LANES;
    values[i] = t < a->shifts ? spectrum[(size_t)t << a->log_buckets] : (complex_t)(0);
  }
}

static inline void store_values(const Attempt *a, const Seat *seat, __global complex_t *spectrum,
                         const complex_t *values) {
#pragma unroll
  for (uint i = 0; i < HELD; ++i) {
    const uint t = seat->lane + i * IMAGO_LANES;
    if (t < a->shifts) spectrum[(size_t)t << a->log_buckets] = values[i];
  }
}

static inline real energy_of(const complex_t *values) {
  real energy = 0;
#pragma unroll
  for (uint i = 0; i < HELD; ++i) energy += square(values[i]);
  return energy;
}

/* The place of a bucket's energy in the group. Every (BUCKETS / PROBES)-th bucket is stored
   together: these buckets determine the noise, and CPUs then compare them as vectors. */
#define PROBES 64
#define ENERGY_AT(bucket) ((bucket) % (BUCKETS / PROBES) * PROBES + (bucket) / (BUCKETS / PROBES))

/* Computes the mean energy over the shifts of each of the group's buckets, from the energies of the
   work-items. `parts` has GROUP numbers. */
static inline void find_energies(const Attempt *a, const Seat *seat, real energy,
                          __local real *parts, __local real *energies) {
  parts[seat->item] = energy;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (seat->lane == 0) {
    for (uint lane = 1; lane < IMAGO_LANES; ++lane) energy += parts[lane * BUCKETS + seat->item];
    energies[ENERGY_AT(seat->of_group)] = energy / (real)a->shifts;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

#define MAXIMA 8

/* Raises a word to the largest of the group's energies, or to one that is NaN; does nothing if
   `word` is 0. Every work-item of the group must call it. */
static inline void raise_to_largest(const Seat *seat, __local const real *energies,
                             __local uint *maxima, volatile __global uint *word) {
  if (word != 0 && seat->item < MAXIMA) {
    uint largest = 0;
    for (uint i = seat->item; i < BUCKETS; i += MAXIMA)
      largest = max(largest, as_uint((float)energies[i]));
    maxima[seat->item] = largest;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (word == 0 || seat->item != 0) return;
  uint largest = 0;
  for (uint i = 0; i < MAXIMA; ++i) largest = max(largest, maxima[i]);
  atomic_max(word, largest);
}

/* Returns the part of a listed tone that is not subtracted yet: the result of a round, or the
   remainder after a pass of refinement. */
static inline complex_t pending_of(const Store *store, List list, uint slot, uint pass) {
  return list.round != 0 ? event_of(store, slot, list.round) : *pending_after(store, slot, pass);
}

#if IMAGO_LANES == 1

typedef struct {
  uint unused;
} Gathered;

static inline List seen_from(const Store *store, const Seat *seat, List list) { return list; }

/* Subtracts the pending tones in the lists of a hash from the values. On CPUs each work-item
   follows the lists that reach its bucket. */
static inline void subtract_list(const Store *store, const Seat *seat, List list, uint pass,
                          __local Gathered *gathered, complex_t *values) {
  const Attempt *a = store->a;
  for (uint d = 0; d < SPAN; ++d) {
    uint slot = first_of(store, list, seat->bucket.index + d - IMAGO_NEIGHBOURS);
    while (slot != 0) {
      const size_t place = place_of(slot - 1, seat->bucket.hash);
      const complex_t share = pending_of(store, list, slot - 1, pass) * weight_of(store, place, d);
      __global const complex_t *phases = phases_of(store, place);
      for (uint t = 0; t < a->shifts; ++t) values[t] -= times(share, phases[t]);
      slot = store->state[list.next + slot - 1];
    }
  }
}

#else

#define NEAR (BUCKETS + SPAN - 1) /* buckets whose tones reach the group's buckets */
#define ENTRIES 32                /* tones at a time: twice as many as usual */

/* The tones near the group. */
typedef struct {
  uint count;            /* number of tones, which may exceed ENTRIES */
  uint buckets[ENTRIES]; /* counted from the first one with a tone that reaches the group */
  uint slots[ENTRIES];
  complex_t amplitudes[ENTRIES];
  complex_t shares[ENTRIES * SPAN]; /* in the buckets that they reach */
  complex_t phases[ENTRIES * IMAGO_SHIFTS];
} Gathered;

/* Adds to a list the first slot that the work-item follows. The load begins early, before there is
   anything to wait for. */
static inline List seen_from(const Store *store, const Seat *seat, List list) {
  if (seat->item < NEAR)
    list.near = first_of(store, list, seat->first.index + seat->item - IMAGO_NEIGHBOURS);
  return list;
}

/* Collects tones of a bucket's list for the group, up to ENTRIES; returns the first slot that is
   left. */
static inline uint gather(const Store *store, uint bucket, List list, uint pass, uint slot,
                   __local Gathered *gathered) {
  while (slot != 0) {
    const uint entry = atomic_inc(&gathered->count);
    if (entry >= ENTRIES) break;
    gathered->buckets[entry] = bucket;
    gathered->slots[entry] = slot - 1;
    gathered->amplitudes[entry] = pending_of(store, list, slot - 1, pass);
    slot = store->state[list.next + slot - 1];
  }
  return slot;
}

/* Loads the tones' weights in the buckets and their phases at the shifts. */
static inline void unfold(const Store *store, const Seat *seat, uint count,
                          __local Gathered *gathered) {
  const uint shifts = store->a->shifts, each = SPAN + shifts;
  for (uint i = seat->item; i < count * each; i += GROUP) {
    const uint entry = i / each, rest = i % each;
    const size_t place = place_of(gathered->slots[entry], seat->bucket.hash);
    if (rest < SPAN)
      gathered->shares[entry * SPAN + rest] =
          gathered->amplitudes[entry] * weight_of(store, place, rest);
    else
      gathered->phases[entry * shifts + rest - SPAN] = phases_of(store, place)[rest - SPAN];
  }
}

/* Subtracts the pending tones in the lists of a hash, prepared by seen_from(), from the values. On
   GPUs the group follows the lists together, because a single work-item would wait for one load
   after the other. Every work-item of the group must call it. */
static inline void subtract_list(const Store *store, const Seat *seat, List list, uint pass,
                          __local Gathered *gathered, complex_t *values) {
  const uint shifts = store->a->shifts;
  uint slot = list.near, wished;
  do {
    if (seat->item == 0) gathered->count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    slot = gather(store, seat->item, list, pass, slot, gathered);
    barrier(CLK_LOCAL_MEM_FENCE);
    wished = gathered->count;
    const uint count = min(wished, (uint)ENTRIES);
    unfold(store, seat, count, gathered);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint entry = 0; entry < count; ++entry) {
      const uint d = gathered->buckets[entry] - seat->of_group;
      if (d >= SPAN) continue;
      const complex_t share = gathered->shares[entry * SPAN + d];
#pragma unroll
      for (uint i = 0; i < HELD; ++i) {
        const uint t = seat->lane + i * IMAGO_LANES;
        if (t < shifts) values[i] -= times(share, gathered->phases[entry * shifts + t]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tones may be overwritten */
  } while (wished > ENTRIES);
}

#endif
