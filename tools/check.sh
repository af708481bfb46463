#!/usr/bin/env bash
# Builds imago and runs a sample of the tests, which has tests of every module. With --full, builds
# everything and runs all tests. More arguments go to ctest: `--full -I 1,,3` runs every third test.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. tools/packages.sh

tests=sample
if [ "${1:-}" = --full ]; then
  tests=check
  shift
fi

need "${library_packages[@]}" "${command_packages[@]}" "${test_packages[@]}"
modules=(nanobind numpy scipy pyopencl pytest hypothesis)
if [ $tests = check ]; then
  need "${full_packages[@]}"
  wish oclgrind clfft-client python3-gpyfft ufo-filters libufo-bin
  modules+=(dask matplotlib mypy pyright astropy)
fi

# Builds and tests the Python package if PyPI has its tools for this interpreter.
pip() { build/venv/bin/pip install --quiet --disable-pip-version-check "$@"; }
python=()
say "Python's tools"
if python3 -m venv build/venv && pip "${modules[@]}"; then
  pip --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37 ||
    echo "Kernels are not compiled for NVIDIA: its compilers could not be installed from PyPI."
  python=(-D IMAGO_BUILD_PYTHON=ON -D "Python_EXECUTABLE=$PWD/build/venv/bin/python")
  if [ $tests = check ]; then
    # A client of clFFT; the test does not need the other dependencies of its wheel.
    pip --no-deps clij2-fft==0.30 ||
      echo "The test of clij2-fft is left out: it could not be installed from PyPI."
    pip pyclspv || echo "Vulkan's kernels are not tested: pyclspv could not be installed from PyPI."
    pip mpi4py mpi4py-fft ||
      echo "The tests of imago.mpi on ranks are left out: mpi4py-fft could not be installed from PyPI."
  fi
else
  echo "The Python package is left out: its tools could not be installed from PyPI."
fi

say "Building"
# Uses a separate folder. Files are compiled together and share their includes, which takes half the
# time.
cmake --preset check ${python[@]+"${python[@]}"}
cmake --build --preset $tests

say "Testing"
jobs=$(nproc)
ctest --preset $tests --parallel $((jobs > 4 ? 4 : jobs)) "$@"
[ $tests = check ] || echo "This was a sample. For all tests: tools/check.sh --full"
