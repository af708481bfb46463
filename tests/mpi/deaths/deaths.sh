#!/usr/bin/env bash
# deaths.sh <how> <command...>: the program must compute once (unless a rank never creates its
# plan), then end within a minute with an error. If a rank does not come, the others wait for
# Options::patience and print a message.
set -uo pipefail
how=$1
shift
# The two streams are separate, because mpiexec forwards them piece by piece: with one pipe, one
# rank's "computed" may be inside another rank's error message.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
out=$(timeout 100 "$@" "$how" 2>"$errors")
code=$?
printf '%s\n' "$out"
cat "$errors"
[ "$code" -ne 0 ] || { echo "FAILED: the program ended well"; exit 1; }
[ "$code" -ne 124 ] || { echo "FAILED: the program hung"; exit 1; }
[ "$how" = never ] || grep -q '^computed' <<<"$out" || { echo "FAILED: it did not compute"; exit 1; }
! grep -q 'not reached' <<<"$out" || { echo "FAILED: the others went on"; exit 1; }
if [ "$how" = absent ] || [ "$how" = never ]; then
  grep -q 'imago::mpi: rank [0-9]* waited 2 s during the ' "$errors" || { echo "FAILED: nobody said why"; exit 1; }
fi
