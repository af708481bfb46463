#!/usr/bin/env bash
# no_threads.sh <libimago_faults.so> <imago> [<imago_calls>]
#
# The system starts no thread for these programs. The command computes the same result, without a
# progress bar; the benchmark, which needs its threads, ends with a message.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
library=$1 imago=$2 calls=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$here/input.sh"
make_input "$folder/in.npy" 4096
fail() {
  echo "no_threads: $1" >&2
  cat "$folder/out" >&2
  exit 1
}
without() {
  IMAGO_REFUSE_THREADS=1 LD_PRELOAD=$library timeout -s KILL 120 "$@" >"$folder/out" 2>&1
}

"$imago" transform "$folder/in.npy" --length 256 --output "$folder/right.npy" >"$folder/out" 2>&1 ||
  fail "the command with threads"
IMAGO_LOG=warning without "$imago" transform "$folder/in.npy" --length 256 \
  --output "$folder/result.npy" || fail "the command: status $?"
cmp -s "$folder/right.npy" "$folder/result.npy" || fail "another result"
[ "$(grep -c 'cannot start a thread: .*ulimit -u' "$folder/out")" -eq 1 ] || fail "the log has no reason"
without script -qec "'$imago' transform '$folder/in.npy' --length 256 --output '$folder/result.npy'" \
  /dev/null || fail "the command in a terminal: status $?"
if [ -n "$calls" ]; then
  status=0
  without "$calls" 64 100 3 || status=$?
  [ "$status" -eq 1 ] && grep -q "Resource temporarily unavailable" "$folder/out" ||
    fail "the benchmark: status $status"
fi
echo "programs without threads are right, or give the reason"
