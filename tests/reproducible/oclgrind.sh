#!/usr/bin/env bash
# Compares every tenth of the recorded hashes, of up to 300 points, on oclgrind:
# `oclgrind.sh OCLGRIND IMAGO_BITS FILE`. Each problem has a process of its own, because oclgrind 21.10
# crashes now and then if a process builds many kernels; such a process is started again.
set -u
oclgrind=$1 bits=$2 file=$3
export IMAGO_TRUST_DEVICE=1 IMAGO_CACHE_DIR
IMAGO_CACHE_DIR=$(mktemp -d)
trap 'rm -rf "$IMAGO_CACHE_DIR"' EXIT
wrong=0 right=0 lost=0
for number in $(seq 0 10 420); do
  status=139
  for _ in 1 2 3 4 5; do
    output=$("$oclgrind" --num-threads 1 "$bits" check "$file" --every 1000 --first "$number" \
      --most 300 2>&1)
    status=$?
    [ $status -lt 128 ] && break
  done
  case $output in
    *' 0 problems'*) continue ;;
  esac
  if [ $status -eq 0 ]; then
    right=$((right + 1))
  elif [ $status -ge 128 ]; then
    lost=$((lost + 1))
  else
    wrong=$((wrong + 1))
    echo "$output"
  fi
done
echo "$right problems with equal bits, $wrong with others, $lost crashes"
[ $wrong -eq 0 ] && [ $right -ge 20 ]
