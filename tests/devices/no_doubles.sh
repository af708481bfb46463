#!/usr/bin/env bash
# no_doubles.sh <imago> <library>
#
# The command on a device without doubles, which the library hides: f64 is right, no kernel has a
# double, and a compiler that reassociates sums is found out.
set -euo pipefail
imago=$1
export LD_PRELOAD=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache
unset IMAGO_F64

fail() {
  echo "no_doubles: $1" >&2
  exit 1
}

"$imago" devices | grep -q "by pairs" || fail "imago devices does not show pairs"
"$imago" selftest --filter "16*1-f64" --filter "180*3-f64" --filter "256*17-f64" --filter "8x8*16-f64" >"$folder/out" ||
  fail "$(cat "$folder/out")"
grep -qE " [1-9][0-9]* passed, 0 failed, 0 skipped" "$folder/out" || fail "$(cat "$folder/out")"

# Dekker's product replaces fma on devices without it.
IMAGO_TEST_OPTIONS=-DIMAGO_NO_FMA "$imago" selftest --filter "16*1-f64" --cache "$folder/no_fma" \
  >"$folder/out" || fail "without fma: $(cat "$folder/out")"

status=0
"$imago" explain 64 --precision f64 --f64 native >"$folder/out" 2>&1 || status=$?
[ "$status" -eq 1 ] && grep -q "has no double precision" "$folder/out" || fail "$(cat "$folder/out")"

export IMAGO_TEST_OPTIONS=-cl-fast-relaxed-math
status=0
"$imago" explain 64 --precision f64 --cache "$folder/relaxed" >"$folder/out" 2>&1 || status=$?
[ "$status" -eq 1 ] && grep -q "computes wrong results: .* in pairs of f32" "$folder/out" ||
  fail "pairs that a compiler destroyed were not refused: $(cat "$folder/out")"
"$imago" explain 64 --cache "$folder/relaxed" >"$folder/out" 2>&1 || fail "$(cat "$folder/out")"
echo "f64 in pairs is right without doubles, and refused where sums are reassociated"
