/* Copies signals to an array with another layout, with a border before the first sample and behind
   the last one; or writes zeros (BORDER 0). An element has PARTS numbers.

   A work-group writes RUN elements of a row. `rows` has four numbers for each dimension of the
   rows: its length, the distances of its elements in both arrays, and 1 if it is the axis of
   samples, else 0. The same numbers of the elements of a row are arguments. */

#if IMAGO_DOUBLE == 1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#if PARTS == 2
typedef double2 element;
#else
typedef double element;
#endif
#elif IMAGO_DOUBLE == 2 /* by pairs, whose definitions are above */
typedef ulong real;
#if PARTS == 2
typedef ulong2 element;
#else
typedef ulong element;
#endif
#else
typedef float real;
#if PARTS == 2
typedef float2 element;
#else
typedef float element;
#endif
#endif

#if BORDER == 1 /* edge */
static element outside(__global const element* in, long t, long n, long apart) {
  return in[clamp(t, 0L, n - 1) * apart];
}
#endif

#if BORDER == 2 || BORDER == 3
/* Returns t within one reflection: 0 <= t < 2 (n - 1). Adds the others to `turns`. */
static long unfolded(long t, long n, long* turns) {
  const long period = 2 * (n - 1);
  *turns = t / period - (t % period < 0);
  return t - *turns * period;
}
#endif

#if BORDER == 2 /* even */
static element outside(__global const element* in, long t, long n, long apart) {
  if (n == 1) return in[0];
  long turns;
  t = unfolded(t, n, &turns);
  return in[(t < n ? t : 2 * (n - 1) - t) * apart];
}
#endif

#if BORDER == 3 /* odd */
/* Returns 2 a - b + turns 2 (a - c), where a is the last sample and c the first. */
static real reflected(real a, real b, real c, long turns) {
#if IMAGO_DOUBLE == 2
  const pair last = pair_decode(a), twice = pair_of_long(2 * turns);
  const pair y = pair_sub(pair_add(last, last), pair_decode(b));
  return pair_encode(pair_fma(twice, pair_sub(last, pair_decode(c)), y));
#else
  return 2 * a - b + 2 * turns * (a - c);
#endif
}
/* Returns b + turns 2 (a - c). */
static real moved(real a, real b, real c, long turns) {
#if IMAGO_DOUBLE == 2
  const pair step = pair_sub(pair_decode(a), pair_decode(c));
  return pair_encode(pair_fma(pair_of_long(2 * turns), step, pair_decode(b)));
#else
  return b + 2 * turns * (a - c);
#endif
}
/* Each turn of two reflections adds twice the difference of the last and the first sample. */
static element outside(__global const element* in, long t, long n, long apart) {
  if (n == 1) return in[0];
  long turns;
  t = unfolded(t, n, &turns);
  const element a = in[(n - 1) * apart], c = in[0];
  const element b = in[(t < n ? t : 2 * (n - 1) - t) * apart];
#if PARTS == 2
  return t < n ? (element)(moved(a.x, b.x, c.x, turns), moved(a.y, b.y, c.y, turns))
               : (element)(reflected(a.x, b.x, c.x, turns), reflected(a.y, b.y, c.y, turns));
#else
  return t < n ? moved(a, b, c, turns) : reflected(a, b, c, turns);
#endif
}
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void signal_copy(__global const element* restrict from, long from_offset,
                 __global element* restrict to, long to_offset, __global const long* rows,
                 int dimensions, long length, long from_step, long to_step, long along, long runs,
                 long samples, long before, long apart) {
  const long group = get_group_id(0);
  long row = group / runs, t = -before;
  const long begin = (group - row * runs) * RUN, end = min(begin + RUN, length);
  const int item = get_local_id(0);
  for (int d = 0; d < dimensions; ++d, rows += 4) {
    const long i = row % rows[0];
    row /= rows[0];
    from_offset += i * rows[1], to_offset += i * rows[2], t += i * rows[3];
  }
  __global element* out = to + to_offset;
#if BORDER == 0
  for (long i = begin + item; i < end; i += GROUP) out[i * to_step] = 0;
#else
  __global const element* in = from + from_offset;
  /* Elements from `inside` to `behind` are samples; the others are the border's. */
  long inside = t >= 0 && t < samples ? begin : end, behind = end;
  if (along) inside = clamp(-t, begin, end), behind = clamp(samples - t, inside, end);
  for (long i = begin + item; i < inside; i += GROUP)
    out[i * to_step] = outside(in + i * from_step, t + i * along, samples, apart);
  const long step = from_step + along * apart;
  __global const element* first = in + t * apart;
  if (step == 1 && to_step == 1)
    for (long i = inside + item; i < behind; i += GROUP) out[i] = first[i];
  else
    for (long i = inside + item; i < behind; i += GROUP) out[i * to_step] = first[i * step];
  for (long i = behind + item; i < end; i += GROUP)
    out[i * to_step] = outside(in + i * from_step, t + i * along, samples, apart);
#endif
}
