#!/usr/bin/env bash
# docs.sh [--offline]: builds the site into build/site: pages, the references of C++ (Doxygen,
# Breathe) and Python, and search. Undocumented public names, broken links and any warning of Sphinx
# are errors.
#
# The theme comes from PyPI, because Debian 12 ships it without its dark colours and with a script
# that browsers reject. With --offline, and if PyPI cannot be reached, it is the distribution's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need "${docs_packages[@]}"

# The interpreter for which Debian's Sphinx is installed.
python=/usr/bin/python3
if [ "${1:-}" != --offline ]; then
  say "The theme"
  $python -m venv --clear --system-site-packages build/site-venv
  sphinx=$($python -c 'import sphinx; print(sphinx.__version__)')
  if build/site-venv/bin/pip install --quiet --disable-pip-version-check --upgrade furo "sphinx==$sphinx"; then
    python=build/site-venv/bin/python
  else
    echo "The theme is the distribution's: it could not be installed from PyPI."
  fi
fi

sources=$PWD/build/site-sources
export DOXYGEN_OUTPUT=$sources/doxygen IMAGO_ROOT=$PWD SITE_FRONT=$sources/front
rm -rf "$sources" build/site
mkdir -p "$sources/bench" "$sources/mpi" "$sources/front" "$sources/checked" "$DOXYGEN_OUTPUT"

say "The headers"
# Doxygen misses undocumented functions of a namespace that has no text itself.
DOXYGEN_MORE=docs/site/namespaces.dox DOXYGEN_OUTPUT=$sources/checked doxygen docs/site/Doxyfile
DOXYGEN_MORE='' doxygen docs/site/Doxyfile
python3 docs/site/by_header.py "$DOXYGEN_OUTPUT/xml"

say "The pages"
# Uses the same layout as the repository, so that links work in both.
cp -r ./*.md LICENSE docs include "$sources"
cp bench/README.md "$sources/bench"
cp -r mpi/include "$sources/mpi"
python3 docs/site/split_reference.py "$sources/docs/reference/cpp.md"
printf '<!doctype html>\n<meta http-equiv="refresh" content="0; url=docs/index.html">\n<link rel="icon" href="_static/icon.svg">\n<a href="docs/index.html">imago</a>\n' \
  >"$sources/front/index.html"
# Parallel processes order the search index by chance, so a reproducible site needs one.
jobs=auto
[ -z "${SOURCE_DATE_EPOCH:-}" ] || jobs=1
$python -m sphinx -q -W --keep-going -j $jobs -c docs/site -b html "$sources" build/site

say "Done: $PWD/build/site/index.html"
