#!/usr/bin/env bash
# Counts the instructions of imago's own code per call (callgrind), for plans of one kernel and of
# three. The three kernels are launched one after another and as one launch. The count is the
# difference between runs of many and of few calls, divided by the number of calls. Instructions of
# the driver and of the C library do not count.
set -euo pipefail
build=${1:-$(dirname "$0")/../build/release}
calls=$build/bench/imago_calls
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# own <lengths> <calls> <launches>: instructions in functions of the program itself.
own() {
  valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$calls" "$1" "$2" 1 ${3:+"$3"} \
    >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
  callgrind_annotate --threshold=100 "$folder/out" |
    awk '/\[.*(imago_calls|libimago)/ {gsub(",", "", $1); sum += $1} END {print sum + 0}'
}

for plan in "1024" "16x16x16 several" "16x16x16 one"; do
  read -r lengths launches <<<"$plan"
  "$calls" "$lengths" 1 1 ${launches:+"$launches"} >"$folder/warm"  # compiles
  own "$lengths" 10 "$launches" >/dev/null  # compiles: another device under valgrind
  few=$(own "$lengths" 10 "$launches")
  many=$(own "$lengths" 510 "$launches")
  kernels=$(grep -c '^ *[0-9]\+\.' "$folder/warm" || true)
  echo "$lengths, $kernels kernels${launches:+, launches: $launches}: $(((many - few) / 500)) instructions a call"
done
