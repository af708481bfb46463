/* Tests whether work-groups of one kernel can wait for each other, as one-launch kernels do. Groups
   take tickets. Those of the second half read what any group of the first half wrote, and the last
   group resets the counters. No group waits forever: it gives up after IMAGO_PATIENCE polls and
   reports that. */

__kernel __attribute__((reqd_work_group_size(IMAGO_ITEMS, 1, 1))) void imago_waiting(
    __global uint* first, __global uint* second, volatile __global atomic_int* counters, int groups,
    uint seed) {
  __local int shared;
  const int item = get_local_id(0);
  if (item == 0) {
    shared = atomic_fetch_add_explicit(counters, 1, memory_order_relaxed, memory_scope_device);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int ticket = shared;
  const uint count = (uint)groups * IMAGO_ITEMS;
  if (ticket < groups) {
    const uint i = (uint)ticket * IMAGO_ITEMS + item;
    first[i] = i * 2654435761u + seed;
  } else {
    int met = 1;
    if (item == 0) {
      met = 0;
      for (int look = 0; look < IMAGO_PATIENCE && !met; ++look) {
        met =
            atomic_load_explicit(counters + 1, memory_order_acquire, memory_scope_device) >= groups;
      }
      /* Releases the other groups. */
      if (!met)
        atomic_store_explicit(counters + 1, groups, memory_order_relaxed, memory_scope_device);
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    const uint i = (uint)(ticket - groups) * IMAGO_ITEMS + item;
    second[i] = met ? first[(i * 7u + 3u) % count] : 0u;
  }
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (item == 0 &&
      atomic_fetch_add_explicit(counters + 1, 1, memory_order_acq_rel, memory_scope_device) ==
          2 * groups - 1) {
    atomic_store_explicit(counters, 0, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(counters + 1, 0, memory_order_relaxed, memory_scope_device);
  }
}
