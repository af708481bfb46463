#!/usr/bin/env bash
# tune_kill.sh <imago> [<times>]
#
# Kills the tuner at random moments: the profile on disk must always be complete. Then two tuners
# measure at once, and a third one is killed meanwhile: the profile must have the results of both.
# Then interrupts a tuner as Ctrl-C does: finished results must be saved.
set -euo pipefail
imago=$1
times=${2:-50}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache TMPDIR=$folder IMAGO_PROFILE_DIR=$folder/profiles
RANDOM=1

# Not in a function: $! would be the shell's, and the tuner would continue to run.
tune=("$imago" tune --points 4096 --cache "$folder/kernels")

fail() {
  echo "tune_kill: $1" >&2
  exit 1
}

"${tune[@]}" --lengths 2 --budget 60 >/dev/null 2>&1 || fail "the first run failed"
for ((i = 0; i < times; ++i)); do
  "${tune[@]}" --lengths 2,4,3,8,5,16 --budget 2 >/dev/null 2>&1 &
  milliseconds=$((RANDOM % 1200 + 50))
  sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
  kill -KILL $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  "$imago" tune --show >"$folder/shown" 2>&1 || fail "after kill $i: $(cat "$folder/shown")"
done
echo "killed $times times, and each time the profile was whole"

# The first tuner begins with no file, as the second one does.
rm -rf "$IMAGO_PROFILE_DIR"
"${tune[@]}" --lengths 2,4 --budget 20 >"$folder/first" 2>&1 &
first=$!
"${tune[@]}" --lengths 3,9 --budget 20 >"$folder/second" 2>&1 &
second=$!
"${tune[@]}" --lengths 5 --budget 60 >/dev/null 2>&1 &
third=$!
sleep "$((RANDOM % 4)).5"
kill -KILL $third 2>/dev/null || true
wait $third 2>/dev/null || true
wait $first || fail "the first of two tuners failed: $(cat "$folder/first")"
wait $second || fail "the second of two tuners failed: $(cat "$folder/second")"
"$imago" tune --show >"$folder/shown" 2>&1 || fail "after two tuners: $(cat "$folder/shown")"
for length in 2 4 3 9; do
  grep -qE "^ *$length " "$folder/shown" || fail "two tuners lost $length: $(cat "$folder/shown")"
done
echo "two tuners at once kept what both measured"

set -m # a job in its own process group, so that SIGINT is not ignored
"${tune[@]}" --lengths 2,3,4,5,6,7,8,9,10 --budget 60 >"$folder/out" 2>&1 &
# Waits until a transform is finished (a line of the table), also on a busy machine.
for ((i = 0; i < 600; ++i)); do
  grep -qE '^ +2 ' "$folder/out" && break
  sleep 0.1
done
kill -INT $!
status=0
wait $! || status=$?
[ "$status" -eq 130 ] || fail "status $status after an interrupt: $(cat "$folder/out")"
grep -q "interrupted; finished lengths are in the profile" "$folder/out" || fail "$(cat "$folder/out")"
"$imago" tune --show >/dev/null || fail "no profile after an interrupt"
echo "an interrupt left what was finished"
