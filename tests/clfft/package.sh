#!/usr/bin/env bash
# package.sh <build folder> <source folder> <scratch folder> <libdir> <CMake's generator>
#
# Moves the installed package clFFT after its installation and finds it from a client's CMake. The
# client must then load imago's library.
set -euo pipefail
build=$1 source=$2 scratch=$3 libdir=$4 generator=$5
rm -rf "$scratch"
mkdir -p "$scratch/project"
cmake --install "$build" --prefix "$scratch/installed" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
mv "$scratch/installed" "$scratch/moved"
folder=$scratch/moved/$libdir/imago
[ ! -e "$scratch/moved/$libdir/libclFFT.so.2" ] || { echo "FAILED: it is where programs look"; exit 1; }
cat >"$scratch/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(client LANGUAGES C)
find_package(clFFT REQUIRED CONFIG)
add_executable(client ${SOURCE})
target_include_directories(client PRIVATE ${CLFFT_INCLUDE_DIRS})
target_link_libraries(client PRIVATE ${CLFFT_LIBRARIES} OpenCL m)
END
{
  cmake -G "$generator" -S "$scratch/project" -B "$scratch/project/build" -D SOURCE="$source/tests/clfft/every_entry.c" \
    -D clFFT_DIR="$folder"
  cmake --build "$scratch/project/build"
} >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
# A variable, because grep -q ends early and the writing program would then fail.
loads=$(ldd "$scratch/project/build/client")
grep -q "libclFFT.so.2 => $folder/" <<<"$loads" ||
  { echo "FAILED: the client loads another clFFT"; exit 1; }
"$scratch/project/build/client"
preload=$("$scratch/moved/bin/imago" run --as clfft -- sh -c 'echo "$LD_PRELOAD"')
[[ $preload == "$folder/libclFFT.so.2"* ]] ||
  { echo "FAILED: imago run does not find the installed library"; exit 1; }
