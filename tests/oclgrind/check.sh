#!/bin/sh
# Runs the sample under oclgrind and judges its report.
#   check.sh <oclgrind> <sample> families    every kernel family runs, and oclgrind reports nothing
#   check.sh <oclgrind> <sample> sparse      so does the sparse transform
#   check.sh <oclgrind> <sample> whole       so do its attempts as one launch; bounds alone, since their
#                                            work-groups wait for each other, which oclgrind takes for races
#   check.sh <oclgrind> <imago_test_hooks> '[oclgrind]'    so do hooks and filters
#   check.sh <oclgrind> <sample> race        the planted race is reported
#   check.sh <oclgrind> <sample> overrun     the planted overrun is reported
# Not used: --uninitialized (it takes the unset half of a vector that is being put together for a value)
# and --check-api (the probe of local memory asks for too much on purpose).
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
  families | sparse | whole | '[oclgrind]') expected= ;;
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
