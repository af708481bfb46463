/* Arithmetic modulo a prime p below 2^31, exact. It takes the place of that of floats in transforms
   of residues. The renderer (src/ir/residues.hpp) puts this text before a kernel, once for each
   width N, the number of lanes (empty: a scalar), after MODULUS and its inverse modulo 2^32.

   Every word is less than p. One factor of a product is multiplied by 2^32 (Montgomery, Math. Comp.
   44, 1985): the roots of tables are, which multiply the caller's residues. */

#ifndef IMAGO_RESIDUES
#define IMAGO_RESIDUES
#define RESIDUE_JOIN_(a, b) a##b
#define RESIDUE_JOIN(a, b) RESIDUE_JOIN_(a, b)
#define RESIDUE_FUNCTION static inline __attribute__((always_inline))
#endif

#define WORD RESIDUE_JOIN(uint, N)
#define OF(name) RESIDUE_JOIN(RESIDUE_JOIN(residue, N), _##name)

/* The smaller of two words that differ by p is the residue: the other one is beyond 2^31. */
RESIDUE_FUNCTION WORD OF(add)(WORD a, WORD b) { return min(a + b, a + b - MODULUS); }
RESIDUE_FUNCTION WORD OF(sub)(WORD a, WORD b) { return min(a - b, a - b + MODULUS); }
RESIDUE_FUNCTION WORD OF(neg)(WORD a) { return OF(sub)((WORD)(0), a); }
RESIDUE_FUNCTION WORD OF(mul)(WORD a, WORD b) {
  return OF(sub)(mul_hi(a, b), mul_hi(a * b * MODULUS_INVERSE, (WORD)(MODULUS)));
}
/* The product with a constant w, where more = w 2^32 / p, rounded down. The quotient by p is at
   most 1 too small (Shoup's way: Harvey, J. Symb. Comput. 60, 2014). */
RESIDUE_FUNCTION WORD OF(scaled)(WORD a, uint w, uint more) {
  const WORD rest = a * w - mul_hi(a, (WORD)(more)) * MODULUS;
  return min(rest, rest - MODULUS);
}

#undef WORD
#undef OF
