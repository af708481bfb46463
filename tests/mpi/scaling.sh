#!/usr/bin/env bash
# scaling.sh <imago_ranks> <mpirun...>: two runs of the benchmark, on 1 and 2 ranks, must be in one
# record and one picture of strong and weak scaling. All ranks must reject an invalid record.
set -uo pipefail
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
  echo "FAILED: $*"
  failures=1
}

for ranks in 1 2; do
  timeout 200 "$@" $ranks "$program" --lengths 12x12x12 --weak 4x6x8 --precision f32 --order transposed \
    --seconds 0.001 --json runs.json --picture scaling.svg >out 2>&1 || { cat out; fail "$ranks ranks"; }
  grep -q "WRONG" out && fail "$(cat out)"
done
[ "$(grep -c '"ranks":' runs.json)" = 2 ] || fail "not two runs in the record"
[ "$(grep -c '"contestant": "FFTW-MPI"' runs.json)" = 4 ] || fail "FFTW-MPI is not four times in the record"
grep -q '"memory_bytes_per_second": [1-9]' runs.json || fail "no rate of memory"
grep -q ">12x12x12, f32, transposed<" scaling.svg || fail "no chart of strong scaling"
grep -q ">4x6x8 for each rank, f32, transposed<" scaling.svg || fail "no chart of weak scaling"
# Both charts must have each line, of two points for two numbers of ranks, in its colour of the
# legend.
for line in imago FFTW-MPI Prediction "Prediction, messages"; do
  colour=$(sed -n "s/.*stroke=\"\(#[0-9a-f]*\)\".*>$line<.*/\1/p" scaling.svg)
  [ "$(grep -cE "d=\"M[0-9. ]*L[0-9. ]*\" fill=\"none\" stroke=\"${colour:-none}\"" scaling.svg)" = 2 ] ||
    fail "$line is not in both charts, as a line of two points"
done

echo '{"format": 7}' >other.json
timeout 100 "$@" 2 "$program" --lengths 4x4x4 --json other.json >out 2>&1 && fail "a record of another kind was taken"
grep -q "other.json is no record" out || fail "$(cat out)"
[ "$failures" = 0 ] && echo "all as expected"
