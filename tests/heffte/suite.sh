#!/usr/bin/env bash
# Runs heFFTe's own tests and benchmark on imago's backend, and our comparison with FFTW.
#
#   suite.sh build <checkout of heFFTe> <prefix of an installed imago> <folder>
#   suite.sh run [options]                 runs all tests; fails if one fails, or if imago computed nothing
#     --folder F      the folder of `build` [the current folder]
#     --ranks "1 2"   numbers of ranks [1 2 4]
#     --each S        seconds after which a test counts as hanging [900]
#   suite.sh speed [options] [<option of speed3d>...]      prints a table: speed3d with imago and with FFTW
#     --folder F, --ranks R as above; --sizes "64 128" (cubes), --kinds "c2c r2c r2r", --repeat N [3]
#
# Needs MPI and FFTW (libopenmpi-dev openmpi-bin libfftw3-dev), cmake and a compiler; to run, mpirun alone.
# On a CPU a rank uses one thread, unless POCL_MAX_PTHREAD_COUNT is set.
set -euo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

build() {
  [ $# = 3 ] || die "suite.sh build <checkout of heFFTe> <prefix of an installed imago> <folder>"
  cmake -S "$(dirname "$script")" -B "$3" -D CMAKE_BUILD_TYPE=Release -D HEFFTE_ROOT="$(readlink -f "$1")" \
    -D CMAKE_PREFIX_PATH="$(readlink -f "$2")"
  cmake --build "$3" --parallel "$(nproc)"
}

options() {
  folder=$PWD ranks="1 2 4" each=900 sizes="64 128" kinds="c2c r2c r2r" repeat=3
  while [[ ${1:-} == --* ]]; do
    case $1 in
      --folder | --ranks | --each | --sizes | --kinds | --repeat) declare -g "${1#--}=$2" ;;
      *) die "suite.sh: no option $1" ;;
    esac
    shift 2
  done
  rest=("$@")
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  export POCL_MAX_PTHREAD_COUNT=${POCL_MAX_PTHREAD_COUNT:-1}
}

# program <ranks> <name> <argument>...: runs it and prints both of its output streams.
program() { timeout -k 5 "$each" mpirun -np "$1" "$folder/heffte_$2" "${@:3}" 2>&1; }

# passes <ranks> <name>: the program must succeed, and imago must compute on every rank.
passes() {
  local output status=0
  output=$(program "$@") || status=$?
  computed=$(grep '^imago computed' <<<"$output") || computed="imago computed nothing"
  if [ $status != 0 ] || grep -qE '(:| )0( |$)|nothing' <<<"$computed"; then
    printf '%s\nFAILED (%d): %s on %d ranks: %s\n' "$output" $status "$2" "$1" "$computed"
    failed=1
  else
    printf 'passed: %-12s on %d ranks; %s\n' "$2" "$1" "$computed"
  fi
}

# ends <ranks> <fault> <words>: the program must end by itself with an error, and one line of imago
# must contain the words.
ends() {
  local output status=0
  output=$(each=60 program "$1" faults "$2") || status=$?
  if [ $status = 0 ] || [ $status -ge 124 ] || ! grep -q "^imago on rank .*$3" <<<"$output"; then
    printf '%s\nFAILED (%d): faults %s on %d ranks\n' "$output" $status "$2" "$1"
    failed=1
  else
    printf 'passed: faults %s on %d ranks; %s\n' "$2" "$1" "$(grep -m 1 '^imago on' <<<"$output" | cut -c 1-90)"
  fi
}

# deals <words> <environment>...: checks how PoCL's two devices are distributed over three ranks.
deals() {
  local output
  output=$(export POCL_DEVICES="pthread basic" "${@:2}" && program 3 devices) || true
  if grep -q "^devices by rank: $1$" <<<"$output"; then
    echo "passed: devices of three ranks: $1"
  else
    printf '%s\nFAILED: devices of three ranks, expected %s\n' "$output" "$1"
    failed=1
  fi
}

run() {
  options "$@"
  failed=0
  local n
  for n in $ranks; do
    case $n in 1 | 2 | 4)
      passes "$n" "fft3d_np$n"
      passes "$n" fft3d_r2c
      passes "$n" cos
      ;;
    esac
    [ "$n" != 4 ] || passes 4 longlong
    passes "$n" beside_fftw
    [ "$n" != 1 ] || continue
    ends "$n" device 'IMAGO_DEVICE is "no such device"'
    ends "$n" lost "clEnqueueNDRangeKernel failed"
    ends "$n" points "at least 2"
    ends "$n" size "2147483648 points"
  done
  if [[ " $ranks " == *" 4 "* && -z ${IMAGO_DEVICE:-} ]]; then
    deals "basic pthread basic"
    deals "pthread pthread pthread" IMAGO_DEVICE=pthread
  fi
  return $failed
}

# seconds <ranks> <kind> <backend> <size>: prints the time of one transform, the best of the
# repetitions.
seconds() {
  local i
  for ((i = 0; i < repeat; ++i)); do
    program "$1" "speed3d_$2" "$3" double "$4" "$4" "$4" -n5 "${rest[@]}" |
      awk '/Time per run:/ { print $4 }'
  done | sort -g | head -1
}

speed() {
  options "$@"
  local kind n size cosines mine theirs
  echo "speed3d, doubles, milliseconds of one transform: the least of $repeat runs; ${rest[*]:-without options}"
  printf '%-5s %6s %6s %10s %10s %14s\n' kind cube ranks imago fftw "fftw / imago"
  for kind in $kinds; do
    cosines=''
    [ "$kind" != r2r ] || cosines=-cos
    for size in $sizes; do
      for n in $ranks; do
        mine=$(seconds "$n" "$kind" "stock$cosines" "$size")
        theirs=$(seconds "$n" "$kind" "fftw$cosines" "$size")
        awk -v k="$kind" -v s="$size" -v n="$n" -v m="${mine:-0}" -v f="${theirs:-0}" 'BEGIN {
          printf "%-5s %6d %6d %10.2f %10.2f %14.2f\n", k, s, n, m * 1e3, f * 1e3, (m > 0 ? f / m : 0) }'
      done
    done
  done
}

case ${1:-} in
  build | run | speed) "$@" ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$script" ;;
esac
