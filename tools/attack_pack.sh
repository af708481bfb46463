#!/usr/bin/env bash
# attack_pack.sh FOLDER
#
# Copies the files that `tools/attack.sh --bin FOLDER` needs on a machine without a compiler: the
# programs of build/release and build/fuzz without debug information, and their libraries except those
# of the C and C++ compilers and the OpenCL loader, which the machine must have. Without build/fuzz
# there are no fuzzers (`attack.sh --weapons` names the others).
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1
programs=(release/tools/imago release/bench/imago_calls release/tests/imago_oclgrind_sample
  release/tests/faults/imago_faults_run release/tests/faults/libimago_faults.so
  release/tests/faults/imago_profile_kill
  release/tests/abuse/imago_abuse release/tests/abuse/imago_device_abuse release/tests/abuse/imago_threads)
for program in build/fuzz/tests/fuzz/imago_fuzz_*; do programs+=("${program#build/}"); done

libraries_of() {
  ldd "$1" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|libstdc\+\+|libOpenCL|ld-linux[^/]*)\.so'
}

mkdir -p "$folder/lib"
for program in "${programs[@]}"; do
  mkdir -p "$folder/$(dirname "$program")"
  strip --strip-debug -o "$folder/$program" "build/$program"
  for library in $(libraries_of "build/$program"); do
    [ -e "$folder/lib/$(basename "$library")" ] || strip --strip-debug -o "$folder/lib/$(basename "$library")" "$library"
  done
done
git rev-parse --short HEAD >"$folder/commit"
du -sh "$folder" | cut -f 1
