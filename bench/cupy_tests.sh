#!/bin/bash
# Runs CuPy's own tests of its FFT with imago in cuFFT's place, and every fourth of them on CuPy alone.
# The tests do not come with CuPy's wheel, so a machine with a package index fetches them first:
#   bench/cupy_tests.sh fetch FOLDER [VERSION]  the tests of CuPy 14.2.0 or VERSION, and pytest
#   bench/cupy_tests.sh run FOLDER [OPTIONS]    on the machine with a GPU and CuPy of this version;
#                                               PYTHONPATH must have imago. OPTIONS are pytest's.
# FOLDER may also be a tar archive of the folder. JOBS processes run (16). CUPY_EVERY=2: every second
# test on imago.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { sed -n 2,9p "$0"; exit 2; }
if [ "$1" = fetch ]; then
  mkdir -p "$2" && cd "$2"
  # The metadata of CuPy's source need its build; the archive is complete before.
  python3 -m pip download --quiet --no-deps --no-binary cupy --dest . "cupy==${3:-14.2.0}" || true
  tar xzf cupy-*.tar.gz --strip-components=1 --wildcards '*/pyproject.toml' '*/LICENSE' \
    '*/tests/conftest.py' '*/tests/cupy_tests/__init__.py' '*/tests/cupy_tests/fft_tests' \
    '*/tests/cupyx_tests/__init__.py' '*/tests/cupyx_tests/scipy_tests/__init__.py' \
    '*/tests/cupyx_tests/scipy_tests/fft_tests'
  rm cupy-*.tar.gz
  exec python3 -m pip install --quiet --upgrade --target site pytest pytest-xdist
fi
[ "$1" = run ] || { sed -n 2,9p "$0"; exit 2; }
folder=$2
shift 2
if [ -f "$folder" ]; then
  unpacked=$(mktemp -d)
  trap 'rm -rf "$unpacked"' EXIT
  tar xf "$folder" -C "$unpacked"
  folder=$unpacked
fi
folder=$(cd "$folder" && pwd)
export PYTHONPATH=$root/python/tests:$root/python:${PYTHONPATH:-}:$folder/site
export IMAGO_LOG=error CUPY_TEST_GPU_LIMIT=1
# Most shapes come once: their own kernels would compile for nothing.
export IMAGO_FIRST_CALL=${IMAGO_FIRST_CALL:-generic}
cd "$folder/tests"
tests=(cupy_tests/fft_tests/test_fft.py cupyx_tests/scipy_tests/fft_tests/test_fft.py
  cupyx_tests/scipy_tests/fft_tests/test_realtransforms.py)
run() {
  local begin=$SECONDS
  timeout -s INT "$1" python3 -m pytest -q -p no:cacheprovider -p cupy_plugin --tb=no --no-header \
    -W ignore -m "not multi_gpu" -n "${JOBS:-16}" "${tests[@]}" "${@:2}" 2>&1 |
    grep -vE '^[.sxXFE]+( *\[.*\])?$|^bringing up|^(FAILED|ERROR) |^$|^NOTE|^ *CUDA_VIS' | tail -70 || true
  echo "$((SECONDS - begin)) s"
}
echo "== CuPy alone, every fourth test"
CUPY_ALONE=1 CUPY_EVERY=4 run 45 "$@"
echo "== imago in cuFFT's place"
run 120 "$@"
