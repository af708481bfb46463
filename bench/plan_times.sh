#!/usr/bin/env bash
# plan_times.sh <imago> [<device> [<length>...]]
#
# Measures how long a plan takes, in milliseconds: (a) the constructor, (b) the first call minus the
# median one. Prints also the kernels that were compiled for it (including those of the self-test),
# the longest compilation and the sum of all; several kernels compile in parallel. Prints a line per
# length and state, each from a fresh process, for one direction in place:
#
#   device    nothing is cached: imago's cache and the drivers' own are empty, the device is
#             measured and tested, and the caches are written
#   kernels   the device is cached, the length is not
#   warm      both are cached
#
# PLAN_LOGS=<folder> keeps imago's logs, a file for each line: the time and the size of every
# kernel. To compile one kernel after another, use taskset -c 0 plan_times.sh ...
set -euo pipefail
imago=${1:?usage: plan_times.sh <imago> [<device> [<length>...]]}
device=${2:-0}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 256 1024 4096

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
logs=${PLAN_LOGS:-$folder/logs}
mkdir -p "$logs"

# with <caches> <arguments>...: runs imago with these caches.
with() {
  local caches=$1
  shift
  mkdir -p "$caches/imago" "$caches/pocl" "$caches/cuda"
  env XDG_CACHE_HOME="$caches/imago" POCL_CACHE_DIR="$caches/pocl" CUDA_CACHE_PATH="$caches/cuda" \
    IMAGO_LOG=debug "$imago" "$@"
}
# line <length> <state> <caches>
line() {
  local log=$logs/$1-$2.log
  printf '%12s %-8s' "$1" "$2"
  with "$3" bench --device "$device" --lengths "$1" --as-found --peers none --seconds 0.3 --no-check \
    --json 2>"$log" |
    awk -F'[:,]' '/"seconds"/ {median = $2} /"plan_warm/ {plan = $2} /"first_call_warm/ {first = $2}
      END {printf "%10.1f %10.1f", 1e3 * plan, 1e3 * (plan + first - median)}'
  awk '$3 == "compiled" {++count; sum += $6; if ($6 > most) most = $6}
    END {printf " %8d %8.0f %8.0f\n", count, most, sum}' "$log"
}

printf '%12s %-8s%10s %10s %8s %8s %8s   ms\n' length new '(a)' '(a+b)' kernels longest sum
with "$folder/known" explain 2 --device "$device" >/dev/null 2>"$logs/known.log"
for length in "$@"; do
  line "$length" device "$folder/$length"
  cp -r "$folder/known" "$folder/$length-kernels"
  line "$length" kernels "$folder/$length-kernels"
  line "$length" warm "$folder/$length-kernels"
done
