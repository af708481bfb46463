/* This file adds the tiles of the parts of bins. */

/* Adds the slots of each bin of several parts to its first slot, in their order. The group of each
   part has its share of the cells. */
KERNEL nufft_add_parts(const NufftGrid g, const uint parts, const uint slots,
                       __global const uint *first_part, __global const uint *first_slot,
                       __global const uint *bin_of_part, __global complex_t *tiles) {
  const uint member = (uint)get_group_id(0) / parts, part = (uint)get_group_id(0) % parts;
  const uint bin = bin_of_part[part], first = first_part[bin], count = first_part[bin + 1] - first;
  if (count == 1) return;
  __global complex_t *slot = tiles + ((size_t)member * slots + first_slot[bin]) * g.tile_cells;
  const uint from = (uint)((ulong)(part - first) * g.tile_cells / count);
  const uint to = (uint)((ulong)(part - first + 1) * g.tile_cells / count);
  for (uint i = from + local_item(); i < to; i += IMAGO_ITEMS) {
    complex_t sum = slot[i];
    for (uint other = 1; other < count; ++other) sum += slot[(size_t)other * g.tile_cells + i];
    slot[i] = sum;
  }
}
