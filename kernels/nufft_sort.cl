/* This file sorts the points of nonuniform transforms by bins of the grid. The host defines
   IMAGO_DIGIT_BITS, the most bits of the bins' numbers by which a pass sorts. */

/* A pass of the sort by digits, the least significant first. Points of equal digits keep their
   order, so the result depends on nothing else. Each group has a chunk of the points. */
#define MOST_DIGITS (1u << IMAGO_DIGIT_BITS)
/* Work-items of a group always sort by MOST_DIGITS. One alone sorts by fewer if there are few bins;
   that is an argument, because other grids would otherwise need other kernels. */
#if IMAGO_ITEMS == 1
#define DIGITS digits
#else
#define DIGITS MOST_DIGITS
#endif
static inline uint digit_of(uint key, uint shift, uint digits) {
  return key >> shift & (digits - 1);
}

#ifdef BUILD_nufft_count
/* Counts the digits of each chunk: counts[digit * chunks + chunk]. */
KERNEL nufft_count(const uint points, const uint chunk, const uint shift, const uint digits,
                   __global const uint *keys, __global uint *counts) {
  __local uint count[MOST_DIGITS];
  const size_t group = get_group_id(0), from = group * chunk,
               to = min(from + chunk, (size_t)points);
  for (uint i = local_item(); i < DIGITS; i += IMAGO_ITEMS) count[i] = 0;
  BARRIER(CLK_LOCAL_MEM_FENCE);
  for (size_t p = from + local_item(); p < to; p += IMAGO_ITEMS) {
#if IMAGO_ITEMS == 1
    ++count[digit_of(keys[p], shift, DIGITS)];
#else
    atomic_inc(&count[digit_of(keys[p], shift, DIGITS)]);
#endif
  }
  BARRIER(CLK_LOCAL_MEM_FENCE);
  for (uint i = local_item(); i < DIGITS; i += IMAGO_ITEMS)
    counts[i * get_num_groups(0) + group] = count[i];
}
#endif

/* Returns the sum of the values of all earlier items of the group, and sets the sum of all. */
static inline uint sum_before(uint value, __local uint *values, uint *total) {
#if IMAGO_ITEMS == 1
  *total = value;
  return 0;
#else
  const uint item = local_item();
  values[item] = value;
  BARRIER(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < IMAGO_ITEMS; step *= 2) {
    const uint other = item >= step ? values[item - step] : 0;
    BARRIER(CLK_LOCAL_MEM_FENCE);
    values[item] += other;
    BARRIER(CLK_LOCAL_MEM_FENCE);
  }
  *total = values[IMAGO_ITEMS - 1];
  const uint before = values[item] - value;
  BARRIER(CLK_LOCAL_MEM_FENCE);
  return before;
#endif
}

#ifdef BUILD_nufft_scan
/* Replaces each count of a digit by the sum of those before it. A group has a digit; the sums of
   all its counts follow the counts of all digits. */
KERNEL nufft_scan(const uint chunks, const uint digits, __global uint *counts) {
  __local uint values[IMAGO_ITEMS];
  const size_t digit = get_group_id(0);
  __global uint *own = counts + digit * chunks;
  uint before = 0;
  for (uint base = 0; base < chunks; base += IMAGO_ITEMS) {
    const uint i = base + local_item(), count = i < chunks ? own[i] : 0;
    uint total;
    const uint sum = before + sum_before(count, values, &total);
    if (i < chunks) own[i] = sum;
    before += total;
  }
  if (local_item() == 0) counts[(size_t)DIGITS * chunks + digit] = before;
}
#endif

#ifdef BUILD_nufft_scatter
/* Moves keys and numbers of points to their places. In the first pass the points are in their
   given order. A single pass (`one_pass`) knows the first point of each bin, and need not move
   keys. */
KERNEL nufft_scatter(const uint points, const uint chunk, const uint shift, const uint digits,
                     const uint is_first, const uint one_pass, __global const uint *keys,
                     __global const uint *order, __global const uint *counts,
                     __global uint *sorted_keys, __global uint *sorted_order, const uint bins,
                     __global uint *starts) {
  __local uint next[MOST_DIGITS];
  const size_t group = get_group_id(0), from = group * chunk,
               to = min(from + chunk, (size_t)points);
  // The first place of a digit is the number of points with smaller digits.
  __local uint values[IMAGO_ITEMS];
  const uint chunks = (uint)get_num_groups(0), each = (DIGITS + IMAGO_ITEMS - 1) / IMAGO_ITEMS;
  const uint first = min(local_item() * each, DIGITS), end = min(first + each, DIGITS);
  uint sum = 0, total;
  for (uint i = first; i < end; ++i) sum += counts[DIGITS * chunks + i];
  sum = sum_before(sum, values, &total);
  for (uint i = first; i < end; ++i) {
    next[i] = sum + counts[i * chunks + group];
    sum += counts[DIGITS * chunks + i];
    if (one_pass && group == 0) {
      if (i < bins) starts[i] = next[i];
      if (i == 0) starts[bins] = points;
    }
  }
  BARRIER(CLK_LOCAL_MEM_FENCE);
#if IMAGO_ITEMS == 1
  for (size_t p = from; p < to; ++p) {
    const uint key = keys[p], place = next[digit_of(key, shift, DIGITS)]++;
    if (!one_pass) sorted_keys[place] = key;
    sorted_order[place] = is_first ? (uint)p : order[p];
  }
#else
  // Rows of up to 32 items count their own equal digits. The rows' counts follow each other.
#define ROW ALONG
#define ROWS (IMAGO_ITEMS / ROW)
  __local uint own_digits[IMAGO_ITEMS], counted[ROWS * MOST_DIGITS];
  const uint item = local_item(), row = item / ROW;
  for (size_t base = from; base < to; base += IMAGO_ITEMS) {
    const size_t p = base + item;
    const bool has_point = p < to;
    const uint key = has_point ? keys[p] : 0;
    const uint digit = has_point ? digit_of(key, shift, DIGITS) : DIGITS;
    own_digits[item] = digit;
    for (uint i = item; i < ROWS * DIGITS; i += IMAGO_ITEMS) counted[i] = 0;
    BARRIER(CLK_LOCAL_MEM_FENCE);
    uint before = 0, all = 0;
    for (uint i = 0; i < ROW; ++i) {
      const uint equal = own_digits[row * ROW + i] == digit;
      all += equal;
      before += row * ROW + i < item ? equal : 0;
    }
    if (has_point && before == 0) counted[row * DIGITS + digit] = all;
    BARRIER(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < DIGITS; i += IMAGO_ITEMS) {
      uint place = next[i];
      for (uint r = 0; r < ROWS; ++r) {
        const uint own = counted[r * DIGITS + i];
        counted[r * DIGITS + i] = place;
        place += own;
      }
      next[i] = place;
    }
    BARRIER(CLK_LOCAL_MEM_FENCE);
    if (has_point) {
      const uint place = counted[row * DIGITS + digit] + before;
      if (!one_pass) sorted_keys[place] = key;
      sorted_order[place] = is_first ? (uint)p : order[p];
    }
    BARRIER(CLK_LOCAL_MEM_FENCE);
  }
#endif
}
#endif

#ifdef BUILD_nufft_parts
/* Returns the number of a bin's slots. Bins of several parts have a slot for each. If points are
   crowded, large bins of one part have a slot, too: each of the launches by parity would otherwise
   wait for the only group with many points. */
static inline uint slots_of(uint points, uint parts, const NufftGrid *g, bool crowded) {
  return parts > 1 || (crowded && points > g->part / 4) ? parts : 0;
}

/* Divides bins into parts of at most g.part points: the numbers of each bin's first part and of its
   first slot. Points are crowded if a bin has eight parts; members with points of their own are
   not, as none may depend on others. One group. */
KERNEL nufft_parts(const NufftGrid g, const uint bins, __global const uint *starts,
                   __global uint *first_part, __global uint *first_slot, __global uint *bin_of_part,
                   __global uint *report) {
  __local uint values[IMAGO_ITEMS];
  const uint each = (bins + IMAGO_ITEMS - 1) / IMAGO_ITEMS;
  const uint from = min(local_item() * each, bins), to = min(from + each, bins);
  uint parts = 0, slots = 0, most = 0, all_parts, all_slots;
  for (uint bin = from; bin < to; ++bin) most = max(most, starts[bin + 1] - starts[bin]);
  values[local_item()] = most;
  BARRIER(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < IMAGO_ITEMS; ++i) most = max(most, values[i]);
  BARRIER(CLK_LOCAL_MEM_FENCE);
  const bool crowded = most / 8 >= g.part && g.bins_of_member == 0;
  for (uint bin = from; bin < to; ++bin) {
    const uint points = starts[bin + 1] - starts[bin], own = (points + g.part - 1) / g.part;
    parts += own;
    slots += slots_of(points, own, &g, crowded);
  }
  parts = sum_before(parts, values, &all_parts);
  slots = sum_before(slots, values, &all_slots);
  for (uint bin = from; bin < to; ++bin) {
    const uint points = starts[bin + 1] - starts[bin], own = (points + g.part - 1) / g.part;
    first_part[bin] = parts;
    first_slot[bin] = slots;
    for (uint i = 0; i < own; ++i) bin_of_part[parts + i] = bin;
    parts += own;
    slots += slots_of(points, own, &g, crowded);
  }
  if (local_item() == 0) {
    first_part[bins] = all_parts;
    first_slot[bins] = all_slots;
    report[IMAGO_NUFFT_PARTS] = all_parts;
    report[IMAGO_NUFFT_SLOTS] = all_slots;
    report[IMAGO_NUFFT_IN_ONE_PLACE] = most;  // for nufft_crowds
  }
}
#endif
