#!/usr/bin/env bash
# cache_kill.sh <imago> [<times> [<seed>]]
#
# Two processes fill one kernel cache, and one of them is killed at a random moment. The other
# process must compute correctly, and so must the next one, without any message about the cache.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
imago=$1 times=${2:-5}
RANDOM=${3:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$here/input.sh"
make_input "$folder/in.npy" 12000
export IMAGO_LOG=warning POCL_WORK_GROUP_SPECIALIZATION=0

fail() {
  echo "cache_kill: after kill $i: $1" >&2
  cat "$folder/out" >&2
  exit 1
}

# Each process has its own driver cache, because imago is not responsible for files of a killed
# driver.
transform=("$imago" transform "$folder/in.npy" --check --cache "$folder/kernels")
for ((i = 1; i <= times; ++i)); do
  [ $((i % 3)) -eq 1 ] && rm -rf "$folder/kernels"
  length=$((16 * (1 + RANDOM % 200)))
  mkdir -p "$folder/a" "$folder/b"
  POCL_CACHE_DIR=$folder/a "${transform[@]}" --length "$length" >/dev/null 2>&1 &
  victim=$!
  POCL_CACHE_DIR=$folder/b timeout -s KILL 300 "${transform[@]}" --length "$length" >"$folder/out" 2>&1 &
  other=$!
  sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))"
  kill -KILL "$victim" 2>/dev/null || true
  wait "$victim" 2>/dev/null || true
  wait "$other" || fail "the other process failed (length $length)"
  POCL_CACHE_DIR=$folder/b timeout -s KILL 300 "${transform[@]}" --length "$length" --no-profiles >"$folder/out" 2>&1 ||
    fail "the next process failed (length $length)"
  ! grep -i 'damaged' "$folder/out" || fail "the cache was left damaged"
  rm -rf "$folder/a"
done
echo "killed one of two processes $times times, and the other and the next one computed right"
