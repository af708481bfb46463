/* Samples, windows and folds: index b of spectrum (hash, shift) becomes the sum over j = b modulo B
   of tap[j] x[sigma (j + t) + tau]. It also clears the state of the attempt. Uses one work-item per
   element of the spectra; the work-items of a part of a group belong to one spectrum. */

#define LOG_PART 8 /* no spectrum has fewer buckets */
#define PARTS_OF_GROUP (GROUP >> LOG_PART)

static inline void clear(const Attempt *a, __global uint *state, size_t item, size_t items) {
  for (size_t i = item; i < cleared_words(a); i += items) {
    if (i < IMAGO_TONES || i >= keys_at(a)) state[i] = 0;
  }
}

static inline void sample(const Attempt *a, __global const signal_t *signal,
                          __global const real *taps, __global complex_t *spectra, uint group) {
  const uint item = local_item();
#if PARTS_OF_GROUP > 1
  const uint part = group * PARTS_OF_GROUP + (item >> LOG_PART),
             of_part = item & ((1u << LOG_PART) - 1);
#else
  const uint part = group, of_part = item;
#endif
  const uint log_parts = a->log_buckets - LOG_PART;
  const uint spectrum = part >> log_parts, hash = spectrum / a->shifts,
             shift = spectrum - hash * a->shifts, buckets = buckets_of(a);
#if PARTS_OF_GROUP > 1
  if (hash >= IMAGO_HASHES) return; /* the last group may have only one part */
#endif
  const uint b = ((part << LOG_PART) & (buckets - 1)) + of_part;
  const uint half_window = IMAGO_WIDTH * (buckets / 2);
  const uint first = (b + half_window) & (buckets - 1); /* tap 0 belongs to j = -half_window */
  const uint sigma = a->sigma[hash], step = multiply_modulo(a, sigma, buckets);
  const uint time = shift == 0 ? 0 : 1u << a->exponents[shift - 1];
  uint at = add_modulo(a, add_modulo(a, time, first), (uint)a->length - half_window);
  at = add_modulo(a, multiply_modulo(a, sigma, at), a->tau[hash]);
  real re = 0, im = 0;
#pragma unroll
  for (uint m = 0; m < IMAGO_WIDTH; ++m) {
    const real tap = taps[first + m * buckets];
#if IMAGO_REAL_SIGNAL
    re += tap * signal[a->signal_offset + at];
#elif IMAGO_DOUBLE
    re += tap * signal[a->signal_offset + at].x;
    im += tap * signal[a->signal_offset + at].y;
#else /* one load, of a type that compilers for CPUs turn into vectors */
    const ulong pair = ((__global const ulong *)signal)[a->signal_offset + at];
    re += tap * as_float((uint)pair);
    im += tap * as_float((uint)(pair >> 32));
#endif
    at = add_modulo(a, at, step);
  }
  __global real *to = (__global real *)(spectra + ((size_t)spectrum << a->log_buckets) + b);
  to[0] = re;
  to[1] = im;
}

#if !IMAGO_WHOLE
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_sample(ARGUMENTS) {
  clear(&a, state, global_item(), get_global_size(0));
  barrier(CLK_LOCAL_MEM_FENCE); /* CPUs: code between barriers becomes vectors */
  sample(&a, signal, taps, spectra, (uint)get_group_id(0));
}
#endif
