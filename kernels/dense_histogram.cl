/* Counts the magnitudes of a spectrum, multiplied by `gain`, in bins of an eighth of an octave: the
   upper bits of a float. With `exponents` it counts the exponents of the larger parts instead. The
   counts must be zero before. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void dense_histogram(
    __global const complex_t *restrict spectrum, ulong count, real gain, uint exponents,
    __global uint *restrict bins) {
  __local uint own[IMAGO_DENSE_BINS];
  const uint i = local_item();
  for (uint bin = i; bin < IMAGO_DENSE_BINS; bin += GROUP) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t f = global_item(); f < count; f += get_global_size(0)) {
    const complex_t x = spectrum[f];
    const uint bin =
        exponents ? max(exponent_of(x.x), exponent_of(x.y)) : as_uint(magnitude(gain * x)) >> 20;
    atomic_inc(&own[bin]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = i; bin < IMAGO_DENSE_BINS; bin += GROUP) {
    if (own[bin] != 0) atomic_add((volatile __global uint *)&bins[bin], own[bin]);
  }
}
