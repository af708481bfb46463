/* This file holds the common part of the voting method's stages: arithmetic modulo n = 2^m, phases,
   the places of the lists. docs/sparse/method.md explains the method. Macros that the host defines:
   IMAGO_DOUBLE (arithmetic in f64), IMAGO_REAL_SIGNAL, IMAGO_LOOPS (dilations). */

#define GROUP 256
typedef Voting Method;

/* All kernels have the same arguments. Spectra: B buckets of each loop. Chunk: samples in the order
   of the taps. Score: votes, a byte per frequency; after them a map of the comb's residues, a word
   per residue. Pending: the part of each tone that is not subtracted yet. Loop, size: the part of
   the work that one of several launches does. */
#define ARGUMENTS                                                                                 \
  __global const signal_t *restrict signal, __global const real *restrict taps,                   \
      __global const real *restrict response, __global complex_t *restrict spectra,               \
      __global complex_t *restrict chunk, __global uint *restrict state,                          \
      __global uint *restrict work, __global uint *restrict score,                                \
      __global complex_t *restrict pending, const Voting v, const uint loop, const uint size
#define KERNEL(name)                                                                              \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name(ARGUMENTS)

static inline uint modulo(const Voting *v, uint x) { return x & ((1u << v->log_length) - 1); }
static inline uint buckets_of(const Voting *v) { return 1u << v->log_buckets; }
static inline uint log_bucket(const Voting *v) { return v->log_length - v->log_buckets; }

/* Return the bucket nearest to frequency g, and the distance of g from a bucket's centre. */
static inline uint bucket_of(const Voting *v, uint g) {
  return modulo(v, g + (1u << log_bucket(v)) / 2) >> log_bucket(v);
}
static inline int offset_of(const Voting *v, uint g, uint bucket) {
  const uint half_length = 1u << (v->log_length - 1);
  return (int)modulo(v, g - (bucket << log_bucket(v)) + half_length) - (int)half_length;
}

/* Returns exp(2 pi i f t / n). */
static inline complex_t phase_of(const Voting *v, uint f, uint t) {
  const int turn = (int)((f * t) << (32 - v->log_length)); /* in 2^-32 turns */
  const real half_turns = (real)turn * (real)(1.0 / 2147483648.0);
  return (complex_t)(cospi(half_turns), sinpi(half_turns));
}

static inline complex_t sample_at(const Voting *v, __global const signal_t *signal, uint time) {
#if IMAGO_REAL_SIGNAL
  return (complex_t)(signal[v->signal_offset + time], 0);
#else
  return signal[v->signal_offset + time];
#endif
}

/* Return places in the work memory. */
static inline uint histograms_at(uint loop) { return IMAGO_CUT_HISTOGRAM + loop * IMAGO_CUT_BINS; }
static inline size_t heads_at(const Voting *v) { return histograms_at(v->location); }
static inline size_t selected_at(const Voting *v) {
  return heads_at(v) + ((size_t)v->loops << v->log_buckets);
}
static inline size_t hits_at(const Voting *v) {
  return selected_at(v) + (size_t)v->location * v->most;
}
static inline size_t next_at(const Voting *v) { return hits_at(v) + v->capacity; }

static inline uint tones_of(__global const uint *state) { return state[IMAGO_CREATED]; }

static inline __global uint *tone_at(__global uint *state, uint index) {
  return state + IMAGO_TONES + (size_t)index * TONE_WORDS;
}
