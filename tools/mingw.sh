#!/usr/bin/env bash
# tools/mingw.sh FOLDER: makes the libraries that a build for Windows needs and Debian does not
# package for it: OpenCL's import library, and FFTW, libpng and libsndfile from Debian's sources.
# Installs the packages, too. Then configure with --toolchain cmake/toolchains/mingw.cmake
# -D CMAKE_FIND_ROOT_PATH=FOLDER.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh
[ $# -eq 1 ] || die "usage: tools/mingw.sh FOLDER"
mkdir -p "$1"
root=$(cd "$1" && pwd)
target=x86_64-w64-mingw32
toolchain=$PWD/cmake/toolchains/mingw.cmake

need g++-mingw-w64-x86-64-posix libz-mingw-w64-dev dpkg-dev cmake ninja-build make "${library_packages[@]}" \
  libcli11-dev libfmt-dev libfftw3-dev libclfft-dev catch2

# Debian's sources of a package, without changes to the system's own lists.
source_of() {
  local lists=$root/apt options
  mkdir -p "$lists/partial" "$root/sources"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian bookworm main" >"$root/apt.list"
  options=(-qq -o "Dir::Etc::sourcelist=$root/apt.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists"
    -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$root/sources" && apt-get "${options[@]}" source "$1" >/dev/null)
}

# Headers that are the same on all systems, in a folder of their own: /usr/include must not be on
# a cross-compiler's path.
copy_headers() {
  local include=$root/include
  mkdir -p "$include" "$root/share/cmake"
  cp -r /usr/include/CL /usr/include/CLI /usr/include/fmt /usr/include/nlohmann /usr/include/clFFT.h \
    /usr/include/clFFT.version.h "$include"
  cp -r /usr/include/catch2 "$include"
  cp -r /usr/share/cmake/CLI11 /usr/share/cmake/nlohmann_json "$root/share/cmake"
  mkdir -p "$root/share/cmake/fmt" "$root/share/cmake/Catch2"
  cat >"$root/share/cmake/fmt/fmtConfig.cmake" <<'END'
add_library(fmt::fmt INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
target_include_directories(fmt::fmt INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../include)
END
  cat >"$root/share/cmake/Catch2/Catch2Config.cmake" <<'END'
add_library(Catch2::Catch2 INTERFACE IMPORTED)
target_include_directories(Catch2::Catch2 INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../include)
set(Catch2_VERSION 2)
END
}

# The import library of OpenCL.dll, from the functions in OpenCL's headers.
import_opencl() {
  mkdir -p "$root/lib"
  {
    echo "LIBRARY OpenCL.dll"
    echo EXPORTS
    tr '\n' ' ' </usr/include/CL/cl.h | grep -oE 'CL_API_CALL +cl[A-Z][A-Za-z0-9]*' | awk '{print $2}' | sort -u
  } >"$root/lib/OpenCL.def"
  "$target-dlltool" -d "$root/lib/OpenCL.def" -l "$root/lib/libOpenCL.dll.a"
}

build() {
  local name=$1 source=$2
  shift 2
  cmake -S "$source" -B "$root/build/$name" -G Ninja --toolchain "$toolchain" -D CMAKE_BUILD_TYPE=Release \
    -D CMAKE_FIND_ROOT_PATH="$root" -D CMAKE_INSTALL_PREFIX="$root" -D BUILD_SHARED_LIBS=OFF "$@" >/dev/null
  cmake --build "$root/build/$name" >/dev/null
  cmake --install "$root/build/$name" >/dev/null
}

# FFTW in three precisions: references in long double, the comparisons of others in theirs.
build_fftw() {
  local precision
  for precision in double float long-double; do
    build "fftw-$precision" "$root/sources"/fftw3-* -D ENABLE_FLOAT="$(on "$precision" float)" \
      -D ENABLE_LONG_DOUBLE="$(on "$precision" long-double)" -D BUILD_TESTS=OFF
  done
}
on() { [ "$1" = "$2" ] && echo ON || echo OFF; }

copy_headers
[ -e "$root/lib/libOpenCL.dll.a" ] || import_opencl
for package in fftw3 libpng1.6 libsndfile; do
  compgen -G "$root/sources/$package-*/" >/dev/null || source_of "$package"
done
[ -e "$root/lib/libfftw3l.a" ] || build_fftw
[ -e "$root/lib/libpng16.a" ] || build png "$root/sources"/libpng1.6-* -D PNG_SHARED=OFF -D PNG_TESTS=OFF
[ -e "$root/lib/libsndfile.a" ] || build sndfile "$root/sources"/libsndfile-* -D ENABLE_EXTERNAL_LIBS=OFF \
  -D ENABLE_MPEG=OFF -D BUILD_PROGRAMS=OFF -D BUILD_EXAMPLES=OFF -D BUILD_TESTING=OFF
