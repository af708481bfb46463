#!/bin/sh
# Measures the smallest suite, writes the submission and merges it. It must contain no data of this
# person or machine.
# Usage: submit.sh <imago> <python3>
set -eu
imago=$1 python=$2
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir folder
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$imago" bench --suite quick --seconds 0.05 --as-found --peers fftw --submit folder/mine.json >text
grep -q 'written    folder/mine.json' text || fail "the file is not named"
for personal in "$work" "$HOME" "$(id -un)@" "$(hostname)"; do
  [ "$personal" = / ] || ! grep -qF "$personal" folder/mine.json || fail "$personal is in the file"
done
printf '%s\n' '# Page' '<!-- merged by tools/merge_benchmarks.py -->' '<!-- end of what was merged -->' >page.md
"$python" "$here/tools/merge_benchmarks.py" folder --page page.md --imago "$imago"
grep -q 'Points of a transform' benchmarks-quick.svg || fail "there is no picture"
grep -q '^### quick' page.md || fail "the page has no table"
grep -q '^| 1000 x 65 f32 |' page.md || fail "the page has not each case"
"$imago" bench --compare folder/mine.json folder/mine.json >text
grep -q '^  imago  *1.000  *4 ' text || fail "the file is not a report"

# A report that was made faster by hand.
sed '0,/"seconds": /s//"seconds": 1/' folder/mine.json >folder/more.json
if "$python" "$here/tools/merge_benchmarks.py" folder --page page.md 2>text; then fail "a changed file was taken"; fi
grep -q 'more.json does not add up' text || fail "$(cat text)"

for wrong in "--lengths 64" "--no-check" "--kind real" "--single"; do
  # shellcheck disable=SC2086
  if "$imago" bench --submit x.json $wrong 2>text; then fail "$wrong"; fi
  grep -q excludes text || fail "$(cat text)"
done
if "$imago" bench --suite sparse --submit x.json 2>text; then fail "sparse"; fi
grep -q 'submit does not apply to suites of sparse' text || fail "$(cat text)"
[ ! -e x.json ] || fail "x.json was written"
