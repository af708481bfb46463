/* What the stages share that look at every bucket: a group takes IMAGO_BUCKETS neighbours of one hash with
   IMAGO_LANES work-items each, which hold the values at every IMAGO_LANES-th shift. Items of a lane lie
   together, so that they load and store neighbours. */

#define BUCKETS IMAGO_BUCKETS
#define GROUP (BUCKETS * IMAGO_LANES)
#define HELD (IMAGO_MAX_SHIFTS / IMAGO_LANES)

/* Where a work-item sits. */
typedef struct {
  uint item, of_group, lane; /* in the group; its bucket, in the group */
  Bucket bucket, first;      /* its own, and the group's first */
} Seat;

static inline Seat take_seat(const Attempt *a) {
  const uint item = (uint)get_local_id(0), first = (uint)get_group_id(0) * BUCKETS;
  const uint hash = first >> a->log_buckets, index = first & (buckets_of(a) - 1);
  const Seat seat = {item, item % BUCKETS, item / BUCKETS, {hash, index + item % BUCKETS}, {hash, index}};
  return seat;
}

static inline void load_values(const Attempt *a, const Seat *seat, __global const complex_t *spectrum,
                        complex_t *values) {
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

/* The mean energy of each of the group's buckets over the shifts; parts: GROUP numbers. */
static inline void find_energies(const Attempt *a, const Seat *seat, const complex_t *values,
                          __local real *parts, __local real *energies) {
  real energy = 0;
#pragma unroll
  for (uint i = 0; i < HELD; ++i) energy += square(values[i]);
  parts[seat->item] = energy;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (seat->lane == 0) {
    for (uint lane = 1; lane < IMAGO_LANES; ++lane) energy += parts[lane * BUCKETS + seat->item];
    energies[seat->item] = energy / (real)a->shifts;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* The largest of the group's energies, or one that is not a number, as the word that holds it, for the
   group's first item; largest: zero before. */
static inline uint find_largest(const Seat *seat, __local const real *energies, __local uint *largest) {
  if (seat->lane == 0) {
    const float energy = (float)energies[seat->item];
    if (!(energy <= as_float(*(volatile __local uint *)largest))) atomic_max(largest, as_uint(energy));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *largest;
}

/* Subtracts from the values what is pending in the lists of a hash: what a round found, or what is left
   of all tones after a pass of refinement. */
static inline void subtract_list(const Store *store, const Seat *seat, List list, uint pass,
                          complex_t *values) {
  const Attempt *a = store->a;
  for (uint d = 0; d < SPAN; ++d) {
    uint slot = first_of(store, list, seat->bucket.index + d - IMAGO_NEIGHBOURS);
    while (slot != 0) {
      const size_t place = place_of(slot - 1, seat->bucket.hash);
      const complex_t pending = list.round != 0 ? event_of(store, slot - 1, list.round)
                                               : *pending_after(store, slot - 1, pass);
      const complex_t share = pending * weight_of(store, place, d);
      __global const complex_t *phases = phases_of(store, place);
#pragma unroll
      for (uint i = 0; i < HELD; ++i) {
        const uint t = seat->lane + i * IMAGO_LANES;
        if (t < a->shifts) values[i] -= times(share, phases[t]);
      }
      slot = store->state[list.next + slot - 1];
    }
  }
}
