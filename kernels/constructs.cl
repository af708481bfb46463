/* Each kernel is the smallest one that shows a construct that some compiler gets wrong.
   src/runtime/constructs.cpp holds the correct results. The kernels run in one group of 64
   work-items; `in` has 128 elements, and so has `out`. docs/implementations.md lists the failing
   compilers. */

#define ITEMS 64
#define CONSTRUCT __kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void

/* A value that was loaded before a barrier must not change after it, although other work-items have
   stored to its place since. */
CONSTRUCT imago_kept_load(__global const float* in, __global float* out) {
  __local float shared[ITEMS];
  const int item = (int)get_local_id(0);
  shared[item] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float first = shared[ITEMS - 1 - item];
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[item] = in[ITEMS + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = first;
  out[2 * item + 1] = shared[ITEMS - 1 - item];
}

/* Repeats the test with an index in volatile memory, which kernels use if the test above fails. */
CONSTRUCT imago_kept_item(__global const float* in, __global float* out) {
  __local float shared[ITEMS];
  volatile int kept_item = (int)get_local_id(0);
  const int item = kept_item;
  shared[item] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float first = shared[ITEMS - 1 - item];
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[item] = in[ITEMS + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = first;
  out[2 * item + 1] = shared[ITEMS - 1 - item];
}

/* A negated value crosses a barrier. No kernel of imago does that (ir/negations.hpp). */
CONSTRUCT imago_kept_negation(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float negated = -in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = negated;
  out[2 * item + 1] = negated * in[ITEMS + item];
}

/* The substitutes in imago's kernels: a negation after the barrier, or a difference. */
CONSTRUCT imago_moved_negation(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float difference = 0.0f - y;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float negated = -x;
  out[2 * item] = negated;
  out[2 * item + 1] = negated * -difference;
}

/* A choice between two negations, which compilers turn into the negation of a choice, crosses a
   barrier. No kernel of imago does that either. */
CONSTRUCT imago_kept_choice(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float chosen = item % 2 == 0 ? -x : -y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = chosen;
  out[2 * item + 1] = chosen * in[ITEMS + item];
}

/* The substitute in imago's kernels: a choice between differences. */
CONSTRUCT imago_chosen_difference(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float chosen = item % 2 == 0 ? 0.0f - x : 0.0f - y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = chosen;
  out[2 * item + 1] = chosen * in[ITEMS + item];
}

/* A remainder must differ between work-items although its quotient is used, too. No kernel of imago
   divides so (ir/folding.cpp). */
CONSTRUCT imago_remainder(__global const float* in, __global float* out) {
  __local float shared[ITEMS];
  const int item = (int)get_local_id(0);
  const int quotient = item / 7, rest = item % 7;
  shared[item] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = shared[quotient * 7 + rest];
  out[2 * item + 1] = (float)rest;
}
