/* One round of peeling, a work-item per bucket of each hash: subtracts what the round before found,
   and where the bucket then holds one clear tone, reads its frequency from the phases between the
   shifts, each of which decides a few more bits. */

#define GROUP 256
#define PROBES (GROUP / 4) /* buckets whose energies say what is noise */

typedef struct {
  uint frequency; /* f */
  complex_t amplitude;
  real certainty;
} Tone;

/* The 15 % quantile of a part of the group's energies; infinite where they are not numbers. And the
   largest of all `size`, into peak. Every item of the group must come here. */
static inline real noise_energy(real energy, float size, __local real *energies,
                         __local real *quantile, __local uint *peak) {
  const uint i = (uint)get_local_id(0);
  if (i == 0) *quantile = INFINITY, *peak = 0;
  if (i % (GROUP / PROBES) == 0) energies[i / (GROUP / PROBES)] = energy;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!(size <= as_float(*peak))) atomic_max(peak, as_uint(size));
  if (i < PROBES) {
    const real mine = energies[i];
    uint less = 0, equal = 0;
    for (uint j = 0; j < PROBES; ++j) {
      less += energies[j] < mine;
      equal += energies[j] == mine;
    }
    const uint wanted = PROBES * 15 / 100;
    if (less <= wanted && wanted < less + equal) *quantile = mine;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *quantile;
}

/* The frequency that the phases of the shifts agree on, as a share of a turn. */
static inline ulong locate(const Attempt *a, uint bucket, const complex_t *values) {
  ulong position = (ulong)bucket << (64 - a->log_buckets);
  for (uint t = 1; t < a->shifts; ++t) {
    const complex_t turned = times_conjugate(values[t], values[0]);
    const uint exponent = a->exponents[t - 1];
    const ulong phase =
        (ulong)(long)(atan2pi(turned.y, turned.x) * (real)4611686018427387904.0) << 1;
    position += (ulong)((long)(phase - (position << exponent)) >> exponent);
  }
  return position;
}

/* Whether the bucket holds one tone whose nearest bucket it is, and which. */
static inline bool decode(const Attempt *a, Bucket bucket, real noise, const complex_t *values,
                   Tone *tone) {
  const ulong rounding = ((ulong)1 << 63) / a->length;
  const uint g = (uint)mul_hi(locate(a, bucket.index, values) + rounding, a->length);
  if (bucket_of(a, g) != bucket.index) return false;
  complex_t mean = (complex_t)(0);
  real energy = 0;
  for (uint t = 0; t < a->shifts; ++t) {
    mean += times_conjugate(values[t], shift_phase(a, g, t));
    energy += square(values[t]);
  }
  mean /= (real)a->shifts;
  const real size = square(mean), rest = max(energy / (real)a->shifts - size, (real)0);
  if (!(size > a->threshold * a->threshold * noise)) return false;
  if (!(rest <= 3 * noise + (real)0.0025 * size)) return false;
  tone->frequency = multiply_modulo(a, a->inverse[bucket.hash], g);
  const complex_t start = start_phase(a, tone->frequency, bucket.hash);
  tone->amplitude = times_conjugate(mean, start) / response(offset_of(a, g, bucket.index));
  tone->certainty = 1 / (rest / size + (real)1e-6);
  return true;
}

/* The slot of a frequency in the table of tones; slots_of() where there is no room. */
static inline uint find_slot(const Store *store, uint f) {
  const Attempt *a = store->a;
  uint slot = slot_hash(a, f);
  for (uint probe = 0; probe < 64; ++probe) {
    volatile __global uint *key = &store->state[keys_at(a) + slot];
    const uint before = atomic_cmpxchg(key, 0u, f + 1);
    if (before == 0 || before == f + 1) return slot;
    slot = (slot + 1) & (slots_of(a) - 1);
  }
  return slots_of(a);
}

/* Notes what a hash found. The first hash that finds a tone in a round files it. */
static inline void note(const Store *store, const Tone *tone, uint hash, uint round) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  const uint slot = find_slot(store, tone->frequency);
  if (slot == slots_of(a)) return;
  const size_t cell = ((size_t)(round & 1) * slots_of(a) + slot) * IMAGO_HASHES + hash;
  store->cells[cell] = (real4)(tone->amplitude, tone->certainty, 0);
  state[tags_at(a) + cell] = round;
  const uint stamp = atomic_xchg((volatile __global uint *)&state[stamps_at(a) + slot], round);
  if (stamp == round) return;
  if (stamp == 0) {
    volatile __global uint *created = &state[IMAGO_CREATED + round];
    const uint index = tones_before(store, round) + atomic_inc(created);
    if (index >= a->capacity) return;
    state[tone_slots_at(a) + index] = slot;
    store->amplitudes[slot] = (complex_t)(0);
    file_tone(store, slot, tone->frequency);
  }
  state[IMAGO_EVENTS + round] = 1;
  file_event(store, slot, tone->frequency, round);
}

/* Subtracts what the round before found near a bucket. */
static inline void subtract_events(const Store *store, Bucket bucket, uint before, complex_t *values) {
  const Attempt *a = store->a;
  const size_t list = (before & 1) * IMAGO_HASHES + bucket.hash;
  for (int d = -IMAGO_NEIGHBOURS; d <= IMAGO_NEIGHBOURS; ++d) {
    const uint near = (bucket.index + (uint)d) & (buckets_of(a) - 1);
    const uint head = store->state[event_heads_at(a) + list * buckets_of(a) + near];
    if (head >> ROUND_SHIFT != before) continue;
    uint slot = head & ((1u << ROUND_SHIFT) - 1);
    while (slot != 0) {
      subtract(store, bucket, slot - 1, event_of(store, slot - 1, before), values);
      slot = store->state[event_next_at(a) + list * slots_of(a) + slot - 1];
    }
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_peel(ARGUMENTS) {
  __local real energies[PROBES];
  __local real quantile;
  __local uint peak;
  const Store store = STORE;
  const uint item = (uint)get_global_id(0), before = round - 1;
  if (round > first_round && state[IMAGO_EVENTS + before] == 0) return;
  const uint known = tones_before(&store, round);
  for (uint i = item; i < known; i += get_global_size(0)) {
    const uint slot = state[tone_slots_at(&a) + i];
    amplitudes[slot] += event_of(&store, slot, before);
  }

  const Bucket bucket = {item >> a.log_buckets, item & (buckets_of(&a) - 1)};
  __global complex_t *spectrum = values_of(&a, spectra, bucket);
  complex_t values[IMAGO_MAX_SHIFTS];
  real energy = 0;
  for (uint t = 0; t < a.shifts; ++t) {
    values[t] = spectrum[(size_t)t << a.log_buckets];
    energy += square(values[t]);
  }
  const float size = round == IMAGO_FIRST_ROUND ? (float)(energy / (real)a.shifts) : 0;
  if (state[IMAGO_EVENTS + before] != 0) {
    subtract_events(&store, bucket, before, values);
    energy = 0;
    for (uint t = 0; t < a.shifts; ++t) {
      spectrum[(size_t)t << a.log_buckets] = values[t];
      energy += square(values[t]);
    }
  }
  energy /= (real)a.shifts;
  real noise = (real)(1.15 * 1.15) * noise_energy(energy, size, energies, &quantile, &peak);
  if (round == IMAGO_FIRST_ROUND && get_local_id(0) == 0)
    atomic_max((volatile __global uint *)&state[IMAGO_PEAK], peak);
  /* The peak of all buckets is known after the first round. */
  if (round != IMAGO_FIRST_ROUND)
    noise += (real)(a.own_noise * a.own_noise) * (real)as_float(state[IMAGO_PEAK]);
  Tone tone;
  if (energy > a.threshold * a.threshold * noise && decode(&a, bucket, noise, values, &tone))
    note(&store, &tone, bucket.hash, round);
}
