#!/usr/bin/env bash
# deaths.sh <how> <command..>: the program must compute once (unless a rank never makes its plan), then end within a minute, by itself and with
# an error; a rank that does not come is waited for as long as Options::patience says, and named.
set -uo pipefail
how=$1
shift
# The streams apart: mpiexec forwards them piece by piece, so that one rank's "computed" lands in the
# middle of another's last words when they share a pipe.
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
  grep -q 'imago::mpi: rank [0-9]* waited 2 s in the ' "$errors" || { echo "FAILED: nobody said why"; exit 1; }
fi
