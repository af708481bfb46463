/* Magnitudes: computes for each hit the medians of the loops' estimates, separately for real and
   imaginary parts. Then it measures the remainder of the buckets without the tones, and estimates
   again. */

/* Returns the median of IMAGO_LOOPS values; for an even number, the mean of the middle two. */
static inline real median(const real *values) {
  real sum = 0;
#pragma unroll
  for (uint i = 0; i < IMAGO_LOOPS; ++i) {
    uint rank = 0;
#pragma unroll
    for (uint j = 0; j < IMAGO_LOOPS; ++j)
      rank += values[j] < values[i] || (values[j] == values[i] && j < i) ? 1 : 0;
    if (rank == (IMAGO_LOOPS - 1) / 2) sum += values[i];
    if (rank == IMAGO_LOOPS / 2) sum += values[i];
  }
  return sum / 2;
}

/* Returns the estimate of the loops' buckets at frequency f. */
static inline complex_t estimate(const Voting *v, __global const complex_t *spectra,
                                 __global const real *response, uint f) {
  real re[IMAGO_LOOPS], im[IMAGO_LOOPS];
#pragma unroll
  for (uint l = 0; l < IMAGO_LOOPS; ++l) {
    const uint g = modulo(v, v->sigma[l] * f), bucket = bucket_of(v, g);
    const complex_t value = times_conjugate(spectra[((size_t)l << v->log_buckets) + bucket],
                                            phase_of(v, f, v->tau[l])) /
                            response[abs(offset_of(v, g, bucket))];
    re[l] = value.x;
    im[l] = value.y;
  }
  return (complex_t)(median(re), median(im));
}

/* Returns the square of the least amplitude that noise or leakage is unlikely to cause. */
static inline float least_energy(const Voting *v, __global const uint *work) {
  float noise = 0;
  for (uint l = 0; l < v->location; ++l)
    noise += as_float(work[IMAGO_CUT_NOISE + l]) / (float)v->location;
  const float own = v->own_noise * v->own_noise * as_float(work[IMAGO_CUT_PEAK]);
  return 4 * noise + 16 * own;
}

/* Lists the hits that are tones, and adds them to the list of their bucket in every loop. */
#ifdef BUILD_voting_estimate
KERNEL(voting_estimate) {
  const uint item = (uint)global_item(), hits = work[IMAGO_HITS];
  if (item == 0) {
    state[IMAGO_PEAK] = work[IMAGO_CUT_PEAK];
    state[IMAGO_EVENTS] = hits > v.capacity; /* some hits are lost */
  }
  if (item >= min(hits, v.capacity)) return;
  const uint f = work[hits_at(&v) + item];
  const complex_t amplitude = estimate(&v, spectra, response, f);
  if (!((float)square(amplitude) > least_energy(&v, work))) return;
  const uint index = atomic_inc((volatile __global uint *)&state[IMAGO_CREATED]);
  put_tone(tone_at(state, index), f, amplitude);
  pending[index] = amplitude;
  for (uint l = 0; l < v.loops; ++l) {
    const uint bucket = bucket_of(&v, modulo(&v, v.sigma[l] * f));
    volatile __global uint *head = &work[heads_at(&v) + ((size_t)l << v.log_buckets) + bucket];
    work[next_at(&v) + (size_t)l * v.capacity + index] = atomic_xchg(head, index + 1);
  }
}
#endif

/* Refines the amplitudes, with one work-item per tone. */
#ifdef BUILD_voting_refine
KERNEL(voting_refine) {
  const uint index = (uint)global_item();
  if (index >= tones_of(state)) return;
  __global uint *tone = tone_at(state, index);
  const complex_t correction = estimate(&v, spectra, response, tone[0]);
  put_tone(tone, tone[0], amplitude_of(tone) + correction);
  pending[index] = correction;
}
#endif

/* Subtracts the pending tones from a bucket; they are listed under this bucket or an adjacent
   one. */
static inline complex_t left_in(const Voting *v, __global uint *state, __global const uint *work,
                                __global const real *response, __global const complex_t *pending,
                                uint of_loop, uint bucket, complex_t value) {
  for (int d = -1; d <= 1; ++d) {
    const uint near = (bucket + (uint)d) & (buckets_of(v) - 1);
    uint next = work[heads_at(v) + ((size_t)of_loop << v->log_buckets) + near];
    while (next != 0) {
      const uint f = tone_at(state, next - 1)[0];
      const int offset = offset_of(v, modulo(v, v->sigma[of_loop] * f), bucket);
      value -= times(pending[next - 1], phase_of(v, f, v->tau[of_loop])) * response[abs(offset)];
      next = work[next_at(v) + (size_t)of_loop * v->capacity + next - 1];
    }
  }
  return value;
}

/* Subtracts the pending tones, with one work-item per bucket of each loop. With `loop` 1, the last
   time, it also measures the remainder. */
#ifdef BUILD_voting_subtract
KERNEL(voting_subtract) {
  __local uint bins[IMAGO_BINS];
  __local uint largest;
  const uint item = (uint)global_item(), i = local_item();
  const complex_t left = left_in(&v, state, work, response, pending, item >> v.log_buckets,
                                 item & (buckets_of(&v) - 1), spectra[item]);
  spectra[item] = left;
  if (loop == 0) return;
  const float energy = (float)square(left);
  bins[i] = 0;
  if (i == 0) largest = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&largest, as_uint(energy)); /* the bits have the order of the energies */
  atomic_inc(&bins[bin_below(energy, state[IMAGO_PEAK], IMAGO_BINS)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) atomic_max((volatile __global uint *)&state[IMAGO_WORST], largest);
  if (bins[i] != 0) atomic_add((volatile __global uint *)&state[IMAGO_HISTOGRAM + i], bins[i]);
}
#endif
