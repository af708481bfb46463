#!/usr/bin/env bash
# package.sh <prefix> <source folder> <scratch folder> <CMake's options>...
#
# Finds the installed package of a prefix by components and ranges of versions. This imago has
# neither MPI nor clFFT's replacement. run.sh calls it.
set -euo pipefail
prefix=$1 source=$2 scratch=$3
shift 3
options=("$@")
IFS=. read -r major minor patch <<<"$("$source/tools/release/version.py")"
this=$major.$minor next=$major.$((minor + 1))
rm -rf "$scratch/find"
mkdir -p "$scratch/find"

# finds <arguments of find_package>: prints CMake's messages in one line, and fails as CMake does.
finds() {
  printf 'cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES NONE)\nfind_package(imago %s)\n' "$1" \
    >"$scratch/find/CMakeLists.txt"
  cat >>"$scratch/find/CMakeLists.txt" <<'END'
foreach(component tune mpi clfft magic)
  message(STATUS "${component}: ${imago_${component}_FOUND}")
endforeach()
if(NOT imago_FOUND OR NOT TARGET imago::imago)
  message(FATAL_ERROR "no imago")
endif()
END
  local status=0
  cmake "${options[@]}" -S "$scratch/find" -B "$scratch/find/build" -D CMAKE_PREFIX_PATH="$prefix" \
    -D CMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON >"$scratch/log" 2>&1 || status=1
  tr -s ' \n' ' ' <"$scratch/log" # CMake wraps messages
  return $status
}

# accepts <arguments of find_package> <text of CMake's messages>
accepts() {
  local found
  found=$(finds "$1") && [[ $found == *"$2"* ]] || { echo "FAILED: find_package(imago $1): $found"; exit 1; }
}

# rejects <arguments of find_package> <text of CMake's messages>
rejects() {
  local found
  ! found=$(finds "$1") && [[ $found == *"$2"* ]] || { echo "FAILED: find_package(imago $1): $found"; exit 1; }
}

accepts "$this REQUIRED COMPONENTS tune" "tune: TRUE"
accepts "$this REQUIRED OPTIONAL_COMPONENTS tune mpi clfft magic" \
  "tune: TRUE -- mpi: FALSE -- clfft: FALSE -- magic: FALSE"
rejects "REQUIRED COMPONENTS tune mpi" "The component mpi was not found: this imago was built without MPI"
rejects "REQUIRED COMPONENTS clfft" "The component clfft was not found: this imago was built without clFFT.h"
rejects "REQUIRED COMPONENTS magic" "The component magic was not found: imago's components are tune, mpi and clfft"
for range in "$this...$next" "$this...99" "0.0.1...$this.$patch" "$this...<$next" "$this...$this.99"; do
  accepts "$range REQUIRED" ""
done
for range in "$next...99" "0.0.1...<$this" "0.0.1...0.0.9" "0.0.1...<$this.$patch"; do
  rejects "$range REQUIRED" "version: $this.$patch"
done
for version in "$next" 99.1 "$this.99"; do rejects "$version REQUIRED" "version: $this.$patch"; done
accepts "$this.$patch EXACT REQUIRED" ""
echo "-- find_package by components and ranges of versions"
