/* Measures the remainder after the last round. The first groups, one set of buckets each, subtract
   the corrections of the refinement and count the remaining energies. The others compare the signal
   at random samples with the sum of the tones there. */

typedef struct {
  real energies[BUCKETS], parts[GROUP];
  Gathered gathered;
  uint bins[IMAGO_BINS];
  uint maxima[MAXIMA];
} Left;

static inline void measure_buckets(const Store *store, __global complex_t *spectra, uint passes,
                                   uint group, __local Left *left) {
  const Attempt *a = store->a;
  __global uint *state = store->state;
  const Seat seat = take_seat(a, group);
  __global complex_t *spectrum = values_of(a, spectra, seat.bucket);
  const List list = seen_from(store, &seat, list_of_tones(a, seat.bucket.hash));
  complex_t values[HELD];
  load_values(a, &seat, spectrum, values);
  for (uint bin = seat.item; bin < IMAGO_BINS; bin += GROUP) left->bins[bin] = 0;
  subtract_list(store, &seat, list, passes, &left->gathered, values);
  store_values(a, &seat, spectrum, values);
  find_energies(a, &seat, energy_of(values), left->parts, left->energies);
  if (seat.lane == 0)
    atomic_inc(
        &left->bins[bin_below((float)left->energies[seat.item], state[IMAGO_PEAK], IMAGO_BINS)]);
  raise_to_largest(&seat, left->energies, left->maxima, &state[IMAGO_WORST]);
  for (uint bin = seat.item; bin < IMAGO_BINS; bin += GROUP) {
    if (left->bins[bin] != 0)
      atomic_add((volatile __global uint *)&state[IMAGO_HISTOGRAM + bin], left->bins[bin]);
  }
}

static inline ulong check_seed_of(const Attempt *a) { return a->check_seed; }
static inline ulong length_of(const Attempt *a) { return a->length; }

#if IMAGO_CHECK_VECTOR == 1

static inline complex_t value_of_tone(const Attempt *a, __global const uint *state, uint index,
                                      uint time) {
  __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
  return times(amplitude_of(tone), cis(phase_of(a, multiply_modulo(a, tone[0], time))));
}

#else

static inline phases_t phases_at(const Attempt *a, uint f, times_t time) {
#if IMAGO_POWER_OF_TWO && IMAGO_DOUBLE
  return WITH(convert_ulong, VECTOR)(f * time) << (phases_t)(64 - a->log_length);
#elif IMAGO_POWER_OF_TWO
  return (f * time) << (phases_t)(32 - a->log_length);
#elif IMAGO_DOUBLE
  uint at[VECTOR];
  ulong phases[VECTOR];
  WITH(vstore, VECTOR)(time, 0, at);
  for (uint c = 0; c < VECTOR; ++c) phases[c] = phase_of(a, multiply_modulo(a, f, at[c]));
  return WITH(vload, VECTOR)(0, phases);
#else /* the frequency in 2^-64 turns, rounded down; multiplied by a time, accurate to 2^-32 */
  const ulong turn = f * a->fraction + f * a->remainder / a->length;
  const WITH(ulong, VECTOR) phase = WITH(convert_ulong, VECTOR)(time) * turn;
  return WITH(convert_uint, VECTOR)(phase >> (WITH(ulong, VECTOR))(32));
#endif
}

#endif

static inline complex_t sample_at(const Attempt *a, __global const signal_t *signal, uint time) {
#if IMAGO_REAL_SIGNAL
  return (complex_t)(signal[a->signal_offset + time], 0);
#else
  return signal[a->signal_offset + time];
#endif
}

/* Runs after round `round` and `passes` passes of refinement. */
static inline void check(const Store *store, __global const signal_t *signal,
                         __global complex_t *spectra, uint round, uint passes, uint group,
                         __local Left *left, __local Checked *checked) {
  const uint of_buckets = OF_BUCKETS(store->a);
  if (group < of_buckets)
    measure_buckets(store, spectra, passes, group, left);
  else
    check_samples(store->a, signal, store->state, tones_before(store, round + 1),
                  group - of_buckets, checked);
}

#if !IMAGO_WHOLE
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_check(ARGUMENTS) {
  __local Checked checked;
  __local Left left;
  const Store store = STORE;
  check(&store, signal, spectra, round, turn, (uint)get_group_id(0), &left, &checked);
}
#endif
