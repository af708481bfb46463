#!/bin/sh
# Checks what the imago command promises at its edges: exit statuses, --json everywhere, messages in
# the command's own words, sizes that are refused before anything is read.
# Usage: edges.sh <imago> [bench]; "bench" where it was built in.
set -u
imago=$1
bench=${2:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export IMAGO_CACHE_DIR="$folder/cache" IMAGO_PROFILE_DIR="$folder/profiles" XDG_CONFIG_HOME="$folder/config"
failures=0

fail() {
  echo "FAILED: $*"
  sed 's/^/  out: /' out
  sed 's/^/  err: /' err
  failures=$((failures + 1))
}
# expect <status> <text> <arguments>...: one line of at most 300 characters on standard error where
# the status is not 0.
expect() {
  status=$1 text=$2
  shift 2
  "$imago" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$status" ] || fail "imago $*: status $got, expected $status"
  [ -z "$text" ] || cat out err | grep -qF -e "$text" || fail "imago $*: no '$text'"
  [ "$status" = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "imago $*: not one line on standard error"
  [ "$(wc -c <err)" -le 300 ] || fail "imago $*: a long message"
}
json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "$2: no JSON in $1"; }

# Numbers that must be above 0.
expect 2 "is 0, and must be a number above 0" tune --budget 0
expect 2 "is 0, and must be a number above 0" transform none.npy --length 64 --hop 0
expect 2 "is -3, and must be a number above 0" transform none.npy --rate -3

# --json, everywhere.
mkdir profiles
expect 0 '"cases"' selftest --list --filter 64 --json
json out "selftest --list"
expect 0 '"rows"' tune --lengths 16 --points 4096 --budget 2 --json
json out "tune --json"
expect 0 '"entries"' tune --show --json
json out "tune --show --json"
expect 0 "" tune --show --json shown.json
json shown.json "tune --show --json FILE"
if [ -n "$bench" ]; then
  expect 0 '"engines"' bench --list --json
  json out "bench --list"
  expect 0 "" bench --list --suite quick --json suite.json
  json suite.json "bench --list --suite"
fi

# Exit statuses.
for arguments in devices "explain 64" "transform none.npy" "selftest --list" "tune --lengths 16"; do
  [ "$arguments" = "transform none.npy" ] && continue # the file is looked at first
  OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES="" expect 1 "no OpenCL device was found" $arguments
done
expect 2 "is /nonexistent, and must be a folder" explain 64 --profiles /nonexistent
IMAGO_LOG=wat "$imago" explain 64 >out 2>err || fail "IMAGO_LOG=wat: status $?"
grep -q 'IMAGO_LOG is "wat"' err || fail "IMAGO_LOG=wat is ignored"

# What interrupts ends with a status, not by the signal.
for signal in INT TERM HUP; do
  python3 - "$imago" $signal <<'END' || fail "$signal: see above"
import signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[2])
process = subprocess.Popen([sys.argv[1], "explain", "1000003", "--no-cache"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
time.sleep(0.3)
process.send_signal(number)
error = process.communicate(timeout=60)[1].decode()
ok = process.returncode == 1 and error == "imago: interrupted\n"
if not ok: print("FAILED:", sys.argv[2], process.returncode, repr(error))
sys.exit(not ok)
END
done

[ "$failures" = 0 ] && echo "the command's edges are as promised"
exit "$failures"
