#!/usr/bin/env bash
# command_faults.sh <imago> <libimago_faults.so> [<times> [<seed>]]
#
# Runs the command while the N-th OpenCL call fails (only that one, or all after it, too). The
# result must be that of a run without faults, or the command must exit with 1, one line on stderr
# and no file.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
imago=$1 library=$2 times=${3:-10}
RANDOM=${4:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$here/input.sh"
make_input "$folder/in.npy" 4096
export POCL_WORK_GROUP_SPECIALIZATION=0
transform=("$imago" transform "$folder/in.npy" --length 256 --cache "$folder/kernels" --output)

# Returns true if a result is right. If the driver does not report the device's preferences, another
# plan may round differently. The header is the first 128 bytes of the file.
is_right() {
  cmp -s "$folder/right.npy" "$1" && return 0
  paste <(od -An -v -w4 -tf4 -j128 "$folder/right.npy") <(od -An -v -w4 -tf4 -j128 "$1") |
    awk 'NF != 2 || tolower($2) ~ /nan|inf/ { wrong = 1 }
      { d = $1 - $2; if (d < 0) d = -d; a = $1 < 0 ? -$1 : $1
        if (d > worst) worst = d
        if (a > most) most = a }
      END { exit wrong || NR == 0 || worst > 1e-5 * most }'
}

"${transform[@]}" "$folder/right.npy" >"$folder/out" 2>&1 || { cat "$folder/out" >&2; exit 1; }
right=0 clean=0
for ((i = 1; i <= times; ++i)); do
  at=$((1 + RANDOM % 160)) all=$((RANDOM % 2))
  fail() {
    echo "command_faults: $1 (IMAGO_FAULT_AT=$at IMAGO_FAULT_ALL=$all)" >&2
    cat "$folder/out" "$folder/errors" >&2
    exit 1
  }
  status=0
  IMAGO_FAULT_AT=$at IMAGO_FAULT_ALL=$all IMAGO_FAULT_CODE=-5 LD_PRELOAD=$library timeout -s KILL 120 \
    "${transform[@]}" "$folder/result.npy" >"$folder/out" 2>"$folder/errors" || status=$?
  case $status in
    0)
      is_right "$folder/result.npy" || fail "another result"
      right=$((right + 1))
      ;;
    1)
      [ ! -e "$folder/result.npy" ] || fail "a file is left behind"
      [ "$(grep -c '^imago: ' "$folder/errors")" -eq 1 ] || fail "one line is expected"
      clean=$((clean + 1))
      ;;
    2) fail "blames the user" ;;
    *) fail "exit status $status" ;;
  esac
  rm -f "$folder/result.npy"
  [ "$(find "$folder" -maxdepth 1 -name '*.part*' | wc -l)" -eq 0 ] || fail "something is left behind"
done
"${transform[@]}" "$folder/result.npy" >"$folder/out" 2>&1 && cmp -s "$folder/right.npy" "$folder/result.npy" ||
  { echo "command_faults: wrong afterwards" >&2; exit 1; }
echo "$times runs with faults: $right right, $clean clean errors"
