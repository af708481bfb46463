#!/usr/bin/env bash
# pack.sh [<build folder> [<target folder>]]
#
# Copies the built command, imago_fused, imago_first_calls, imago_nufft, imago_pool, the benchmark's
# plugins and the shared libraries that they need into one folder (default: build/release, .carry).
# The C library and CUDA's libraries are left out. The benchmark then runs on another machine of the
# same architecture whose C library is at least as new. Run it there with, for example:
#
#   LD_LIBRARY_PATH=.carry:/usr/local/cuda/lib64 .carry/imago bench --suite h200 --peers cufft
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
target=${2:-.carry}
command=$build/tools/imago
if [ ! -x "$command" ]; then
  echo "pack.sh: $command is not there: build it first, or name the build folder" >&2
  exit 1
fi

rm -rf "$target"
mkdir -p "$target"
cp "$command" "$target/imago"
for program in imago_fused imago_first_calls imago_nufft imago_pool; do
  [ ! -e "$build/bench/$program" ] || cp "$build/bench/$program" "$target/"
done
# FFTW's loops are left out, because they are compiled for this machine's processor.
for plugin in "$build"/bench/libimago_peer_*.so "$build"/bench/libimago_{fused_cufft,nufft_cufinufft,bench_zoom}.so; do
  [ ! -e "$plugin" ] || cp "$plugin" "$target/"
done

# The dynamic loader and the C library must be the target machine's own. CUDA's libraries are too
# large to copy and belong to its driver.
own='^(ld-linux.*|libc|libm|libpthread|libdl|librt|libcuda.*|libcudart|libcufft)\.so'
for file in "$target"/*; do
  ldd "$file" | awk '$2 == "=>" && $3 ~ /^\// {print $3}'
done | sort -u | while read -r library; do
  name=$(basename "$library")
  [[ $name =~ $own ]] || cp -L "$library" "$target/$name"
done
strip --strip-debug "$target"/* 2>/dev/null || true

du -sh "$target" | cut -f1
ls "$target"
