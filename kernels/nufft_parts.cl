/* This file adds the tiles of the parts of bins. */

/* Adds the slots of each bin of several parts to its first slot, in the same order in each call.
   The groups of the parts share the cells of the bin's tile. Some work-items of a group have
   neighbouring cells, which are read at once, and the others have the same cells of other slots: so
   no work-item waits for a long chain of sums. */
KERNEL nufft_add_parts(const NufftGrid g, const uint parts, const uint slots,
                       __global const uint *first_part, __global const uint *first_slot,
                       __global const uint *bin_of_part, __global complex_t *tiles) {
  __local complex_t sums[IMAGO_ITEMS];
  const uint member = (uint)get_group_id(0) / parts, part = (uint)get_group_id(0) % parts;
  const uint bin = bin_of_part[part], first = first_part[bin], count = first_part[bin + 1] - first;
  // The order of sums does not depend on IMAGO_ITEMS from 32 on.
  const uint most_rows = min(32u, (uint)IMAGO_ITEMS);
  const uint rows = min(1u << (31 - clz(count)), most_rows);
  const uint cells = IMAGO_ITEMS / rows;
  const uint column = local_item() % cells, row = local_item() / cells;
  __global complex_t *slot = tiles + ((size_t)member * slots + first_slot[bin]) * g.tile_cells;
  // No barrier is in a branch, and none follows a return: some compilers cannot do that.
  const uint end = count == 1 ? 0 : g.tile_cells;
  for (uint from = (part - first) * cells; from < end; from += count * cells) {
    const uint cell = from + column;
    // Waits until the group has read the sums before.
    BARRIER(CLK_LOCAL_MEM_FENCE);
    complex_t sum = 0, lost = 0;
    if (cell < end && row < rows) {
      for (uint other = row; other < count; other += rows)
        ADD_TO(complex_t, sum, lost, slot[(size_t)other * g.tile_cells + cell])
    }
    sums[local_item()] = sum;
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (cell < end && row == 0) {
      for (uint other = 1; other < rows; ++other) sum += sums[other * cells + column];
      slot[cell] = sum;
    }
  }
}
