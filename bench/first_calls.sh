#!/usr/bin/env bash
# first_calls.sh [IMAGO [SHAPE...]]: prints where the time of first calls goes, in milliseconds.
# Each shape is transformed by a new process; the caches are empty before the first one. Columns:
# detect and self-test (first use of a device), build (all kernels of the plan), of it the driver's
# compiler (the sum over kernels, which compile side by side) and the rest (binaries, linking, disk),
# the process in all, and its CPU time.
set -euo pipefail

imago=${1:-build/release/tools/imago}
shift || true
[ $# -gt 0 ] || set -- 1024 1000 65536 1009 640x480 64x64x64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 700 "$work"
export IMAGO_CACHE_DIR=$work/imago POCL_CACHE_DIR=$work/pocl CUDA_CACHE_PATH=$work/cuda IMAGO_LOG=debug
mkdir -m 700 "$IMAGO_CACHE_DIR" "$POCL_CACHE_DIR" "$CUDA_CACHE_PATH"

# sum TEXT: the sum of the milliseconds behind TEXT in the log.
sum() {
  { grep -oE "$1 [0-9.]+ (ms|s)" "$work/log" || true; } |
    awk '{ value = $(NF - 1); total += $NF == "s" ? 1000 * value : value } END { printf "%.0f", total }'
}

printf '%-12s %8s %10s %8s %10s %8s %8s %8s\n' shape detect self-test build compiler rest process CPU
for shape in "$@"; do
  TIMEFORMAT='%R %U %S'
  times=$({ time "$imago" explain "$shape" --measure >"$work/out" 2>"$work/log"; } 2>&1)
  read -r wall user system <<<"$times"
  detect=$(sum '^imago: info: detecting .* took')
  proof=$(sum 'the self-test took')
  if grep -q 'the self-test took' "$work/log"; then sed -i '1,/the self-test took/d' "$work/log"; fi
  build=$(sum 'building took') compiler=$(sum 'compiled [a-z0-9_]+ in')
  printf '%-12s %8s %10s %8s %10s %8s %8.0f %8.0f\n' "$shape" "$detect" "$proof" "$build" "$compiler" \
    "$((build > compiler ? build - compiler : 0))" \
    "$(awk "BEGIN { print 1000 * $wall }")" "$(awk "BEGIN { print 1000 * ($user + $system) }")"
done
