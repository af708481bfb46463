/* Samples, windows and folds: spectrum (hash, shift) gets at index b the sum over j = b modulo B of
   tap[j] x[sigma (j + t) + tau]. Clears the state of the attempt on the way. A work-item per element
   of the spectra; a group's lie in one spectrum. */

#define GROUP 256

static inline void clear(const Attempt *a, __global uint *state) {
  for (size_t i = global_item(); i < cleared_words(a); i += get_global_size(0)) {
    if (i < IMAGO_TONES || i >= keys_at(a)) state[i] = 0;
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_sample(ARGUMENTS) {
  clear(&a, state);
  barrier(CLK_LOCAL_MEM_FENCE); /* CPUs: what lies between barriers becomes vectors */
  const uint log_groups = a.log_buckets - 8, group = (uint)get_group_id(0);
  const uint spectrum = group >> log_groups, hash = spectrum / a.shifts,
             shift = spectrum - hash * a.shifts, buckets = buckets_of(&a);
  const uint b = ((group << 8) & (buckets - 1)) + local_item();
  const uint half_window = IMAGO_WIDTH * (buckets / 2);
  const uint first = (b + half_window) & (buckets - 1); /* tap 0 stands at j = -half_window */
  const uint sigma = a.sigma[hash], step = multiply_modulo(&a, sigma, buckets);
  const uint time = shift == 0 ? 0 : 1u << a.exponents[shift - 1];
  uint at = add_modulo(&a, add_modulo(&a, time, first), (uint)a.length - half_window);
  at = add_modulo(&a, multiply_modulo(&a, sigma, at), a.tau[hash]);
  real re = 0, im = 0;
#pragma unroll
  for (uint m = 0; m < IMAGO_WIDTH; ++m) {
    const real tap = taps[first + m * buckets];
#if IMAGO_REAL_SIGNAL
    re += tap * signal[a.signal_offset + at];
#elif IMAGO_DOUBLE
    re += tap * signal[a.signal_offset + at].x;
    im += tap * signal[a.signal_offset + at].y;
#else /* one load, of a type that compilers for CPUs put into vectors */
    const ulong pair = ((__global const ulong *)signal)[a.signal_offset + at];
    re += tap * as_float((uint)pair);
    im += tap * as_float((uint)(pair >> 32));
#endif
    at = add_modulo(&a, at, step);
  }
  __global real *to = (__global real *)(spectra + ((size_t)spectrum << a.log_buckets) + b);
  to[0] = re;
  to[1] = im;
}
