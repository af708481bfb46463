/* Measures what is left after the last round. The first groups, which take buckets, subtract what the
   refinement changed and count the energies that are left; the others, a group per check, compare
   the signal at a random sample with the sum of the tones there. */

typedef struct {
  real energies[BUCKETS], parts[GROUP];
  Gathered gathered;
  uint bins[IMAGO_BINS];
  uint maxima[MAXIMA];
} Left;

static inline void measure_buckets(const Store *store, __global complex_t *spectra, uint passes,
                            __local Left *left) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  const Seat seat = take_seat(a);
  __global complex_t *spectrum = values_of(a, spectra, seat.bucket);
  complex_t values[HELD];
  load_values(a, &seat, spectrum, values);
  for (uint bin = seat.item; bin < IMAGO_BINS; bin += GROUP) left->bins[bin] = 0;
  subtract_list(store, &seat, list_of_tones(a, seat.bucket.hash), passes, &left->gathered,
                values);
  store_values(a, &seat, spectrum, values);
  find_energies(a, &seat, energy_of(values), left->parts, left->energies);
  if (seat.lane == 0)
    atomic_inc(&left->bins[bin_below((float)left->energies[seat.item], state[IMAGO_PEAK], IMAGO_BINS)]);
  raise_to_largest(&seat, left->energies, left->maxima, &state[IMAGO_WORST]);
  for (uint bin = seat.item; bin < IMAGO_BINS; bin += GROUP) {
    if (left->bins[bin] != 0)
      atomic_add((volatile __global uint *)&state[IMAGO_HISTOGRAM + bin], left->bins[bin]);
  }
}

/* Adds a tone's value at a time. */
static inline void add_tone(const Attempt *a, __global const uint *state, uint index, uint time,
                     __local real *re, __local real *im) {
  __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
  const complex_t amplitude = amplitude_of(tone);
  const real x = amplitude.x, y = amplitude.y;
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
  result[2] = as_uint(float_of(max(fabs(x.x), fabs(x.y))));
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_check(ARGUMENTS) {
  __local real re[GROUP], im[GROUP];
  __local Left left;
  const Store store = STORE;
  const uint of_buckets = (IMAGO_HASHES << a.log_buckets) / BUCKETS, group = (uint)get_group_id(0);
  if (group < of_buckets)
    measure_buckets(&store, spectra, turn, &left);
  else
    check_sample(&store, signal, tones_before(&store, round + 1), group - of_buckets, re, im);
}
