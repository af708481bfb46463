#!/bin/sh
# poisson.sh <poisson>: the example's error must fall with the square of the points.
set -u
example=$1
. "$(dirname "$0")/expect.sh"

expect 0 "1024x1024" convergence.svg
grep -q "<circle" convergence.svg || { echo "FAILED: convergence.svg has no dots"; failures=1; }
expect 1 "nowhere" nowhere/convergence.svg
expect 2 "usage"
[ "$failures" = 0 ] && echo "all as expected"
