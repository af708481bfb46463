#!/usr/bin/env bash
# docs.sh: builds the site into build/site: pages, the references of C++ (Doxygen, Breathe) and
# Python, and search. Undocumented public names, broken links and any warning of Sphinx are errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need "${docs_packages[@]}"

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
printf '<!doctype html>\n<meta http-equiv="refresh" content="0; url=docs/index.html">\n<a href="docs/index.html">imago</a>\n' \
  >"$sources/front/index.html"
# The interpreter for which Debian's Sphinx is installed.
/usr/bin/python3 -m sphinx -q -W --keep-going -j auto -c docs/site -b html "$sources" build/site

say "Done: $PWD/build/site/index.html"
