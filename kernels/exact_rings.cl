/* The second ring of exact convolutions of integers (src/api/exact.cpp), residues modulo
   q = 2^64 - 2^32 + 1, beside residues modulo p = 2^61 - 1. The text of goldilocks.cl comes first,
   for scalars: q is its MODULUS. A work-group has BLOCK x ITEMS elements. */

#define P 0x1fffffffffffffffL
#define INVERSE_OF_P 0xeaf57abc57abd5ebUL /* modulo q */

/* Counts the elements of a work-item, from one place to before another one. */
#define EACH(i, from, to) \
  for (ulong i = first_from(from), end = min(START + BLOCK * ITEMS, (ulong)(to)); i < end; \
       i += ITEMS)
#define START ((ulong)get_group_id(0) * BLOCK * ITEMS)

RESIDUE_FUNCTION ulong first_from(ulong from) {
  const ulong first = START + get_local_id(0);
  return from > first ? first + (from - first + ITEMS - 1) / ITEMS * ITEMS : first;
}

/* Returns c modulo q, and stores it modulo p, from -(p - 1) / 2 to (p - 1) / 2. */
RESIDUE_FUNCTION ulong reduced(long c, __global long *residue) {
  const long folded = (c & P) + (c >> 61); /* 2^61 is 1 */
  *residue = folded > P / 2 ? folded - P : folded;
  return (ulong)c + (c < 0 ? MODULUS : 0);
}

/* Reduces `count` integers, of `points` each in two planes: modulo p to the planes, and modulo q to
   words, with zeros behind them. */
__kernel void exact_residues(__global const long *x, __global long *first, __global long *second,
                             __global ulong *words, ulong points, ulong count) {
  EACH(i, 0, min(points, count)) words[i] = reduced(x[i], first + i);
  EACH(i, points, count) words[i] = reduced(x[i], second + (i - points));
  EACH(i, count, 2 * points) words[i] = 0;
}

__kernel void exact_product(__global ulong *x, __global const ulong *y, ulong count) {
  EACH(i, 0, count) x[i] = residue_mul(x[i], y[i]);
}

/* The only integer r + p t whose residues are r modulo p and g modulo q, where r is from
   -(p - 1) / 2 to (p - 1) / 2, and t from -(q - 1) / 2 to (q - 1) / 2: its lower and upper word. */
RESIDUE_FUNCTION ulong joined(long r, ulong g, long *high) {
  const ulong u = residue_mul(residue_sub(g, r < 0 ? (ulong)r + MODULUS : (ulong)r), INVERSE_OF_P);
  const ulong t = u > MODULUS / 2 ? u - MODULUS : u;
  const ulong shifted = t << 61, product = shifted - t, low = product + (ulong)r;
  *high = ((long)t >> 3) - ((long)t >> 63) - (shifted < t) + (r >> 63) + (low < product);
  return low;
}

/* Stores the integer number i, and `sign` times another one that is added to it. `width` is 1 for
   the lower word, and 2 for both. */
RESIDUE_FUNCTION void store(__global ulong *result, ulong width, ulong i, ulong low, long high) {
  result[width * i] = low;
  if (width == 2) result[2 * i + 1] = (ulong)high;
}
RESIDUE_FUNCTION void store_sum(__global ulong *result, ulong width, ulong i, ulong low, long high,
                             ulong lower, long upper, long sign) {
  const ulong more = sign < 0 ? -lower : lower, sum = low + more;
  high += (sign < 0 ? ~upper + (lower == 0) : upper) + (sum < more);
  store(result, width, i, sum, high);
}

RESIDUE_FUNCTION void join(__global const long *first, __global const long *second,
                        __global const ulong *words, __global ulong *result, ulong points,
                        ulong all, ulong n, long sign, ulong width) {
  if (all == n) {
    EACH(i, 0, min(points, n)) {
      long high;
      const ulong low = joined(first[i], words[i], &high);
      store(result, width, i, low, high);
    }
    EACH(i, points, n) {
      long high;
      const ulong low = joined(second[i - points], words[i], &high);
      store(result, width, i, low, high);
    }
    return;
  }
  /* A sequence that wraps is at most as long as a plane. */
  EACH(i, 0, min(points - n, n)) {
    long high, upper;
    const ulong low = joined(first[i], words[i], &high);
    const ulong lower = joined(first[i + n], words[i + n], &upper);
    store_sum(result, width, i, low, high, lower, upper, sign);
  }
  EACH(i, points - n, all - n) {
    long high, upper;
    const ulong low = joined(first[i], words[i], &high);
    const ulong lower = joined(second[i + n - points], words[i + n], &upper);
    store_sum(result, width, i, low, high, lower, upper, sign);
  }
  EACH(i, all - n, n) {
    long high;
    const ulong low = joined(first[i], words[i], &high);
    store(result, width, i, low, high);
  }
}

/* Stores n integers of a linear convolution, and adds to each `sign` times the one n places
   further, of `all`. */
__kernel void exact_joined(__global const long *first, __global const long *second,
                           __global const ulong *words, __global ulong *result, ulong points,
                           ulong all, ulong n, long sign, ulong width) {
  if (width == 1)
    join(first, second, words, result, points, all, n, sign, 1);
  else
    join(first, second, words, result, points, all, n, sign, 2);
}
