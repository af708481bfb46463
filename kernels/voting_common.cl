/* This file holds what the stages of the voting method share: arithmetic modulo n = 2^m, phases, the
   places of the lists. docs/sparse.md explains the method. Defined from outside: IMAGO_DOUBLE
   (arithmetic in f64), IMAGO_REAL_SIGNAL, IMAGO_LOOPS (dilations). */

#if IMAGO_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 complex_t;
#define TONE_WORDS 6
#else
typedef float real;
typedef float2 complex_t;
#define TONE_WORDS 4
#endif

#if IMAGO_REAL_SIGNAL
typedef real signal_t;
#else
typedef complex_t signal_t;
#endif

#define GROUP 256

/* All kernels take the same arguments. Spectra: B buckets of each loop. Chunk: samples in the order
   of the taps. Score: votes, a byte per frequency; before them a bit-map of the comb's residues, a
   word per residue. Pending: of each tone what is not subtracted yet. Loop, size: what a launch of
   several works at. */
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

/* The bucket that is nearest to frequency g, and how far g is from its centre. */
static inline uint bucket_of(const Voting *v, uint g) {
  return modulo(v, g + (1u << log_bucket(v)) / 2) >> log_bucket(v);
}
static inline int offset_of(const Voting *v, uint g, uint bucket) {
  const uint half_length = 1u << (v->log_length - 1);
  return (int)modulo(v, g - (bucket << log_bucket(v)) + half_length) - (int)half_length;
}

static inline complex_t times(complex_t x, complex_t y) {
  return (complex_t)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
static inline complex_t times_conjugate(complex_t x, complex_t y) {
  return (complex_t)(x.x * y.x + x.y * y.y, x.y * y.x - x.x * y.y);
}
static inline real square(complex_t x) { return x.x * x.x + x.y * x.y; }

/* exp(2 pi i f t / n). */
static inline complex_t phase_of(const Voting *v, uint f, uint t) {
  const int turn = (int)((f * t) << (32 - v->log_length)); /* of 2^-32 */
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

/* Places in the work memory. */
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
static inline complex_t amplitude_of(__global const uint *tone) {
#if IMAGO_DOUBLE
  return (complex_t)(as_double((uint2)(tone[2], tone[3])), as_double((uint2)(tone[4], tone[5])));
#else
  return (complex_t)(as_float(tone[2]), as_float(tone[3]));
#endif
}
static inline void put_tone(__global uint *tone, uint f, complex_t amplitude) {
  tone[0] = f;
  tone[1] = 0;
#if IMAGO_DOUBLE
  const uint2 re = as_uint2(amplitude.x), im = as_uint2(amplitude.y);
  tone[2] = re.x, tone[3] = re.y, tone[4] = im.x, tone[5] = im.y;
#else
  tone[2] = as_uint(amplitude.x), tone[3] = as_uint(amplitude.y);
#endif
}
