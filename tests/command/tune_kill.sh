#!/usr/bin/env bash
# tune_kill.sh <imago> [<times>]
#
# Kills the tuner at random moments: the profile on disk must always be complete. Then interrupts it
# as Ctrl-C does: finished results must be saved.
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
