/* The order of residues whose number has its bits in reverse (src/api/modular.cpp). */

/* Moves element k of each axis to the place with the bits of k in reverse, among all `all` words of
   arrays of powers of two. `ends` has a bit at the end of each axis in the number of a word, above
   bit 0. `swaps`: from and to are the same memory. */
__kernel void exact_reversed(__global const WORD *from, __global WORD *to, ulong all, ulong ends,
                             uint swaps) {
  const ulong start = (ulong)get_global_id(0) * BLOCK, end = min(start + BLOCK, all);
  for (ulong i = start; i < end; ++i) {
    ulong j = i;
    uint bit = 0;
    for (ulong rest = ends >> 1; rest; rest = ends >> bit >> 1) {
      const uint width = popcount((rest & -rest) - 1) + 1; /* at most 32 */
      uint k = (uint)(i >> bit) << (32 - width);
      j -= (ulong)(k >> (32 - width)) << bit;
      k = (k >> 16) | (k << 16);
      k = ((k & 0xff00ff00U) >> 8) | ((k & 0x00ff00ffU) << 8);
      k = ((k & 0xf0f0f0f0U) >> 4) | ((k & 0x0f0f0f0fU) << 4);
      k = ((k & 0xccccccccU) >> 2) | ((k & 0x33333333U) << 2);
      k = ((k & 0xaaaaaaaaU) >> 1) | ((k & 0x55555555U) << 1);
      j += (ulong)k << bit;
      bit += width;
    }
    if (swaps && j <= i) continue;
    const WORD own = from[i];
    if (swaps) to[i] = from[j];
    to[j] = own;
  }
}
