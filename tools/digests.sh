#!/usr/bin/env bash
# digests.sh REVISION [GROUP]: names the problems whose kernels or launches differ from those of a
# revision, for one group of tests/digests/kernels.txt ("CPU complex f32 single") or for all. Builds
# the revision in build/revisions, which is kept for the next call.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage="usage: tools/digests.sh REVISION [GROUP]"
revision=$(git rev-parse --verify --quiet "${1:?"$usage"}^{commit}") ||
  { echo "$1 is no revision of this repository" >&2; exit 2; }
group=${2:-}
tree=build/revisions/$revision

git worktree prune
[ -d "$tree" ] || git worktree add --quiet --detach "$tree" "$revision"
grep -q 'imago_kernel_digests detail' "$tree/tests/digests/digests.cpp" || {
  echo "$1 is older than the digests' details: it can be compared by hand only (show NAME)" >&2
  exit 2
}

# build FOLDER: builds the program of a source tree.
build() {
  [ -f "$1/build/digests/build.ninja" ] ||
    cmake -S "$1" -B "$1/build/digests" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_UNITY_BUILD=ON >/dev/null
  cmake --build "$1/build/digests" --target imago_kernel_digests
}
echo "Building $1 and this tree" >&2
build "$tree" >&2
build . >&2

before=$(mktemp) after=$(mktemp)
trap 'rm -f "$before" "$after"' EXIT
"$tree/build/digests/tests/imago_kernel_digests" detail "$group" >"$before"
build/digests/tests/imago_kernel_digests detail "$group" >"$after"
if diff -U0 "$before" "$after" | grep -E '^[-+][^-+]'; then
  echo "Lines are: name, then the digests of what surrounds the kernels and of each kernel" >&2
  exit 1
fi
echo "$(wc -l <"$after") problems, none differs from $1" >&2
