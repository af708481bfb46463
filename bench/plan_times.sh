#!/usr/bin/env bash
# plan_times.sh <imago> [<device> [<length>...]]
#
# How long a plan takes, in milliseconds: (a) the constructor, (b) the first call less the median one.
# A line per length: cold (imago's cache and the drivers' own empty, the writing of them and the probe
# of the device included), then warm; each in a fresh process, for one direction in place.
set -euo pipefail
imago=${1:?usage: plan_times.sh <imago> [<device> [<length>...]]}
device=${2:-0}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 256 1024 4096

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints (a) and (a+b).
once() {
  env XDG_CACHE_HOME="$1/imago" POCL_CACHE_DIR="$1/pocl" CUDA_CACHE_PATH="$1/cuda" "$imago" bench \
    --device "$device" --lengths "$2" --as-found --peers none --seconds 0.3 --no-check --json |
    awk -F'[:,]' '/"seconds"/ {median = $2} /"plan_warm/ {plan = $2} /"first_call_warm/ {first = $2}
      END {printf "%10.1f %10.1f", 1e3 * plan, 1e3 * (plan + first - median)}'
}

printf '%8s %10s %10s %10s %10s   ms\n' length 'cold (a)' '(a+b)' 'warm (a)' '(a+b)'
for length in "$@"; do
  caches=$folder/$length
  mkdir -p "$caches/imago" "$caches/pocl" "$caches/cuda"
  printf '%8s %s %s\n' "$length" "$(once "$caches" "$length")" "$(once "$caches" "$length")"
done
