#!/usr/bin/env bash
# tools/msvc_headers.sh FOLDER: checks that the public headers compile in the dialect of Visual C++,
# as clang imitates it, with mingw's headers instead of Microsoft's. FOLDER is that of mingw.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 1; }
headers=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-libgcc-file-name)")/include/c++
# mingw's headers ask for the version of GCC; __STRICT_ANSI__ is what libstdc++ expects of -std=c++20.
dialect=(--target=x86_64-w64-mingw32 -fms-extensions -fms-compatibility -fms-compatibility-version=19.35
  -fdelayed-template-parsing -fgnuc-version=12.0.0 -fsyntax-only -Wall -Wextra -Wpedantic -Werror)
definitions=(-D CL_TARGET_OPENCL_VERSION=300 -D CL_HPP_TARGET_OPENCL_VERSION=300 -D __STRICT_ANSI__)
includes=(-I include -isystem "$1/include")
cpp=() c=()
for header in include/imago/*.hpp; do
  case $header in *heffte*) ;; *) cpp+=(-include "$header") ;; esac # heFFTe is not built for Windows
done
for header in include/imago/*.h; do c+=(-include "$header"); done
clang++-16 "${dialect[@]}" -std=c++20 "${definitions[@]}" -nostdinc++ "${includes[@]}" -isystem "$headers" \
  -isystem "$headers/x86_64-w64-mingw32" -x c++ "${cpp[@]}" /dev/null
clang-16 "${dialect[@]}" -std=c99 -D CL_TARGET_OPENCL_VERSION=300 "${includes[@]}" -x c "${c[@]}" /dev/null
echo "$((${#cpp[@]} / 2)) C++ headers and $((${#c[@]} / 2)) C headers compile"
