/* Arithmetic modulo p = 2^64 - 2^32 + 1, exact. It takes the place of that of floats in transforms
   of residues. The renderer (src/ir/residues.hpp) puts this text before a kernel, once for each
   width N, the number of lanes (empty: a scalar).

   Every word is less than p. 2^64 is 2^32 - 1, and 2^96 is -1. */

#ifndef IMAGO_RESIDUES
#define IMAGO_RESIDUES
#define RESIDUE_JOIN_(a, b) a##b
#define RESIDUE_JOIN(a, b) RESIDUE_JOIN_(a, b)
#define RESIDUE_FUNCTION static inline __attribute__((always_inline))
#define MODULUS 0xffffffff00000001UL
#define LOW 0xffffffffUL
#endif

#define WORD RESIDUE_JOIN(ulong, N)
#define SIGNED RESIDUE_JOIN(long, N)
#define OF(name) RESIDUE_JOIN(RESIDUE_JOIN(residue, N), _##name)

/* 2^64, which is 2^32 - 1, if it is true; else 0. Half a word is selected. */
#define WRAPPED(condition) select((WORD)(0), (WORD)(LOW), (SIGNED)(condition))

RESIDUE_FUNCTION WORD OF(sub)(WORD a, WORD b) { return a - b - WRAPPED(a < b); }
RESIDUE_FUNCTION WORD OF(add)(WORD a, WORD b) { return OF(sub)(a, MODULUS - b); }
RESIDUE_FUNCTION WORD OF(neg)(WORD a) { return OF(sub)((WORD)(0), a); }

/* The word of low + 2^64 high. */
RESIDUE_FUNCTION WORD OF(reduced)(WORD low, WORD high) {
  const WORD more = ((high & LOW) << 32) - (high & LOW), less = high >> 32;
  const WORD sum = low - less - WRAPPED(low < less) + more;
  const WORD word = sum + WRAPPED(sum < more);
  return word + WRAPPED(word >= MODULUS);
}
RESIDUE_FUNCTION WORD OF(mul)(WORD a, WORD b) {
  const WORD ah = a >> 32, al = a & LOW, bh = b >> 32, bl = b & LOW;
  const WORD low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (one & LOW);
  return OF(reduced)((two << 32) | (low & LOW), ah * bh + (one >> 32) + (two >> 32));
}
/* The product with 2^n, where 0 < n < 96 is a constant. */
RESIDUE_FUNCTION WORD OF(shifted)(WORD a, uint n) {
  if (n < 64) return OF(reduced)(a << n, a >> (64 - n));
  /* 2^64 times the lowest half of a word, and 2^96 times the others. */
  const WORD first = (a << (n - 64)) & LOW;
  return OF(sub)((first << 32) - first, a >> (96 - n));
}

#undef WRAPPED
#undef WORD
#undef SIGNED
#undef OF
