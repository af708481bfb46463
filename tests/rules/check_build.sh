#!/usr/bin/env bash
# check_build.sh <compiler> <source folder> <scratch folder> <generator>
#
# Builds small modules with cmake/ImagoModule.cmake. A legal one must build, and each illegal one
# must stop the build with a message that gives the reason.
set -euo pipefail
compiler=$1 source=$2 scratch=$3 generator=$4
rm -rf "$scratch"
mkdir -p "$scratch"/{cmake,include,src/low,src/high}
cp "$source"/cmake/*.cmake "$scratch/cmake"
cp -r "$source/cmake/no_opencl" "$scratch/cmake"
echo 'inline int low() { return 1; }' >"$scratch/src/low/low.hpp"
echo 'inline int high() { return 2; }' >"$scratch/src/high/high.hpp"
echo 'imago_module(low)' >"$scratch/src/low/CMakeLists.txt"
echo 'imago_module(high DEPENDS low)' >"$scratch/src/high/CMakeLists.txt"
cat >"$scratch/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(rules LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH $scratch/cmake)
include(ImagoModule)
add_subdirectory(src/low)
add_subdirectory(src/high)
END

# try <what> <module> <include> <yes | text of the error>
try() {
  local what=$1 file="$scratch/src/$2/try.cpp" expected=$4 got
  printf '%b\nint main_of_%s() { return 0; }\n' "$3" "$2" >"$file"
  cmake -G "$generator" -S "$scratch" -B "$scratch/build" -D CMAKE_CXX_COMPILER="$compiler" >/dev/null
  got=$(cmake --build "$scratch/build" 2>&1) && got=yes
  rm "$file"
  case $got in
    *"$expected"*) echo "ok: $what" ;;
    *)
      printf 'FAILED: %s: expected "%s", got\n%s\n' "$what" "$expected" "$got"
      exit 1
      ;;
  esac
}

try "a module includes what it depends on" high '#include "low/low.hpp"' yes
try "a module includes what depends on it" low '#include "high/high.hpp"' "No such file or directory"
try "a way around with ../" low '#include "../high/high.hpp"' "a relative path in an include"
try "a way around with ../ in the middle" low '#include "low/../../high/high.hpp"' \
  "a relative path in an include"
try "an absolute path" low "#include \"$scratch/src/high/high.hpp\"" "an absolute path in an include"
try "an OpenCL header" high '#include <CL/cl.h>' "may include an OpenCL header"
try "the same header twice" high '#include "low/low.hpp"\n#include "low/low.hpp"' "included twice"
