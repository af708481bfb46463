/* Arithmetic of pairs: the unevaluated sum of two floats, high + low, has 48 or 49 bits. It
   replaces doubles on devices without them. The renderer of kernels (src/ir/pairs.hpp) puts this
   text before a kernel once for each width N, the number of lanes (empty: a scalar).

   A pair is normalised if high is the float nearest to the sum. The sums and products are those of
   Dekker (1971) and Knuth (The Art of Computer Programming 2, 4.2.2); in multiplications and sums
   the product of the low parts, and the second correction of a sum, are left out. They rely on
   floats that are rounded as written: a compiler that reassociates sums destroys them, which the
   device's self-test (src/engine/proof.cpp) finds out. */

#ifndef IMAGO_PAIRS
#define IMAGO_PAIRS
#pragma OPENCL FP_CONTRACT OFF
#define PAIR_JOIN_(a, b) a##b
#define PAIR_JOIN(a, b) PAIR_JOIN_(a, b)
/* If clang inlines only some calls of functions that return structs, a marker of aliases stays that
   oclgrind 21.10 does not know. */
#define PAIR_FUNCTION static inline __attribute__((always_inline))
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
PAIR_FUNCTION PAIR OF(quick)(REAL a, REAL b) {
  const REAL sum = a + b;
  const PAIR x = {sum, b - (sum - a)};
  return x;
}

/* The sum of two floats. */
PAIR_FUNCTION PAIR OF(sum)(REAL a, REAL b) {
  const REAL sum = a + b, other = sum - a;
  const PAIR x = {sum, (a - (sum - other)) + (b - other)};
  return x;
}

/* The product of two floats. Without a fast fma, the factors are split into halves of 12 bits
   (Dekker), and factors from 2^115 overflow. */
PAIR_FUNCTION PAIR OF(product)(REAL a, REAL b) {
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
PAIR_FUNCTION REAL OF(about)(REAL a, REAL b, REAL c) {
#ifdef IMAGO_NO_FMA
  return a * b + c;
#else
  return fma(a, b, c);
#endif
}

PAIR_FUNCTION PAIR OF(neg)(PAIR a) {
  const PAIR x = {-a.high, -a.low};
  return x;
}

/* The raw functions leave their result not normalised: `low` can be as large as a few units of the
   last bit of `high`. That suits operands of sums and products. */
PAIR_FUNCTION PAIR OF(normalised)(PAIR a) { return OF(quick)(a.high, a.low); }

/* For numbers that are only moved: the low part of infinity is 0, as encode() requires. */
PAIR_FUNCTION PAIR OF(with_infinity)(PAIR a) {
  const PAIR x = {a.high, select(a.low, (REAL)(0.0f), AS_INT(fabs(a.high) == (REAL)(INFINITY)))};
  return x;
}
PAIR_FUNCTION PAIR OF(moved)(PAIR a) { return OF(with_infinity)(OF(normalised)(a)); }

PAIR_FUNCTION PAIR OF(raw_add)(PAIR a, PAIR b) {
  PAIR s = OF(sum)(a.high, b.high);
  s.low += a.low + b.low;
  return s;
}
PAIR_FUNCTION PAIR OF(add)(PAIR a, PAIR b) { return OF(normalised)(OF(raw_add)(a, b)); }

PAIR_FUNCTION PAIR OF(raw_sub)(PAIR a, PAIR b) {
  PAIR s = OF(sum)(a.high, -b.high);
  s.low += a.low - b.low;
  return s;
}
PAIR_FUNCTION PAIR OF(sub)(PAIR a, PAIR b) { return OF(normalised)(OF(raw_sub)(a, b)); }

PAIR_FUNCTION PAIR OF(raw_mul)(PAIR a, PAIR b) {
  PAIR p = OF(product)(a.high, b.high);
  p.low = OF(about)(a.high, b.low, OF(about)(a.low, b.high, p.low));
  return p;
}
PAIR_FUNCTION PAIR OF(mul)(PAIR a, PAIR b) { return OF(normalised)(OF(raw_mul)(a, b)); }

PAIR_FUNCTION PAIR OF(raw_fma)(PAIR a, PAIR b, PAIR c) { return OF(raw_add)(OF(raw_mul)(a, b), c); }
PAIR_FUNCTION PAIR OF(fma)(PAIR a, PAIR b, PAIR c) { return OF(add)(OF(raw_mul)(a, b), c); }

/* a * b + c * d. The sum of the high products is `other` and a rest, as in sum(). An fma subtracts
   each part from the product itself, whose rounding error is thus never alone. */
PAIR_FUNCTION PAIR OF(raw_dot)(PAIR a, PAIR b, PAIR c, PAIR d) {
#ifdef IMAGO_NO_FMA
  return OF(raw_add)(OF(raw_mul)(a, b), OF(raw_mul)(c, d));
#else
  const REAL first = a.high * b.high, sum = first + c.high * d.high, other = sum - first;
  const REAL low = fma(a.high, b.high, other - sum), low2 = fma(c.high, d.high, -other);
  const PAIR x = {sum, fma(a.high, b.low, fma(a.low, b.high, low)) +
                           fma(c.high, d.low, fma(c.low, d.high, low2))};
  return x;
#endif
}
PAIR_FUNCTION PAIR OF(dot)(PAIR a, PAIR b, PAIR c, PAIR d) {
  return OF(normalised)(OF(raw_dot)(a, b, c, d));
}

/* Long division, digit by digit. */
PAIR_FUNCTION PAIR OF(div)(PAIR a, PAIR b) {
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
PAIR_FUNCTION PAIR OF(where)(INT condition, PAIR yes, PAIR no) {
  const PAIR x = {select(no.high, yes.high, condition), select(no.low, yes.low, condition)};
  return x;
}

PAIR_FUNCTION INT OF(less)(PAIR a, PAIR b) {
  return (a.high < b.high) || ((a.high == b.high) && (a.low < b.low));
}

PAIR_FUNCTION INT OF(equal)(PAIR a, PAIR b) {
  return (a.high == b.high) && (a.low == b.low);
}

/* The smaller and the larger one; the other one if one is NaN, as fmin and fmax. */
PAIR_FUNCTION PAIR OF(min)(PAIR a, PAIR b) {
  return OF(where)(OF(less)(b, a) || (a.high != a.high), b, a);
}
PAIR_FUNCTION PAIR OF(max)(PAIR a, PAIR b) {
  return OF(where)(OF(less)(a, b) || (a.high != a.high), b, a);
}

PAIR_FUNCTION PAIR OF(at_least)(PAIR a, PAIR least, PAIR kept) {
  return OF(where)(OF(less)(a, least), least, kept);
}

/* The nearest whole number, the even one of two. */
PAIR_FUNCTION PAIR OF(rint)(PAIR a) {
  const REAL whole = rint(a.high), rest = a.high - whole;
  const PAIR both = OF(quick)(whole, rint(a.low));
  /* The low part decides if the high one is half a number. */
  const REAL up = select((REAL)(0.0f), (REAL)(1.0f), (rest == 0.5f) && (a.low > 0.0f));
  const REAL down = select((REAL)(0.0f), (REAL)(1.0f), (rest == -0.5f) && (a.low < 0.0f));
  const PAIR one = {whole + up - down, (REAL)(0.0f)};
  return OF(where)(rest == 0.0f, both, one);
}

/* Conversions from integers: parts that are floats, the largest first. */
PAIR_FUNCTION PAIR OF(of_int)(INT i) {
  const INT low = i & 0xfff;
  return OF(quick)(TO_REAL(i - low), TO_REAL(low));
}
PAIR_FUNCTION PAIR OF(of_long)(LONG i) {
  const LONG low = i & 0xffff, middle = (i - low) & 0xffffffffff;
  const PAIR upper = OF(quick)(TO_REAL(i - low - middle), TO_REAL(middle));
  const PAIR lower = {TO_REAL(low), (REAL)(0.0f)};
  return OF(add)(upper, lower);
}

/* Conversions to integers, towards zero. A whole high part of a number that is not whole is one too
   large if the low part has the other sign. */
PAIR_FUNCTION INT OF(to_int)(PAIR a) {
  const REAL whole = trunc(a.high);
  const REAL low = select(ceil(a.low), floor(a.low), a.high > 0.0f);
  return TO_INT(whole) + select((INT)(0), TO_INT(low), whole == a.high);
}
PAIR_FUNCTION LONG OF(to_long)(PAIR a) {
  const REAL whole = trunc(a.high);
  const REAL low = select(ceil(a.low), floor(a.low), a.high > 0.0f);
  return TO_LONG(whole) + TO_LONG(select((REAL)(0.0f), low, whole == a.high));
}

/* log2 x = exponent + 2 / ln 2 artanh((m - 1) / (m + 1)), where m is from 0.7 to 1.4. The series of
   artanh z is z + z^3 / 3 + ...; z^2 is at most 0.03. */
PAIR_FUNCTION PAIR OF(log2)(PAIR x) {
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

/* The two words of 64 bits. Compilers find one shuffle for vectors of 16 only if it is written. */
#if N + 0 == 16 && defined(__ENDIAN_LITTLE__)
PAIR_FUNCTION UINT OF(upper)(ULONG x) { return (UINT)(as_uint16(x.lo).odd, as_uint16(x.hi).odd); }
PAIR_FUNCTION UINT OF(lower)(ULONG x) { return (UINT)(as_uint16(x.lo).even, as_uint16(x.hi).even); }
#else
PAIR_FUNCTION UINT OF(upper)(ULONG x) { return TO_UINT(x >> 32); }
PAIR_FUNCTION UINT OF(lower)(ULONG x) { return TO_UINT(x & 0xffffffff); }
#endif

/* The digits after the first one that floats have, of doubles. */
#if N + 0 == 16
PAIR_FUNCTION UINT OF(digits)(ULONG x) {
  return ((OF(upper)(x) << 3) & 0x007ffff8u) | (OF(lower)(x) >> 29);
}
#else
PAIR_FUNCTION UINT OF(digits)(ULONG x) { return TO_UINT(x >> 29) & 0x007fffffu; }
#endif

/* A pair in memory: the bits of `high`, then those of `low`. */
PAIR_FUNCTION PAIR OF(unpack)(ULONG bits) {
  const PAIR x = {AS_REAL(OF(upper)(bits)), AS_REAL(OF(lower)(bits))};
  return x;
}
PAIR_FUNCTION ULONG OF(pack)(PAIR x) { return upsample(AS_UINT(x.high), AS_UINT(x.low)); }

/* Decodes the bits of doubles, by integers of 32 bits. The 53 bits become a float of 24 bits from 1
   to 2, and a rest of 29 bits with its sign. Both are multiplied by the power of two: numbers below
   2^-126 become 0, and those from 2^128 on infinity, also NaN. The low part of infinity is not
   finite, so that all sums and products of it are NaN. */
PAIR_FUNCTION PAIR OF(raw_decode)(ULONG bits) {
  const UINT word = OF(upper)(bits), last = OF(lower)(bits);
  const REAL rest = TO_REAL(AS_INT(last << 3));
  /* The sign of the float costs less than that of the integer: a shift with a sum. */
  const REAL number = AS_REAL((OF(digits)(bits) | 0x3f800000u) + (AS_UINT(rest) >> 31));
  const UINT exponent = min(max(word & 0x7ff00000u, (UINT)(0x38000000u)), (UINT)(0x47f00000u));
  const REAL power = AS_REAL(((exponent << 3) + 0x40000000u) | (word & 0x80000000u));
  const PAIR x = {number * power, (rest * 0x1p-55f) * power};
  return x;
}

/* Decodes numbers that are only moved: NaN stays, and the low part of infinity is 0. */
PAIR_FUNCTION PAIR OF(decode)(ULONG bits) {
  const INT is_nan = AS_INT((OF(upper)(bits) & 0x7fffffffu) > 0x7ff00000u);
  PAIR x = OF(with_infinity)(OF(raw_decode)(bits));
  x.high = select(x.high, AS_REAL((UINT)(0x7fc00000u)), is_nan);
  return x;
}

/* Returns the bits of doubles for normalised pairs, and for infinity whose low part is 0: those of
   `high`, and the low part in whole units of their last bit. The rest is cut off, because pairs are
   less exact. The number below a power of two has half the unit. */
PAIR_FUNCTION ULONG OF(encode)(PAIR x) {
  const UINT word = AS_UINT(x.high), sign = word & 0x80000000u, size = word & 0x7fffffffu;
  const INT low = AS_INT(AS_UINT(x.low) ^ sign);
  /* The power of two from the exponent's complement, after a step towards `low`; 0 for infinity. */
  const REAL power = AS_REAL(~(size + AS_UINT(low >> 31)) & 0x7f800000u);
  const INT small = size < 0x00800000u, infinite = size >= 0x7f800000u;
  const INT rest = select(TO_INT((AS_REAL(low) * power) * 0x1p51f), (INT)(0), small);
  const UINT large = select((UINT)(0x38000000u), (UINT)(0x70000000u), infinite);
  const UINT bias = select(large, (UINT)(0u), small);
  const ULONG digits = PAIR_JOIN(convert_ulong, N)(select(size, (UINT)(0u), small)) << 29;
  const ULONG sum = digits + upsample(bias + AS_UINT(rest >> 31), AS_UINT(rest));
  return sum | upsample(sign, (UINT)(0u));
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
