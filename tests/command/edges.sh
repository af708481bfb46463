#!/bin/sh
# Checks edge cases of the imago command: exit statuses, --json everywhere, messages in the
# command's own words, and sizes that are rejected before any file is read.
# Usage: edges.sh <imago> <libimago_faults.so> [bench]; "bench" if the command contains it.
set -u
imago=$1
interposer=$2
bench=${3:-}
PYTHONPATH=$(cd "$(dirname "$0")" && pwd) # for terminal.py
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
. "$(dirname "$0")/expect.sh"

json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "$2: no JSON in $1"; }

# Numbers that must be above 0.
expect 2 "is 0, and must be a number above 0" tune --budget 0
expect 2 "is 0, and must be a whole number above 0" transform none.npy --length 64 --hop 0
expect 2 "is -3, and must be a number above 0" transform none.npy --rate -3

# --json works everywhere.
mkdir profiles
expect 0 '"cases"' selftest --list --filter 64 --json
json out "selftest --list"
expect 0 '"rows"' tune --lengths 16 --points 4096 --budget 8 --json
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
  [ "$arguments" = "transform none.npy" ] && continue # the file is checked first
  OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES="" expect 1 "no OpenCL device was found" $arguments
  grep -q POCL_CACHE_DIR err || fail "what PoCL needs is not said"
done
expect 2 "is /nonexistent, and must be a folder" explain 64 --profiles /nonexistent
IMAGO_LOG=wat "$imago" explain 64 >out 2>err || fail "IMAGO_LOG=wat: status $?"
grep -q 'IMAGO_LOG is "wat"' err || fail "IMAGO_LOG=wat is ignored"

printf RIFF >sound.wav
expect 1 "sound.wav is not a program or a library" doctor sound.wav
expect 1 "there is no program none.wav" doctor none.wav
for lengths in 0 abc; do
  expect 2 "--lengths" tune --lengths $lengths
  [ ! -s out ] || fail "tune --lengths $lengths says more than what is wrong"
done

# Sizes are checked before any data is read: sparse files of 1 TiB and of 128 MiB.
python3 - <<'END'
import struct
def npy(name, shape):
    text = "{'descr': '<c8', 'fortran_order': False, 'shape': %s, }" % (shape,)
    count = 1
    for n in shape: count *= n
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    with open(name, "wb") as file:
        file.write(head)
        try: file.truncate(len(head) + 8 * count)
        except OSError: file.truncate(0)
npy("terabyte.npy", (1 << 37,))
npy("rows.npy", (16, 1 << 20))
END
if [ -s terabyte.npy ]; then
  expect 1 "need 2 TiB of device memory" transform terabyte.npy --length 64
  expect 1 "needs 2 TiB of device memory" transform terabyte.npy
  expect 1 "" sparse terabyte.npy
fi
python3 - "$imago" <<'END' || fail "memory: see above"
import os, subprocess, sys
# The second run compiles no kernel; compilation needs memory of its own, as much as the device's
# compiler uses.
for _ in range(2):
  process = subprocess.Popen([sys.argv[1], "transform", "rows.npy", "--output", "spectra.npy"], stdout=subprocess.DEVNULL)
  status, usage = os.wait4(process.pid, 0)[1:]
  if status: sys.exit(f"FAILED: it ends with {status}")
times = usage.ru_maxrss * 1024 / (128 << 20)
if times > 3: print(f"FAILED: {times:.2f} times the file is resident")
sys.exit(times > 3)
END
npy_of() { python3 -c "
import struct
text = \"{'descr': '<f4', 'fortran_order': False, 'shape': ($1,), }\"
open('short.npy', 'wb').write(b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(text)) + text.encode() + bytes(4 * $1))"; }
npy_of 1000
expect 2 "--length is 99999999: 1000 samples allow at most 1048576" transform short.npy --length 99999999

# The command ends by the signal that interrupts it, with one line, so that a shell ends its loop,
# too. Kernels are built slowly, or a fast machine ends before the signal arrives.
export IMAGO_SLOW_BUILD=1500
for signal in INT TERM HUP; do
  python3 - "$imago" $signal "$interposer" <<'END' || fail "$signal: see above"
import os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[2])
process = subprocess.Popen([sys.argv[1], "explain", "1000003", "--no-cache"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                           env={**os.environ, "LD_PRELOAD": sys.argv[3]})
time.sleep(0.7)
process.send_signal(number)
error = process.communicate(timeout=60)[1].decode()
ok = process.returncode == -number and error == "imago: interrupted\n"
if not ok: print("FAILED:", sys.argv[2], process.returncode, repr(error))
sys.exit(not ok)
END
done

# Planning for more than a second shows the number of built kernels, but only on a terminal.
python3 - "$imago" "$interposer" <<'END' || fail "progress: see above"
import os, sys
from terminal import shown
def prepare():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ |= {"IMAGO_TRUST_DEVICE": "1", "LD_PRELOAD": sys.argv[2]}
text = shown(prepare, sys.argv[1], "explain", "1000003", "--no-cache")[1]
ok = "Compiling kernels: " in text and " of " in text
if not ok: print("FAILED: progress shows", text[-500:])
sys.exit(not ok)
END

unset IMAGO_SLOW_BUILD
# The driver may compile again in the first call, so the bar does not only report a transform.
python3 - "$imago" "$interposer" <<'END' || fail "the bar of a first call: see above"
import os, sys
from terminal import shown
def prepare():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ |= {"IMAGO_TRUST_DEVICE": "1", "LD_PRELOAD": sys.argv[2], "IMAGO_SLOW_FINISH": "700"}
text = shown(prepare, sys.argv[1], "transform", "short.npy", "--explain")[1]
first, second = text.find("Compiling and transforming ("), text.find("KTransforming (")
if not 0 < first < second: print("FAILED: the bar shows", repr(text[-500:]))
sys.exit(not 0 < first < second)
END
# On a narrow terminal reports continue below their text; binary numbers are not written to a
# terminal.
python3 - "$imago" <<'END' || fail "terminal: see above"
import fcntl, struct, sys, termios
from terminal import shown
def narrow(): fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, 50, 0, 0))
status, text = shown(narrow, sys.argv[1], "explain", "64")
wide = [line for line in text.splitlines() if len(line) > 50 and " " in line.strip()]
ok = status == 0 and "plan       " in text and not wide
if not ok: print("FAILED:", status, wide or text)
status, text = shown(narrow, sys.argv[1], "transform", "short.npy", "--output", "-")
refused = status == 2 and "standard output is a terminal" in text.replace("\r\n", " ")
if not refused: print("FAILED:", status, repr(text))
sys.exit(not (ok and refused))
END

# The tuner removes its folder. If it is killed, the next run removes the folder.
mkdir temporary
export TMPDIR="$folder/temporary"
for signal in HUP KILL; do
  python3 - "$imago" $signal "$TMPDIR" <<'END' || fail "$signal: see above"
import os, signal, subprocess, sys, time
process = subprocess.Popen([sys.argv[1], "tune", "--lengths", "64", "--budget", "20"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
for _ in range(600):
    if os.listdir(sys.argv[3]): break
    time.sleep(0.05)
time.sleep(0.5)
process.send_signal(getattr(signal, "SIG" + sys.argv[2]))
status = process.wait(timeout=60)
left = os.listdir(sys.argv[3])
wrong = left if sys.argv[2] == "HUP" else []
if wrong: print("FAILED:", sys.argv[2], "leaves", left)
if sys.argv[2] == "HUP" and status != -signal.SIGHUP: print("FAILED: status", status); wrong = [status]
sys.exit(bool(wrong))
END
done
# A second Ctrl-C ends the tuner and its children, even while they compile.
python3 - "$imago" "$TMPDIR" <<'END' || fail "a second INT: see above"
import os, signal, subprocess, sys, time
def children(): return subprocess.run(["pgrep", "-f", "--", "--child.*" + sys.argv[2]], capture_output=True, text=True).stdout.split()
process = subprocess.Popen([sys.argv[1], "tune", "--lengths", "1009", "--budget", "20"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
for _ in range(600):
    if children(): break
    time.sleep(0.05)
else: sys.exit("FAILED: no children")
time.sleep(1)
process.send_signal(signal.SIGINT)
time.sleep(0.2)
process.send_signal(signal.SIGINT)
status = process.wait(timeout=60)
for _ in range(20):
    left = children()
    if not left: break
    time.sleep(0.1)
if left: print("FAILED: children", left)
died = status == -signal.SIGINT
if not died: print("FAILED: status", status)
sys.exit(bool(left) or not died)
END
# The children of a killed tuner end, too.
tries=600
while pgrep -f "$TMPDIR/" >/dev/null && [ $tries -gt 0 ]; do
  tries=$((tries - 1))
  sleep 0.1
done
"$imago" tune --lengths 16 --points 4096 --budget 2 >out 2>err
[ -z "$(ls "$TMPDIR")" ] || fail "left in TMPDIR: $(ls "$TMPDIR")"

[ "$failures" = 0 ] && echo "the command's edges are as promised"
exit "$failures"
