#!/bin/sh
# Checks the levels that `imago transform` and `imago spectrogram` print, their reports of values
# that are not finite, and their files.
# Usage: results.sh <imago>
set -u
imago=$1
. "$(dirname "$0")/expect.sh"

python3 - <<'END'
import math, struct
def wav(name, channels, rate=8000):
    data = b"".join(struct.pack("<%df" % len(channels), *moment) for moment in zip(*channels))
    form = struct.pack("<HHIIHH", 3, len(channels), rate, 4 * rate * len(channels), 4 * len(channels), 32)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    with open(name, "wb") as file: file.write(b"RIFF" + struct.pack("<I", len(chunks)) + chunks)
tone = [0.5 * math.sin(2 * math.pi * 1000 * i / 8000) for i in range(16000)]
between = [0.5 * math.sin(2 * math.pi * 1003.7 * i / 8000) for i in range(16000)]
wav("tone.wav", [tone])
wav("left.wav", [between, [0.0] * 16000])
wav("both.wav", [tone, [0.1 * x for x in tone]])
lost = list(tone)
lost[5000] = math.nan
wav("lost.wav", [lost])
wav("loud.wav", [[1e20 * x for x in tone]])
END

# Levels are measured per channel and between bins, and are the same in both commands.
expect 0 "loudest    -6.0 dBFS at 1003.7 Hz" spectrogram left.wav --channel 1 -o left.npy
for arguments in "left.wav --length 1024 --hann" "left.wav --hann" "left.wav"; do
  expect 0 "" transform $arguments
  grep -q "^strongest  *1003.7 Hz  *-6.0 dBFS, channel 1$" out || fail "transform $arguments: $(grep strongest out)"
done
expect 0 "1000.0 Hz     -6.0 dBFS, channel 1" transform both.wav
grep -q "1000.0 Hz    -26.0 dBFS, channel 2" out || fail "the second channel has no level"
expect 0 '"row": "channel 2"' transform both.wav --json

# Values that are not finite are counted, and other frames keep their levels.
expect 0 "1 sample is NaN or infinite: 4 of 60 frames have no levels and are grey" spectrogram lost.wav -o lost.npy -o lost.svg
grep -q "loudest    -6.0 dBFS at 1000.0 Hz" out || fail "a NaN hides the tone"
expect 0 '"not_finite"' spectrogram lost.wav --json -o lost.npy
expect 0 "the input has 1 number that is NaN" transform lost.wav --length 1024
grep -q "1000.0 Hz  *-6.0 dBFS" out || fail "a NaN in a frame hides the tone in the others"
expect 0 "loudest    394.0 dBFS at 1000.0 Hz" spectrogram loud.wav -o loud.npy
grep -q "NaN" out && fail "a loud tone is said to be none"

for command in transform spectrogram; do expect 2 "--output: is empty, and must name a file" $command tone.wav -o ''; done
# spectrogram: replaced files are named
rm -f tone.spectrogram.*
expect 0 "written    tone.spectrogram." spectrogram tone.wav
grep -q "replaces a file" out && fail "a new picture is said to replace another"
expect 0 "which replaces a file" spectrogram tone.wav
# The plan is shown on request.
for command in transform spectrogram; do
  expect 0 "" $command tone.wav --explain
  grep -q "^plan  " out || fail "$command --explain shows no plan"
  expect 0 "" $command tone.wav
  grep -q "^plan  " out && fail "$command shows a plan"
done
# A closed pipe, or a limit of the file size: one message, and no partial file.
{ "$imago" spectrogram tone.wav --hop 1 -o - -o piped.npy 2>err; echo $? >status; } | head -c 1 >first
[ "$(cat status)" = 1 ] || fail "a closed pipe: status $(cat status)"
grep -q "standard output: cannot be written: Broken pipe" err || fail "a closed pipe: no word"
(ulimit -f 4096; "$imago" spectrogram tone.wav --hop 1 -o limited.npy >out 2>err)
[ $? = 1 ] || fail "a limit of files' sizes: status $?"
grep -q "limited.npy: cannot be written: File too large" err || fail "a limit of files' sizes: no word"
for left in *.part* limited.npy; do [ -e "$left" ] && fail "$left was left behind"; done

[ "$failures" = 0 ] && echo "results are as promised"
exit "$failures"
