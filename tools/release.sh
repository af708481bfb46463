#!/usr/bin/env bash
# release.sh [--dry-run] [--parts LIST] [--out FOLDER]: makes the files of a release from the commit
# HEAD. LIST is some of source,notes,sbom,site,deb,wheels, separated by commas [all of them].
#
# Without --dry-run it stops if something must be done before the release (docs/releasing.md), and
# names it. With --dry-run it names it and continues; it then cuts a section without a date with the
# commit's date, in the notes, and shows the cut. It publishes nothing.
#
# Everything is made from the source archive. Two runs for one commit on one machine give the same
# bytes: times are the commit's, and the paths of the build are not recorded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

dry=0 parts=source,notes,sbom,site,deb,wheels out=build/release-files
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=1; shift ;;
    --parts) parts=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    *)
      echo "usage: release.sh [--dry-run] [--parts LIST] [--out FOLDER]" >&2
      exit 2
      ;;
  esac
done
for part in ${parts//,/ }; do
  case $part in
    source | notes | sbom | site | deb | wheels) ;;
    *) die "No such part: $part (source, notes, sbom, site, deb, wheels)" ;;
  esac
done
git rev-parse --verify --quiet HEAD >/dev/null || die "This is no clone: a release is made from a git repository."

version=$(python3 -B tools/release/version.py)
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/imago-$version

wanted() { [[ ,$parts, == *,$1,* ]]; }

# Prints what must be done before this commit can be released, a line each.
open_points() {
  python3 -B tools/release/version.py --check >"$work/versions" || sed '$d' "$work/versions"
  [ -z "$(git status --porcelain)" ] || echo "the tree has changes that are not committed"
  # Files, because a pipe fails if its reader ends before the writer.
  git tag --points-at HEAD >"$work/tags"
  grep -qx "v$version" "$work/tags" || echo "HEAD has no tag v$version"
  git show HEAD:CHANGELOG.md >"$work/changelog"
  if grep -q "^## $version - unreleased" "$work/changelog"; then
    echo "CHANGELOG.md of HEAD: $version has no date; write it with tools/release/version.py --cut DATE, and commit it"
  fi
  if git show HEAD:debian/changelog >"$work/debian" 2>/dev/null && sed -n 1p "$work/debian" | grep UNRELEASED >/dev/null; then
    echo "debian/changelog: the distribution is UNRELEASED"
  fi
}

# pack <folder> <name of the archive>: equal files give equal archives.
pack() {
  tar --create --directory "$(dirname "$1")" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" \
    --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w "$(basename "$1")" | gzip -9n >"$out/$2"
}

make_source() {
  tools/archive.sh HEAD >/dev/null
  cp "build/imago-$version.tar.gz" "$work"
  tar -xzf "$work/imago-$version.tar.gz" -C "$work"
  if wanted source; then cp "$work/imago-$version.tar.gz" "$out"; fi
}

# The section of the version in CHANGELOG.md, dated.
make_notes() {
  if grep -q "^## $version - unreleased" "$tree/CHANGELOG.md"; then
    (cd "$tree" && python3 -B tools/release/version.py --cut "$(date -d "@$SOURCE_DATE_EPOCH" +%F)")
  fi
  sed -n "/^## $version /,/^## /{/^## $version /{s/^## /# imago /;p;b};/^## /b;p}" "$tree/CHANGELOG.md" \
    >"$out/imago-$version-notes.md"
  grep -qE "^# imago $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" "$out/imago-$version-notes.md" ||
    die "CHANGELOG.md has no dated section $version"
}

make_sbom() {
  local loader=()
  if wanted wheels; then loader=(--loader "$(dpkg-query -W -f '${Version}' ocl-icd-libopencl1)"); fi
  python3 -B tools/release/sbom.py --commit "$commit" --time "$SOURCE_DATE_EPOCH" "${loader[@]}" \
    --output "$out/imago-$version.spdx.json"
}

make_site() {
  "$tree/tools/docs.sh"
  mv "$tree/build/site" "$work/imago-$version-site"
  rm -rf "$work/imago-$version-site/.doctrees" "$work/imago-$version-site/.buildinfo"
  pack "$work/imago-$version-site" "imago-$version-site.tar.gz"
}

# Packages of this distribution. The Python package is left out if its dependencies are too old.
make_deb() {
  local profiles=()
  need build-essential debhelper dh-python
  mkdir "$work/deb"
  cp -r "$tree" "$work/deb/imago"
  rm -rf "$work/deb/imago/build"
  # Source archives leave debian/ out, an attribute of the repository's top folder.
  git archive --prefix=debian/ HEAD:debian | tar -x -C "$work/deb/imago"
  cp "$work/imago-$version.tar.gz" "$work/deb/imago_$version.orig.tar.gz"
  cd "$work/deb/imago"
  apt build-dep --simulate . >/dev/null 2>&1 || profiles=(--build-profiles=pkg.imago.nopython)
  apt build-dep --yes --no-install-recommends "${profiles[@]}" . >/dev/null
  DPKG_GENSYMBOLS_CHECK_LEVEL=4 dpkg-buildpackage -us -uc "${profiles[@]}"
  cd "$OLDPWD"
  cp "$work"/deb/*.deb "$work"/deb/*.dsc "$work"/deb/*.debian.tar.xz "$out"
}

# Prints the interpreters to build wheels with: 3.10, 3.11, and one for the stable ABI.
interpreters() {
  local minor found=()
  for minor in 10 11 12 13 14; do
    if [ "$minor" -gt 12 ] && [[ " ${found[*]} " == *3.12* || " ${found[*]} " == *3.13* ]]; then break; fi
    if "python3.$minor" -c '' 2>/dev/null; then found+=("python3.$minor"); fi
  done
  echo "${found[@]}"
}

make_wheels() {
  local pythons
  need "${library_packages[@]}" "${command_packages[@]}" python3-dev python3-venv
  read -ra pythons <<<"$(interpreters)"
  [ ${#pythons[@]} -gt 0 ] || die "No Python from 3.10 on was found for the wheels"
  say "The wheels of ${pythons[*]}"
  # No path of the build is recorded.
  (cd "$tree" && CXXFLAGS="-ffile-prefix-map=$work=." IMAGO_WHEELS_BUILD=$work/wheels \
    tools/wheels.sh --out "$work/dist" "${pythons[@]}")
  cp "$work"/dist/*.whl "$out"
}

open=$(open_points)
if [ -n "$open" ]; then
  say "Before $version can be released"
  printf '%s\n' "$open"
  [ $dry = 1 ] || die "Nothing was made. Use --dry-run to try."
fi
rm -rf "$out"
mkdir -p "$out"
out=$(realpath "$out")
make_source
for part in notes sbom site deb wheels; do
  if wanted $part; then
    say "imago $version: $part"
    make_$part
  fi
done
(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
say "Done: $out"
cat "$out/SHA256SUMS"
