#!/usr/bin/env bash
# clij.sh <folder of libclFFT.so.2> <python> <libclij2fft.so>
#
# Tests clij2-fft (Fiji, napari) with its wheel, in which only the file libclFFT.so.2 is replaced.
set -euo pipefail
folder=$1 python=$2 client=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$client" "$scratch/"
cp -L "$folder/libclFFT.so.2" "$scratch/"
export LD_LIBRARY_PATH=$scratch PYTHONDONTWRITEBYTECODE=1
loads=$(ldd "$scratch/libclij2fft.so")
grep -q "libclFFT.so.2 => $scratch" <<<"$loads" || { echo "FAILED: clij2-fft does not load $scratch"; exit 1; }
"$python" "$(dirname "$0")/clij.py"
