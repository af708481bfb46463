#!/usr/bin/env bash
# cufinufft.sh <finufft's sources> <POET's sources> <folder> [<architecture> [<processes>]]
#
# Compiles cuFINUFFT for one architecture of GPUs (default: 90) into <folder>/libcufinufft.so, with
# the flags of its CMake files in Release. It needs nvcc, and no GPU. Objects that exist in the
# folder are kept, so a build that was stopped continues.
set -euo pipefail
finufft=$(realpath "$1") poet=$(realpath "$2") folder=$(realpath -m "$3")
architecture=${4:-90} processes=${5:-$(nproc)}
source=$finufft/src
export PATH=$PATH:/usr/local/cuda/bin OBJECTS=$folder/objects
mkdir -p "$OBJECTS/poet"

# POET's build makes this header from a template.
[ -e "$poet/include/poet/version.hpp" ] ||
  sed 's/@POET_VERSION_[MP][A-Z]*@/0/; s/@[A-Z_]*@/0.0.0/' "$poet/include/poet/version.hpp.in" \
    >"$OBJECTS/poet/version.hpp"
FLAGS="-O3 -DNDEBUG -DFINUFFT_DLL -std=c++17 -I $finufft/include -I $source/cuda
  -I $poet/include -I $OBJECTS -gencode arch=compute_$architecture,code=sm_$architecture
  --extended-lambda --extra-device-vectorization -Xcompiler -fPIC,-fvisibility=hidden -w"
export FLAGS

# Prints the name, the source and the options of each object, the slowest first.
list() {
  local dim method name
  for name in c_interface spreadinterp; do echo "$name $source/cuda/$name.cpp -x cu"; done
  for dim in 3 2 1; do
    for method in spread_subprob spread_output_driven interp_subprob spread_nupts_driven \
      interp_nupts_driven; do
      echo "${method}_$dim $source/cuda/${method}_inst.cu -DCUFINUFFT_DIM=$dim"
    done
  done
  for name in setpts spread_blockgather_inst makeplan execute heuristics fft; do
    echo "$name $source/cuda/$name.cu"
  done
  for name in kernel utils pswf; do echo "common_$name $source/common/$name.cpp"; done
}
compile() {
  set -eu
  local object=$OBJECTS/$1.o file=$2
  shift 2
  [ -e "$object" ] && return
  # shellcheck disable=SC2086
  nvcc $FLAGS "$@" -c "$file" -o "$object.part"
  mv "$object.part" "$object"
}
export -f compile
# shellcheck disable=SC2016
list | xargs -P "$processes" -L 1 bash -c 'compile "$@"' compile
nvcc -shared -cudart shared -o "$folder/libcufinufft.so" "$OBJECTS"/*.o -lcufft
strip --strip-debug "$folder/libcufinufft.so"
