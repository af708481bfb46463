#!/usr/bin/env bash
# Builds imago and everything around it, and runs the tests. Arguments go to ctest.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. tools/packages.sh

need "${library_packages[@]}" "${command_packages[@]}" "${test_packages[@]}"
wish oclgrind clfft-client python3-gpyfft

say "Building"
cmake --preset release
cmake --build --preset release

say "Testing"
jobs=$(nproc)
ctest --preset release --parallel $((jobs > 4 ? 4 : jobs)) "$@"
