/* Measures what is left after the last round. The first groups, a work-item per bucket of each hash,
   subtract what the refinement changed and count the energies that are left; the others, a group
   per check, compare the signal at a random sample with the sum of the tones there. */

#define GROUP 256

/* 4 bins per octave below the largest energy. */
static inline uint bin_of(float energy, uint peak) {
  const int below = (int)(peak >> 21) - (int)(as_uint(energy) >> 21);
  return (uint)clamp(IMAGO_BINS - 5 - below, 0, IMAGO_BINS - 1);
}

static inline void measure_bucket(const Store *store, __global complex_t *spectra, uint item,
                           __local uint *bins, __local uint *largest) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  const Bucket bucket = {item >> a->log_buckets, item & (buckets_of(a) - 1)};
  __global complex_t *spectrum = values_of(a, spectra, bucket);
  complex_t values[IMAGO_MAX_SHIFTS];
  for (uint t = 0; t < a->shifts; ++t) values[t] = spectrum[(size_t)t << a->log_buckets];
  for (int d = -IMAGO_NEIGHBOURS; d <= IMAGO_NEIGHBOURS; ++d) {
    const uint near = (bucket.index + (uint)d) & (buckets_of(a) - 1);
    uint slot = state[heads_at(a) + bucket.hash * buckets_of(a) + near];
    while (slot != 0) {
      subtract(store, bucket, slot - 1, store->amplitudes[(size_t)2 * slots_of(a) + slot - 1],
               values);
      slot = state[next_at(a) + (size_t)bucket.hash * slots_of(a) + slot - 1];
    }
  }
  real energy = 0;
  for (uint t = 0; t < a->shifts; ++t) {
    spectrum[(size_t)t << a->log_buckets] = values[t];
    energy += square(values[t]);
  }
  const float left = (float)(energy / (real)a->shifts);
  const uint i = (uint)get_local_id(0);
  bins[i] = 0;
  if (i == 0) *largest = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!(left <= as_float(*largest))) atomic_max(largest, as_uint(left));
  atomic_inc(&bins[bin_of(left, state[IMAGO_PEAK])]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) atomic_max((volatile __global uint *)&state[IMAGO_WORST], *largest);
  if (bins[i] != 0) atomic_add((volatile __global uint *)&state[IMAGO_HISTOGRAM + i], bins[i]);
}

/* Adds a tone's value at a time. */
static inline void add_tone(const Attempt *a, __global const uint *state, uint index, uint time,
                     __local real *re, __local real *im) {
  __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
#if IMAGO_DOUBLE
  const real x = as_double((uint2)(tone[2], tone[3])), y = as_double((uint2)(tone[4], tone[5]));
#else
  const real x = as_float(tone[2]), y = as_float(tone[3]);
#endif
  real cosine;
  const real sine = sine_cosine(phase_of(a, multiply_modulo(a, tone[0], time)), &cosine);
  *re += x * cosine - y * sine;
  *im += x * sine + y * cosine;
}

/* A random time, from the seed and the number of the check (Steele, Lea, Flood: OOPSLA 2014). */
static inline uint check_time(const Attempt *a, uint check) {
  ulong z = a->check_seed + (check + 1) * 0x9e3779b97f4a7c15ul;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
  return (uint)mul_hi(z ^ (z >> 31), a->length);
}

static inline void check_sample(const Store *store, __global const signal_t *signal, uint count,
                         uint check, __local real *re, __local real *im) {
  const Attempt *a = store->a;
  const uint i = (uint)get_local_id(0), time = check_time(a, check);
  re[i] = im[i] = 0;
  for (uint first = 0; first < count; first += GROUP) {
    barrier(CLK_LOCAL_MEM_FENCE); /* CPUs: what lies between barriers becomes vectors */
    if (first + i < count) add_tone(a, store->state, first + i, time, &re[i], &im[i]);
  }
  for (uint apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) re[i] += re[i + apart], im[i] += im[i + apart];
  }
  if (i != 0) return;
#if IMAGO_REAL_SIGNAL
  const complex_t x = (complex_t)(signal[a->signal_offset + time], 0);
#else
  const complex_t x = signal[a->signal_offset + time];
#endif
  __global uint *result = store->state + IMAGO_CHECK + 3 * check;
  result[0] = as_uint((float)square(x - (complex_t)(re[0], im[0])));
  result[1] = as_uint((float)square(x));
  result[2] = as_uint((float)max(fabs(x.x), fabs(x.y)));
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_check(ARGUMENTS) {
  __local real re[GROUP], im[GROUP];
  __local uint bins[IMAGO_BINS];
  __local uint largest;
  const Store store = STORE;
  const uint of_buckets = (IMAGO_HASHES << a.log_buckets) / GROUP, group = (uint)get_group_id(0);
  if (group < of_buckets)
    measure_bucket(&store, spectra, (uint)get_global_id(0), bins, &largest);
  else
    check_sample(&store, signal, tones_before(&store, round + 1), group - of_buckets, re, im);
}
