#!/usr/bin/env bash
# Formats the C++ files of the tree with clang-format 14. With --check it changes nothing, and fails
# if a file is not formatted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for formatter in "${CLANG_FORMAT:-}" clang-format-14 clang-format none; do
  [ -n "$formatter" ] && command -v "$formatter" >/dev/null && break
done
case $formatter in
  none) version=none ;;
  *) version=$("$formatter" --version | sed 's/.*version \([0-9]*\).*/\1/') ;;
esac
if [ "$version" != 14 ]; then
  echo "clang-format 14 is the reference and is not here (found: $version)" >&2
  [ "${1:-}" = --check ] && exit 0 || exit 1
fi
mapfile -t files < <(find include src bench tools tests compat mpi python/src \( -name '*.[ch]pp' -o -path 'include/*.h' \) | sort)
case ${1:-} in
  "") "$formatter" -i "${files[@]}" ;;
  --check)
    "$formatter" --dry-run --Werror "${files[@]}"
    echo "${#files[@]} files are formatted"
    ;;
  *)
    echo "usage: format.sh [--check]" >&2
    exit 2
    ;;
esac
