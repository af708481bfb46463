#!/usr/bin/env bash
# gpyfft.sh <folder of libclFFT.so.2> <python3> <gpyfft's tests>
#
# Runs the tests of python3-gpyfft, as packaged, on imago's replacement of clFFT.
set -uo pipefail
folder=$1 python=$2 tests=$3
export LD_LIBRARY_PATH=$folder PYOPENCL_CTX=0 PYTHONDONTWRITEBYTECODE=1
loads=$(ldd "$(dirname "$tests")"/gpyfftlib*.so)
grep -q "libclFFT.so.2 => $folder" <<<"$loads" ||
  { echo "FAILED: gpyfft does not load $folder"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$tests" "$scratch/test"
cd "$scratch/test" || exit 1
output=$("$python" -m unittest discover -p 'test_*.py' -t . . 2>&1)
status=$?
tail -4 <<<"$output"
[ $status = 0 ] && grep -q '^Ran 13 tests' <<<"$output"
