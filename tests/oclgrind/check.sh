#!/bin/sh
# Runs the sample under oclgrind and checks its report.
#   check.sh <oclgrind> <sample> families    every kernel family must run without reports
#   check.sh <oclgrind> <sample> generic     the same for generic kernels
#   check.sh <oclgrind> <sample> sparse      the same for the sparse transform
#   check.sh <oclgrind> <sample> nufft       the same for nonuniform transforms
#   check.sh <oclgrind> <sample> whole       the same for its attempts as one launch; bounds only, because
#                                            oclgrind reports the synchronization of work-groups as races
#   check.sh <oclgrind> <imago_test_hooks> '[oclgrind]'    the same for hooks and filters
#   check.sh <oclgrind> <sample> race        the planted race must be reported
#   check.sh <oclgrind> <sample> overrun     the planted overrun must be reported
# Two options of oclgrind are not used: --uninitialized (it reports the unset half of a vector under
# construction) and --check-api (the probe of local memory requests too much on purpose).
set -eu
oclgrind=$1 sample=$2 mode=$3
report=$(mktemp)
trap 'rm -f "$report"' EXIT

races=--data-races
[ "$mode" != whole ] || races=
status=0
# shellcheck disable=SC2086 # nothing, where there is none
"$oclgrind" $races --num-threads 1 --max-errors 5 --log "$report" "$sample" "$mode" || status=$?
cat "$report"
if [ "$status" -ne 0 ]; then
  echo "the sample ended with status $status"
  exit 1
fi

case $mode in
  families | generic | sparse | whole | nufft | '[oclgrind]') expected= ;;
  race) expected='data race' ;;
  overrun) expected='Invalid write' ;;
  *) echo "unknown mode $mode"; exit 2 ;;
esac
if [ -z "$expected" ]; then
  if [ -s "$report" ]; then
    echo "oclgrind reported something"
    exit 1
  fi
elif ! grep -qi "$expected" "$report"; then
  echo "oclgrind did not report the planted $mode"
  exit 1
fi
