/* This file holds the common part of the phase method's stages: arithmetic modulo n, phases in
   fixed point (turns of 2^-64), the window's response and the state of an attempt.
   docs/sparse/method.md explains the method. Macros that the host defines: IMAGO_DOUBLE (arithmetic
   in f64), IMAGO_POWER_OF_TWO (n is one), IMAGO_REAL_SIGNAL, IMAGO_WIDTH and IMAGO_BETA (the
   window), IMAGO_NEIGHBOURS (buckets on each side that a tone reaches), IMAGO_SHIFTS (the most
   shifts of the plan's attempts), IMAGO_GROUP (work-items of a group) and IMAGO_WHOLE (all stages
   are one kernel). */

#if IMAGO_DOUBLE
typedef double4 real4;
#else
typedef float4 real4;
#endif

#define PI 3.14159265358979323846
#define GROUP IMAGO_GROUP
typedef Attempt Method;
#define SPAN (2 * IMAGO_NEIGHBOURS + 1) /* buckets that a tone reaches */
#define ROUND_SHIFT 26 /* lists of events: the head holds the round above the slot */

/* All kernels have the same arguments. Cells: results of the hashes for a slot in a round. Phases:
   exp(2 pi i f time / n) of each slot's tone, at each hash's first sample and shifts. Weights: for
   each slot's tone and hash, the window's response in the buckets that it reaches. Amplitudes: for
   each slot the known sum, then the part that is not yet subtracted, before and after a pass of
   refinement. Turn: for peeling, the first round of those that are enqueued together; for the
   refinement, the pass, from 1; for the check, the number of passes. */
#define ARGUMENTS                                                                                 \
  __global const signal_t *restrict signal, __global const real *restrict taps,                   \
      __global complex_t *ALONE spectra, __global uint *ALONE state, __global real4 *ALONE cells, \
      __global complex_t *ALONE phases, __global real *ALONE weights,                             \
      __global complex_t *ALONE amplitudes, const Attempt a, const uint round, const uint turn
/* In a single kernel, each stage reads the stores of other groups in the stage before. */
#if IMAGO_WHOLE
#define ALONE
#else
#define ALONE restrict
#endif

/* ---- Arithmetic modulo n ---- */

static inline uint multiply_modulo(const Attempt *a, uint x, uint y) {
#if IMAGO_POWER_OF_TWO
  return (x * y) & (uint)(a->length - 1);
#else
  const ulong product = (ulong)x * y;
  ulong rest = product - mul_hi(product, a->fraction) * a->length;
  if (rest >= a->length) rest -= a->length;
  if (rest >= a->length) rest -= a->length;
  return (uint)rest;
#endif
}

static inline uint add_modulo(const Attempt *a, uint x, uint y) {
#if IMAGO_POWER_OF_TWO
  return (x + y) & (uint)(a->length - 1);
#else
  const ulong sum = (ulong)x + y;
  return (uint)(sum >= a->length ? sum - a->length : sum);
#endif
}

/* Returns v / n of a turn, in units of 2^-64 turns. */
static inline ulong turn_of(const Attempt *a, uint v) {
#if IMAGO_POWER_OF_TWO
  return (ulong)v << (64 - a->log_length);
#else
  return v * a->fraction + (ulong)((real)v * (real)a->remainder / (real)a->length);
#endif
}

/* The type of phases in the precision of a sine: 2^-32 of a turn in f32. */
#if IMAGO_DOUBLE
typedef ulong phase_t;
#else
typedef uint phase_t;
#endif
#define PHASE_BITS (8 * (uint)sizeof(phase_t))

static inline phase_t phase_of(const Attempt *a, uint v) {
#if IMAGO_POWER_OF_TWO
  return (phase_t)v << (PHASE_BITS - a->log_length);
#else
  return (phase_t)(turn_of(a, v) >> (64 - PHASE_BITS));
#endif
}

/* Returns v * 2^exponent / n of a turn. */
static inline phase_t phase_of_shifted(const Attempt *a, uint v, uint exponent) {
#if IMAGO_POWER_OF_TWO
  return phase_of(a, v) << exponent;
#elif IMAGO_DOUBLE
  return turn_of(a, multiply_modulo(a, v, 1u << exponent));
#else
  return (phase_t)((turn_of(a, v) << exponent) >> (64 - PHASE_BITS));
#endif
}

/* Returns the bucket nearest to frequency g; each frequency has exactly one. */
static inline uint bucket_of(const Attempt *a, uint g) {
  const ulong half_bucket = (ulong)1 << (63 - a->log_buckets);
  return (uint)((turn_of(a, g) + half_bucket) >> (64 - a->log_buckets));
}

/* Returns the distance from a bucket to frequency g, in buckets. */
static inline real offset_of(const Attempt *a, uint g, uint bucket) {
  const long difference = (long)(turn_of(a, g) - ((ulong)bucket << (64 - a->log_buckets)));
  return (real)difference * (real)(1.0 / 18446744073709551616.0) * (real)(1u << a->log_buckets);
}

/* ---- Phases as complex numbers ---- */

/* Returns the sine, and the cosine through a pointer, of 2 pi times a phase. It splits off the
   quadrant exactly, then uses Taylor's series on an eighth of a turn to either side. It uses
   scalars, which compilers for CPUs turn into vectors. */
static inline real sine_cosine(phase_t phase, real *cosine_of) {
  const uint quadrant = (uint)((phase + ((phase_t)1 << (PHASE_BITS - 3))) >> (PHASE_BITS - 2));
  const phase_t rest = phase - ((phase_t)quadrant << (PHASE_BITS - 2));
#if IMAGO_DOUBLE
  const real x = (real)(long)rest * (2 * PI / 18446744073709551616.0), s = x * x;
  real sine = fma(s, -1.0 / 1307674368000.0, 1.0 / 6227020800.0);
  sine = fma(s, sine, -1.0 / 39916800.0);
  sine = fma(s, sine, 1.0 / 362880.0);
  real cosine = fma(s, 1.0 / 20922789888000.0, -1.0 / 87178291200.0);
  cosine = fma(s, cosine, 1.0 / 479001600.0);
  cosine = fma(s, cosine, -1.0 / 3628800.0);
#else
  const real x = (real)(int)rest * (real)(2 * PI / 4294967296.0), s = x * x;
  real sine = 1.0 / 362880.0, cosine = -1.0 / 3628800.0;
#endif
  sine = fma(s, sine, (real)(-1.0 / 5040.0));
  sine = fma(s, sine, (real)(1.0 / 120.0));
  sine = fma(s, sine, (real)(-1.0 / 6.0));
  sine = fma(s * x, sine, x);
  cosine = fma(s, cosine, (real)(1.0 / 40320.0));
  cosine = fma(s, cosine, (real)(-1.0 / 720.0));
  cosine = fma(s, cosine, (real)(1.0 / 24.0));
  cosine = fma(s, cosine, (real)-0.5);
  cosine = fma(s, cosine, (real)1);
  const real turned = quadrant & 1 ? -sine : cosine, other = quadrant & 1 ? cosine : sine;
  *cosine_of = quadrant & 2 ? -turned : turned;
  return quadrant & 2 ? -other : other;
}

static inline complex_t cis(phase_t phase) {
  real cosine;
  const real sine = sine_cosine(phase, &cosine);
  return (complex_t)(cosine, sine);
}

/* Returns the response of the window e buckets from its centre, without overflow or cancellation:
   sinh(r) / r * beta / sinh(beta) with r^2 = beta^2 - u^2, u = pi width e; exp(-2 beta) is below
   the rounding. */
static inline real response(real e) {
  const real beta = IMAGO_BETA, u = (real)PI * IMAGO_WIDTH * e, d = beta * beta - u * u;
  const real r = sqrt(fabs(d));
  if (d <= 0) return 2 * beta * exp(-beta) * (r < (real)1e-3 ? 1 : sin(r) / r);
  const real fall = r < (real)1e-3 ? 2 - 2 * r : (1 - exp(-2 * r)) / r;
  return exp(-u * u / (r + beta)) * fall * beta;
}

/* ---- The state of an attempt: the words of attempt.h, the tones, then these ---- */

/* The memory of an attempt. */
typedef struct {
  const Attempt *a;
  __global uint *state;
  __global real4 *cells;
  __global complex_t *phases;
  __global real *weights;
  __global complex_t *amplitudes;
} Store;
#define STORE {&a, state, cells, phases, weights, amplitudes}

static inline uint slots_of(const Attempt *a) { return 1u << a->log_slots; }
static inline uint buckets_of(const Attempt *a) { return 1u << a->log_buckets; }
static inline size_t keys_at(const Attempt *a) {
  return IMAGO_TONES + (size_t)a->capacity * TONE_WORDS;
}
static inline size_t stamps_at(const Attempt *a) { return keys_at(a) + slots_of(a); }
static inline size_t event_heads_at(const Attempt *a) {
  return stamps_at(a) + slots_of(a);
}
static inline size_t heads_at(const Attempt *a) {
  return event_heads_at(a) + (size_t)2 * IMAGO_HASHES * buckets_of(a);
}
static inline size_t cleared_words(const Attempt *a) {
  return heads_at(a) + (size_t)IMAGO_HASHES * buckets_of(a);
}
static inline size_t tone_slots_at(const Attempt *a) { return cleared_words(a); }
static inline size_t event_next_at(const Attempt *a) { return tone_slots_at(a) + a->capacity; }
static inline size_t next_at(const Attempt *a) {
  return event_next_at(a) + (size_t)2 * IMAGO_HASHES * slots_of(a);
}

/* Returns the number of tones that were found before this round. */
static inline uint tones_before(const Store *store, uint round) {
  uint count = 0;
  for (uint i = 0; i < round; ++i) count += store->state[IMAGO_CREATED + i];
  return min(count, store->a->capacity);
}

/* Returns the cells of a slot, one per hash: an amplitude, its certainty and a stamp. The stamp is
   a number whose bits encode the attempt and the round, so that cells need not be cleared. */
static inline __global real4 *cells_of(const Store *store, uint slot, uint round) {
  return store->cells + ((size_t)(round & 1) * slots_of(store->a) + slot) * IMAGO_HASHES;
}

/* Returns the stamp of a round. It is a normal number, because CPUs need a hundred cycles for
   arithmetic with any other, and compilers multiply all four parts of a cell although three would
   be enough. */
static inline real stamp_of(const Attempt *a, uint round) {
  const uint stamp = a->serial * IMAGO_MAX_ROUNDS + round;
#if IMAGO_DOUBLE
  return as_double((uint2)(stamp, 0x3ff00000));
#else
  return as_float(0x20000000 | (stamp & 0x1fffffff));
#endif
}

static inline bool is_of(const Attempt *a, real4 cell, uint round) {
#if IMAGO_DOUBLE
  return as_ulong(cell.w) == as_ulong(stamp_of(a, round));
#else
  return as_uint(cell.w) == as_uint(stamp_of(a, round));
#endif
}

/* Returns the result of a round for a slot: the mean of the hashes' estimates, weighted by their
   certainty. */
static inline complex_t event_of(const Store *store, uint slot, uint round) {
  __global const real4 *cells = cells_of(store, slot, round);
  complex_t sum = (complex_t)(0);
  real weight = 0;
#pragma unroll
  for (uint h = 0; h < IMAGO_HASHES; ++h) {
    const real4 cell = cells[h];
    const bool valid = is_of(store->a, cell, round);
    sum += valid ? cell.xy * cell.z : (complex_t)(0);
    weight += valid ? cell.z : 0;
  }
  return weight > 0 ? sum / weight : sum;
}

/* Returns the frequency of a slot's tone. */
static inline uint frequency_of(const Store *store, uint slot) {
  return store->state[keys_at(store->a) + slot] - 1;
}

/* Returns exp(2 pi i g t / n) for the time t of a shift. */
static inline complex_t shift_phase(const Attempt *a, uint g, uint shift) {
  if (shift == 0) return (complex_t)(1, 0);
  return cis(phase_of_shifted(a, g, a->exponents[shift - 1]));
}

/* Returns exp(2 pi i f tau / n) for a hash's first sample. */
static inline complex_t start_phase(const Attempt *a, uint f, uint hash) {
  return cis(phase_of(a, multiply_modulo(a, f, a->tau[hash])));
}

/* Returns the place of the phases and weights of a slot's tone in a hash. */
static inline size_t place_of(uint slot, uint hash) { return (size_t)slot * IMAGO_HASHES + hash; }

static inline __global complex_t *phases_of(const Store *store, size_t place) {
  return store->phases + place * store->a->shifts;
}

/* Returns the response in the bucket at the distance IMAGO_NEIGHBOURS - d from the tone's own
   bucket. */
static inline real weight_of(const Store *store, size_t place, uint d) {
  return store->weights[place * SPAN + d];
}

/* One bucket of a hash, as an index into the hash's spectra. */
typedef struct {
  uint hash, index;
} Bucket;

static inline uint slot_hash(const Attempt *a, uint f) {
  return (f * 2654435769u) >> (32 - a->log_slots);
}

/* Adds a new tone to the list of its bucket in a hash, which refinement reads. */
static inline void file_tone(const Store *store, uint slot, uint f, uint hash) {
  const Attempt *a = store->a;
  const uint bucket = bucket_of(a, multiply_modulo(a, a->sigma[hash], f));
  volatile __global uint *head = &store->state[heads_at(a) + hash * buckets_of(a) + bucket];
  store->state[next_at(a) + (size_t)hash * slots_of(a) + slot] = atomic_xchg(head, slot + 1);
}

/* Stores one of a new tone's phases or weights in a hash; `item` counts first the phases, then the
   weights. */
#define TRACES(a) ((a)->shifts + SPAN)
static inline void file_trace(const Store *store, uint slot, uint f, uint hash, uint item) {
  const Attempt *a = store->a;
  const uint g = multiply_modulo(a, a->sigma[hash], f);
  const size_t place = place_of(slot, hash);
  if (item < a->shifts) {
    phase_t phase = phase_of(a, multiply_modulo(a, f, a->tau[hash]));
    if (item > 0) phase += phase_of_shifted(a, g, a->exponents[item - 1]);
    phases_of(store, place)[item] = cis(phase);
  } else {
    const uint d = item - a->shifts, bucket = bucket_of(a, g) + IMAGO_NEIGHBOURS - d;
    store->weights[place * SPAN + d] = response(offset_of(a, g, bucket));
  }
}

/* Adds the result of a round to the list of the tone's bucket in a hash, which the next round
   reads. */
static inline void file_event(const Store *store, uint slot, uint f, uint hash, uint round) {
  const Attempt *a = store->a;
  const uint bucket = bucket_of(a, multiply_modulo(a, a->sigma[hash], f));
  const size_t list = (round & 1) * IMAGO_HASHES + hash;
  volatile __global uint *head =
      &store->state[event_heads_at(a) + list * buckets_of(a) + bucket];
  const uint before = atomic_xchg(head, (round << ROUND_SHIFT) | (slot + 1));
  store->state[event_next_at(a) + list * slots_of(a) + slot] =
      before >> ROUND_SHIFT == round ? before & ((1u << ROUND_SHIFT) - 1) : 0;
}

/* The lists of a hash's buckets: of the results of a round, or (round 0) of all tones. */
typedef struct {
  size_t heads, next;
  uint round;
  uint near; /* first slot of the bucket that a work-item follows (seen_from()) */
} List;

static inline List list_of_events(const Attempt *a, uint hash, uint round) {
  const size_t index = (round & 1) * IMAGO_HASHES + hash;
  const List list = {event_heads_at(a) + index * buckets_of(a),
                     event_next_at(a) + index * slots_of(a), round, 0};
  return list;
}

static inline List list_of_tones(const Attempt *a, uint hash) {
  const List list = {heads_at(a) + hash * buckets_of(a), next_at(a) + (size_t)hash * slots_of(a), 0,
                     0};
  return list;
}

/* Returns the first slot of a bucket's list, counted from 1; 0 if the list is empty. */
static inline uint first_of(const Store *store, List list, uint bucket) {
  const uint head = store->state[list.heads + (bucket & (buckets_of(store->a) - 1))];
  if (list.round == 0) return head;
  return head >> ROUND_SHIFT == list.round ? head & ((1u << ROUND_SHIFT) - 1) : 0;
}

/* Returns the part of a slot's tone that is not subtracted yet after a pass of refinement. */
static inline __global complex_t *pending_after(const Store *store, uint slot, uint pass) {
  return store->amplitudes + (size_t)(1 + pass % 2) * slots_of(store->a) + slot;
}

/* Returns the values of a bucket at the shifts, which are buckets_of() elements apart. */
static inline __global complex_t *values_of(const Attempt *a, __global complex_t *spectra,
                                            Bucket bucket) {
  return spectra + ((size_t)bucket.hash * a->shifts << a->log_buckets) + bucket.index;
}
