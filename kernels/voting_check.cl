/* Compares the signal at random times with the sum of the tones there. */
static inline ulong check_seed_of(const Voting *v) { return v->check_seed; }
static inline ulong length_of(const Voting *v) { return (ulong)1 << v->log_length; }

#if IMAGO_CHECK_VECTOR == 1

static inline complex_t value_of_tone(const Voting *v, __global const uint *state, uint index,
                                      uint time) {
  __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
  return times(amplitude_of(tone), phase_of(v, tone[0], time));
}

#else

static inline phases_t phases_at(const Voting *v, uint f, times_t time) {
#if IMAGO_DOUBLE
  return WITH(convert_ulong, VECTOR)(f * time) << (phases_t)(64 - v->log_length);
#else
  return (f * time) << (phases_t)(32 - v->log_length);
#endif
}

#endif

KERNEL(voting_check) {
  __local Checked checked;
  check_samples(&v, signal, state, tones_of(state), (uint)get_group_id(0), &checked);
}
