#!/bin/sh
# Checks what the commands for recordings make of raw samples, SigMF recordings and pipes: the
# frequencies and levels of tones, frequency axes, and rejected files.
# Usage: recordings.sh <imago>
set -u
imago=$1
. "$(dirname "$0")/expect.sh"

# Two tones around 100 MHz at 2.4 MHz: 0.5 at +300012.3 Hz, 0.05 at -700 kHz. The noise is that of
# rounding.
python3 - <<'END'
import array, cmath, json, struct
RATE, COUNT = 2.4e6, 40000
def tone(level, hertz):
    return [level * cmath.exp(2j * cmath.pi * hertz * i / RATE) for i in range(COUNT)]
samples = [a + b for a, b in zip(tone(0.5, 300012.3), tone(0.05, -700e3))]
parts = [x for sample in samples for x in (sample.real, sample.imag)]
def write(name, code, scale=1, offset=0):
    numbers = parts if code in "fd" else [round(scale * x + offset) for x in parts]
    data = array.array(code, numbers)
    with open(name, "wb") as file: file.write(data.tobytes())
write("a.cf32", "f"), write("a.cf64", "d"), write("a.ci16", "h", 32768)
write("a.ci8", "b", 128), write("a.cu8", "B", 127.5, 127.5)
with open("a.f32", "wb") as file: file.write(array.array("f", [x.real for x in samples]).tobytes())
with open("iq.sigmf-data", "wb") as file:
    file.write(struct.pack(">%dh" % len(parts), *[round(32768 * x) for x in parts]))
def meta(name, *hertz):
    with open(name + ".sigmf-meta", "w") as file:
        json.dump({"global": {"core:datatype": "ci16_be", "core:sample_rate": RATE, "core:version": "1.2.0"},
                   "captures": [{"core:sample_start": 0, "core:frequency": f} for f in hertz],
                   "annotations": []}, file)
meta("iq", 100e6), meta("hops", 100e6, 101e6)
open("hops.sigmf-data", "wb").write(b"12345678")
END
radio="--rate 2.4M --centre 100M"

# Every format has the same tones, in bins of 2344 Hz.
for format in cf32 cf64 ci16 ci8 cu8; do
  expect 0 "" spectrogram a.$format --format $format $radio -o a.npy -o a.svg
  grep -qE "^loudest    -6\.0 dB(FS)? at 100\.3000[01]. MHz" out || fail "$format: $(grep loudest out)"
  grep -q "'shape': (154, 1024)" a.npy || fail "$format: another shape"
  grep -q "Frequency (MHz)" a.svg || fail "$format: another axis"
done
grep -q ">100.5</text>" a.svg && grep -q ">99</text>" a.svg || fail "the axis is not around the centre"
grep -q -e ">101.5</text>" -e ">98.5</text>" a.svg && fail "the axis is wider than the rate"
expect 0 "dB at" spectrogram a.cf32 --format cf32 -o a.npy
expect 0 "dBFS at" spectrogram a.ci16 --format ci16 -o a.npy
for arguments in "a.cu8 --format cu8 $radio" "iq.sigmf-meta" "iq.sigmf-data"; do
  expect 0 "" transform $arguments
  grep -qE "^strongest *100\.300012 MHz *-6\.0 dBFS$" out || fail "transform $arguments: $(grep strongest out)"
  grep -qE "^ *99\.300000 MHz *-26\.0 dBFS$" out || fail "transform $arguments: no second tone"
  expect 0 "100300012." sparse $arguments
done
expect 0 "ci16, big-endian, 2400000 Hz, centre 100.000000 MHz, 1 channel, 40000 samples (0.02 s)" spectrogram iq.sigmf-meta -o a.npy
expect 0 "at 100.3000" spectrogram iq.sigmf-meta -o a.npy
expect 0 "at 7.3000" spectrogram iq.sigmf-meta --centre 7e6 -o a.npy
# A centre of 0 and below; names of formats in other programs.
for format in cs16 CS16 sc16; do
  expect 0 "strongest    300012.3 Hz" transform a.ci16 --format $format --rate 2.4M --centre 0
done
expect 0 "strongest  -99.699988 MHz" transform a.cf32 --format fc32 --rate 2.4M --centre -100M
expect 0 "strongest  -99.699988 MHz" spectrum a.cf32 --format fc32 --rate 2.4M --centre -100M --peaks 1 --window flat-top
# A SigMF recording without a rate has cycles per sample, to which no Hz are added.
python3 - <<'END'
import json
def meta(name, **more):
    with open(name, "w") as file:
        json.dump({"global": {"core:datatype": "ci16_be", "core:version": "1.2.0", **more},
                   "captures": [{"core:sample_start": 0, "core:frequency": 100e6, "core:header_bytes": 5}]}, file)
data = b"bytes" + open("iq.sigmf-data", "rb").read()
open("slow.sigmf-data", "wb").write(data)
open("other.dat", "wb").write(data + b"more bytes")
meta("slow.sigmf-meta")
meta("named.sigmf-meta", **{"core:dataset": "other.dat", "core:trailing_bytes": 10, "core:sample_rate": 2.4e6})
open("named.sigmf-data", "wb").write(b"12345678")  # another recording
meta("CAPITAL.SIGMF-META", **{"core:sample_rate": 2.4e6})
open("CAPITAL.SIGMF-DATA", "wb").write(data)
END
expect 0 "ci16, big-endian, rate unknown, centre 100.000000 MHz, 1 channel, 40000 samples" spectrum slow.sigmf-meta
grep -q "^strongest  0\.1250.. cycles per sample" out || fail "spectrum without a rate: $(grep strongest out)"
expect 0 "strongest  0.125005 cycles per sample" transform slow.sigmf-meta
expect 0 " 0.12500" sparse slow.sigmf-meta
expect 0 " at 0.1250" spectrogram slow.sigmf-meta -o a.svg
grep -q ">0.4</text>" a.svg || fail "the axis without a rate is another"
expect 0 "strongest  100.300012 MHz" transform slow.sigmf-meta --rate 2.4M
# The samples are those of core:dataset, without the bytes around them.
expect 0 "ci16, big-endian in other.dat, 2400000 Hz, centre 100.000000 MHz, 1 channel, 40000 samples" transform named.sigmf-meta
grep -qE "^strongest *100\.300012 MHz *-6\.0 dBFS$" out || fail "core:dataset: $(grep strongest out)"
expect 0 "strongest  100.300012 MHz" transform CAPITAL.SIGMF-META
expect 0 "strongest  100.300012 MHz" transform CAPITAL.SIGMF-DATA --output CAPITAL.NPY
expect 0 "centre 100.000000 MHz" spectrum named.sigmf-meta --output S.SVG
# Levels of any size, in both precisions; times of any rate.
python3 - <<'END'
import array, math
def write(name, code, size):
    with open(name, "wb") as file:
        file.write(array.array(code, [size * math.sin(2 * math.pi * 700 * i / 8000) for i in range(8000)]).tobytes())
write("strain.f32", "f", 1e-21), write("large.f64", "d", 1e200), write("small.f64", "d", 1e-200)
write("silent.f32", "f", 0)
END
for file in strain.f32:-420.0 large.f64:4000.0 small.f64:-4000.0; do
  name=${file%:*} level=${file#*:}
  expect 0 "strongest       700.0 Hz" spectrum $name --format ${name#*.} --rate 8k -o level.npy
  grep -qE "^strongest *700\.0 Hz *$level dB$" out || fail "spectrum $name: $(grep strongest out)"
  expect 0 "" transform $name --format ${name#*.} --rate 8k
  grep -qE "^strongest *700\.0 Hz *$level dB$" out || fail "transform $name: $(grep strongest out)"
  expect 0 "" transform $name --format ${name#*.} --rate 8k --length 800
  grep -qE "^strongest *700\.0 Hz *$level dB$" out || fail "transform --length $name: $(grep strongest out)"
  expect 0 "" spectrogram $name --format ${name#*.} --rate 8k -o level.svg
  grep -qE "^loudest *$level dB at 700\.0 Hz" out || fail "spectrogram $name: $(grep loudest out)"
done
expect 0 "loudest    none: the recording is silent" spectrogram silent.f32 --format f32 -o level.svg
expect 0 '"loudest": null' spectrogram silent.f32 --format f32 -o level.svg --json
expect 0 "strongest  no peak" spectrum silent.f32 --format f32
expect 0 "(8e+32 s)" spectrum strain.f32 --format f32 --rate 1e-29
[ "$(wc -L <out)" -lt 200 ] || fail "long numbers: $(cat out)"
# Real samples, other rates, no rate, a band far from 0.
expect 0 "strongest    300012.3 Hz     -6.0 dB" transform a.f32 --format f32 --rate 2400k
expect 0 "of 1024 samples, hop 256, window hann: 0.000977 cycles per sample and 256 samples apart" spectrogram a.cu8 --format cu8 -o a.svg
grep -q "cycles per sample, sample" out || fail "no frequency without a rate"
grep -q "Frequency (cycles per sample)" a.svg && grep -q "Time (samples)" a.svg || fail "a.svg has other axes"
expect 0 '"cycles_per_sample": 0.12500' spectrogram a.cu8 --format cu8 -o a.npy --json
expect 0 "" spectrogram a.cu8 --format cu8 --rate 1k --centre 1420405751 -o a.svg
grep -q "Frequency (Hz) from 1420.405751 MHz" a.svg || fail "a narrow band has another axis"
# Pipes, and truncated samples.
expect 0 "" spectrogram a.cu8 --format cu8 $radio -o whole.npy
"$imago" spectrogram - --format cu8 $radio -o - <a.cu8 >piped.npy 2>err || fail "a redirected file"
cmp -s whole.npy piped.npy || fail "a redirected file has other levels"
cat a.cu8 | "$imago" spectrogram - --format cu8 $radio -o - 2>err | cmp -s - whole.npy || fail "a pipe has other levels"
{ cat a.ci16; printf abc; } >cut.ci16
expect 0 "40000 samples, cut short: the last 3 of 4 bytes of a sample are not read" spectrogram cut.ci16 --format ci16 -o a.npy
expect 0 "40000 samples, cut short: the last 3 of 4 bytes of a sample are not read" transform cut.ci16 --format ci16
# Samples that are not finite.
{ printf '\377\377\377\177\377\377\377\177'; tail -c +9 a.cf32; } >lost.cf32
expect 0 "1 sample is NaN or infinite: 1 of 154 frames has no levels and is grey" spectrogram lost.cf32 --format cf32 -o a.npy
# A part of the time and of the frequencies; a waterfall.
expect 0 "12000 samples (0.005 s) from 0.01 s on" spectrogram a.cu8 $radio --start 10ms --duration 5ms --from 99.2M --to 99.4MHz -o part.npy
grep -qE "^loudest    -2(5.9|6.0) dBFS at 99\.3000.. MHz, 0.01 s" out || fail "a band has another peak: $(grep loudest out)"
grep -q "'shape': (44, 86)" part.npy || fail "a band has other bins: $(head -c 100 part.npy)"
expect 0 "strongest  99.300000 MHz    -26.0 dBFS" spectrum a.cu8 $radio --to 99.5M --peaks 1 -o part.svg --range -90:0
grep -q ">-90</text>" part.svg && grep -q ">99.300000 MHz</text>" part.svg || fail "part.svg has no label, or another range"
expect 0 "strongest  99.300000 MHz    -26.0 dBFS" transform a.cu8 $radio --to 99.5M
expect 0 "" spectrogram a.cu8 $radio --waterfall -o fall.svg -o fall.pgm
[ "$(sed -n 2p fall.pgm | tr -d '\0' | head -c 8)" = "1024 154" ] || fail "fall.pgm has another size"
for wrong in "--from 101M --to 100M" "--from 5M --to 6M"; do
  expect 2 "less than two of the bins" spectrum a.cu8 $radio $wrong
done
expect 2 "and must be two levels in dB, such as -100:-20" spectrum a.cu8 $radio --range 10
expect 1 "has 0.017 s: --start must be less" spectrum a.cu8 $radio --start 1
expect 1 "which --start and --duration need: use --rate" spectrum a.cu8 --start 1
# A channel: the tone of -26 dB alone, at 1 kHz, from a file and from a pipe.
export IMAGO_FIRST_CALL=compile # else the last bits change once
channel="$radio --shift -701k --width 20kHz --output-rate 60k"
expect 0 "channel    20000.0 Hz wide at 99.299000 MHz, 60000 samples per second" channel a.cu8 $channel -o one.sigmf-meta
expect 0 "1000 samples (0.02 s)" spectrum one.sigmf-data --frame 256 --peaks 1
grep -q "strongest  99.300000 MHz    -26.0 dB" out || fail "the channel has another tone: $(grep strongest out)"
cat a.cu8 | "$imago" channel - --format cu8 $channel -o - 2>err | cmp -s - one.sigmf-data || fail "a pipe has another channel"
grep -q "cu8 from a pipe, 2400000 Hz, centre 100.000000 MHz" err || fail "no report of a pipe: $(cat err)"
expect 0 "(1000 samples of ci16)" channel a.cu8 $channel -o one.wav --output-format cs16
expect 0 "I and Q, 60000 Hz, centre 99.299000 MHz, 1 channel, 1000 samples" transform one.wav
expect 0 "one.wav (1000 samples of cf32), which replaces a file" channel a.cu8 $channel -o one.wav
expect 0 '"decimation": 40' channel a.cu8 $channel -o one.cf32 --json
expect 0 "resampled  147 for 320 of its results, 5879 taps, -80 dB from 22050.0 Hz on" channel a.cu8 $radio --shift -701k --width 20k --output-rate 44.1k -o sound.wav
expect 0 "I and Q, 44100 Hz, centre 99.299000 MHz, 1 channel, 735 samples" spectrum sound.wav --frame 256 --peaks 1
grep -q "strongest  99.300000 MHz    -26.0 dB" out || fail "another rate has another tone: $(grep strongest out)"
expect 2 "--output-rate is 2500000: it must be at most the rate, 2400000, and a fraction of it of at most seven digits, such as 2400000 (divided by 1)" channel a.cu8 $radio --shift 0 --width 20k --output-rate 2.5M -o one.cf32
expect 2 "--output-rate is 44101: 44101 samples for 66000 need too large a table; near it are 66000 (divided by 1) or 33000 (by 2)" channel a.cu8 --rate 66000 --shift 0 --width 20k --output-rate 44101 -o one.cf32
expect 2 "--shift is 1.3M: a.cu8 has frequencies from -1.2M to 1.2M Hz from its centre" channel a.cu8 $radio --shift 1.3M --width 20k -o one.cf32
# Channels by their own frequencies, and frequencies that count from elsewhere.
at="--width 20kHz --output-rate 60k -o at.sigmf-meta"
expect 0 "channel    20000.0 Hz wide at 99.299000 MHz" channel a.cu8 $radio --at 99.299MHz $at
expect 0 "" channel a.cu8 $channel -o one.sigmf-meta
cmp -s at.sigmf-data one.sigmf-data || fail "--at cuts another channel than --shift"
expect 0 '"shift": -701000.0' channel a.cu8 --rate 2.4M --at -701k $at --json
expect 2 "--shift is 100.2M: it counts from the centre of iq.sigmf-meta, 100M; write --shift 200k or --at 100.2M" channel iq.sigmf-meta --shift 100.2M $at
expect 2 "--at is -701k: iq.sigmf-meta has frequencies from 98.8M to 101.2M Hz; write --at 99.299M or --shift -701k" channel iq.sigmf-meta --at -701k $at
expect 2 "--at is 99.3: iq.sigmf-meta has frequencies from 98.8M to 101.2M Hz; did you mean --at 99.3M?" channel iq.sigmf-meta --at 99.3 $at
expect 2 "from -1.2M to 1.2M Hz; for the frequencies of a receiver add --centre, and name the channel with --at" channel a.cu8 --rate 2.4M --shift 99.3M $at
expect 2 "name the frequency of the channel: --at HZ, or --shift HZ from the centre" channel a.cu8 $radio $at
expect 2 "excludes" channel a.cu8 $radio --at 99.3M --shift 0 $at
for command in spectrum spectrogram transform; do
  expect 2 "--from is -200k: the frequencies are from 98.8M to 101" $command iq.sigmf-meta --from -200k --to 99.3M
  grep -q "write --from 99.8M" err || fail "$command: $(cat err)"
  expect 2 "; did you mean --from 99.2M?" $command iq.sigmf-meta --from 99.2 --to 99.4
  expect 2 " Hz; for the frequencies of a receiver add --centre" $command a.cu8 --rate 2.4M --from 99.2M --to 99.4M
  expect 2 "cycles per sample; frequencies in Hz need --rate" $command a.cu8 --from 99.2M --to 99.4M
done
expect 2 "--to is 200k" spectrum iq.sigmf-meta --from 0 --to 200k
expect 0 "strongest  99.300000 MHz" spectrum iq.sigmf-meta --from 0 --to 99.5M --peaks 1
expect 2 "frequencies are --from and --to" spectrum iq.sigmf-meta --range 99.2M:99.4M
expect 2 "--width is 70000: at 60000 samples per second it must be at most 60000" channel a.cu8 $radio --shift 0 --width 70k --output-rate 60k -o one.cf32
expect 2 "has no sampling rate, which frequencies in Hz need: add --rate" channel a.cu8 --shift 0 --width 20k -o one.cf32
printf '' | "$imago" channel - --format cu8 --rate 1M --shift 0 --width 20k -o none.wav 2>err && fail "an empty pipe"
grep -q "standard input: has no samples" err && [ ! -e none.wav ] || fail "an empty pipe: $(cat err)"
expect 1 "x.bin: has no known ending: use .wav" channel a.cu8 $channel -o x.bin
unset IMAGO_FIRST_CALL
# The averaged spectrum: each tone within a tenth of a bin and of a decibel, in every window.
# tone <hertz> <level> <width of a bin in hertz>: the report has such a tone.
tone() {
  sed -n 's/^strongest / /; s/^  *\([-0-9.]*\) \(M*\)Hz *\([-0-9.]*\) dB.*/\1 \2 \3/p' out |
    awk -v hertz="$1" -v level="$2" -v bin="$3" 'function abs(x) { return x < 0 ? -x : x }
      { f = $1; if ($2 == "M") f *= 1e6; l = $NF
        if (abs(f - hertz) < bin / 10 && abs(l - level) <= 0.1) found = 1 } END { exit !found }' ||
    fail "no tone of $2 dB at $1 Hz: $(grep Hz out | tail -5)"
}
for options in "" "--window blackman-harris" "--window flat-top --hop 300" "--frame 1000" "--frame 4096 --hop 4096"; do
  for file in "a.cu8 --format cu8 $radio" "a.cf32 --format cf32 $radio" iq.sigmf-meta; do
    expect 0 "" spectrum $file $options
    tone 100300012.3 -6.02 585 && tone 99300000 -26.02 585
  done
done
expect 0 "77 of 1024 samples, hop 512, window hann: 2343.75 Hz and 0.21 ms apart" spectrum a.cu8 --format cu8 $radio -o s.svg -o s.npy
grep -q "'shape': (1024,)" s.npy || fail "s.npy has another shape"
[ "$(wc -c <s.npy)" = $((128 + 4 * 1024)) ] || fail "s.npy has another size"
grep -q "mean power" s.svg && grep -q "Frequency (MHz)" s.svg || fail "s.svg has another text"
"$imago" spectrum - --format cu8 $radio -o - <a.cu8 2>err | cmp -s - s.npy || fail "a pipe has another spectrum"
grep -q "^strongest" err || fail "no report on standard error"
expect 0 "written    s.npy, which replaces a file" spectrum a.cu8 --format cu8 -o s.npy
expect 0 "" spectrum a.cu8 --format cu8 $radio --peaks 1
[ "$(grep -c "dBFS$" out)" = 1 ] || fail "--peaks 1 lists another number"
expect 0 '"hertz": 100300012.' spectrum a.cu8 --format cu8 $radio --json --peaks 1
expect 0 '"strongest": []' spectrum a.cu8 --format cu8 $radio --json --peaks 0
expect 0 "strongest  0.125005 cycles per sample     -6.0 dBFS" spectrum a.cu8 --format cu8
# Frames in parts, of two real channels: a tone in each, and silence.
python3 - <<'END'
import array, math, struct
COUNT = 300000
left = [0.25 * math.sin(2 * math.pi * 1003.7 * i / 8000) for i in range(COUNT)]
right = [0.125 * math.sin(2 * math.pi * 2500.2 * i / 8000) for i in range(COUNT)]
data = array.array("h", [round(32768 * x) for pair in zip(left, right) for x in pair]).tobytes()
form = struct.pack("<HHIIHH", 1, 2, 8000, 32000, 4, 16)
chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
open("two.wav", "wb").write(b"RIFF" + struct.pack("<I", len(chunks)) + chunks)
open("silent.cu8", "wb").write(b"\x7f\x80" * 4000)
END
expect 0 "of 1024 samples, hop 4," spectrum two.wav --hop 4 -o s.npy
grep -q "^strongest  *1003.7 Hz  *-12.0 dBFS, channel 1$" out || fail "channel 1: $(grep dBFS out)"
grep -q "^  *2500.2 Hz  *-18.1 dBFS, channel 2$" out || fail "channel 2: $(grep dBFS out)"
grep -q "'shape': (2, 513)" s.npy || fail "s.npy has another shape"
expect 0 "strongest      2500.2 Hz    -18.1 dBFS" spectrum two.wav --channel 2 --peaks 1
expect 0 "written    s.svg" spectrum silent.cu8 --format cu8 -o s.svg
expect 0 "1 sample is NaN or infinite: 1 of 77 frames has no levels and is left out" spectrum lost.cf32 --format cf32 $radio
tone 100300012.3 -6.02 2344
# Noise is not listed, unless the threshold is low. Two channels are I and Q.
python3 - <<'END'
import array, cmath, random, struct
COUNT = 60000
draw = random.Random(3)
noise = [complex(draw.gauss(0, 0.1), draw.gauss(0, 0.1)) for _ in range(COUNT)]
tone = [0.25 * cmath.exp(-2j * cmath.pi * 1003.7 * i / 8000) for i in range(COUNT)]
def write(name, parts, channels):
    data = array.array("h", [round(32768 * x) for x in parts]).tobytes()
    form = struct.pack("<HHIIHH", 1, channels, 8000, 16000 * channels, 2 * channels, 16)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    open(name, "wb").write(b"RIFF" + struct.pack("<I", len(chunks)) + chunks)
write("noise.wav", [x.real for x in noise], 1)
turns = [0.25 * cmath.exp(2j * cmath.pi * i / 8) for i in range(8)]
write("long.wav", [p for x in turns for p in (x.real, x.imag)] * (150 * 2**10), 2)  # several reads
write("short.wav", [x.real for x in noise[:1500]], 1)
write("iq.wav", [p for x, y in zip(noise, tone) for p in ((x + y).real, (x + y).imag)], 2)
END
expect 0 "strongest  no peak is 6.0 dB above the median; --threshold lowers it" spectrum noise.wav
expect 0 "strongest  no peak is 13.2 dB above the median" spectrum short.wav
expect 0 '"strongest": []' spectrum noise.wav --json
expect 0 '"threshold": 6.0' spectrum noise.wav --json
expect 0 "" spectrum noise.wav --threshold 0.1
[ "$(grep -c "dBFS$" out)" = 5 ] || fail "--threshold 0.1 lists another number"
expect 0 "I and Q, 8000 Hz, centre 100000.0 Hz, 1 channel, 60000 samples (7.50 s)" spectrum iq.wav --iq --centre 100k
tone 98996.3 -12.04 8
[ "$(grep -c "dBFS$" out)" = 1 ] || fail "noise is listed next to a tone"
expect 0 "strongest     -1003.7 Hz" transform iq.wav --iq
expect 0 "" spectrum long.wav --iq
tone 1000 -12.04 8
expect 2 "--threshold: is -3, and must be a number above 0" spectrum iq.wav --threshold -3
expect 1 "noise.wav: has 1 channel: --iq needs two, I and Q" spectrum noise.wav --iq
expect 1 "has complex samples: --iq is for two real channels" spectrum a.cu8 --format cu8 --iq
expect 1 "is a .npy file: --iq is for sound files with two channels" transform whole.npy --iq
# Rejected files and options leave no files behind.
: >empty.cu8
printf abc >short.ci16
head -c 40 iq.sigmf-meta >damaged.sigmf-meta
cp a.cu8 alone.sigmf-data
cp a.cu8 damaged.sigmf-data
cp a.ci16 unknown.raw
for command in spectrogram spectrum transform; do
  refuse() { expect "$1" "$2" $command $3 -o bad.npy; }
  refuse 2 "--format: is cs12, and must be one of cf32, cf64, ci16, ci32, ci8, cu16" "a.ci16 --format cs12"
  refuse 2 "--rate: is 2.4Q, and must be a number above 0" "a.ci16 --format ci16 --rate 2.4Q"
  refuse 1 "name the format of raw samples, such as --format ci16" unknown.raw
  grep -q "imago transform" err && fail "$command names another command: $(cat err)"
  for rate in inf nan -1 0; do
    refuse 2 "--rate: is $rate, and must be a number above 0" "a.ci16 --format ci16 --rate $rate"
  done
  refuse 2 "--rate: is 1e-300, and must be from 1e-30 to 1e+30" "a.ci16 --format ci16 --rate 1e-300"
  refuse 2 "--centre: is inf, and must be a number" "a.ci16 --format ci16 --rate 1M --centre inf"
  refuse 1 "empty.cu8: is empty" "empty.cu8 --format cu8"
  refuse 1 "has 3 bytes, but one sample of ci16 has 4" "short.ci16 --format ci16"
  refuse 1 "has no sampling rate, which --centre needs: use --rate" "a.cu8 --format cu8 --centre 1M"
  refuse 1 "has real samples: --centre is for complex ones" "a.f32 --format f32 $radio"
  refuse 1 "whole.npy: is a .npy file, whose header names its format: omit --format" "whole.npy --format cu8"
  refuse 1 "omit --format" "iq.sigmf-meta --format ci16"
  refuse 1 "hops.sigmf-meta: has captures at several frequencies (100.000000 MHz and 101.000000 MHz): cut out one" hops.sigmf-meta
  refuse 1 "damaged.sigmf-meta: is no SigMF metadata, which is JSON: parse error at line 1, column 41" damaged.sigmf-data
  refuse 1 "needs alone.sigmf-meta next to it, or --format and --rate" alone.sigmf-data
done
expect 2 "must end in .svg or .npy" spectrum a.cu8 --format cu8 -o bad.png
expect 2 "is the input" spectrum two.wav -o ./two.wav
expect 2 "hop is 1025: it must be at most the frame, 1024" spectrum two.wav --hop 1025 -o bad.npy
expect 1 "is not a recording" spectrum whole.npy -o bad.npy
for left in bad.* *.part*; do [ -e "$left" ] && fail "$left was left behind"; done

[ "$failures" = 0 ] && echo "recordings are read as promised"
exit "$failures"
