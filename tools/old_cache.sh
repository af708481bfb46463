#!/usr/bin/env bash
# old_cache.sh REVISION: runs tests with a cache of kernels that an older revision wrote. Whatever
# changed since, every result must be right. Builds the revision in build/revisions, which is kept
# for the next call.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage="usage: tools/old_cache.sh REVISION"
revision=$(git rev-parse --verify --quiet "${1:?"$usage"}^{commit}") ||
  { echo "$1 is no revision of this repository" >&2; exit 2; }
tree=build/revisions/$revision
git worktree prune
[ -d "$tree" ] || git worktree add --quiet --detach "$tree" "$revision"

# One program for each sort of kernels: nonuniform and sparse transforms, generated kernels, and the
# measurements of a device.
# programs_of FOLDER: prints those of a source tree.
programs_of() {
  if [ -d "$1/tests/nufft_device" ]; then echo nufft_device; else echo nufft; fi
  printf '%s\n' sparse generic tuner
}

# build FOLDER: builds the programs of a source tree.
build() {
  local programs
  mapfile -t programs < <(programs_of "$1")
  [ -f "$1/build/check/build.ninja" ] ||
    (cd "$1" && cmake --preset check >/dev/null)
  cmake --build "$1/build/check" --target "${programs[@]/#/imago_test_}"
}
echo "Building $1 and this tree" >&2
build "$tree" >&2
build . >&2

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export IMAGO_CACHE_DIR=$cache POCL_WORK_GROUP_SPECIALIZATION=0
for program in $(programs_of "$tree"); do
  "$tree/build/check/tests/imago_test_$program" "~[long]~[.]" >/dev/null ||
    echo "tests of $1 fail: $program" >&2
done
echo "$(find "$cache" -type f | wc -l) files in the cache of $1" >&2
for program in $(programs_of .); do
  "build/check/tests/imago_test_$program" "~[long]~[.]"
done
