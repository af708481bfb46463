/* Tests the local memory of a device: every word is written by one work-item and read by another.
   IMAGO_WORDS is the number of words. */

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void imago_probe(__global uint* out) {
  __local uint words[IMAGO_WORDS];
  const uint item = get_local_id(0), group = get_group_id(0);
  for (uint i = item; i < IMAGO_WORDS; i += 64) words[i] = (i + group) * 2654435761u;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint i = item; i < IMAGO_WORDS; i += 64) sum = sum * 3u + words[IMAGO_WORDS - 1 - i];
  out[get_global_id(0)] = sum;
}
