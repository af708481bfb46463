#!/usr/bin/env bash
# run.sh <compiler> <source folder> <scratch folder>
#
# Links and runs a small program in every way that a user may: by add_subdirectory, by find_package
# (of a package that was moved after its installation) and by pkg-config, static and shared, with
# and without CL_HPP_ENABLE_EXCEPTIONS. The library is compiled once: both types consist of the same
# objects. Nothing is optimised, so that every inline function of opencl.hpp exists as a symbol that
# could be mixed up.
set -euo pipefail
compiler=$1 source=$2 scratch=$3
project=$source/tests/consumer/project
tree=$scratch/tree
export IMAGO_CACHE_DIR=$scratch/cache IMAGO_PROFILE_DIR=$scratch/profiles XDG_CONFIG_HOME=$scratch/config
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH

step() { echo "-- $*"; }

quietly() {
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAILED: $*"; exit 1; }
}

# configure <build folder> <cache entries>...
configure() {
  local build=$1
  shift
  quietly cmake -S "$project" -B "$build" -D CMAKE_CXX_COMPILER="$compiler" \
    -D CMAKE_BUILD_TYPE=None -D CMAKE_CXX_FLAGS=-O0 "${generator[@]}" "${launcher[@]}" "$@"
}

# runs <how> <program>
runs() {
  "$2" >"$scratch/output" || { cat "$scratch/output"; echo "FAILED: $1: $2"; exit 1; }
  combinations=$((combinations + 1))
  step "$1: $(head -n 1 "$scratch/output")"
}

# declared <header>...: prints the C functions that they declare.
declared() { sed -nE 's/^IMAGO_API .*\b(imago_[a-z0-9_]+)\(.*/\1/p' "$@" | sort; }

# check_symbols <library> <header of C>...
check_symbols() {
  local library=$1 others
  shift
  others=$(nm -DC --defined-only "$library" | cut -d' ' -f3- |
    grep -vE '^((typeinfo|typeinfo name|vtable) for )?imago::[A-Za-z_]+(::|$|\()|^imago_[a-z0-9_]+$' || true)
  others+=$(nm -DC --defined-only "$library" |
    grep -E ' imago::(base|kernels|interpreter|problem|device|ir|profile|plan|sparse|blocks|model|runtime|lines|generic|kernel|nufft|engine|nufft_device|sparse_device|api|small|host|capi|tuner|[A-Za-z]+::State)::' || true)
  diff <(declared "$@") <(nm -D --defined-only "$library" | cut -d' ' -f3- | grep '^imago_' | sort) ||
    { echo "FAILED: the functions of C that $library exports are not those of $*"; exit 1; }
  [ -z "$others" ] || { printf 'FAILED: %s exports\n%s\n' "$library" "$others"; exit 1; }
  readelf -d "$library" | grep -q "SONAME.*\[$(basename "$library")\.[0-9]*\.[0-9]*\]" ||
    { echo "FAILED: $library has no versioned SONAME"; exit 1; }
}

# pkg_config <static | shared> <how> <options of the compiler>...
pkg_config() {
  local kind=$1 how="$1, pkg-config$2" options=(--cflags --libs) flags
  local library=$scratch/moved-$kind/lib
  shift 2
  [ "$kind" = shared ] || options+=(--static)
  read -ra flags <<<"$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config "${options[@]}" imago)"
  quietly "$compiler" -std=c++20 -O0 "$@" "$source/tests/consumer/consumer.cpp" \
    -o "$scratch/by_pc" "${flags[@]}" -Wl,-rpath,"$library"
  runs "$how" "$scratch/by_pc"
}

# host_program <how> <compiler> <source> <library> <options>...: builds a program of the shared
# library, and of another one if <library> is not empty, that must not include OpenCL's headers and
# does not link OpenCL.
host_program() {
  local how=$1 compiler=$2 program=$3 library=$4 flags
  shift 4
  read -ra flags <<<"$(PKG_CONFIG_PATH=$scratch/moved-shared/lib/pkgconfig pkg-config --cflags --libs imago-host)"
  quietly "$compiler" "$@" -I"$source/cmake/no_opencl" "$program" -o "$scratch/by_pc" \
    ${library:+"$library"} "${flags[@]}" -lm -Wl,-rpath,"$scratch/moved-shared/lib"
  ! readelf -d "$scratch/by_pc" | grep -q 'NEEDED.*OpenCL' || { echo "FAILED: $how links OpenCL"; exit 1; }
  runs "shared, pkg-config, $how" "$scratch/by_pc"
}

check_readme() {
  diff <(sed -n '/^```cpp$/,/^```$/p' "$source/README.md" | sed '1d;$d') "$source/tests/consumer/example.cpp" ||
    { echo "FAILED: the README's example is not tests/consumer/example.cpp"; exit 1; }
}

# examples_of <file>: prints the lines between @code and @endcode, without comment markers.
examples_of() { sed -n '/@code/,/@endcode/p' "$1" | sed -E '/@(end)?code/d;s,^(///)? *,,'; }

check_header() {
  diff <(examples_of "$source/include/imago/plan.hpp") <(examples_of "$source/tests/consumer/consumer.cpp") ||
    { echo "FAILED: the examples of plan.hpp are not those of tests/consumer/consumer.cpp"; exit 1; }
}

# layouts_of <flags>: prints the number of standard_library.hpp that a build with these flags has.
layouts_of() {
  rm -rf "$scratch/layouts"
  configure "$scratch/layouts" -D IMAGO_SOURCE="$source" -D IMAGO_INSTALL=ON -D CMAKE_CXX_FLAGS="$1"
  sed -n 's/^Cflags:.*IMAGO_STANDARD_LIBRARY=//p' "$scratch/layouts/imago/imago.pc"
}

# check_layouts: other flags of the standard library, which then users must have, too.
check_layouts() {
  [ "$(layouts_of -O0) $(layouts_of -D_GLIBCXX_DEBUG) $(layouts_of -D_GLIBCXX_USE_CXX11_ABI=0)" = "11 13 10" ] ||
    { echo "FAILED: the build does not find the layouts of its standard library"; exit 1; }
}

generator=() launcher=() combinations=0
c11=(-std=c11 -Wall -Wextra -pedantic -Werror)
command -v ninja >/dev/null && generator=(-G Ninja)
command -v ccache >/dev/null && launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
mkdir -p "$scratch"
rm -rf "$scratch"/installed-* "$scratch"/moved-* "$scratch"/found-* "$IMAGO_CACHE_DIR"

check_readme
check_header
check_layouts
for kind in static shared; do
  shared=OFF
  [ $kind = static ] || shared=ON
  configure "$tree" -D IMAGO_SOURCE="$source" -D BUILD_SHARED_LIBS=$shared -D IMAGO_INSTALL=ON \
    -D CMAKE_INSTALL_LIBDIR=lib -D CMAKE_UNITY_BUILD=ON
  quietly cmake --build "$tree" --parallel
  runs "$kind, add_subdirectory" "$tree/consumer"
  runs "$kind, add_subdirectory, exceptions" "$tree/consumer_exceptions"

  quietly cmake --install "$tree" --prefix "$scratch/installed-$kind"
  prefix=$scratch/moved-$kind
  mv "$scratch/installed-$kind" "$prefix"
  if [ $kind = shared ]; then
    check_symbols "$prefix/lib/libimago.so" "$prefix"/include/imago/{imago,imago_cl,hooks}.h
    check_symbols "$prefix/lib/libimago_tune.so" "$prefix/include/imago/tune.h"
  fi
  configure "$scratch/found-$kind" -D CMAKE_PREFIX_PATH="$prefix"
  quietly cmake --build "$scratch/found-$kind" --parallel
  runs "$kind, find_package" "$scratch/found-$kind/consumer"
  runs "$kind, find_package, exceptions" "$scratch/found-$kind/consumer_exceptions"
  runs "$kind, find_package, host arrays" "$scratch/found-$kind/host_only"
  runs "$kind, find_package, tune.h" "$scratch/found-$kind/tune"
  runs "$kind, find_package, a library of its own" "$scratch/found-$kind/uses_spectra"
  runs "$kind, the README's example" "$scratch/found-$kind/example"
done
"$source/tests/consumer/package.sh" "$prefix" "$source" "$scratch" "${generator[@]}"
configure "$scratch/found-host" -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON
quietly cmake --build "$scratch/found-host"
runs "shared, find_package without OpenCL" "$scratch/found-host/host_only"

if command -v pkg-config >/dev/null; then
  pkg_config static ""
  pkg_config static ", exceptions" -D CL_HPP_ENABLE_EXCEPTIONS
  pkg_config shared ""
  ! (pkg_config shared "" -D _GLIBCXX_DEBUG) >"$scratch/rejected" && grep -q "have other layouts" "$scratch/rejected" ||
    { cat "$scratch/rejected"; echo "FAILED: a program with other layouts of std::vector compiles"; exit 1; }
  host_program "host arrays" "$compiler" "$source/tests/consumer/host_only.cpp" "" -std=c++20
  host_program "C" cc "$source/tests/capi/program.c" "" "${c11[@]}"
  host_program "C with tune.h" cc "$source/tests/capi/tune.c" -limago_tune "${c11[@]}"
else
  step "pkg-config is not here: not tried"
fi
"$source/tests/consumer/side_by_side.sh" cc "$source" "$scratch"
echo "$combinations programs linked and run"
