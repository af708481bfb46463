#!/usr/bin/env bash
# side_by_side.sh <compiler of C> <source folder> <scratch folder>
#
# Tries the rules of docs/install.md about versions. run.sh calls it: it uses the tree and the
# installed package that run.sh leaves in the scratch folder. Other versions of the library are made
# from the same objects, with only the number changed.
set -euo pipefail
compiler=$1 source=$2 scratch=$3
tree=$scratch/tree first=$scratch/moved-shared both=$scratch/side-by-side
version=$("$source/tools/release/version.py")
IFS=. read -r major minor patch <<<"$version"
next=$major.$((minor + 1)).0 patched=$major.$minor.$((patch + 1))
rm -rf "$both"
cp -r "$first" "$both"

fail() { echo "FAILED: $*"; exit 1; }

# add_version <version>: installs the library with this version into the common prefix.
add_version() {
  local numbers
  IFS=. read -ra numbers <<<"$1"
  printf 'set(PROJECT_VERSION %s)\nset(PROJECT_VERSION_MAJOR %s)\nset(PROJECT_VERSION_MINOR %s)\n' \
    "$1" "${numbers[0]}" "${numbers[1]}" >"$scratch/version.cmake"
  cmake -D CMAKE_PROJECT_imago_INCLUDE="$scratch/version.cmake" "$tree" >"$scratch/log" 2>&1 &&
    cmake --build "$tree" --parallel --target imago imago_tune >>"$scratch/log" 2>&1 &&
    cmake --install "$tree" --prefix "$both" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "version $1"; }
}

# program <prefix to link> <output>: a program that prints the version of the library it loads.
program() {
  printf '#include <imago/imago.h>\n#include <stdio.h>\nint main(void) { return puts(imago_version()) < 0; }\n' |
    "$compiler" -x c - -I"$1/include" -o "$2" -L"$1/lib" -limago -Wl,-rpath,"$both/lib"
}

# expect <version> <program>
expect() {
  local loaded
  loaded=$("$2") || fail "$(basename "$2") does not start"
  [ "$loaded" = "$1" ] || fail "$(basename "$2") loaded $loaded, expected $1"
}

trap 'cmake -U CMAKE_PROJECT_imago_INCLUDE "$tree" >/dev/null' EXIT
program "$first" "$scratch/program_first"
expect "$version" "$scratch/program_first"

add_version "$patched"
expect "$patched" "$scratch/program_first"
echo "-- a program of $version runs with $patched"

add_version "$next"
program "$both" "$scratch/program_next"
expect "$next" "$scratch/program_next"
expect "$patched" "$scratch/program_first"
echo "-- $patched and $next in one prefix: each program loads its own"

rm "$both"/lib/libimago.so."$major.$minor"*
if "$scratch/program_first" >/dev/null 2>&1; then fail "a program of $version loads $next"; fi
printf 'cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES CXX)\nfind_package(imago %s REQUIRED)\n' \
  "$major.$minor" >"$scratch/CMakeLists.txt"
rm -rf "$scratch/found-next"
if cmake -S "$scratch" -B "$scratch/found-next" -D CMAKE_PREFIX_PATH="$both" >"$scratch/log" 2>&1; then
  fail "find_package(imago $major.$minor) accepts $next"
fi
grep -q "version: $next" "$scratch/log" || { cat "$scratch/log"; fail "find_package gives another reason"; }
echo "-- without $version: its program does not start, and find_package rejects $next"
