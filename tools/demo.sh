#!/usr/bin/env bash
# Builds imago and shows its main function. A speech recording is transformed by kernels that are
# generated for this device, checked against FFTW and drawn; then both are timed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. tools/packages.sh

need "${library_packages[@]}" "${command_packages[@]}"

say "Building what the demo needs"
# Uses little optimisation to build fast. The timed kernels are compiled later by another compiler.
cmake --preset release -D IMAGO_BUILD_TESTS=OFF -D CMAKE_UNITY_BUILD=ON -D CMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
  -B build/demo >/dev/null
cmake --build build/demo --target imago_cli
imago=$root/build/demo/tools/imago

recording=/usr/share/sounds/alsa/Front_Center.wav
[ -r "$recording" ] || die "$recording is not there: reinstall alsa-utils, or run: $imago transform FILE.wav --check"
results=$root/build/demo/results
mkdir -p "$results"

say "The devices of this machine"
"$imago" devices

say "A recording of speech ($recording): transformed, checked against FFTW, drawn"
"$imago" transform "$recording" --output "$results/spectrum.npy" --picture "$results/spectrum.svg" --check

say "The same recording over time and frequency"
"$imago" spectrogram "$recording" --output "$results/spectrogram.png"

say "Timed beside FFTW and clFFT"
# clFFT's kernels have warnings, which PoCL's compiler counts.
"$imago" bench --suite quick 2> >(grep -vE "^[0-9]+ warnings? generated\.$" >&2)

say "Done"
cat <<END
Look at   $results/spectrum.svg      the frequencies of the words "Front Center"
          $results/spectrogram.png   the same over time
Read      $results/spectrum.npy      with numpy.load
Next      $imago --help
          tools/install.sh    # Python and the command, in ~/imago
          cmake --preset release && cmake --build build/release && cmake --install build/release --prefix PREFIX    # the library too, README.md
END
