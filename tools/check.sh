#!/usr/bin/env bash
# Builds imago and everything around it, and runs the tests. Arguments go to ctest.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. tools/packages.sh

need "${library_packages[@]}" "${command_packages[@]}" "${test_packages[@]}"
wish oclgrind clfft-client python3-gpyfft ufo-filters libufo-bin openmpi-bin

# The Python package is built and tested where PyPI has its tools for this interpreter.
python=()
say "Python's tools"
if python3 -m venv build/venv && build/venv/bin/pip install --quiet --disable-pip-version-check \
  nanobind numpy scipy pyopencl pytest hypothesis dask matplotlib; then
  python=(-D IMAGO_BUILD_PYTHON=ON -D "Python_EXECUTABLE=$PWD/build/venv/bin/python")
  # A client of clFFT; what else its wheel asks for is not needed for what is tried.
  build/venv/bin/pip install --quiet --disable-pip-version-check --no-deps clij2-fft==0.30 ||
    echo "The test of clij2-fft is left out: it could not be installed from PyPI."
  build/venv/bin/pip install --quiet --disable-pip-version-check mpi4py mpi4py-fft ||
    echo "The tests of imago.mpi on ranks are left out: mpi4py-fft could not be installed from PyPI."
else
  echo "The Python package is left out: its tools could not be installed from PyPI."
fi

say "Building"
# In a folder of its own: files are compiled together, which share what they include, in half the time.
cmake --preset check ${python[@]+"${python[@]}"}
cmake --build --preset check

say "Testing"
jobs=$(nproc)
ctest --preset check --parallel $((jobs > 4 ? 4 : jobs)) "$@"
