#!/bin/sh
# Checks the integration of the command into a machine: kernels that are compiled in advance, the
# system's folders below the user's, and completion in shells.
# Usage: system.sh <imago>
set -u
imago=$1
. "$(dirname "$0")/expect.sh"
export IMAGO_SYSTEM_CACHE_DIR="" XDG_CONFIG_DIRS="$folder/none" XDG_DATA_DIRS="$folder/none"
umask 022

# prewarm: names, a file, errors
case_name='360*1-f32-out-forward-backward'
expect 2 "nothing to compile" prewarm
expect 2 "shape is 12y" prewarm 12y
expect 2 "name" prewarm '360*x-f32'
expect 2 "--shared needs --cache" prewarm 360 --shared
expect 2 "--no-cache" prewarm 360 --no-cache
expect 0 "360*1-f32-out-forward-backward: 1 kernel, 1 compiled" prewarm "$case_name"
printf '# of a program\n\n%s # twice\n' "$case_name" >cases.txt
expect 0 "1 of 1 transform ready in $folder/cache" prewarm --file cases.txt
expect 0 "0 compiled" prewarm --file cases.txt
expect 0 '"ready": true' prewarm "$case_name" --json
expect 0 "loaded in" explain 360
expect 1 "1 of 2 transforms ready" prewarm 360x0 "$case_name"
grep -qx "imago: 1 of 2 transforms failed" err || fail "the summary is said twice"
grep -q "^failed     360x0: " out || fail "what fails is not named"
expect 0 "2 of 2 transforms ready" prewarm 8,16
expect 2 "shape is 8,16: give one shape, with x between its lengths" explain 8,16
expect 2 "shape is 0x40: lengths are decimal numbers above 0" explain 0x40
expect 0 "problem    16x40 points" explain 16x40
# A bad line of a file is named, and the other lines are prepared.
printf '# of a program\n12y\n%s\n360*x-f32\n' "$case_name" >bad.txt
expect 1 "1 of 3 transforms ready" prewarm --file bad.txt
grep -q "^failed     12y: bad.txt, line 2: shape is 12y" out || fail "a bad shape of a file is not named with its line"
grep -q "^failed     360\*x-f32: bad.txt, line 4: " out || fail "a bad name of a file is not named with its line"
# If nothing can be stored, nothing is ready.
mkdir open
chmod 0777 open
for cache in cases.txt /proc/nope; do expect 1 "kernels are not kept in $cache: " prewarm 360 --cache $cache; done
expect 1 "kernels are not kept in open: it can be written by others" prewarm 360 --cache open
IMAGO_CACHE_DIR=/proc/nope expect 1 "kernels are not kept in /proc/nope: " prewarm 360
IMAGO_CACHE_LIMIT_MB=0 expect 1 "IMAGO_CACHE_LIMIT_MB is 0" prewarm 360
python3 - "$imago" <<'END' || fail "interrupt: see above"
import re, signal, subprocess, sys, time
process = subprocess.Popen([sys.argv[1], "prewarm", "1000003", "--cache", "cold"], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdout.readline()
process.send_signal(signal.SIGINT)
out, error = process.communicate(timeout=120)
ok = process.returncode == -signal.SIGINT and re.match(r"imago: interrupted: 0 of 1 transform ready(, and \d of \d kernels? of 1000003)? in ", error.decode())
if not ok: print("FAILED:", process.returncode, out, error)
sys.exit(not ok)
END

# PoCL's compiler counts its warnings of these kernels on standard error, unless warnings are
# disabled.
POCL_CACHE_DIR="$folder/pocl" "$imago" explain 1000003 --no-cache >out 2>err || fail "explain 1000003"
[ ! -s err ] || fail "building kernels writes to standard error: $(cat err)"

# The system's cache is read after the user's, and only if no other user can write it.
expect 0 "1 of 1 transform ready in system" prewarm "$case_name" --cache system --shared
[ -z "$(find system ! -perm -0444)" ] || fail "not everybody can read: $(find system ! -perm -0444)"
[ -z "$(find system -perm /0022)" ] || fail "others can write: $(find system -perm /0022)"
export IMAGO_SYSTEM_CACHE_DIR="$folder/system" IMAGO_CACHE_DIR="$folder/mine"
expect 0 "loaded in" explain 360
[ ! -e mine ] || [ -z "$(ls mine)" ] || fail "the user's cache has what the system's has: $(ls mine)"
chmod o+w system
IMAGO_LOG=warning expect 0 "kernels are not read from $folder/system: it can be written by others" explain 360
chmod o-w system

# The system's profiles come after the user's, and are shown if there are no others.
expect 1 "no profile of this device" tune --show --profiles "$folder/none"
expect 0 "" tune --lengths 16 --points 4096 --budget 12
mkdir -p etc/imago
mv profiles/*.json etc/imago/
export XDG_CONFIG_DIRS="$folder/etc"
expect 0 "profile $folder/etc/imago/" explain 16 --batch 256
expect 0 "profile    $folder/etc/imago/" tune --show
chmod g+w etc/imago
IMAGO_LOG=warning expect 0 "profiles in $folder/etc/imago are not read: it can be written by others" explain 16 --batch 256

# Completion
expect 2 "nothing" completion nothing
for shell in bash zsh fish; do
  expect 0 "completion of imago" completion $shell
  cp out imago.$shell
  if command -v $shell >/dev/null; then $shell -n imago.$shell >out 2>err || fail "$shell -n"; fi
done
completed() { # WORDS...: the completions of bash for the last one
  bash -c '. ./imago.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _imago; echo "${COMPREPLY[@]}"' bash "$@"
}
if command -v bash >/dev/null; then
  [ "$(completed imago trans)" = transform ] || fail "bash: sub-commands"
  [ "$(completed imago transform --dim)" = --dimensions ] || fail "bash: options"
  [ "$(completed imago transform --kind dst)" = "dst1 dst2 dst3 dst4" ] || fail "bash: words"
  case " $(completed imago sparse --) " in *" --child "*) fail "bash: hidden options" ;; esac
fi

[ "$failures" = 0 ] && echo "all as expected"
exit "$failures"
