/* This file times FLINT's product of two polynomials with integer coefficients, to compare it with
   imago_exact (docs/measured/exact.md). CMake does not build it. FLINT has its vector code only if
   it is built on the machine:
     cc -O2 exact_flint.c -lflint -o exact_flint
     exact_flint [LOG2 OF THE COEFFICIENTS [BITS OF A COEFFICIENT]]    default: 19 19 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <flint/flint.h>
#include <flint/fmpz_poly.h>
#include <flint/thread_support.h>
#include <flint/ulong_extras.h>

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char** words) {
  const slong n = 1L << (count > 1 ? atoi(words[1]) : 19);
  const int bits = count > 2 ? atoi(words[2]) : 19;
  flint_set_num_threads(1);
  flint_rand_t random;
  flint_rand_init(random);
  fmpz_poly_t a, b, c;
  fmpz_poly_init2(a, n);
  fmpz_poly_init2(b, n);
  fmpz_poly_init2(c, 2 * n);
  for (slong i = 0; i < n; ++i) {
    fmpz_poly_set_coeff_ui(a, i, n_randbits(random, bits) | 1);
    fmpz_poly_set_coeff_ui(b, i, n_randbits(random, bits) | 1);
  }
  double best = 1e9;
  for (int i = 0; i < 12; ++i) {
    const double start = processor_seconds();
    fmpz_poly_mul(c, a, b);
    const double passed = processor_seconds() - start;
    if (passed < best) best = passed;
  }
  printf("%ld products of %d bits: %.1f ms of processor time\n", (long)(2 * n), bits, best * 1e3);
  return 0;
}
