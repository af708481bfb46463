#!/usr/bin/env bash
# archive.sh [COMMIT]: makes the source archive imago-VERSION.tar.gz of a commit (HEAD), in build/.
# Archives of one commit are identical: files have the commit's time and no owner, and gzip stores
# no name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
commit=${1:-HEAD}
version=$(git show "$commit:CMakeLists.txt" | sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' | head -n 1)
mkdir -p build
archive=build/imago-$version.tar.gz
git archive --format=tar --prefix="imago-$version/" "$commit" | gzip -9n >"$archive"
sha256sum "$archive"
