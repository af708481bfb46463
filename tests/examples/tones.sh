#!/bin/sh
# tones.sh <tones>: one device and two devices must find all tones.
set -u
example=$1
. "$(dirname "$0")/expect.sh"

export POCL_DEVICES=pthread
expect 0 "300 series of 4096 points, 300 tones found" 300
[ "$(grep -c '^device' out)" = 1 ] || { echo "FAILED: not one device"; cat out; failures=1; }
export POCL_DEVICES="pthread basic"
expect 0 "700 series of 4096 points, 700 tones found" 700
[ "$(grep -c '^device' out)" = 2 ] || { echo "FAILED: not two devices"; cat out; failures=1; }
expect 1 "batch is 0" 0
[ "$failures" = 0 ] && echo "all as expected"
