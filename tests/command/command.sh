#!/bin/sh
# Runs the imago command as a user does: good and bad input, exit statuses, files left behind.
# Usage: command.sh <imago> [bench]; "bench" if the command contains it.
set -u
imago=$1
bench=${2:-}
. "$(dirname "$0")/folder.sh"
mkdir "$folder/none"

# expect <status> <text in the output> <arguments>...: standard error has at most one line, and none
# if the status is 0.
expect() {
  status=$1
  text=$2
  shift 2
  "$imago" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$status" ] || fail "imago $*: status $got, expected $status"
  cat out err | grep -qF -e "$text" || fail "imago $*: no '$text'"
  # PoCL counts its compiler's warnings there, for example about vector widths on a CPU without
  # AVX-512.
  lines=$(grep -cvE '^[0-9]+ warnings? generated\.$' err)
  [ "$status" = 0 ] && expected_lines=0 || expected_lines=1
  [ "$lines" = "$expected_lines" ] || fail "imago $*: $lines lines on standard error"
}
# expect_tuned <text> <arguments>: a tuning of six seconds, or of more on a busy machine.
expect_tuned() {
  text=$1
  shift
  "$imago" tune "$@" --budget 6 >out 2>err </dev/null && [ ! -s err ] && grep -qF -e "$text" out && return
  expect 0 "$text" tune "$@" --budget 60
}
# npy <file> <descr> <shape> <bytes of data>: an array whose data is text.
npy() {
  header="{'descr': '$2', 'fortran_order': ${5:-False}, 'shape': $3, }"
  {
    printf '\223NUMPY\001\000'
    printf "\\$(printf %03o ${#header})\\000"
    printf %s "$header"
    seq 100 999999 | head -c "$4"
  } >"$1"
}
# wav <file> <channels> <bytes of samples>: PCM of 16 bits at 8000 Hz; the samples are text.
wav() {
  le() { for byte in $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) 0; do printf "\\$(printf %03o "$byte")"; done; }
  le2() { printf "\\$(printf %03o "$1")\\000"; }
  {
    printf RIFF; le $(($3 + 36)); printf 'WAVEfmt '; le 16; le2 1; le2 "$2"
    le 8000; le $((16000 * $2)); le2 $((2 * $2)); le2 16; printf data; le "$3"
    seq 100 99999 | head -c "$3"
  } >"$1"
}

# The command itself.
expect 0 "imago " --version
expect 0 "generator" --version
expect 0 "compiler" report
expect 0 '"platforms"' report --json
expect 0 "transform" --help
for command in devices transform spectrogram spectrum channel sparse tune explain selftest $bench; do expect 0 "--device" "$command" --help; done
expect 2 "a sub-command is needed"
expect 2 "Subcommands:"
expect 2 "nonsense" nonsense
expect 2 "--nonsense" devices --nonsense
expect 2 "trasform was not expected; did you mean transform?" trasform f64.npy
expect 2 "--outptu was not expected; did you mean --output?" transform f64.npy --outptu x.npy
expect 2 "--outptu=x.npy was not expected; did you mean --output?" transform --outptu=x.npy f64.npy more.npy
expect 2 "more.npy was not expected (see --help)" transform f64.npy more.npy
# A required option is missing because it is misspelt.
expect 2 "--widht was not expected; did you mean --width?" channel f64.npy --shift 1k --widht 3k
expect 2 "--width is required" channel f64.npy --shift 1k

# devices
expect 0 "platform" devices
expect 0 '"local_bytes"' devices --json
expect 0 "index" devices --device 0
expect 2 "no such device" devices --device "no such device"

# explain
expect 0 "plan" explain 1024
expect 0 "workspace" explain 65536 --batch 3 --precision f32 --placement in-place --norm ortho --inverse
expect 0 "__kernel" explain 64 --source
expect 0 '"launches"' explain 360 --json
expect 0 'compiled in' explain 360 --no-cache
expect 0 '"compiled": true' explain 360 --no-cache --json
expect 0 '"driver_seconds"' explain 360 --json
expect 0 "64x64 points x 3" explain 64X2^6 --batch 3e0
expect 0 '"lengths"' explain 12x10x18 --json
expect 0 "2x2x2x2 points, complex,real,dct2,identity," explain 2x2x2x2 --kind complex,real,dct2,identity
expect 0 "kernel's begin" explain 360 --measure
expect 0 '"span_seconds"' explain 360 --measure --json
expect 2 "excludes" explain 360 --measure --device-file /dev/null
expect 2 "names 2 axes, but the shape has 1" explain 360 --kind real,dct2
expect 2 "has nothing, and must be one of" explain 360 --kind real,nothing
expect 0 "global" explain 4096 --algorithm global
expect 0 "chosen by the model" explain 4095
cat >device.json <<'END'
{"name": "A drawn GPU", "type": "gpu", "compute_units": 40, "max_work_group": 512, "local_bytes": 65536,
 "rates": {"copy_bytes": 1e12, "flops": 2e13}}
END
expect 0 "A drawn GPU" explain 1024 --batch 1000 --device-file device.json
expect 0 "of the copy's speed" explain 1024 --batch 1000 --device-file device.json
expect 0 '"registers"' explain 1024 --device-file device.json --json
echo '{"type": "gpu"}' >no_name.json
expect 1 "no_name.json: the document: the member name is missing" explain 1024 --device-file no_name.json
expect 1 "nowhere.json" explain 1024 --device-file nowhere.json
expect 0 "predicted is" explain 1024 --device-file mi300x
expect 0 "estimates  max_work_group" explain 1024 --device-file mi300x
expect 0 '"memory_seconds"' explain 1024 --device-file mi300x --json
expect 2 "nvidia-a100 or nvidia-b200" explain 1024 --device-file nvidia
expect 2 "must be a file or one of amd-" explain 1024 --device-file list
expect 0 "amd-mi300x " devices --described
expect 0 '"rates.copy_bytes"' devices --described --json
expect 2 "excludes" devices --described --device 0
expect 0 "parameters: by hand" explain 4096 --algorithm global
expect 0 "parameters: by hand" explain 64x60 --batch 3 --algorithm hierarchy --recipe-out plan.json
expect 0 "options.recipe" explain 64x60 --batch 3 --recipe plan.json
expect 0 '"recipe": "{' explain 64x60 --batch 3 --inverse --recipe plan.json --json
expect 2 "--recipe is for complex-64x60-f32-out-of-place, batch 3" explain 64x60 --recipe plan.json
expect 2 "excludes" explain 64x60 --batch 3 --recipe plan.json --mapping vector
echo '{"recipe": 2}' >later.json
expect 2 "--recipe is not a recipe; the text: /recipe" explain 64x60 --batch 3 --recipe later.json
expect 1 "nowhere.json" explain 64x60 --recipe nowhere.json
expect 0 "A drawn GPU" explain 1024 --device-file device.json --recipe-out drawn.json
expect 0 "options.recipe" explain 1024 --device-file device.json --recipe drawn.json
expect 0 "chosen by the model" explain 4095 --profiles "$folder/none"
expect 0 "chosen by the model" explain 4096 --no-profiles
expect 2 "--no-profiles" explain 4096 --no-profiles --profiles "$folder/none"
for command in explain transform selftest $bench; do expect 0 "--no-profiles" "$command" --help; done
expect 0 "32x32" explain 4096x4096x4096 --ranks 1024 --network 25GB/s
expect 0 '"one_by_one_seconds"' explain 64x64 --ranks 4 --link none --memory 10GB/s --json
expect 2 "two or three lengths" explain 4096 --ranks 4
expect 2 "too many to share 4x4x4" explain 4x4x4 --ranks 17
expect 2 "network is fast" explain 64x64 --ranks 4 --network fast
expect 2 "requires --ranks" explain 64x64 --network 25GB/s
expect 2 "shape is 12y" explain 12y
expect 2 "f31" explain 1024 --precision f31
expect 2 "must be one of" explain 1024 --kind nothing
expect 2 "--workspace-limit: is -1, and must be a whole number, such as" explain 1024 --workspace-limit -1
expect 2 "required" explain
expect 2 "" explain 0
expect 2 "" explain 1024 --batch 0
expect 2 "" explain 1024 --batch 99999999999999999
expect 2 "batch" explain 1024 --batch -1
expect 0 "rader: length 1008 of 1009" explain 1009
expect 0 "in 4 chunks of 3 transforms, through 98304 bytes of scratch" explain 4096 --batch 12 --placement in-place --algorithm hierarchy --workspace-limit 100000
expect 2 "one transform needs 32768 bytes of workspace" explain 4096 --batch 12 --placement in-place --algorithm hierarchy --workspace-limit 32767
expect 2 "no such device" explain 1024 --device "no such device"

# tune
expect 1 "no profile of this device in" tune --show --profiles "$folder/none"
expect 0 "speedup from tuning" tune --lengths 16,3 --points 4096 --budget 15 --json "$folder/tune.json"
expect 0 "in-place" tune --show
expect 0 "rung device and driver" explain 16 --batch 256
expect 0 "chosen by the model" explain 16 --batch 256 --no-profiles
expect 0 "profile " tune --lengths 16,3 --points 4096 --resume
expect 0 "speedup from tuning" tune --kind dct2 --lengths 16 --points 4096 --budget 10
expect 0 "dct2" tune --show
expect 0 "class dct2-16-f32-in_place-packed-batch_256" explain 16 --kind dct2 --batch 256
expect_tuned "8x4x2 " --lengths 8x4x2 --points 4096
expect_tuned "8x4 " --lengths 8x4 --kind dct2 --points 4096
IMAGO_LOG=info "$imago" explain 12 --kind real --batch 50 >/dev/null 2>"$folder/planned.txt"
expect_tuned "12        50" --from-program "$folder/planned.txt"
expect 0 "real" tune --show
expect 1 "names no untuned transform" tune --from-program /dev/null
expect 2 "excludes" tune --from-program "$folder/planned.txt" --lengths 16
expect_tuned "37x41 " --lengths 37x41 --points 4096
expect 0 "rung device and driver" explain 37x41 --batch 2
expect_tuned "12x10 " --kind real --lengths 12x10 --batch 2
expect 0 "class real-12x10-f32-in_place-packed-batch_2" explain 12x10 --kind real --batch 2 --placement in-place
expect_tuned "7 " --kind real --placement out-of-place --lengths 7 --batch 1
expect 2 "excludes" tune --batch 2 --points 8
# The whole transform and its kernels are predicted with the same rates, those of the profile.
expect 0 '"predicted"' explain 64x64 --batch 100 --json
python3 - out <<'END' || fail "explain: the kernels are not the whole"
import json, sys
predicted = json.load(open(sys.argv[1]))["predicted"]
sys.exit(abs(sum(kernel["seconds"] for kernel in predicted["kernels"]) / predicted["seconds"] - 1) > 0.01)
END
expect 0 "length" tune --uniform --lengths 8 --points 4096
expect 1 "4: 0.1 s were not enough, and these may need" tune --lengths 16,8,4 --points 4096 --budget 0.1
expect 2 "--budget" tune --budget -1
expect 2 "--lengths" tune --lengths 0

# sparse
expect 0 "consistent: 50 coefficients of 50 tones" sparse --length 65536 --sparsity 50 --method phase
expect 0 "fresh random samples differ from the result by" sparse --length 65536 --sparsity 50 --method phase
expect 0 "verified: 50 coefficients" sparse --length 65536 --sparsity 50 --method phase --assurance verified --no-dense
expect 0 "every sample was read" sparse --length 65536 --sparsity 50 --method phase --assurance verified --no-dense
expect 0 "assurance verified" sparse --length 65536 --assurance verified --explain
expect 0 "seed 77" sparse --length 65536 --sparsity 50 --method phase --seed 77
expect 2 "must be one of" sparse --length 1024 --assurance total
expect 0 "50 coefficients: 0 missed, 0 spurious" sparse --length 65536 --sparsity 50 --method voting --no-dense
expect 0 "method     dense" sparse --length 1000 --tones 3
expect 0 '"verdict": "consistent"' sparse --length 65536 --sparsity 10 --method phase --kind real --json
expect 0 '"unseen": 0.0' sparse --length 65536 --sparsity 10 --method phase --kind real --json
expect 0 '"assurance": "verified"' sparse --length 65536 --sparsity 10 --assurance verified --json
expect 0 "noise floor" sparse --length 65536 --sparsity 50 --snr 20 --method phase
expect 0 "consistent" sparse --length 65536 --sparsity 50 --snr 20 --noise 0.1 --method phase --seed 3
expect 0 "unverified" sparse --length 65536 --tones 20000 --sparsity 10 --no-dense --method phase
sparse_claims=$("$imago" sparse --length 65536 --tones 20000 --sparsity 10 --no-dense --method phase)
case $sparse_claims in *"is listed"*) fail "an unverified answer claims that something is listed" ;; esac
expect 0 "picture    sparse.svg" sparse --length 65536 --sparsity 5 --picture sparse.svg --output sparse.csv
[ "$(wc -l <sparse.csv)" = 6 ] || fail "sparse.csv has $(wc -l <sparse.csv) lines, not 6"
grep -q '</svg>' sparse.svg || fail "sparse.svg is not complete"
expect 0 "predicted" sparse --length 1048576 --sparsity 100 --explain
expect 0 "votes of" sparse --length 1048576 --sparsity 100 --method voting --explain
expect 0 '"workspace_bytes"' sparse --length 65536 --explain --json
expect 2 "a file is needed, or --length" sparse
expect 2 "must be one of" sparse --length 1024 --method magic
expect 2 "must be one of complex, real" sparse --length 1024 --kind dct2
expect 2 "sparsity is 2000" sparse --length 1024 --sparsity 2000
expect 2 "--tones is 2000" sparse --length 1024 --tones 2000
expect 2 "--tolerance" sparse --length 1024 --tolerance 2
expect 2 "noise is 1" sparse --length 1024 --noise 1
expect 1 "use phase or dense" sparse --length 100000 --method voting
expect 2 "must be one of f32, f64" sparse --length 1024 --precision f16
expect 2 "same file" sparse --length 1024 --output x --picture x
expect 2 "--picture is x.png, and must end in .svg" sparse --length 1024 --picture x.png
npy tone.npy "<f4" "(2, 4096)" 32768
expect 0 "row 1" sparse tone.npy --row 1
"$imago" sparse - --row 1 <tone.npy >out 2>err || fail "sparse -"
grep -q "4096 points, real" out || fail "real numbers from standard input are not real"
expect 2 "--row is 2" sparse tone.npy --row 2
npy long.npy "<f4" "(262144,)" 1048576
expect 0 "dense: the file is short" sparse long.npy --sparsity 10 --explain
expect 0 "phase, as asked for" sparse long.npy --sparsity 10 --explain --method phase
mkfifo pipe
cat tone.npy >pipe &
expect 0 "./pipe: " sparse ./pipe
expect 2 "--length is for synthetic signals" sparse tone.npy --length 5
expect 2 "--tones and --snr" sparse tone.npy --tones 5
expect 2 "is the input" sparse tone.npy --output tone.npy
expect 1 "nothing.npy" sparse nothing.npy

# transform: arrays
npy real.npy "<f4" "(1000,)" 4000
npy rows.npy "<i2" "(3, 360)" 2160
npy prime.npy "<f4" "(17,)" 68
expect 0 "passed" transform rows.npy --kind complex --output spectrum.npy --check
expect 0 "passed" transform spectrum.npy --inverse --output back.npy --check
expect 0 "complex64 of shape (3, 360)" transform back.npy --placement in-place --norm forward --check
expect 0 "complex64 of shape (14, 100)" transform real.npy --kind complex --length 100 --hop 70 --hann --check --output frames.npy
expect 0 '"passed": true' transform real.npy --check --json
expect 0 "passed" transform prime.npy --check
# Rows that differ by 10^7: the error of each is measured separately.
npy sizes.npy "<f4" "(2, 64)" 0
for row in K '?'; do for i in $(seq 10 73); do printf "%02dA$row" "$i"; done; done >>sizes.npy
for kind in complex real dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4; do
  expect 0 "of the worst of 2 transforms against FFTW" transform sizes.npy --kind $kind --check
done
expect 0 "3 zeros after the last sample" transform prime.npy --length 20
expect 0 "Hz" transform real.npy --rate 8e3
expect 0 "real input: 501 of 1000 points of the spectrum are stored" transform real.npy --time
expect 0 '"span_seconds"' transform real.npy --time --json
expect 0 "f64" transform rows.npy --precision f64 --check
expect 0 "float16 of shape (3, 360, 2)" transform rows.npy --kind complex --precision f16 --norm forward --check --output halves.npy
expect 0 "complex32 of shape (3, 360)" transform halves.npy --precision f16 --inverse --norm forward --check
expect 0 "float16 of shape (3, 181, 2)" transform rows.npy --precision f16 --norm forward --check --output half.npy
expect 0 "float16 of shape (3, 360)" transform half.npy --precision f16 --kind real --inverse --norm forward --check --placement in-place --output back.npy
expect 0 "complex64 of shape (3, 360)" transform back.npy --kind complex --check --output spectrum.npy
expect 1 "a last axis of 2" transform back.npy --inverse

# transform: other numbers, orders and pipes
npy bytes.npy "|i1" "(1000,)" 1000
npy swapped.npy ">u2" "(1000,)" 2000
npy wide.npy "<i8" "(2, 360)" 5760
npy fortran.npy "<f4" "(2, 1000)" 8000 True
expect 0 "passed" transform bytes.npy --check
expect 0 "big-endian uint16 of shape (1000,)" transform swapped.npy --check
expect 0 "float32 in Fortran order of shape (2, 1000)" transform fortran.npy --check
expect 0 "complex128 of shape (2, 181)" transform wide.npy --check --output wide_spectrum.npy
"$imago" transform real.npy --output spectrum.npy >out 2>err || fail "transform real.npy"
for from in "cat real.npy" "cat <real.npy"; do
  sh -c "$from" | "$imago" transform - -o - >piped.npy 2>err || fail "$from | imago transform -"
  cmp -s piped.npy spectrum.npy || fail "$from: another result through pipes"
  grep -q "written    standard output (complex64 of shape (501,))" err || fail "$from: no report"
done
"$imago" transform - -o - <real.npy 2>err | "$imago" transform - --inverse --kind real --check >out 2>err ||
  fail "a pipe of two"
grep -q "standard input: complex64 of shape (501,)" out || fail "a pipe of two has no name"
"$imago" transform - <&- >out 2>err && fail "closed standard input"
grep -q "standard input: cannot be opened" err || fail "closed standard input: no reason"
"$imago" transform real.npy --output - >/dev/full 2>err && fail "full standard output"
grep -q "standard output: cannot be written" err || fail "full standard output: no reason"
{ head -c 132 real.npy; printf '\377\377\377\377'; tail -c +137 real.npy; } >nan.npy
expect 0 "the input has 1 number that is NaN or infinite as f32, the first is number" transform nan.npy
expect 1 "--check needs finite numbers" transform nan.npy --check --output bad.npy

# transform: several dimensions
npy planes.npy "<f4" "(3, 20, 30)" 7200
expect 0 "20x30 points x 3" transform planes.npy --kind complex --dimensions 2 --check --output spectra.npy
expect 0 "passed" transform spectra.npy --dimensions 2 --inverse --check --norm forward
expect 0 "complex64 of shape (3, 20, 30)" transform planes.npy --kind complex,complex,complex --dimensions 3 --check --placement in-place --output cube.npy
expect 0 "float32 of shape (3, 20, 30)" transform planes.npy --kind dst2,identity --dimensions 2 --check --output mixed.npy
expect 0 "complex64 of shape (3, 20, 16)" transform planes.npy --kind dct2,real --dimensions 2 --check --output mixed.npy
expect 0 "float32 of shape (3, 20, 30)" transform mixed.npy --kind dct2,real --dimensions 2 --inverse --check --output mixed.back.npy
expect 2 "name real for the last axis only" transform planes.npy --kind real,dct2 --dimensions 2
expect 0 "30 points x 60" transform planes.npy --check
expect 0 "picture" transform planes.npy --dimensions 2 --picture plane.svg
grep -q "Frequency of the rows" plane.svg || fail "plane.svg has no axis of rows"
expect 2 "one or two dimensions" transform planes.npy --dimensions 3 --picture bad.svg
expect 1 "has 3 dimensions, but --dimensions is 4" transform planes.npy --dimensions 4
expect 2 "whole arrays" transform planes.npy --dimensions 2 --length 10
expect 1 "has 1 dimension, but --dimensions is 2" transform real.npy --dimensions 2

# transform: real data. Errors of the input are reported before the engine starts.
expect 2 "needs real numbers" transform spectra.npy --kind real --output bad.npy
expect 2 "half spectra of 58 or 59" transform spectra.npy --kind real --inverse --length 30 --output bad.npy

# transform: cosines, real numbers to real numbers
expect 2 "--kind dct2 needs real numbers" transform spectra.npy --kind dct2 --output bad.npy
expect 2 "--picture draws" transform real.npy --kind dst1 --picture bad.svg
if "$imago" explain 8 --kind dct2 >out 2>&1; then
  for placement in in-place out-of-place; do
    for kind in dct1 dct2 dst3; do
      expect 0 "float32 of shape (3, 20, 30)" transform planes.npy --kind $kind --dimensions 2 --norm ortho --check --placement $placement --output cosines.npy
      expect 0 "float32 of shape (3, 20, 30)" transform cosines.npy --kind $kind --dimensions 2 --norm ortho --inverse --check --placement $placement --output whole.npy
    done
  done
else
  expect 1 "not implemented yet" transform real.npy --kind dct2 --output bad.npy
fi
if "$imago" explain 8 --kind real >out 2>&1; then
  for placement in in-place out-of-place; do
    for dimensions in 1 2 3; do
      expect 0 "complex64 of shape (3, 20, 16)" transform planes.npy --dimensions $dimensions --check --placement $placement --output half.npy
      expect 0 "float32 of shape (3, 20, 30)" transform half.npy --kind real --dimensions $dimensions --inverse --check --placement $placement --output whole.npy
    done
  done
  expect 0 "complex64 of shape (14, 51)" transform real.npy --length 100 --hop 70 --hann --check --output frames.npy --picture half.svg
  npy odd.npy "<f8" "(2, 15)" 240
  expect 0 "complex128 of shape (2, 8)" transform odd.npy --check --output half.npy
  expect 0 "float64 of shape (2, 15)" transform half.npy --kind real --inverse --length 15 --check --output whole.npy
else
  expect 1 "complex" transform real.npy --kind real --output bad.npy
fi

# transform: recordings and pictures
wav mono.wav 1 16010
wav stereo.wav 2 16000
expect 0 "passed" transform mono.wav --check --output mono.npy --picture mono.svg
grep -q "Frequency (kHz)" mono.svg || fail "mono.svg has no axis in kHz"
expect 0 "complex64 of shape (2, 32, 65)" transform stereo.wav --length 128 --output frames.npy --picture frames.svg
grep -q "data:image/png" frames.svg || fail "frames.svg has no image"
if command -v xmllint >/dev/null; then
  xmllint --noout mono.svg frames.svg || fail "a picture is not XML"
fi

# transform: bad input leaves no files behind
head -c 3000 real.npy >truncated.npy
npy dtype.npy "<f16" "(5,)" 80
npy absurd.npy "<f4" "(4294967296, 4294967296)" 40
npy empty.npy "<f4" "(0,)" 0
npy scalar.npy "<f4" "()" 4
printf 'garbage' >garbage.npy
: >nothing.npy
rm -f bad.npy bad.svg
for case in "truncated.npy:truncated" "dtype.npy:dtype" \
  "absurd.npy:64 bits" "empty.npy:no elements" "scalar.npy:one number without an axis" \
  "garbage.npy:is not a .npy file, and is not a recording that libsndfile can read" \
  "nothing.npy:is not a .npy file" "missing.npy:no such file" ".:neither a regular file nor a pipe"; do
  expect 1 "${case#*:}" transform "${case%%:*}" --output bad.npy --picture bad.svg
done
expect 1 "cannot be written" transform real.npy --output nowhere/bad.npy
expect 2 "at most 1048576" transform real.npy --length 281474976710656 --output bad.npy
expect 2 "needs --length" transform real.npy --hop 3 --output bad.npy
expect 2 "hop is 11" transform real.npy --length 10 --hop 11 --output bad.npy
expect 2 "--inverse" transform real.npy --length 10 --inverse --output bad.npy
expect 2 "--length" transform real.npy --length 0 --output bad.npy
expect 2 "is the input" transform real.npy --output ./real.npy
expect 2 "same file" transform real.npy --output bad.npy --picture bad.npy
expect 2 "--picture is bad.png, and must end in .svg" transform real.npy --picture bad.png
for bad in bad.txt bad.wav bad; do expect 2 "--output is $bad, and must end in .npy" transform real.npy -o $bad; done
expect 2 "--kind names 2 axes, but --dimensions is 1: use --dimensions 2" transform real.npy --kind dct2,real
expect 2 "no such device" transform real.npy --output bad.npy --device "no such device"
for left in bad.* *.part*; do [ -e "$left" ] && fail "$left was left behind"; done

# spectrogram
expect 0 "265 of 100 samples, hop 30, window hann: 80.00 Hz and 3.75 ms apart" spectrogram mono.wav --frame 100 --hop 30 --output levels.npy --output levels.svg --output levels.pgm
grep -q "'shape': (265, 51)" levels.npy || fail "levels.npy has another shape"
[ "$(wc -c <levels.npy)" = $((128 + 4 * 265 * 51)) ] || fail "levels.npy has another size"
[ "$(head -c 2 levels.pgm)" = P5 ] || fail "levels.pgm is no PGM"
grep -q "Level (dBFS)" levels.svg && grep -q "Time (s)" levels.svg || fail "levels.svg has no axes"
expect 0 "written    stereo.spectrogram." spectrogram stereo.wav --window flat-top
expect 0 '"channels": [' spectrogram stereo.wav --json --channel 2 --output two.npy
grep -q "'shape': (13, 513)" two.npy || fail "two.npy has another shape"
expect 0 "channel 1" spectrogram stereo.wav --output both.npy
grep -q "'shape': (2, 13, 513)" both.npy || fail "both.npy has another shape"
for file in both two; do tail -c $((4 * 13 * 513)) $file.npy >$file.tail; done
cmp -s both.tail two.tail || fail "a channel alone has other levels"
# Through pipes, and from a stream whose writer did not know its length.
{ head -c 4 stereo.wav; printf '\377\377\377\377'; tail -c +9 stereo.wav | head -c 32; printf '\377\377\377\377'; tail -c +45 stereo.wav; } |
  "$imago" spectrogram - --channel 2 -o - >piped.npy 2>err || fail "spectrogram of a stream"
cmp -s piped.npy two.npy || fail "a stream has other levels"
head -c 8044 stereo.wav >short.wav
expect 0 "cut short: its header says more" spectrogram short.wav --output short.npy
# In parts: frame 60 of every thousandth is frame 60000 of all. Generic kernels, with which a long
# recording begins, have other last bits.
export IMAGO_FIRST_CALL=compile
wav long.wav 1 200000
expect 0 "98977 of 1024 samples, hop 1," spectrogram long.wav --hop 1 --output all.npy
expect 0 "100 of 1024 samples, hop 1000," spectrogram long.wav --hop 1000 --output some.npy
tail -c +$((129 + 60000 * 2052)) all.npy | head -c 2052 >one.part
tail -c +$((129 + 60 * 2052)) some.npy | head -c 2052 | cmp -s - one.part || fail "a frame in parts has other levels"
rm all.npy some.npy one.part
unset IMAGO_FIRST_CALL
# spectrogram: bad input leaves no files behind
for case in "real.npy:is not a recording that libsndfile can read" "missing.wav:no such file" ".:neither a regular file nor a pipe"; do
  expect 1 "${case#*:}" spectrogram "${case%%:*}" --output bad.svg
done
wav one.wav 1 2
expect 1 "has 1 sample: a spectrum needs at least 2" spectrogram one.wav --output bad.svg
expect 1 "cannot be written" spectrogram mono.wav --output nowhere/bad.npy
expect 2 "hop is 101: it must be at most the frame, 100" spectrogram mono.wav --frame 100 --hop 101 --output bad.npy
expect 2 "frame is 1: it must be at least 2" spectrogram mono.wav --frame 1 --output bad.npy
expect 2 "at most 1048576" spectrogram mono.wav --frame 281474976710656 --output bad.npy
expect 2 "is 0, and must be a whole number above 0" spectrogram mono.wav --frame 0 --output bad.npy
expect 2 "channel is 3: stereo.wav has channels 1 to 2" spectrogram stereo.wav --channel 3 --output bad.npy
expect 2 "must be one of blackman" spectrogram mono.wav --window triangle --output bad.npy
expect 2 "must end in .png, .svg, .pgm or .npy" spectrogram mono.wav --output bad.jpg
expect 2 "is the input" spectrogram mono.wav --output ./mono.wav
expect 2 "twice" spectrogram mono.wav --output bad.npy --output bad.npy
expect 2 "no such device" spectrogram mono.wav --output bad.npy --device "no such device"
for left in bad.* *.part*; do [ -e "$left" ] && fail "$left was left behind"; done
# selftest
expect 0 "-f32-" selftest --list
# By default one case in 31 is checked, and the time is announced.
listed=$("$imago" selftest --list | wc -l)
mkdir empty
# The time for the announcement is that of a busy machine, if need be: the first use of a device
# comes before.
with_empty_caches() {
  for seconds in 4 15 60; do
    IMAGO_CACHE_DIR=$PWD/empty POCL_CACHE_DIR=$PWD/empty timeout --signal INT $seconds "$imago" "$@" >out 2>&1
    status=$?
    grep -q planned out && return $status
  done
  return $status
}
with_empty_caches selftest && fail "the sample ended within 4 s"
grep -qE "planned    $(((listed + 30) / 31)) cases, about [0-9]" out || fail "$(cat out)"
with_empty_caches selftest --standard && fail "the standard cases ended within 4 s"
grep -q "planned    $listed cases, about" out || fail "$(cat out)"
rm -r empty
name=$("$imago" selftest --list | head -n 1)
expect 0 "1 passed, 0 failed" selftest --filter "$name" --resume log
expect 0 "1 finished before" selftest --filter "$name" --resume log
expect 0 '"failed": 0' selftest --filter "$name" --json
expect 2 "part of no case" selftest --filter "no such case"
expect 2 "filter is no such case" selftest --filter dct --filter "no such case"
[ "$("$imago" selftest --list --filter dct --filter convolution | grep -cv -e dct -e convolution)" = 0 ] ||
  fail "--filter lists other cases"
[ "$("$imago" selftest --list --filter dct --filter convolution | grep -c convolution)" != 0 ] ||
  fail "the second --filter is not heard"
# Members that differ by 10^6 (f32) and 10^12 (f64), and members that hold NaN or infinity.
expect 0 " 0 failed" selftest --filter "8x8*33-f32-in" --filter "convolution-10~3*2"
expect 2 "another run" selftest --filter f32 --resume log --seed 2
expect 2 "not the log" selftest --filter "$name" --resume real.npy
for part in 1 2 3; do "$imago" selftest --list --part $part/3; done | sort >parts
"$imago" selftest --list | sort | diff - parts >/dev/null || fail "three parts are not the whole"
[ "$("$imago" selftest --list --part 3/3 | head -n 1)" = "$("$imago" selftest --list | sed -n 33p)" ] ||
  fail "part 3 of 3 does not begin with the third run of cases"
expect 0 "1 passed, 0 failed" selftest --filter "$name" --part 1/2 --resume half
grep -q "tier, part 1/2, seed" half || fail "the log does not name its part"
expect 0 "1 finished before" selftest --filter "$name" --part 1/2 --resume half
expect 2 "another run" selftest --filter "$name" --resume half
expect 2 "another run" selftest --filter f32 --part 2/2 --resume half
for part in 0/2 3/2 2 1/ /2 1/2x -1/2; do expect 2 "K/N" selftest --list --part $part; done
printf 'failed %s 1e+00 1e-07\n' "$name" | cat log - >failed
sed -i "/^passed/d" failed
expect 1 "0 passed, 1 failed" selftest --filter "$name" --resume failed
grep -q "1 of 1 cases failed" err || fail "no count of failures"

# bench
if [ -n "$bench" ]; then
  # Plans are made once, except in one run: without --as-found each run repeats the device's
  # self-test, with empty caches.
  expect 0 "suite" bench --list
  expect 0 "1024" bench --lengths 1024 --points 4096 --seconds 0.1 --peers fftw
  expect 0 '"rows"' bench --lengths 64 --points 4096 --seconds 0.1 --as-found --peers none --json
  expect 0 "64" bench --lengths 64 --points 4096 --seconds 0.1 --as-found --peers none --json bench.json
  grep -q '"rows"' bench.json || fail "bench.json has no rows"
  expect 0 "imago                        1.000     1       0       0  1.000" bench --compare bench.json bench.json
  expect 0 '"geometric_mean": 1.0' bench --compare bench.json bench.json --json
  expect 1 "no such file" bench --compare bench.json none/bench.json
  echo '{"rows": []}' >none.json
  expect 2 "report is none.json; it has no format" bench --compare bench.json none.json
  expect 2 "2 required" bench --compare bench.json
  expect 0 "bench.svg" bench --draw bench.json --picture bench.svg
  grep -q "Points of a transform" bench.svg || fail "bench.svg has no axis"
  expect 0 "bench.svg" bench --draw bench.json bench.json --picture bench.svg
  grep -q "Fraction of copy bandwidth" bench.svg || fail "bench.svg is not of several reports"
  expect 2 "draw needs --picture" bench --draw bench.json
  expect 2 "excludes" bench --compare bench.json bench.json --suite quick
  expect 0 "h200-shapes" bench --list
  expect 0 "h200-sparse" bench --list
  expect 0 "1024x1024*1-f32-in-forward-backward" bench --suite cpu-shapes,cpu --list
  expect 0 "8x8*16-f32-out-forward-backward-dct2" bench --lengths 8x8 --points 1024 --kind dct2 --placement out-of-place --list
  expect 0 "1000 of 65536, f32" bench --suite sparse --list
  expect 2 "sparse transforms cannot be combined with others" bench --suite quick,sparse
  expect 2 "ranks cannot be combined with others" bench --suite quick,ranks
  expect 2 "--batch do not apply to suites" bench --suite sparse --batch 3
  expect 0 "2048x2048*1-f32-in-forward-backward" bench --suite h200-single --list
  expect 0 "one call" bench --lengths 16x8 --single --seconds 0.1 --as-found --peers fftw
  expect 0 "16x8 x 1 f32 in place" bench --lengths 16x8 --single --seconds 0.1 --as-found --peers none
  expect 0 "16x8 x 32 f32" bench --lengths 16x8 --single --points 4096 --seconds 0.1 --as-found --peers none
  expect 2 "suites of single calls cannot be combined with others" bench --suite cpu,cpu-single
  expect 2 "single does not apply to suites" bench --suite sparse --single
  expect 0 "16x8 x 32 f32" bench --lengths 16x8 --points 4096 --seconds 0.1 --as-found --peers fftw
  expect 0 "8x4x6 x 5 real f64 out of place" bench --lengths 8x4x6 --batch 5 --kind real --precision f64 --placement out-of-place --seconds 0.1 --as-found --peers fftw
  expect 0 "8x8 x 64 dct2 f32" bench --lengths 8x8 --points 4096 --kind dct2 --seconds 0.1 --as-found --peers fftw
  expect 2 "lengths is 1" bench --lengths 1 --kind dct1
  expect 2 "lengths is 2x2x2x2" bench --lengths 2x2x2x2
  expect 2 "64x0" bench --lengths 64x0
  expect 2 "no such suite" bench --suite "no such suite"
  grep -q ", ranks" err || fail "the suites that there are lack ranks"
  expect 0 "mpirun -np 4 imago bench --suite ranks" bench --suite ranks --list
  expect 2 "no such peer" bench --lengths 64 --peers "no such peer"
fi

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "all as expected"
