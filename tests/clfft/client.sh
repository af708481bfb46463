#!/usr/bin/env bash
# client.sh <folder of libclFFT.so.2> <clFFT-client>
#
# Runs clFFT's own client, as packaged, over sizes, layouts and precisions. It transforms ones,
# compares with != and prints "Internal Client Test *****PASS*****". The zeros that it expects are
# exact if equal points leave a butterfly as zeros, which convolutions do not guarantee. Sizes with
# a prime factor above 31 must therefore only run (results_test.cpp compares such results).
set -uo pipefail
folder=$1 client=$2
export LD_LIBRARY_PATH=$folder
unset IMAGO_CLFFT_STRICT
loads=$(ldd "$client")
grep -q "libclFFT.so.2 => $folder" <<<"$loads" || { echo "FAILED: the client does not load $folder"; exit 1; }
count=0 passed=0 ran=0

# tries <regular expression> <options>...: the expected output of the client.
tries() {
  local wanted=$1 output status
  shift
  count=$((count + 1))
  output=$("$client" -c "$@" 2>&1)
  status=$?
  if [ $status != 0 ] || ! grep -qE "$wanted" <<<"$output"; then
    echo "FAILED: $*"
    tail -3 <<<"$output"
    return
  fi
  ran=$((ran + 1))
  ! grep -q '\*PASS\*' <<<"$output" || passed=$((passed + 1))
}

while read -r -a options; do
  tries '\*PASS\*' "${options[@]}"
done <<'LIST'
-x 64 -y 32 -b 4
-x 1024
-x 4096 -b 7 -o
-x 2187 -b 2
-x 131072
-x 16 -y 12 -z 10 -b 2
-x 32 -y 32 -z 8 -o --double
-x 256 --inLayout 2 --outLayout 2 -b 3
-x 256 --inLayout 1 --outLayout 2 -o
-x 512 --inv -b 2
-x 60 -y 8 --inv -o
-x 1024 --inLayout 5 --outLayout 3 -o
-x 1024 --inLayout 5 --outLayout 3 -b 2
-x 96 -y 20 --inLayout 5 --outLayout 3 --double
-x 1024 --inLayout 3 --outLayout 5 -o --inv
-x 64 -y 12 -z 6 --inLayout 5 --outLayout 3 -o
-x 1000 -o --double
-x 3125 --double
-x 2401 -o
-x 1331 -b 3
-x 2197 -b 3 -o
-x 100 -y 60 -o
-x 90 -y 14 --inLayout 2 --outLayout 1 -o --double
-x 150 -y 16 --inLayout 5 --outLayout 4 -o
LIST
tries '\*(PASS|FAIL)\*' -x 97 -b 5
echo "$passed of $count passed, $ran ran"
[ $ran = $count ]
