/* One round of peeling. It subtracts the results of the round before. If a bucket then holds one
   clear tone, it reads the tone's frequency from the phases between the shifts, each of which
   determines a few more bits. The groups after those of the buckets add the results of the round
   before to the amplitudes. */

#define PARTS (GROUP / PROBES)
/* Used for barriers under a condition that all work-items of a group share; PoCL 3.1 compiles them
   wrong. */
#define UNLESS_CPU(condition) (IMAGO_LANES == 1 || (condition))
#define NOWHERE 0xffffffffu /* no frequency; n is smaller */
#define IS_NEW 1u
#define IS_LISTED 2u
#define IS_EVENT 4u

/* The shared data of a group about its buckets. */
typedef struct {
  real energies[BUCKETS];
  uint ranks[GROUP]; /* partial ranks */
  uint maxima[MAXIMA];
  complex_t first[BUCKETS];            /* values at shift 0 */
  uint angles[IMAGO_SHIFTS * BUCKETS]; /* angles from shift 0, in 2^-32 of a turn */
  uint places[BUCKETS];                /* g, or NOWHERE */
  union {                              /* used one after the other */
    complex_t sums[GROUP];             /* sums over a lane's shifts */
    Gathered gathered;
  };
  uint frequencies[BUCKETS], slots[BUCKETS], parts[BUCKETS]; /* to be filed; IS_.. flags */
  uint fresh[BUCKETS], fresh_count; /* buckets with new tones */
  uint known; /* tones that were found before this round */
  real quantile;
} Decoding;

/* Returns the 15 % quantile of some of the group's energies; infinity if they are NaN. */
static inline real noise_energy(const Seat *seat, __local Decoding *d) {
  const uint probe = seat->item % PROBES, part = seat->item / PROBES;
  if (seat->item == 0) d->quantile = INFINITY;
  const real mine = d->energies[probe];
  uint rank = 0;
  for (uint i = 0; i < PROBES / PARTS; ++i) {
    const uint other = part * (PROBES / PARTS) + i;
    const real energy = d->energies[other];
    rank += (energy < mine) | ((energy == mine) & (other < probe)); /* no branch, for vectors */
  }
  d->ranks[seat->item] = rank;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part == 0) {
    for (uint i = 1; i < PARTS; ++i) rank += d->ranks[i * PROBES + probe];
    if (rank == PROBES * 15 / 100 && mine == mine) d->quantile = mine;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return d->quantile;
}

/* Returns the angle of a number in 2^-32 of a turn, with an error of 2^-16 turns; the location
   needs 2^-5. It uses the odd polynomial nearest to atan(q) / (2 pi) on [0, 1] (Remez'
   algorithm). */
static inline uint angle_of(complex_t v) {
  const real x = fabs(v.x), y = fabs(v.y);
  const float q = (float)(min(x, y) / max(x, y)), s = q * q;
  float turn = fma(s, -0.0062048964f, 0.023278712f);
  turn = fma(s, turn, -0.051116584f);
  turn = q * fma(s, turn, 0.15902982f);
  turn = y > x ? 0.25f - turn : turn;
  turn = v.x < 0 ? 0.5f - turn : turn;
  turn = v.y < 0 ? -turn : turn;
  return (uint)((int)(turn * 1073741824.0f) << 2);
}

/* Computes the angles between a bucket's values and its first one. */
static inline void find_angles(const Attempt *a, const Seat *seat, const complex_t *values,
                        __local Decoding *d) {
#pragma unroll
  for (uint i = 0; i < HELD; ++i) {
    const uint t = seat->lane + i * IMAGO_LANES;
    if (t == 0 || t >= a->shifts) continue;
    const complex_t turned = times_conjugate(values[i], d->first[seat->of_group]);
    d->angles[t * BUCKETS + seat->of_group] = angle_of(turned);
  }
}

/* Returns the frequency that matches a bucket's angles; NOWHERE if it is nearer to another
   bucket. */
static inline uint locate(const Attempt *a, const Seat *seat, __local const uint *angles) {
  const ulong rounding = ((ulong)1 << 63) / a->length;
  ulong position = (ulong)seat->bucket.index << (64 - a->log_buckets);
  for (uint t = 1; t < a->shifts; ++t) {
    const uint exponent = a->exponents[t - 1];
    const ulong phase = (ulong)angles[t * BUCKETS + seat->of_group] << 32;
    position += (ulong)((long)(phase - (position << exponent)) >> exponent);
  }
  const uint g = (uint)mul_hi(position + rounding, a->length);
  return bucket_of(a, g) == seat->bucket.index ? g : NOWHERE;
}

/* Returns a lane's part of the sum of a bucket's values, each rotated back by its shift's phase. */
static inline complex_t turn_back(const Attempt *a, const Seat *seat, uint g,
                                  const complex_t *values) {
  complex_t sum = (complex_t)(0);
#pragma unroll
  for (uint i = 0; i < HELD; ++i) {
    const uint t = seat->lane + i * IMAGO_LANES;
    if (t < a->shifts) sum += times_conjugate(values[i], shift_phase(a, g, t));
  }
  return sum;
}

/* Returns the slot of a frequency in the hash table of tones, slots_of() if there is no space; and
   whether the tone is new. */
static inline uint find_slot(const Store *store, uint f, bool *is_new) {
  const Attempt *a = store->a;
  uint slot = slot_hash(a, f);
  for (uint probe = 0; probe < 64; ++probe) {
    volatile __global uint *key = &store->state[keys_at(a) + slot];
    const uint before = atomic_cmpxchg(key, 0u, f + 1);
    *is_new = before == 0;
    if (*is_new || before == f + 1) return slot;
    slot = (slot + 1) & (slots_of(a) - 1);
  }
  return slots_of(a);
}

/* Records the result of a hash: amplitude and certainty. The first hash that finds a tone files the
   tone; the first one in a round files the event. */
static inline void note(const Store *store, const Seat *seat, uint f, real4 found, uint round,
                 __local Decoding *d) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  bool is_new;
  const uint slot = find_slot(store, f, &is_new);
  if (slot == slots_of(a)) return;
  /* Starts both atomics before it waits for either. */
  const uint stamp = atomic_xchg((volatile __global uint *)&state[stamps_at(a) + slot], round);
  uint index = a->capacity;
  if (is_new)
    index = d->known + atomic_inc((volatile __global uint *)&state[IMAGO_CREATED + round]);
  cells_of(store, slot, round)[seat->bucket.hash] = found;
  uint parts = 0;
  if (is_new) {
    parts |= IS_NEW; /* even if the list is full: others may find the tone, and subtract it */
    d->fresh[atomic_inc(&d->fresh_count)] = seat->of_group;
  }
  if (index < a->capacity) {
    state[tone_slots_at(a) + index] = slot;
    store->amplitudes[slot] = (complex_t)(0);
    parts |= IS_LISTED;
  }
  if (stamp != round) {
    state[IMAGO_EVENTS + round] = 1;
    parts |= IS_EVENT;
  }
  d->frequencies[seat->of_group] = f;
  d->slots[seat->of_group] = slot;
  d->parts[seat->of_group] = parts;
}

/* Records the tone of a bucket, if the bucket holds exactly one. */
static inline void decode(const Store *store, const Seat *seat, real noise, uint round,
                   __local Decoding *d) {
  const Attempt *a = store->a;
  const uint g = d->places[seat->of_group];
  if (g == NOWHERE) return;
  complex_t mean = d->sums[seat->item];
  for (uint lane = 1; lane < IMAGO_LANES; ++lane) mean += d->sums[lane * BUCKETS + seat->item];
  mean /= (real)a->shifts;
  const real size = square(mean),
             rest = max(d->energies[ENERGY_AT(seat->of_group)] - size, (real)0);
  if (!(size > a->threshold * a->threshold * noise)) return;
  if (!(rest <= 3 * noise + (real)0.0025 * size)) return;
  const uint f = multiply_modulo(a, a->inverse[seat->bucket.hash], g);
  const complex_t amplitude = times_conjugate(mean, start_phase(a, f, seat->bucket.hash)) /
                              response(offset_of(a, g, seat->bucket.index));
  note(store, seat, f, (real4)(amplitude, 1 / (rest / size + (real)1e-6), stamp_of(a, round)),
       round, d);
}

/* Files the recorded tone of a bucket; its work-items share the hashes. */
static inline void file(const Store *store, const Seat *seat, uint round,
                        __local const Decoding *d) {
  const uint parts = d->parts[seat->of_group], slot = d->slots[seat->of_group],
             f = d->frequencies[seat->of_group];
  if (parts == 0) return;
  for (uint hash = seat->lane; hash < IMAGO_HASHES; hash += IMAGO_LANES) {
    if (parts & IS_LISTED) file_tone(store, slot, f, hash);
    if (parts & IS_EVENT) file_event(store, slot, f, hash, round);
  }
}

/* Stores the phases and weights of the new tones. The group shares them, phases first, so that
   adjacent work-items execute the same code. */
static inline void file_traces(const Store *store, const Seat *seat, __local const Decoding *d) {
  const uint shifts = store->a->shifts, places = d->fresh_count * IMAGO_HASHES;
  for (uint i = seat->item; i < places * TRACES(store->a); i += GROUP) {
    const bool is_phase = i < places * shifts;
    const uint rest = i - places * shifts, place = is_phase ? i / shifts : rest / SPAN;
    const uint bucket = d->fresh[place / IMAGO_HASHES];
    file_trace(store, d->slots[bucket], d->frequencies[bucket], place % IMAGO_HASHES,
               is_phase ? i % shifts : shifts + rest % SPAN);
  }
}

/* Adds the results of the round before to the tones' amplitudes; one work-item per tone. */
static inline void add_events(const Store *store, uint index, uint round) {
  if (index >= tones_before(store, round)) return;
  const uint slot = store->state[tone_slots_at(store->a) + index];
  store->amplitudes[slot] += event_of(store, slot, round - 1);
}

static inline void peel_buckets(const Store *store, __global complex_t *spectra, uint round,
                                uint group, __local Decoding *d) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  const Seat seat = take_seat(a, group);
  __global complex_t *spectrum = values_of(a, spectra, seat.bucket);
  /* Starts all loads from global memory before it waits for any. */
  const List list = seen_from(store, &seat, list_of_events(a, seat.bucket.hash, round - 1));
  const bool any_events = state[IMAGO_EVENTS + round - 1] != 0;
  complex_t values[HELD];
  load_values(a, &seat, spectrum, values);
  if (seat.item == GROUP - 1) d->known = tones_before(store, round), d->fresh_count = 0;
  __local real *parts = (__local real *)d->sums;
  const bool is_first = round == IMAGO_FIRST_ROUND;
  if (UNLESS_CPU(is_first)) {
    find_energies(a, &seat, is_first ? energy_of(values) : 0, parts, d->energies);
    raise_to_largest(&seat, d->energies, d->maxima, is_first ? &state[IMAGO_PEAK] : 0);
  }
  if (any_events) {
    subtract_list(store, &seat, list, 0, &d->gathered, values);
    store_values(a, &seat, spectrum, values);
  }
  if (UNLESS_CPU(any_events || !is_first))
    find_energies(a, &seat, energy_of(values), parts, d->energies);
  real noise = (real)(1.15 * 1.15) * noise_energy(&seat, d);
  /* The peak of all buckets is known after the first round. */
  if (!is_first)
    noise += (real)(a->own_noise * a->own_noise) * (real)as_float(state[IMAGO_PEAK]);

  /* There are no early returns below, although most groups have no candidate: PoCL 3.1 computed
     wrong results for a return between barriers that depends on local memory. */
  const bool candidate =
      d->energies[ENERGY_AT(seat.of_group)] > a->threshold * a->threshold * noise;
  if (seat.lane == 0) d->first[seat.item] = values[0], d->parts[seat.item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (candidate) find_angles(a, &seat, values, d);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (seat.lane == 0) d->places[seat.item] = candidate ? locate(a, &seat, d->angles) : NOWHERE;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint g = d->places[seat.of_group];
  if (g != NOWHERE) d->sums[seat.item] = turn_back(a, &seat, g, values);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (seat.lane == 0) decode(store, &seat, noise, round, d);
  barrier(CLK_LOCAL_MEM_FENCE);
  file(store, &seat, round, d);
  file_traces(store, &seat, d);
}

/* Executes a round; every round but the first does nothing if the round before found nothing. */
static inline void peel(const Store *store, __global complex_t *spectra, uint round, bool is_first,
                        uint group, __local Decoding *decoding) {
  const uint of_buckets = OF_BUCKETS(store->a);
  if (!is_first && store->state[IMAGO_EVENTS + round - 1] == 0) return;
  if (group < of_buckets)
    peel_buckets(store, spectra, round, group, decoding);
  else
    add_events(store, (group - of_buckets) * GROUP + local_item(), round);
}

#if !IMAGO_WHOLE
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_peel(ARGUMENTS) {
  __local Decoding decoding;
  const Store store = STORE;
  peel(&store, spectra, round, round <= turn, (uint)get_group_id(0), &decoding);
}
#endif
