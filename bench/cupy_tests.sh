#!/bin/bash
# Runs CuPy's own tests of its FFT with imago in cuFFT's place, and once without imago beside it. They
# do not come with CuPy's wheel, so a machine with a package index fetches them first:
#   bench/cupy_tests.sh fetch [VERSION]  into build/cupy_tests, which git ignores
#   bench/cupy_tests.sh run [OPTIONS]    on the machine with a GPU and CuPy, from that folder;
#                                        PYTHONPATH must have imago. OPTIONS are pytest's.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/build/cupy_tests
if [ "${1:-}" = fetch ]; then
  mkdir -p "$folder"
  # The metadata of CuPy's source need its build; the archive is complete before.
  python3 -m pip download --quiet --no-deps --no-binary cupy --dest "$folder" "cupy==${2:-14.0.0}" || true
  tar xzf "$folder"/cupy-*.tar.gz -C "$folder" --strip-components=1 --wildcards \
    '*/tests/conftest.py' '*/tests/cupy_tests/__init__.py' '*/tests/cupy_tests/fft_tests' \
    '*/tests/cupyx_tests/__init__.py' '*/tests/cupyx_tests/scipy_tests/__init__.py' \
    '*/tests/cupyx_tests/scipy_tests/fft_tests'
  rm "$folder"/cupy-*.tar.gz
  python3 -m pip install --quiet --upgrade --target "$folder/site" pytest
  exit
fi
[ "${1:-}" = run ] || { sed -n 2,7p "$0"; exit 2; }
shift
export PYTHONPATH=$PWD/python/tests:$PWD/python:${PYTHONPATH:-}:$folder/site
cd "$folder/tests"
tests=(cupy_tests/fft_tests/test_fft.py cupyx_tests/scipy_tests/fft_tests/test_fft.py
  cupyx_tests/scipy_tests/fft_tests/test_realtransforms.py)
pytest=(python3 -m pytest -q -p no:cacheprovider --tb=line -W ignore -m "not multi_gpu")
echo "== CuPy alone"
"${pytest[@]}" "${tests[@]}" "$@" 2>&1 | tail -15 || true
echo "== imago in cuFFT's place"
"${pytest[@]}" -p cupy_plugin -rf "${tests[@]}" "$@" 2>&1 | grep -v '^[.sxF]* *\[' | tail -120
