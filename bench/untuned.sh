#!/usr/bin/env bash
# untuned.sh [<imago> [<folder> [<option of imago bench>...]]]
#
# Compares imago without tuned parameters with the other libraries on this device, over lists of
# sizes that no profile names, and over twenty sizes that are drawn. Prints the geometric mean and
# the lowest row of each list; the full tables go to the folder (default: a new one). With tuned
# parameters: PROFILES="" untuned.sh. Other draws: SEED=2 untuned.sh. A shorter run: ROW_SECONDS=0.05
# untuned.sh. For a CPU: POINTS=1048576 untuned.sh, because the default loads a GPU fully.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

imago=${1:-build/release/tools/imago}
folder=${2:-$(mktemp -d)}
shift $(($# < 2 ? $# : 2))
profiles=${PROFILES---no-profiles}
mkdir -p "$folder"

# list <name> <option>...: measures one list and prints its summary.
list() {
  local name=$1
  shift
  # shellcheck disable=SC2086 # no option if it is empty
  "$imago" bench $profiles --seconds "${ROW_SECONDS:-0.5}" "$@" >"$folder/$name.txt"
  echo "$name"
  sed -n '/^geometric means/,$p' "$folder/$name.txt" | grep -E ' rows$|speedup over' | tail -3
}

# drawn <count> <largest>: the sizes with prime factors up to 7 above numbers that are drawn evenly
# in their logarithm.
drawn() {
  awk -v count="$1" -v most="$2" -v seed="${SEED:-1}" '
    function smooth(n, p) {
      for (p = 2; p < 8; ++p) while (n % p == 0) n /= p
      return n == 1
    }
    BEGIN {
      srand(seed)
      while (count > 0) {
        n = int(exp(log(16) + rand() * log(most / 16)))
        while (!smooth(n)) ++n
        if (!(n in taken)) { taken[n]; printf "%s%d", comma, n; comma = ","; --count }
      }
    }'
}

list single-1d "$@" --placement out-of-place --single \
  --lengths 1000,1536,3000,6144,10000,12288,22050,44100,65520,100000,300000,2^19
list single-2d "$@" --placement out-of-place --single \
  --lengths 100x100,200x200,384x384,640x480,1000x1000,1080x1920
list single-3d "$@" --placement out-of-place --single \
  --lengths 32x32x32,48x48x48,80x80x80,96x96x96,100x100x100,160x160x160
list single-drawn "$@" --placement out-of-place --single --lengths "$(drawn 20 1000000)"
points=${POINTS:-$((1 << 25))}
list filled "$@" --points "$points" --lengths 96,100,240,720,1200,1536,3000,5000,12288,22050,44100,65520,2^18,300000,2^22
list filled-f64 "$@" --points $((points / 2)) --precision f64 --lengths 100,720,1536,3000,12288,44100,65536,2^19
list filled-real "$@" --points "$points" --kind real --lengths 100,720,1536,3000,12288,44100,65536,2^19
list filled-drawn "$@" --points "$points" --lengths "$(drawn 20 1000000)"
echo "tables: $folder"
