/* Arithmetic modulo p = 2^61 - 1, exact. It replaces doubles in exact transforms. The renderer of
   kernels (src/ir/residues.hpp) puts this text before a kernel once for each width N, the number of
   lanes (empty: a scalar).

   A residue is a word that is congruent to it, and in memory of the kernel less than 2^61 + 16. In
   between, words are as large as the renderer allows: results of the raw functions are not folded.
   A difference adds the multiple of p that keeps the word positive. */

#ifndef IMAGO_RESIDUES
#define IMAGO_RESIDUES
#define RESIDUE_JOIN_(a, b) a##b
#define RESIDUE_JOIN(a, b) RESIDUE_JOIN_(a, b)
#define RESIDUE_FUNCTION static inline __attribute__((always_inline))
#define MODULUS 0x1fffffffffffffffUL
#endif

#define WORD RESIDUE_JOIN(ulong, N)
#define SIGNED RESIDUE_JOIN(long, N)
#define TO_SIGNED RESIDUE_JOIN(as_long, N)
#define TO_WORD RESIDUE_JOIN(as_ulong, N)
#define OF(name) RESIDUE_JOIN(RESIDUE_JOIN(residue, N), _##name)

RESIDUE_FUNCTION WORD OF(folded)(WORD x) { return (x & MODULUS) + (x >> 61); }

RESIDUE_FUNCTION WORD OF(raw_add)(WORD a, WORD b) { return a + b; }
RESIDUE_FUNCTION WORD OF(add)(WORD a, WORD b) { return OF(folded)(a + b); }
RESIDUE_FUNCTION WORD OF(raw_sub)(WORD a, WORD b, ulong p) { return a + (p - b); }
RESIDUE_FUNCTION WORD OF(sub)(WORD a, WORD b, ulong p) { return OF(folded)(a + (p - b)); }
RESIDUE_FUNCTION WORD OF(raw_neg)(WORD a, ulong p) { return p - a; }
RESIDUE_FUNCTION WORD OF(neg)(WORD a, ulong p) { return OF(folded)(p - a); }

/* The product by halves of 32 bits: 2^64 is 8, and the sum of the products in the middle is divided
   at its bit 29, since 2^32 times 2^29 is 1. */
RESIDUE_FUNCTION WORD OF(raw_mul)(WORD a, WORD b) {
  const WORD ah = a >> 32, al = a & 0xffffffffUL, bh = b >> 32, bl = b & 0xffffffffUL;
  const WORD middle = ah * bl + al * bh, low = al * bl;
  return ((ah * bh) << 3) + (middle >> 29) + ((middle & 0x1fffffffUL) << 32) + (low >> 61) +
         (low & MODULUS);
}
RESIDUE_FUNCTION WORD OF(mul)(WORD a, WORD b) { return OF(folded)(OF(raw_mul)(a, b)); }
/* The sum of two products, whose parts are added before they are reduced. */
RESIDUE_FUNCTION WORD OF(raw_dot)(WORD a, WORD b, WORD c, WORD d) {
  const WORD ah = a >> 32, al = a & 0xffffffffUL, bh = b >> 32, bl = b & 0xffffffffUL,
             ch = c >> 32, cl = c & 0xffffffffUL, dh = d >> 32, dl = d & 0xffffffffUL;
  const WORD middle = ah * bl + al * bh + ch * dl + cl * dh, low = al * bl, other = cl * dl;
  return ((ah * bh + ch * dh) << 3) + (middle >> 29) + ((middle & 0x1fffffffUL) << 32) +
         ((low >> 61) + (other >> 61)) + ((low & MODULUS) + (other & MODULUS));
}
RESIDUE_FUNCTION WORD OF(dot)(WORD a, WORD b, WORD c, WORD d) {
  return OF(folded)(OF(raw_dot)(a, b, c, d));
}
/* The product with 2^n, where 0 < n < 61: a rotation. */
RESIDUE_FUNCTION WORD OF(turned)(WORD a, uint n) {
  return ((a << n) & MODULUS) + (a >> (61 - n));
}
RESIDUE_FUNCTION WORD OF(raw_fma)(WORD a, WORD b, WORD c) { return OF(raw_mul)(a, b) + c; }
RESIDUE_FUNCTION WORD OF(fma)(WORD a, WORD b, WORD c) { return OF(folded)(OF(raw_fma)(a, b, c)); }

/* The caller's integers, from -(p - 1) / 2 to (p - 1) / 2. */
RESIDUE_FUNCTION WORD OF(decode)(WORD x) { return x + (TO_WORD(TO_SIGNED(x) >> 63) & MODULUS); }
RESIDUE_FUNCTION WORD OF(encode)(WORD x) {
  /* Adding p / 2 and folding twice makes it less than p: 0 is -(p - 1) / 2. */
  const WORD up = OF(folded)(x + (MODULUS >> 1));
  const WORD least = (up + ((up + 1) >> 61)) & MODULUS;
  return least - (MODULUS >> 1);
}

#undef WORD
#undef SIGNED
#undef TO_SIGNED
#undef TO_WORD
#undef OF
