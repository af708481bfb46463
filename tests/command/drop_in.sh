#!/bin/sh
# drop_in.sh <imago> <a program of clFFT's> <clFFT-client or nothing>: imago doctor and imago run.
set -u
imago=$1 program=$2 client=${3:-}
failures=0
# expect <status> <text> <arguments>...
expect() {
  status=$1 text=$2
  shift 2
  output=$("$imago" "$@" 2>&1 </dev/null)
  got=$?
  if [ "$got" != "$status" ] || ! echo "$output" | grep -qF -e "$text"; then
    echo "FAILED: imago $*: status $got, expected $status and '$text': $output"
    failures=$((failures + 1))
  fi
}

expect 0 "clFFT: libclFFT.so.2" doctor "$program"
expect 0 "served, by imago run --as clfft" doctor "$program"
expect 0 '"library": "clFFT"' doctor "$program" --json
expect 0 "loads no FFT library" doctor sh
expect 1 "no program nonesuch" doctor nonesuch
expect 1 "there is no file /none/such" doctor /none/such
expect 1 "is not a program or a library" doctor /etc/passwd
expect 2 "program is required" doctor

expect 0 "every function, there and back" run --as clfft -- "$program"
expect 7 "" run --as clfft -- sh -c "exit 7"
expect 0 "libclFFT.so.2" run --as clfft -- sh -c 'echo "$LD_PRELOAD"'
expect 1 "nonesuch cannot be started" run --as clfft -- nonesuch
expect 2 "not in" run --as fftw -- "$program"
expect 2 "program is required" run --as clfft
if [ -n "$client" ]; then
  # clFFT itself rejects 97.
  "$client" -c -x 97 2>&1 | grep -qE '\*(PASS|FAIL)\*' && { echo "FAILED: clFFT takes 97"; failures=$((failures + 1)); }
  expect 0 "Internal Client Test" run --as clfft -- "$client" -c -x 97
fi
[ "$failures" = 0 ]
