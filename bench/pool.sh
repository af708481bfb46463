#!/usr/bin/env bash
# pool.sh <imago_pool> <out>: measures the figures of docs/measured/pool.md on a machine with GPUs,
# with 1, 2, 4, ... of them. It runs batches in host memory and on the devices, and cubes out of core. The
# last cube needs 64 GiB of host memory, and is left out if there is less than 80 GiB. Each line
# also goes to <out>. It takes some minutes.
set -euo pipefail
program=$1 out=$2
: >"$out"
run() {
  echo "== $*" | tee -a "$out"
  timeout 90 "$program" "$@" 2>&1 | grep -E '^(host|resident|cube|forward)|wrong|%' | tee -a "$out" || echo "failed" | tee -a "$out"
}
for mib in 64 256 1024 4096; do run host $mib; done
for mib in 64 1024 8192; do run resident $mib; done
run cube 512 256
run cube 1024 2048
if [ "$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 80 ]; then run cube 2048 8192; fi
