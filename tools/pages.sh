#!/usr/bin/env bash
# pages.sh [--check] <folder of the built programs> [<page>...]
#
# Puts into the pages of docs/hooks what they show: code, from the line after "// Shown in <page>:" to
# "// Until here." of the file that a page names in `<!-- from FILE -->`, and what a program prints,
# in `<!-- printed by NAME ARGUMENTS -->`. After `<!-- printed by NAME ARGUMENTS; numbers vary -->` the block
# stays as it is where it differs in its numbers alone: times were measured once, as the page says. With --check
# nothing is changed, and it fails where something would be.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
check=
[ "${1:-}" != --check ] || { check=yes; shift; }
[ $# -ge 1 ] || { echo "usage: pages.sh [--check] <folder of the built programs> [<page>...]" >&2; exit 2; }
programs=$(cd "$1" && pwd)
shift
cd "$root"
[ $# -gt 0 ] || set -- docs/hooks/*.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export IMAGO_CACHE_DIR="$folder/cache"

# shown <file> <page>: the part of a file that a page shows.
shown() {
  awk -v start="// Shown in $2:" '$0 == "// Until here." {on = 0} on {print} $0 == start {on = 1}' "$1"
}
masked() { sed -E 's/-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?/N/g; s/ +/ /g' "$1"; }

# renew <page>: the page as it should be.
renew() {
  local line file words language
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      "<!-- from "*" -->")
        file=${line#<!-- from } file=${file% -->} language=cpp
        shown "$file" "$1" >"$folder/block"
        [ -s "$folder/block" ] || { echo "pages.sh: $file has nothing that is shown in $1" >&2; return 1; } ;;
      "<!-- printed by "*" -->")
        words=${line#<!-- printed by } words=${words% -->} language=
        # shellcheck disable=SC2086 # a name and arguments
        (cd "$folder" && "$programs"/${words%; numbers vary}) >"$folder/block" ||
          { echo "pages.sh: $words failed" >&2; return 1; } ;;
      *) continue ;;
    esac
    IFS= read -r line # the fence of what was there
    while IFS= read -r line && [ "$line" != '```' ]; do printf '%s\n' "$line"; done >"$folder/old"
    case ${words:-} in
      *"; numbers vary")
        [ "$(masked "$folder/block")" != "$(masked "$folder/old")" ] || cp "$folder/old" "$folder/block" ;;
    esac
    words=
    printf '```%s\n' "$language"
    cat "$folder/block"
    printf '```\n'
  done <"$1"
}

failures=0
for page in "$@"; do
  renew "$page" >"$folder/page"
  cmp -s "$folder/page" "$page" && continue
  if [ -n "$check" ]; then
    echo "$page does not show what is there (tools/pages.sh $programs renews it):"
    diff "$page" "$folder/page" || failures=$((failures + 1))
  else
    cp "$folder/page" "$page"
    echo "$page is renewed"
  fi
done
[ "$failures" = 0 ]
