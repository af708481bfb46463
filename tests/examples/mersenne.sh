#!/bin/sh
# mersenne.sh <mersenne>: known primes and residues, a step, a product.
set -u
example=$1
. "$(dirname "$0")/expect.sh"

expect 0 "2^521 - 1 is prime, residue 0000000000000000, 519 steps" 521
# The residues are those of other programs: Python's integers, and a product word by word.
expect 0 "2^523 - 1 is composite, residue 42154E4AB2F76FAF" 523
expect 0 "2^63 - 1 is composite, residue 571829B1BDA97DB3" 63
expect 0 "residue 75A84324F81465E4" --step 4423
expect 0 "right modulo three primes" --product 20000
expect 2 "an exponent is odd" 4
expect 2 "an exponent is odd" --step
[ "$failures" = 0 ] && echo "all as expected"
