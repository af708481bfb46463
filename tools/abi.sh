#!/usr/bin/env bash
# abi.sh [REVISION]: compares the binary interface of the shared libraries of this tree with that of
# a revision, by default the last tag. Builds both with debug information, in build/abi.
#
# Added names are listed and accepted. Any other difference fails, except if the SONAME differs: a
# program of the revision then never loads this library (docs/install.md, Versions).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need "${library_packages[@]}" abigail-tools
revision=${1:-$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)}
[ -n "$revision" ] || die "There is no tag v* yet. Name a revision to compare with: tools/abi.sh REVISION"
commit=$(git rev-parse --verify --quiet "$revision^{commit}") || die "No such revision: $revision"

# build_libraries <sources> <folder>
build_libraries() {
  local launcher=()
  ! command -v ccache >/dev/null || launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S "$1" -B "$2" -G Ninja -D CMAKE_BUILD_TYPE=None -D CMAKE_CXX_FLAGS='-g -Og' \
    -D CMAKE_UNITY_BUILD=ON -D IMAGO_BUILD_TESTS=OFF -D IMAGO_BUILD_TOOLS=OFF -D IMAGO_BUILD_BENCH=OFF \
    -D IMAGO_BUILD_CLFFT=OFF "${launcher[@]}" >/dev/null
  cmake --build "$2" | tail -n 1
}

# soname <library>
soname() { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }

# compare <library, relative to the build folder>: prints the report, and fails as described above.
compare() {
  local before=$old/build/$1 after=build/abi/new/$1 report=build/abi/report.txt name status=0
  name=$(basename "$1")
  [ -f "$before" ] || { echo "$name: new since $revision"; return 0; }
  abidiff --headers-dir1 "$old/tree/include" --headers-dir2 include --drop-private-types \
    --suppressions tools/abi.suppressions --no-show-locs "$before" "$after" >"$report" || status=$?
  cat "$report"
  # The lowest two bits mean errors of the program or its use.
  [ $((status & 3)) = 0 ] || die "abidiff failed with status $status"
  if [ "$(soname "$before")" != "$(soname "$after")" ]; then
    echo "$name: $(soname "$before") and $(soname "$after"): the interface may differ"
  elif [ $status = 0 ]; then
    echo "$name: the interface is that of $revision"
  elif ! grep -Eq '^[A-Z].* summary: ([1-9]|0 Removed, [1-9][0-9]* Changed)' "$report"; then
    echo "$name: only names are added since $revision"
  else
    echo "FAILED: $name: programs of $revision may break with it, and $(soname "$after") is unchanged"
    return 1
  fi
}

old=build/abi/$commit
say "Building the libraries of $revision ($commit)"
if [ ! -f "$old/built" ]; then
  rm -rf "$old"
  mkdir -p "$old/tree"
  git archive "$commit" | tar -x -C "$old/tree"
  build_libraries "$old/tree" "$old/build"
  touch "$old/built"
fi
say "Building the libraries of this tree"
build_libraries . build/abi/new

failed=0
for library in src/libimago.so src/libimago_tune.so mpi/libimago_mpi.so; do
  [ -f "build/abi/new/$library" ] || { echo "$(basename "$library") is not built here: not compared"; continue; }
  say "$(basename "$library")"
  compare "$library" || failed=1
done
exit $failed
