/* The order of residues whose number has its bits in reverse (src/api/modular.cpp). */

/* Moves element k of each row of 2^bits words to the place with the bits of k in reverse, among all
   `all` words. `swaps`: from and to are the same memory. */
__kernel void exact_reversed(__global const WORD *from, __global WORD *to, ulong all, uint bits,
                             uint swaps) {
  const ulong start = (ulong)get_global_id(0) * BLOCK, end = min(start + BLOCK, all);
  for (ulong i = start; i < end; ++i) {
    const ulong row = i >> bits << bits;
    uint k = (uint)(i - row);
    k = (k >> 16) | (k << 16);
    k = ((k & 0xff00ff00U) >> 8) | ((k & 0x00ff00ffU) << 8);
    k = ((k & 0xf0f0f0f0U) >> 4) | ((k & 0x0f0f0f0fU) << 4);
    k = ((k & 0xccccccccU) >> 2) | ((k & 0x33333333U) << 2);
    k = ((k & 0xaaaaaaaaU) >> 1) | ((k & 0x55555555U) << 1);
    const ulong j = row + (k >> (32 - bits));
    if (swaps && j <= i) continue;
    const WORD own = from[i];
    if (swaps) to[i] = from[j];
    to[j] = own;
  }
}
