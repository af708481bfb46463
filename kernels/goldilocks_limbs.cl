/* Residues modulo p = 2^64 - 2^32 + 1 as four limbs, l0 + 2^24 l1 + 2^48 l2 + 2^72 l3, for GPUs.
   The renderer (src/ir/limbs.hpp) puts this text after that of words. Limbs are signed, and below
   2^30. 2^96 is -1. A word is any number below 2^64 that is congruent to the residue. */

#define LIMB 0xffffffU

RESIDUE_FUNCTION int4 residue_split(ulong x) {
  return (int4)((uint)x & LIMB, (uint)(x >> 24) & LIMB, (uint)(x >> 48), 0);
}

/* A word that is congruent to the product of two. */
RESIDUE_FUNCTION ulong residue_raw_mul(ulong a, ulong b) {
  const ulong ah = a >> 32, al = a & LOW, bh = b >> 32, bl = b & LOW;
  const ulong first = al * bl, one = ah * bl + (first >> 32), two = al * bh + (one & LOW);
  const ulong high = ah * bh + (one >> 32) + (two >> 32), less = high >> 32;
  /* 2^64 is LOW, for the lower half of `high` and for the carry of the sum. 2^96 is -1. */
  const ulong more = (high & LOW) * LOW + (first & LOW), middle = (more >> 32) + (two & LOW);
  const ulong sum = ((middle << 32) | (more & LOW)) + (middle >> 32) * LOW;
  return sum - less - (sum < less ? LOW : 0);
}

/* The product with 2^(24 n). */
RESIDUE_FUNCTION int4 limbs_turned(int4 x, uint n) {
  return n == 1   ? (int4)(-x.w, x.x, x.y, x.z)
         : n == 2 ? (int4)(-x.z, -x.w, x.x, x.y)
                  : (int4)(-x.y, -x.z, -x.w, x.x);
}
/* The product with 2^n, where 0 < n < 24. */
RESIDUE_FUNCTION int4 limbs_shifted(int4 x, uint n) {
  return ((x & (int4)(LIMB >> n)) << n) + limbs_turned(x >> (24 - n), 1);
}

/* A word that is congruent to the limbs. */
RESIDUE_FUNCTION ulong residue_joined(int4 x) {
  /* The value is a + 2^32 b. The constants, which make both positive, add up to 2^16 p. */
  const ulong b = (ulong)((long)x.z * 65536 + (long)x.w * 256 + 0xfffffeff0000L);
  const ulong a = (ulong)((long)x.y * 16777216 - (long)x.w * 256 + x.x + 0x100000000010000L);
  const ulong sum = a + (b >> 32) * LOW;                    /* below 2^58 */
  const ulong high = (sum >> 32) + (b & LOW);
  return ((high << 32) | (sum & LOW)) + (high >> 32) * LOW; /* 2^64 is LOW */
}
/* The residue of a word. */
RESIDUE_FUNCTION ulong residue_encode(ulong x) { return x >= MODULUS ? x - MODULUS : x; }
RESIDUE_FUNCTION ulong2 residue2_encode(ulong2 x) {
  return (ulong2)(residue_encode(x.x), residue_encode(x.y));
}
