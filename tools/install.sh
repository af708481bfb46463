#!/usr/bin/env bash
# install.sh [FOLDER]: builds imago and installs it into FOLDER, a Python environment [~/imago]: the
# Python package and the command. Installs the packages that this needs with apt. The C and C++
# library is installed by CMake (docs/install.md).
set -euo pipefail
folder=$(realpath -m "${1:-$HOME/imago}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/packages.sh

need "${library_packages[@]}" "${command_packages[@]}" python3-dev python3-venv

say "Building imago for Python"
python3 -m venv "$folder"
# Files are compiled together, which takes half the time.
"$folder/bin/pip" install --quiet --disable-pip-version-check \
  --config-settings=cmake.define.CMAKE_UNITY_BUILD=ON .

say "Done"
"$folder/bin/imago" devices
cat <<END

Run       $folder/bin/imago --help
          $folder/bin/python -c 'import imago.fft; print(imago.fft.fft([1, 0, 0, 0]))'
To type only "imago":   export PATH="$folder/bin:\$PATH"
END
