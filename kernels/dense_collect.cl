/* Lists the coefficients above a threshold, in any order, in the phase method's format of tones.
   For the other coefficients each group sums the energy, relative to that of `scale`. Magnitudes,
   `threshold` and `scale` are multiplied by `gain`. words[0] counts the list and must be zero
   before; the sums follow, one per group, and then the list. A real signal's coefficients between
   the first and the last of the half spectrum count twice. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void dense_collect(
    __global const complex_t *restrict spectrum, ulong count, ulong length, float threshold,
    float scale, real gain, uint capacity, __global uint *restrict words) {
  __local float sums[GROUP];
  const uint i = local_item();
  const bool half_spectrum = count < length;
  float sum = 0;
  for (size_t f = global_item(); f < count; f += get_global_size(0)) {
    const complex_t x = spectrum[f];
    const float size = magnitude(gain * x);
    if (!(size > threshold)) {
      const float share = size / scale;
      sum += share * share * (half_spectrum && f != 0 && 2 * f != length ? 2 : 1);
      continue;
    }
    const uint index = atomic_inc((volatile __global uint *)words);
    if (index >= capacity) continue;
    put_tone(words + 1 + get_num_groups(0) + (size_t)index * TONE_WORDS, f, x);
  }
  sums[i] = sum;
  for (uint apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) sums[i] += sums[i + apart];
  }
  if (i == 0) words[1 + get_group_id(0)] = as_uint(sums[0]);
}
