/* The ends of exact convolutions of integers (src/api/exact.cpp), whose linear result is in two
   planes of `points` integers. */

/* Adds to each of n integers `sign` times the integer n places further, of `all`. */
__kernel void exact_wrap(__global const long *first, __global const long *second,
                         __global long *result, ulong points, ulong all, ulong n, long sign) {
  const ulong start = (ulong)get_global_id(0) * BLOCK, end = min(start + BLOCK, n);
  for (ulong i = start; i < end; ++i) {
    const ulong j = i + n;
    const long further = j >= all ? 0 : j < points ? first[j] : second[j - points];
    result[i] = (i < points ? first[i] : second[i - points]) + sign * further;
  }
}
