#!/usr/bin/env bash
# call_kill.sh <imago_calls> <imago_oclgrind_sample> [<times> [<seed>]]
#
# Kills a process during calls of a one-launch kernel, whose work-groups synchronize with each
# other. The next process, with the same cache and device, must compute correctly.
set -euo pipefail
calls=$1 sample=$2 times=${3:-20}
RANDOM=${4:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache POCL_CACHE_DIR=$folder/pocl
mkdir "$POCL_CACHE_DIR"
check='64x64*1-f32-in-forward-none-hierarchy-one_launch'

"$sample" "$check" >"$folder/out" 2>&1 || { cat "$folder/out" >&2; exit 1; }
late=0
for ((i = 1; i <= times; ++i)); do
  "$calls" 64x64 100000000 1 one >/dev/null 2>&1 &
  sleep "0.$(printf %03d $((RANDOM % 600 + 20)))"
  kill -KILL $! 2>/dev/null || late=$((late + 1))
  wait $! 2>/dev/null || true
  # A process that hangs is as bad as one with a wrong result.
  timeout -s KILL 120 "$sample" "$check" >"$folder/out" 2>&1 || {
    echo "call_kill: wrong after kill $i:" >&2
    cat "$folder/out" >&2
    exit 1
  }
done
[ "$late" -eq 0 ] || { echo "call_kill: $late processes had ended before their kill" >&2; exit 1; }
echo "killed $times times amid calls, and each time the next process computed right"
