/* Compares the signal at new random samples with the sum of the tones there, in IMAGO_CHECKERS
   groups of GROUP work-items. Each method defines Method (its kernels' argument) and the functions
   that are only declared here. The host defines IMAGO_CHECK_VECTOR, the samples that a work-item
   compares at a time; it is 1 on GPUs. */

static inline ulong check_seed_of(const Method *m);
static inline ulong length_of(const Method *m);
static inline complex_t sample_at(const Method *m, __global const signal_t *signal, uint time);

/* The results of a group: the energies of the errors and of the signal, the largest part of a
   sample and the largest energy of an error. The latter two are the bits of floats, which have the
   same order. */
typedef struct {
  float error, energy;
  uint largest, worst;
} Found;

/* Returns the number of samples of all groups, a multiple of 64. It decreases with the number of
   tones, and is never most of a short signal. */
static inline uint checks_of(uint tones, ulong length) {
  const uint values = IMAGO_CHECK_VECTOR > 1 ? IMAGO_CHECK_VALUES_CPU : IMAGO_CHECK_VALUES_GPU;
  const uint least = IMAGO_CHECK_VECTOR > 1 ? IMAGO_LEAST_CHECKS_CPU : IMAGO_LEAST_CHECKS_GPU;
  const ulong checks = clamp(values / max(tones, 1u), least, (uint)IMAGO_MOST_CHECKS);
  return (uint)max((ulong)IMAGO_LEAST_CHECKS, min(checks, length / IMAGO_CHECK_SHARE)) & ~63u;
}

/* Returns a random time, from the seed and the number of the check (Steele, Lea, Flood: OOPSLA
   2014). */
static inline uint check_time(const Method *m, uint check) {
  ulong z = check_seed_of(m) + (check + 1) * 0x9e3779b97f4a7c15ul;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
  return (uint)mul_hi(z ^ (z >> 31), length_of(m));
}

static inline uint largest_part(complex_t x) {
  return as_uint(float_of(max(fabs(x.x), fabs(x.y))));
}

#if IMAGO_CHECK_VECTOR == 1

/* Returns a tone's value at a time. */
static inline complex_t value_of_tone(const Method *m, __global const uint *state, uint index,
                                      uint time);

#define EACH ((IMAGO_MOST_CHECKS + IMAGO_CHECKERS - 1) / IMAGO_CHECKERS) /* samples per group */

typedef struct {
  complex_t sums[GROUP];
  float errors[EACH], energies[EACH];
  Found found;
} Checked;

/* Returns the number of work-items that share a sample's tones: a power of two, so that the group
   processes all of its samples at once. */
static inline uint sharers(uint samples) {
  uint share = GROUP;
  while (share * samples > GROUP) share /= 2;
  return share;
}

static inline void check_group(const Method *m, __global const signal_t *signal,
                        __global const uint *state, uint tones, uint group, uint checks,
                        __local Checked *checked) {
  const uint each = (checks + IMAGO_CHECKERS - 1) / IMAGO_CHECKERS, share = sharers(each);
  const uint i = local_item(), sample = i / share, lane = i % share, check = group * each + sample;
  const bool takes = sample < each && check < checks;
  const uint time = check_time(m, check);
  /* Starts the load of the signal's sample early, because it takes long; the tones are summed
     meanwhile. */
  complex_t x = (complex_t)(0), sum = (complex_t)(0);
  if (takes && lane == 0) x = sample_at(m, signal, time);
  for (uint index = lane; takes && index < tones; index += share)
    sum += value_of_tone(m, state, index, time);
  checked->sums[i] = sum;
  for (uint apart = share / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < apart) checked->sums[i] += checked->sums[i + apart];
  }
  if (lane == 0 && sample < each) {
    const float error = takes ? float_of(square(x - checked->sums[i])) : 0;
    checked->errors[sample] = error;
    checked->energies[sample] = takes ? float_of(square(x)) : 0;
    atomic_max(&checked->found.worst, as_uint(error));
    atomic_max(&checked->found.largest, largest_part(x));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i != 0) return;
  for (uint one = 0; one < each; ++one) {
    checked->found.error += checked->errors[one];
    checked->found.energy += checked->energies[one];
  }
}

#else

#define JOINED(name, count) name##count
#define WITH(name, count) JOINED(name, count)
#define VECTOR IMAGO_CHECK_VECTOR
#define CHECK_ITEMS (IMAGO_MOST_CHECKS / VECTOR / IMAGO_CHECKERS) /* checkers of a group */
typedef WITH(uint, VECTOR) times_t;
#if IMAGO_DOUBLE
typedef WITH(double, VECTOR) reals_t;
typedef WITH(ulong, VECTOR) phases_t;
#define AS_SIGNED WITH(as_long, VECTOR)
#define TO_REALS WITH(convert_double, VECTOR)
#else
typedef WITH(float, VECTOR) reals_t;
typedef times_t phases_t;
#define AS_SIGNED WITH(as_int, VECTOR)
#define TO_REALS WITH(convert_float, VECTOR)
#endif

/* Returns the phases of frequency f at these times. */
static inline phases_t phases_at(const Method *m, uint f, times_t time);

/* Works like sine_cosine() of the phase method. */
static inline reals_t sines(phases_t phase, reals_t *cosine_of) {
  const uint bits = 8 * (uint)sizeof(real);
  const phases_t quadrant =
      (phase + ((phases_t)(1) << (phases_t)(bits - 3))) >> (phases_t)(bits - 2);
  const phases_t rest = phase - (quadrant << (phases_t)(bits - 2));
#if IMAGO_DOUBLE
  const reals_t x = TO_REALS(AS_SIGNED(rest)) *
                    (real)(6.28318530717958647692 / 18446744073709551616.0),
                s = x * x;
  reals_t sine = s * (real)(-1.0 / 1307674368000.0) + (real)(1.0 / 6227020800.0);
  sine = s * sine + (real)(-1.0 / 39916800.0);
  sine = s * sine + (real)(1.0 / 362880.0);
  reals_t cosine = s * (real)(1.0 / 20922789888000.0) + (real)(-1.0 / 87178291200.0);
  cosine = s * cosine + (real)(1.0 / 479001600.0);
  cosine = s * cosine + (real)(-1.0 / 3628800.0);
#else
  const reals_t x = TO_REALS(AS_SIGNED(rest)) * (real)(6.28318530717958647692 / 4294967296.0),
                s = x * x;
  reals_t sine = (reals_t)(1.0 / 362880.0), cosine = (reals_t)(-1.0 / 3628800.0);
#endif
  sine = s * sine + (real)(-1.0 / 5040.0);
  sine = s * sine + (real)(1.0 / 120.0);
  sine = s * sine + (real)(-1.0 / 6.0);
  sine = s * x * sine + x;
  cosine = s * cosine + (real)(1.0 / 40320.0);
  cosine = s * cosine + (real)(-1.0 / 720.0);
  cosine = s * cosine + (real)(1.0 / 24.0);
  cosine = s * cosine + (real)-0.5;
  cosine = s * cosine + (real)1;
  const reals_t turned = select(cosine, -sine, (quadrant & (phases_t)(1)) != (phases_t)(0));
  const reals_t other = select(sine, cosine, (quadrant & (phases_t)(1)) != (phases_t)(0));
  *cosine_of = select(turned, -turned, (quadrant & (phases_t)(2)) != (phases_t)(0));
  return select(other, -other, (quadrant & (phases_t)(2)) != (phases_t)(0));
}

typedef struct {
  Found of[CHECK_ITEMS];
  Found found;
} Checked;

/* Sums the tones at the times of a vector of checks. */
static inline void sum_tones(const Method *m, __global const uint *state, uint tones,
                             const uint *at, real *res, real *ims) {
  const times_t time = WITH(vload, VECTOR)(0, at);
  reals_t re = (reals_t)(0), im = (reals_t)(0);
  for (uint index = 0; index < tones; ++index) {
    __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
    const complex_t amplitude = amplitude_of(tone);
    reals_t cosine;
    const reals_t sine = sines(phases_at(m, tone[0], time), &cosine);
    re += amplitude.x * cosine - amplitude.y * sine;
    im += amplitude.x * sine + amplitude.y * cosine;
  }
  WITH(vstore, VECTOR)(re, 0, res);
  WITH(vstore, VECTOR)(im, 0, ims);
}

static inline Found check_vector(const Method *m, __global const signal_t *signal,
                          __global const uint *state, uint tones, uint first) {
  uint at[VECTOR];
  real res[VECTOR], ims[VECTOR];
  for (uint c = 0; c < VECTOR; ++c) at[c] = check_time(m, first + c);
  sum_tones(m, state, tones, at, res, ims);
  Found found = {0, 0, 0, 0};
  for (uint c = 0; c < VECTOR; ++c) {
    const complex_t x = sample_at(m, signal, at[c]);
    const float error = float_of(square(x - (complex_t)(res[c], ims[c])));
    found.error += error;
    found.energy += float_of(square(x));
    found.worst = max(found.worst, as_uint(error));
    found.largest = max(found.largest, largest_part(x));
  }
  return found;
}

/* Each work-item processes whole vectors of checks; the other work-items of the group are idle. */
static inline void check_group(const Method *m, __global const signal_t *signal,
                        __global const uint *state, uint tones, uint group, uint checks,
                        __local Checked *checked) {
  const uint i = local_item(), first = (i * IMAGO_CHECKERS + group) * VECTOR;
  if (first < checks) checked->of[i] = check_vector(m, signal, state, tones, first);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i != 0) return;
  __local Found *found = &checked->found;
  for (uint item = 0; (item * IMAGO_CHECKERS + group) * VECTOR < checks; ++item) {
    found->error += checked->of[item].error;
    found->energy += checked->of[item].energy;
    found->worst = max(found->worst, checked->of[item].worst);
    found->largest = max(found->largest, checked->of[item].largest);
  }
}

#endif

/* Checks samples; `group` counts only checking groups. Every work-item of the group must call
   it. */
static inline void check_samples(const Method *m, __global const signal_t *signal,
                                 __global uint *state, uint tones, uint group,
                                 __local Checked *checked) {
  const uint i = local_item(), checks = checks_of(tones, length_of(m));
  if (i == 0) {
    checked->found.error = checked->found.energy = 0;
    checked->found.largest = checked->found.worst = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  check_group(m, signal, state, tones, group, checks, checked);
  if (i != 0) return;
  __global uint *result = state + IMAGO_CHECK + IMAGO_CHECK_WORDS * group;
  result[0] = as_uint(checked->found.error);
  result[1] = as_uint(checked->found.energy);
  result[2] = checked->found.largest;
  result[3] = checked->found.worst;
  if (group == 0) state[IMAGO_CHECKED] = checks;
}
