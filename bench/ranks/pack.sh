#!/usr/bin/env bash
# pack.sh [<build folder> [<target folder>]]
#
# Copies imago_ranks, Open MPI and the shared libraries that they need into one folder (default:
# build/release, .carry/ranks). The libraries of the C and C++ compilers and the OpenCL loader are
# left out. The benchmark then runs on another machine that has an OpenCL device:
# `.carry/ranks/run.sh`, five minutes at most.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/release}
target=${2:-.carry/ranks}
own='/(ld-linux[^/]*|libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|libstdc\+\+|libOpenCL)\.so'
[ -x "$build/bench/ranks/imago_ranks" ] || { echo "pack.sh: build imago_ranks in $build first" >&2; exit 1; }

# Open MPI finds its parts by their places below one folder, like those below /usr.
prefix=$target/openmpi
mca=$(dirname "$(find /usr/lib -name mca_btl_vader.so | head -n 1)")
plugins=$prefix/${mca#/usr/}
rm -rf "$target"
mkdir -p "$target/lib" "$prefix/bin" "$plugins" "$prefix/share"
cp "$build/bench/ranks/imago_ranks" "$target/"
cp -L "$(command -v mpirun)" "$prefix/bin/mpirun"
cp -L "$(command -v orted)" "$prefix/bin/orted"
cp -r /usr/share/openmpi "$prefix/share/"
# The plugins for one machine, without network libraries.
for plugin in "$mca"/mca_*.so; do
  case $(basename "$plugin") in
    *ofi* | *ucx* | *psm* | *usnic* | *openib* | *uct* | *rdma* | *ucc* | *monitoring* | *libnbc_dummy*) [[ $plugin == *osc_rdma* ]] || continue ;;
  esac
  cp "$plugin" "$plugins/"
done
for file in "$target/imago_ranks" "$prefix/bin/"* "$plugins/"*; do
  LD_LIBRARY_PATH=${HEFFTE_LIB:-} ldd "$file" | awk '$2 == "=>" && $3 ~ /^\// {print $3}'
done | sort -u | while read -r library; do
  [[ $library =~ $own ]] || cp -L "$library" "$target/lib/$(basename "$library")"
done
# PMIx has its own plugins.
pmix=$(find /usr/lib -type d -path '*pmix2/lib/pmix' | head -n 1)
[ -z "$pmix" ] || { mkdir -p "$target/pmix/lib" && cp -r "$pmix" "$target/pmix/lib/" && rm -f "$target"/pmix/lib/pmix/*pcompress*; }
strip --strip-debug "$target/imago_ranks" "$target/lib/"* 2>/dev/null || true
cp bench/ranks/run.sh bench/ranks/scaling.sh "$target/"
git rev-parse --short HEAD >"$target/commit"
du -sh "$target" | cut -f1
