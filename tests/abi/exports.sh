#!/usr/bin/env bash
# exports.sh <list> <library>...: fails if a library exports a name that its list does not have, or
# lacks one that it has. Lists have the format of Debian's symbols files, because one of them is the
# package's. A library without its own part of the list also fails.
set -euo pipefail
list=$(realpath "$1")
shift

libraries=()
for library in "$@"; do
  name=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
  grep -q "^$name " "$list" || { echo "FAILED: $list has no part for $name"; exit 1; }
  libraries+=("-e$(realpath "$library")")
done
package=$(sed -n '1s/^[^ ]* \([^ ]*\) .*/\1/p' "$list")
# Newer versions of dpkg read debian/control.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! found=$(dpkg-gensymbols -c4 -v999 -p"$package" -I"$list" "${libraries[@]}" -O/dev/null 2>&1); then
  # A C++ name is printed as a line of the list.
  names=$(c++filt <<<"$found" | sed -nE '/^[+-] /{s/^\+ (.*[^A-Za-z0-9_@].*@Base) .*/+ (c++)"\1" VERSION/;s/@Base 999$/@Base VERSION/;s/^(. ).*#MISSING: [^#]*#/\1/;p}')
  [ -n "$names" ] || { echo "FAILED: dpkg-gensymbols compared nothing: $found"; exit 1; }
  echo "$names"
  echo "FAILED: exported names (+) are not those of $list (-)."
  echo "For an intended change, edit the list; VERSION is the one that adds the name."
  exit 1
fi
echo "$(grep -c '^ ' "$list") names in $# libraries, as in $list"
