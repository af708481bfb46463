#!/usr/bin/env bash
# Builds imago with everything around it, and runs the tests. Arguments go to ctest.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. tools/packages.sh

need "${library_packages[@]}" "${command_packages[@]}" "${test_packages[@]}"
wish oclgrind clfft-client python3-gpyfft ufo-filters libufo-bin openmpi-bin

# Builds and tests the Python package if PyPI has its tools for this interpreter.
python=()
say "Python's tools"
if python3 -m venv build/venv && build/venv/bin/pip install --quiet --disable-pip-version-check \
  nanobind numpy scipy pyopencl pytest hypothesis dask matplotlib; then
  python=(-D IMAGO_BUILD_PYTHON=ON -D "Python_EXECUTABLE=$PWD/build/venv/bin/python")
  # A client of clFFT; the test does not need the other dependencies of its wheel.
  build/venv/bin/pip install --quiet --disable-pip-version-check --no-deps clij2-fft==0.30 ||
    echo "The test of clij2-fft is left out: it could not be installed from PyPI."
  build/venv/bin/pip install --quiet --disable-pip-version-check mpi4py mpi4py-fft ||
    echo "The tests of imago.mpi on ranks are left out: mpi4py-fft could not be installed from PyPI."
else
  echo "The Python package is left out: its tools could not be installed from PyPI."
fi

say "Building"
# Uses a separate folder. Files are compiled together and share their includes, which takes half the
# time.
cmake --preset check ${python[@]+"${python[@]}"}
cmake --build --preset check

say "Testing"
jobs=$(nproc)
ctest --preset check --parallel $((jobs > 4 ? 4 : jobs)) "$@"
