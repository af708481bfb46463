/* Arithmetic of pairs: the unevaluated sum of two floats, high + low, has 48 or 49 bits. It replaces
   doubles on devices without them. The renderer of kernels (src/ir/pairs.hpp) puts this text before
   a kernel once for each width N, the number of lanes (empty: a scalar).

   A pair is normalised: high is the float nearest to the sum. The sums and products are those of
   Dekker (1971) and Knuth (The Art of Computer Programming 2, 4.2.2); in multiplications and sums
   the product of the low parts, and the second correction of a sum, are left out. They rely on
   floats that are rounded as written: a compiler that reassociates sums destroys them, which the
   device's self-test (src/engine/proof.cpp) finds out. */

#ifndef IMAGO_PAIRS
#define IMAGO_PAIRS
#pragma OPENCL FP_CONTRACT OFF
#define PAIR_JOIN_(a, b) a##b
#define PAIR_JOIN(a, b) PAIR_JOIN_(a, b)
#endif

#define PAIR PAIR_JOIN(pair, N)
#define REAL PAIR_JOIN(float, N)
#define INT PAIR_JOIN(int, N)
#define UINT PAIR_JOIN(uint, N)
#define LONG PAIR_JOIN(long, N)
#define ULONG PAIR_JOIN(ulong, N)
#define AS_REAL PAIR_JOIN(as_float, N)
#define AS_INT PAIR_JOIN(as_int, N)
#define AS_UINT PAIR_JOIN(as_uint, N)
#define TO_REAL PAIR_JOIN(convert_float, N)
#define TO_INT PAIR_JOIN(convert_int, N)
#define TO_UINT PAIR_JOIN(convert_uint, N)
#define TO_LONG PAIR_JOIN(convert_long, N)
#define OF(name) PAIR_JOIN(PAIR_JOIN(pair, N), _##name)

typedef struct {
  REAL high, low;
} PAIR;

/* The sum of two floats, where |a| >= |b| or a is 0. */
static inline PAIR OF(quick)(REAL a, REAL b) {
  const REAL sum = a + b;
  const PAIR x = {sum, b - (sum - a)};
  return x;
}

/* The sum of two floats. */
static inline PAIR OF(sum)(REAL a, REAL b) {
  const REAL sum = a + b, other = sum - a;
  const PAIR x = {sum, (a - (sum - other)) + (b - other)};
  return x;
}

/* The product of two floats. Without a fast fma, the factors are split into halves of 12 bits
   (Dekker), and factors from 2^115 overflow. */
static inline PAIR OF(product)(REAL a, REAL b) {
  const REAL product = a * b;
#ifdef IMAGO_NO_FMA
  const REAL wide_a = a * 4097.0f, wide_b = b * 4097.0f;
  const REAL a1 = wide_a - (wide_a - a), b1 = wide_b - (wide_b - b), a2 = a - a1, b2 = b - b1;
  const PAIR x = {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
#else
  const PAIR x = {product, fma(a, b, -product)};
#endif
  return x;
}

/* a * b + c, rounded up to three times. */
static inline REAL OF(about)(REAL a, REAL b, REAL c) {
#ifdef IMAGO_NO_FMA
  return a * b + c;
#else
  return fma(a, b, c);
#endif
}

static inline PAIR OF(neg)(PAIR a) {
  const PAIR x = {-a.high, -a.low};
  return x;
}

static inline PAIR OF(add)(PAIR a, PAIR b) {
  const PAIR s = OF(sum)(a.high, b.high);
  return OF(quick)(s.high, s.low + (a.low + b.low));
}

static inline PAIR OF(sub)(PAIR a, PAIR b) {
  const PAIR s = OF(sum)(a.high, -b.high);
  return OF(quick)(s.high, s.low + (a.low - b.low));
}

static inline PAIR OF(mul)(PAIR a, PAIR b) {
  const PAIR p = OF(product)(a.high, b.high);
  return OF(quick)(p.high, OF(about)(a.high, b.low, OF(about)(a.low, b.high, p.low)));
}

static inline PAIR OF(fma)(PAIR a, PAIR b, PAIR c) {
  const PAIR p = OF(product)(a.high, b.high);
  const REAL low = OF(about)(a.high, b.low, OF(about)(a.low, b.high, p.low));
  const PAIR s = OF(sum)(p.high, c.high);
  return OF(quick)(s.high, s.low + (low + c.low));
}

/* Long division, digit by digit. */
static inline PAIR OF(div)(PAIR a, PAIR b) {
  const PAIR zero = {(REAL)(0.0f), (REAL)(0.0f)};
  PAIR q1 = zero, q2 = zero;
  q1.high = a.high / b.high;
  a = OF(sub)(a, OF(mul)(q1, b));
  q2.high = a.high / b.high;
  a = OF(sub)(a, OF(mul)(q2, b));
  q1 = OF(quick)(q1.high, q2.high);
  q2.high = a.high / b.high;
  return OF(add)(q1, q2);
}

/* yes where the condition is true, else no. */
static inline PAIR OF(where)(INT condition, PAIR yes, PAIR no) {
  const PAIR x = {select(no.high, yes.high, condition), select(no.low, yes.low, condition)};
  return x;
}

static inline INT OF(less)(PAIR a, PAIR b) {
  return (a.high < b.high) || ((a.high == b.high) && (a.low < b.low));
}

static inline INT OF(equal)(PAIR a, PAIR b) {
  return (a.high == b.high) && (a.low == b.low);
}

/* The smaller and the larger one; the other one if one is NaN, as fmin and fmax. */
static inline PAIR OF(min)(PAIR a, PAIR b) {
  return OF(where)(OF(less)(b, a) || (a.high != a.high), b, a);
}
static inline PAIR OF(max)(PAIR a, PAIR b) {
  return OF(where)(OF(less)(a, b) || (a.high != a.high), b, a);
}

static inline PAIR OF(at_least)(PAIR a, PAIR least, PAIR kept) {
  return OF(where)(OF(less)(a, least), least, kept);
}

/* The nearest whole number, the even one of two. */
static inline PAIR OF(rint)(PAIR a) {
  const REAL whole = rint(a.high), rest = a.high - whole;
  const PAIR both = OF(quick)(whole, rint(a.low));
  /* The low part decides if the high one is half a number. */
  const REAL up = select((REAL)(0.0f), (REAL)(1.0f), (rest == 0.5f) && (a.low > 0.0f));
  const REAL down = select((REAL)(0.0f), (REAL)(1.0f), (rest == -0.5f) && (a.low < 0.0f));
  const PAIR one = {whole + up - down, (REAL)(0.0f)};
  return OF(where)(rest == 0.0f, both, one);
}

/* Conversions from integers: parts that are floats, the largest first. */
static inline PAIR OF(of_int)(INT i) {
  const INT low = i & 0xfff;
  return OF(quick)(TO_REAL(i - low), TO_REAL(low));
}
static inline PAIR OF(of_long)(LONG i) {
  const LONG low = i & 0xffff, middle = (i - low) & 0xffffffffff;
  const PAIR upper = OF(quick)(TO_REAL(i - low - middle), TO_REAL(middle));
  const PAIR lower = {TO_REAL(low), (REAL)(0.0f)};
  return OF(add)(upper, lower);
}

/* Conversions to integers, towards zero. A whole high part of a number that is not whole is one too large if
   the low part has the other sign. */
static inline INT OF(to_int)(PAIR a) {
  const REAL whole = trunc(a.high);
  const REAL low = select(ceil(a.low), floor(a.low), a.high > 0.0f);
  return TO_INT(whole) + select((INT)(0), TO_INT(low), whole == a.high);
}
static inline LONG OF(to_long)(PAIR a) {
  const REAL whole = trunc(a.high);
  const REAL low = select(ceil(a.low), floor(a.low), a.high > 0.0f);
  return TO_LONG(whole) + TO_LONG(select((REAL)(0.0f), low, whole == a.high));
}

/* log2 x = exponent + 2 / ln 2 artanh((m - 1) / (m + 1)), where m is from 0.7 to 1.4. The series of
   artanh z is z + z^3 / 3 + ...; z^2 is at most 0.03. */
static inline PAIR OF(log2)(PAIR x) {
  const INT exponent = ((AS_INT(x.high) - 0x3f3504f3) >> 23);
  const REAL scale = AS_REAL((127 - exponent) << 23);
  const PAIR one = {(REAL)(1.0f), (REAL)(0.0f)}, m = {x.high * scale, x.low * scale};
  const PAIR z = OF(div)(OF(sub)(m, one), OF(add)(m, one)), square = OF(mul)(z, z);
  PAIR sum = {(REAL)(0.0f), (REAL)(0.0f)};
  for (int i = 21; i > 0; i -= 2) {
    const PAIR odd = {(REAL)((float)i), (REAL)(0.0f)};
    sum = OF(fma)(sum, square, OF(div)(one, odd));
  }
  const PAIR two_by_ln2 = {(REAL)(0x1.715476p+1f), (REAL)(0x1.4ae0cp-25f)};
  const PAIR log = OF(fma)(OF(mul)(sum, z), two_by_ln2, OF(of_int)(exponent));
  const PAIR of_special = {log2(x.high), (REAL)(0.0f)};
  const INT is_special = !(x.high > 0.0f) || isinf(x.high);
  return OF(where)(is_special, of_special, log);
}

/* A pair in memory: the bits of `high`, then those of `low`. */
static inline PAIR OF(unpack)(ULONG bits) {
  const PAIR x = {AS_REAL(TO_UINT(bits >> 32)), AS_REAL(TO_UINT(bits & 0xffffffff))};
  return x;
}
static inline ULONG OF(pack)(PAIR x) { return upsample(AS_UINT(x.high), AS_UINT(x.low)); }

/* Decodes the bits of doubles, by integers of 32 bits. The 53 bits become 24 bits and a rest of 29
   bits with its sign. Numbers below 2^-126 become 0, and those from 2^128 on infinity. */
static inline PAIR OF(decode)(ULONG bits) {
  const UINT word = TO_UINT(bits >> 32), last = TO_UINT(bits & 0xffffffff);
  const UINT sign = word & 0x80000000u, size = word & 0x7fffffffu;
  const UINT cut = ((size - 0x38000000u) << 3) | (last >> 29);
  const UINT nearest = cut + ((last >> 28) & 1u);
  const INT rest = AS_INT(last << 3) >> 3;
  const INT small = size < 0x38100000u, large = (size >= 0x47f00000u) || (nearest >= 0x7f800000u);
  const INT is_nan = (size > 0x7ff00000u) || ((size == 0x7ff00000u) && (last != 0u));
  const UINT power = sign | (cut & 0x7f800000u);
  UINT high = select(nearest, (UINT)(0x7f800000u), large);
  high = select(high, (UINT)(0x7fc00000u), is_nan);
  high = select(high, (UINT)(0u), small);  /* `nearest` has no meaning then */
  const REAL low = (TO_REAL(rest) * 0x1p-52f) * AS_REAL(power);
  const PAIR x = {AS_REAL(sign | high), select(low, (REAL)(0.0f), small || large)};
  return x;
}

/* Returns the bits of doubles: those of `high`, and the low part in units of their last bit. The double
   below a power of two has half the unit. */
static inline ULONG OF(encode)(PAIR x) {
  const UINT word = AS_UINT(x.high);
  const UINT sign = word & 0x80000000u, size = word & 0x7fffffffu, exponent = word & 0x7f800000u;
  const REAL units = (x.low * AS_REAL(0x7f000000u - exponent)) * 0x1p52f;
  const INT below = ((size & 0x7fffffu) == 0u) && (x.low != 0.0f) && ((x.low < 0.0f) == (sign == 0u));
  const INT found = PAIR_JOIN(PAIR_JOIN(convert_int, N), _rte)(select(units, units + units, below));
  const UINT rest = AS_UINT(select(found, -found, AS_INT(sign)));
  const UINT upper = (size >> 3) + 0x38000000u, lower = size << 29, last = lower + rest;
  const UINT carry = select((UINT)(0u), (UINT)(1u), (AS_INT(rest) >= 0) && (last < lower));
  const UINT borrow = select((UINT)(0u), (UINT)(1u), (AS_INT(rest) < 0) && (last > lower));
  const INT none = exponent == 0u, special = exponent == 0x7f800000u;
  UINT first = select(upper + carry - borrow, (UINT)(0u), none);
  first = select(first, 0x7ff00000u | ((size & 0x7fffffu) >> 3), special);
  return upsample(sign | first, select(last, (UINT)(0u), none || special));
}

#undef PAIR
#undef REAL
#undef INT
#undef UINT
#undef LONG
#undef ULONG
#undef AS_REAL
#undef AS_INT
#undef AS_UINT
#undef TO_REAL
#undef TO_INT
#undef TO_UINT
#undef TO_LONG
#undef OF
