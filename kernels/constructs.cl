/* Constructs that compilers have got wrong, each the smallest kernel that showed it; what each of them
   stores stands in src/runtime/constructs.cpp. One group of 64 work-items, `in` has 128 elements, `out`
   takes 128. docs/implementations.md says who fails. */

#define ITEMS 64
#define CONSTRUCT __kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void

/* What was loaded before a barrier is the value from then, though others have stored there since. */
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

/* The same with an index that is kept: what kernels do where the one above fails. */
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

/* What they do: negated behind the barrier, or by a difference. */
CONSTRUCT imago_moved_negation(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float difference = 0.0f - y;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float negated = -x;
  out[2 * item] = negated;
  out[2 * item + 1] = negated * -difference;
}

/* A choice between two negations, which is the negation of one, crosses a barrier. No kernel of imago does
   that either. */
CONSTRUCT imago_kept_choice(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float chosen = item % 2 == 0 ? -x : -y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = chosen;
  out[2 * item + 1] = chosen * in[ITEMS + item];
}

/* What they do: it is one between differences. */
CONSTRUCT imago_chosen_difference(__global const float* in, __global float* out) {
  const int item = (int)get_local_id(0);
  const float x = in[item], y = in[ITEMS + item];
  const float chosen = item % 2 == 0 ? 0.0f - x : 0.0f - y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = chosen;
  out[2 * item + 1] = chosen * in[ITEMS + item];
}

/* A remainder beside its quotient differs between work-items. No kernel of imago divides so
   (ir/folding.cpp). */
CONSTRUCT imago_remainder(__global const float* in, __global float* out) {
  __local float shared[ITEMS];
  const int item = (int)get_local_id(0);
  const int quotient = item / 7, rest = item % 7;
  shared[item] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * item] = shared[quotient * 7 + rest];
  out[2 * item + 1] = (float)rest;
}
