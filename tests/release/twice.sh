#!/usr/bin/env bash
# twice.sh <sources> <scratch folder>: makes the quick files of a release in two fresh clones of
# HEAD, one of them shallow, and fails if their bytes differ. Also fails if the release of a commit
# without a tag is made without --dry-run.
set -euo pipefail
sources=$1 scratch=$2
git -C "$sources" rev-parse --verify --quiet HEAD >/dev/null || { echo "SKIPPED: no git repository"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"

git clone --quiet "$sources" "$scratch/full"
git clone --quiet --depth 1 "file://$sources" "$scratch/a-longer-name"
for clone in full a-longer-name; do
  (cd "$scratch/$clone" && umask 077 && TZ=America/Lima tools/release.sh --dry-run --parts source,notes,sbom >"$scratch/$clone.log") ||
    { cat "$scratch/$clone.log"; exit 1; }
  sleep 1 # the next one has other times
done
first=$scratch/full/build/release-files second=$scratch/a-longer-name/build/release-files
diff -r "$first" "$second" || { echo "FAILED: two clones give different bytes"; exit 1; }
(cd "$first" && sha256sum --quiet --check SHA256SUMS)
# The dry run cuts the version: the notes begin with its date, and the log shows the heading.
head -n 1 "$first"/*-notes.md | grep -qE '^# imago [0-9.]+ - [0-9]{4}-[0-9]{2}-[0-9]{2}$' ||
  { head -n 3 "$first"/*-notes.md; echo "FAILED: the notes have no date"; exit 1; }
if grep -q ' - unreleased' "$sources/CHANGELOG.md"; then
  grep -qE '^\+## [0-9.]+ - 2' "$scratch/full.log" || { cat "$scratch/full.log"; echo "FAILED: the cut is not shown"; exit 1; }
fi
[ "$(wc -l <"$first/SHA256SUMS")" = 3 ] || { echo "FAILED: expected three files"; cat "$first/SHA256SUMS"; exit 1; }

cd "$scratch/full"
git tag | xargs --no-run-if-empty git tag --delete >/dev/null
if tools/release.sh --parts notes >"$scratch/refused.log" 2>&1; then
  echo "FAILED: a commit without a tag was released"
  exit 1
fi
grep -q 'HEAD has no tag v' "$scratch/refused.log" || { cat "$scratch/refused.log"; echo "FAILED: no reason"; exit 1; }
cat "$first/SHA256SUMS"
