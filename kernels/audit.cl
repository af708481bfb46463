/* Computes the energy of the remainder of the whole signal, the signal minus the sum of the tones.
   Every column of both is folded with the same random weights; the energy of the folded difference
   is, averaged over the weights, that of the remainder (docs/sparse/method.md). Macros that the
   host defines: IMAGO_DOUBLE (arithmetic in f64, for any type of signal), IMAGO_STORED_DOUBLE and
   IMAGO_REAL_SIGNAL (the type of the signal), IMAGO_VECTOR (real numbers that a work-item folds),
   IMAGO_COLUMNS (columns in which a work-item adds up tones), and BUILD_ with the name of the one
   kernel to build. */

#define PATTERNS IMAGO_PATTERNS
#if IMAGO_STORED_DOUBLE
typedef double stored_t;
#else
typedef float stored_t;
#endif
#if IMAGO_REAL_SIGNAL
#define PARTS 1
#else
#define PARTS 2
#endif

#define JOINED(name, count) name##count
#define WITH(name, count) JOINED(name, count)
#if IMAGO_DOUBLE
typedef double16 weights_t;
typedef WITH(double, IMAGO_VECTOR) vector_t;
#define CONVERT WITH(convert_double, IMAGO_VECTOR)
#else
typedef float16 weights_t;
typedef WITH(float, IMAGO_VECTOR) vector_t;
#define CONVERT WITH(convert_float, IMAGO_VECTOR)
#endif
#define LOAD WITH(vload, IMAGO_VECTOR)
#define STORE WITH(vstore, IMAGO_VECTOR)

/* Weights: all patterns, row by row. Parts: for each block of rows, then of tones, and for each
   pattern, the folded columns as real numbers. Tones: phases in 2^-64 turns, between columns and
   between rows. Folded: for each tone its sums with all patterns, the real parts and then the
   imaginary ones. */
#define ARGUMENTS                                                                                  \
  __global const stored_t *restrict signal, __global real *restrict weights,                       \
      __global real *restrict parts, __global const ulong2 *restrict tones,                        \
      __global const complex_t *restrict amplitudes, __global real *restrict folded,               \
      __global real *restrict sums, const Audit a

/* Returns exp(2 pi i phase / 2^64). In f64 it works like sine_cosine() of the phase method: it
   splits off the quadrant, then uses Taylor's series, because cospi() is slow on CPUs. */
static inline complex_t cis(ulong phase) {
#if IMAGO_DOUBLE
  const uint quadrant = (uint)((phase + ((ulong)1 << 61)) >> 62);
  const long rest = (long)(phase - ((ulong)quadrant << 62));
  const real x = (real)rest * (6.28318530717958647692 / 18446744073709551616.0), s = x * x;
  real sine = fma(s, -1.0 / 1307674368000.0, 1.0 / 6227020800.0);
  sine = fma(s, sine, -1.0 / 39916800.0);
  sine = fma(s, sine, 1.0 / 362880.0);
  sine = fma(s, sine, -1.0 / 5040.0);
  sine = fma(s, sine, 1.0 / 120.0);
  sine = fma(s, sine, -1.0 / 6.0);
  sine = fma(s * x, sine, x);
  real cosine = fma(s, 1.0 / 20922789888000.0, -1.0 / 87178291200.0);
  cosine = fma(s, cosine, 1.0 / 479001600.0);
  cosine = fma(s, cosine, -1.0 / 3628800.0);
  cosine = fma(s, cosine, 1.0 / 40320.0);
  cosine = fma(s, cosine, -1.0 / 720.0);
  cosine = fma(s, cosine, 1.0 / 24.0);
  cosine = fma(s, cosine, -0.5);
  cosine = fma(s, cosine, 1.0);
  const real turned = quadrant & 1 ? -sine : cosine, other = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? (complex_t)(-turned, -other) : (complex_t)(turned, other);
#else
  const real half_turns = (real)(long)phase * (real)(1.0 / 9223372036854775808.0);
  return (complex_t)(cospi(half_turns), sinpi(half_turns));
#endif
}

static inline size_t reals_of_row(const Audit *a) { return (size_t)PARTS * a->columns; }

/* Computes two normally distributed weights per work-item (Box and Muller), from only the seed and
   their number (Steele, Lea, Flood: OOPSLA 2014). */
#ifdef BUILD_audit_weights
static inline ulong mixed(ulong z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
  return z ^ (z >> 31);
}

__kernel void audit_weights(ARGUMENTS) {
  const size_t i = global_item();
  if (i >= (size_t)a.rows * PATTERNS / 2) return;
  const ulong bits = mixed(a.seed + (i + 1) * 0x9e3779b97f4a7c15ul);
  const float share = ((float)(uint)(bits >> 40) + 1.0f) * (1.0f / 16777216.0f);
  const float half_turns = (float)(uint)(bits & 0xffffff) * (1.0f / 8388608.0f);
  const float size = sqrt(-2.0f * log(share));
  weights[2 * i] = size * cospi(half_turns);
  weights[2 * i + 1] = size * sinpi(half_turns);
}
#endif

/* Each work-item folds IMAGO_VECTOR adjacent real numbers of a block of rows. */
#ifdef BUILD_audit_fold
static inline void add_row(__global const real *weights, vector_t x, vector_t *folded) {
#pragma unroll
  for (uint q = 0; q < PATTERNS; ++q) folded[q] += weights[q] * x;
}

__kernel void audit_fold(ARGUMENTS) {
  const uint vectors = (uint)(reals_of_row(&a) / IMAGO_VECTOR), item = (uint)global_item();
  const uint block = item / vectors, first = block * a.rows_of_item;
  const size_t column = (size_t)(item % vectors) * IMAGO_VECTOR, all = PARTS * (size_t)a.length;
  const uint last = min(first + a.rows_of_item, a.rows);
  const uint whole =
      min(last, (uint)(a.length / a.columns)); /* rows before the end of the signal */
  __global const stored_t *x = signal + PARTS * (size_t)a.signal_offset;
  vector_t folded_here[PATTERNS];
#pragma unroll
  for (uint q = 0; q < PATTERNS; ++q) folded_here[q] = (vector_t)(0);
  for (uint row = first; row < whole; ++row)
    add_row(weights + (size_t)row * PATTERNS,
            CONVERT(LOAD(0, x + row * reals_of_row(&a) + column)), folded_here);
  for (uint row = max(first, whole); row < last; ++row) {
    stored_t values[IMAGO_VECTOR];
    for (uint i = 0; i < IMAGO_VECTOR; ++i) {
      const size_t at = row * reals_of_row(&a) + column + i;
      values[i] = x[at < all ? at : at - all];
    }
    add_row(weights + (size_t)row * PATTERNS, CONVERT(LOAD(0, values)), folded_here);
  }
  __global real *to = parts + (size_t)block * PATTERNS * reals_of_row(&a) + column;
#pragma unroll
  for (uint q = 0; q < PATTERNS; ++q) STORE(folded_here[q], 0, to + q * reals_of_row(&a));
}
#endif

/* Each group folds one tone with every pattern; its work-items share the rows. */
#ifdef BUILD_audit_tones
__kernel __attribute__((reqd_work_group_size(IMAGO_TONE_ITEMS, 1, 1))) void audit_tones(ARGUMENTS) {
  __local real re[IMAGO_TONE_ITEMS * PATTERNS], im[IMAGO_TONE_ITEMS * PATTERNS];
  const uint tone = (uint)get_group_id(0), i = local_item();
  const uint each = (a.rows + IMAGO_TONE_ITEMS - 1) / IMAGO_TONE_ITEMS;
  const uint first = i * each, last = min(first + each, a.rows);
  const ulong step = tones[tone].y;
  weights_t sum_re = (weights_t)(0), sum_im = (weights_t)(0);
#if IMAGO_DOUBLE
  const complex_t turn = cis(step);
  complex_t value = cis(first * step);
#endif
  for (uint row = first; row < last; ++row) {
#if !IMAGO_DOUBLE /* a recurrence would accumulate too many rounding errors */
    const complex_t value = cis(row * step);
#endif
    const weights_t weight = vload16(0, weights + (size_t)row * PATTERNS);
    sum_re += weight * value.x;
    sum_im += weight * value.y;
#if IMAGO_DOUBLE
    value = times(value, turn);
#endif
  }
  vstore16(sum_re, i, re);
  vstore16(sum_im, i, im);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= PATTERNS) return;
  complex_t sum = (complex_t)(0);
  for (uint j = 0; j < IMAGO_TONE_ITEMS; ++j)
    sum += (complex_t)(re[j * PATTERNS + i], im[j * PATTERNS + i]);
  sum = times(sum, amplitudes[tone]);
  folded[(size_t)2 * PATTERNS * tone + i] = sum.x;
  folded[(size_t)2 * PATTERNS * tone + PATTERNS + i] = sum.y;
}
#endif

/* Each work-item adds up a block of tones in IMAGO_COLUMNS adjacent columns. */
#ifdef BUILD_audit_columns
__kernel void audit_columns(ARGUMENTS) {
  const uint items = a.columns / IMAGO_COLUMNS, item = (uint)global_item();
  const uint block = item / items, column = item % items * IMAGO_COLUMNS;
  const uint first = block * a.tones_of_item, last = min(first + a.tones_of_item, a.tones);
  weights_t sum_re[IMAGO_COLUMNS], sum_im[IMAGO_COLUMNS];
#pragma unroll
  for (uint i = 0; i < IMAGO_COLUMNS; ++i) sum_re[i] = sum_im[i] = (weights_t)(0);
  for (uint tone = first; tone < last; ++tone) {
    const ulong step = tones[tone].x;
    const weights_t re = vload16(2 * (size_t)tone, folded),
                    im = vload16(2 * (size_t)tone + 1, folded);
#if IMAGO_DOUBLE && IMAGO_COLUMNS > 1
    const complex_t turn = cis(step);
#endif
    complex_t value = cis(column * step);
#pragma unroll
    for (uint i = 0; i < IMAGO_COLUMNS; ++i) {
      sum_re[i] += re * value.x - im * value.y;
#if PARTS == 2
      sum_im[i] += re * value.y + im * value.x;
#endif
#if IMAGO_DOUBLE && IMAGO_COLUMNS > 1
      value = times(value, turn);
#elif IMAGO_COLUMNS > 1
      value = cis((column + i + 1) * step);
#endif
    }
  }
  __global real *to = parts + (size_t)(a.row_blocks + block) * PATTERNS * reals_of_row(&a);
#pragma unroll
  for (uint i = 0; i < IMAGO_COLUMNS; ++i) {
    real values[PATTERNS];
    vstore16(sum_re[i], 0, values);
    for (uint q = 0; q < PATTERNS; ++q) to[q * reals_of_row(&a) + PARTS * (column + i)] = values[q];
#if PARTS == 2
    vstore16(sum_im[i], 0, values);
    for (uint q = 0; q < PATTERNS; ++q)
      to[q * reals_of_row(&a) + PARTS * (column + i) + 1] = values[q];
#endif
  }
}
#endif

/* Computes the energy of the signal's columns minus the tones, IMAGO_AUDIT_SUMS real numbers per
   group. */
#ifdef BUILD_audit_energy
__kernel __attribute__((reqd_work_group_size(IMAGO_AUDIT_SUMS, 1, 1))) void audit_energy(
    ARGUMENTS) {
  __local real energies[IMAGO_AUDIT_SUMS];
  const size_t all = PATTERNS * reals_of_row(&a), at = global_item();
  const uint i = local_item(), blocks = a.row_blocks + a.tone_blocks;
  real left = 0;
  for (uint block = 0; block < a.row_blocks; ++block) left += parts[block * all + at];
  for (uint block = a.row_blocks; block < blocks; ++block) left -= parts[block * all + at];
  left *= a.scale;
  energies[i] = left * left;
  for (uint apart = IMAGO_AUDIT_SUMS / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) energies[i] += energies[i + apart];
  }
  if (i == 0) sums[get_group_id(0)] = energies[0];
}
#endif
