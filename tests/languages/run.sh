#!/usr/bin/env bash
# run.sh <language> <source folder> <folder of libimago.so> <scratch folder> [<Python>]
#
# Builds and runs the program of a language against imago_cl.h, in Fortran against imago.f90.
set -euo pipefail
language=$1 include=$2/include library=$3 scratch=$4/$1 python=${5:-python3}
here=$2/tests/languages
mkdir -p "$scratch"
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

case $language in
  rust)
    rustc --edition 2021 -D warnings -L "$library" -o "$scratch/spectrum" "$here/spectrum.rs"
    "$scratch/spectrum"
    ;;
  octave)
    (cd "$scratch" && mkoctfile --mex -I"$include" -L"$library" "$here/imago_spectrum.c" -limago -lOpenCL)
    octave-cli --norc --path "$scratch" "$here/spectrum.m"
    ;;
  r)
    cp "$here/imago_r.c" "$here/first_device.h" "$scratch"
    (cd "$scratch" && PKG_CPPFLAGS="-I$include" PKG_LIBS="-L$library -limago -lOpenCL" R CMD SHLIB -o imago_r.so imago_r.c)
    Rscript --vanilla "$here/spectrum.R" "$scratch/imago_r.so"
    ;;
  fortran)
    for program in spectrum refused; do
      gfortran -std=f2018 -Wall -Wextra -Werror -J"$scratch" -L"$library" -o "$scratch/$program" \
        "$include/imago/imago.f90" "$here/$program.f90" -limago
      "$scratch/$program"
    done
    ;;
  ctypes) "$python" "$here/spectrum.py" "$(realpath "$library/libimago.so")" ;;
  *) echo "unknown language: $language" >&2; exit 2 ;;
esac
