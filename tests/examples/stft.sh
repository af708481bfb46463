#!/bin/sh
# stft.sh <stft>: both methods must be near FFTW in double precision; otherwise the example itself
# fails.
set -u
example=$1
. "$(dirname "$0")/expect.sh"

expect 0 "16381 frames of 1024, hop 256"
grep -q "^in steps .* ms   off by" out || { echo "FAILED: no line of the steps"; failures=1; }
grep -q "^one kernel .* ms   off by" out || { echo "FAILED: no line of the kernel"; failures=1; }
expect 0 "5 frames of 1024" 11
expect 1 "must be 11 to 29" 10
expect 1 "must be 11 to 29" 2x
expect 2 "usage" 12 13
[ "$failures" = 0 ] && echo "all as expected"
