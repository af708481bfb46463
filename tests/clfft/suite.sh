#!/usr/bin/env bash
# Runs clFFT's own tests (src/tests of its repository) on another libclFFT.so.2.
#
#   suite.sh build <checkout of clFFT> <libclFFT.so.2> <folder>   compiles the tests into <folder>, with all that
#                                                                 a machine with OpenCL needs to run them
#   suite.sh run [options]                                        runs shards, and prints the results so far
#     --folder F      the folder of `build` [the script's folder]
#     --library F     the folder of another libclFFT.so.2 (clFFT's own, to compare times)
#     --results F     finished shards and failures; a later run continues from there [./clfft-suite]
#     --platform W    a word of the platform's name [Portable]
#     --device N      its number in the platform [0]
#     --type T        cpu or gpu: the type of device, by which the tests also choose sizes [cpu]
#     --parts "A B"   run only these parts of the list below
#     --jobs K        shards at a time [the number of processors]
#     --minutes M     after this time running shards are stopped, and do not count [60]
#     --each S        seconds after which a shard counts as hanging [900]
#     --lenient 1     run without IMAGO_CLFFT_STRICT=1
#
# Needs g++, libgtest-dev, libboost-program-options-dev, libfftw3-dev and libclfft-dev to build; bash to run.
set -euo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")

# Order, part, shards, filter: parts that cover most of the interface come first, with about ten
# tests in a shard. Parts of the same order alternate. No part contains callbacks with local memory
# (*lds*), which imago rejects.
parts() {
  cat <<'LIST'
1 unit 8 clfft_UnitTest*:test_harness_tests*
2 directed 500 *accuracy_test_directed*
2 mixed 300 mixed_radices/*:accuracy_test_mixed_*
2 callbacks 460 *callback*-*lds*
3 powers 220 *accuracy_test_pow*-*callback*
4 random 200 clfft_RandomTest*
LIST
}

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# -- build ------------------------------------------------------------------------------------------------------

# compile <source> <object>: keeps an object that is newer than its source.
compile() {
  [ "$1" -nt "$2" ] || return 0
  local language=(g++ -std=c++14)
  [[ $1 == *.cpp ]] || language=(gcc)
  "${language[@]}" -w -O1 -DCL_TARGET_OPENCL_VERSION=120 -I "${1%/src/*}/src/include" -c "$1" -o "$2.new"
  mv "$2.new" "$2"
}

# clFFT's own list of tests does not contain the persistent plans either.
build() {
  [ $# = 3 ] || die "suite.sh build <checkout of clFFT> <libclFFT.so.2> <folder>"
  local checkout=$1 library=$2 folder=$3 source
  mkdir -p "$folder/lib" "$folder.objects"
  for source in "$checkout"/src/tests/*.c* "$checkout"/src/client/openCL.misc.cpp; do
    [[ $source == *persistent_plans.cpp || $source != *.c?(pp) ]] ||
      printf '%s\0%s\0' "$source" "$folder.objects/$(basename "$source").o"
  done | xargs -0 -n 2 -P "$(nproc)" bash "$script" compile
  cp -L "$library" "$folder/lib/libclFFT.so.2"
  strip "$folder/lib/libclFFT.so.2"
  g++ -s -Wl,--gc-sections -o "$folder/Test" "$folder.objects"/*.o "$folder/lib/libclFFT.so.2" -pthread \
    -Wl,-Bstatic -lgtest -lboost_program_options -lfftw3f -lfftw3 -Wl,-Bdynamic -lOpenCL
  cp "$script" "$folder/suite.sh"
  ls -l "$folder" "$folder/lib"
}

# -- run --------------------------------------------------------------------------------------------------------

# run_tests <shards> <index> <seconds> <platform> <options>...: runs the compiled tests on the
# library in their folder.
run_tests() {
  GTEST_TOTAL_SHARDS=$1 GTEST_SHARD_INDEX=$2 LD_LIBRARY_PATH=${library:-$folder/lib}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    timeout -k 5 "$3" "$folder/Test" "--$type" --device "$device" --platform "${@:4}"
}

# Prints the number of the first platform whose name contains the word. The tests' program prints
# the platform before it runs any test.
platform_number() {
  local number said
  for number in 0 1 2 3 4 5 6 7; do
    said=$(run_tests 1 0 60 "$number" --gtest_filter=none 2>&1) || continue
    ! grep -q "CL_PLATFORM_NAME.*$1" <<<"$said" || { echo "$number" && return; }
  done
  die "no platform whose name has '$1' has a device $device of type $type: ${said:-}"
}

# shard <part> <shards> <filter> <index>: appends a line to `finished` (part, index, shards, how it
# ended, tests that ran, that passed, seconds), and the output of failed tests. Writes nothing for a
# shard that is stopped by the time limit.
shard() {
  local part=$1 shards=$2 filter=$3 index=$4 left=$((deadline - EPOCHSECONDS))
  local log=$results/logs/$part.$index began=$EPOCHREALTIME status=0 ended=finished ran passed
  [ "$left" -gt 0 ] || return 0
  run_tests "$shards" "$index" $((left < each ? left : each)) "$platform" --noInfoCL --noVersion --seed 1 \
    --gtest_filter="$filter" >"$log" 2>&1 || status=$?
  if [ "$status" -ge 124 ] && [ $EPOCHSECONDS -ge "$deadline" ]; then
    echo "stopped: $part.$index in $(grep '\[ RUN  ' "$log" | tail -1)"
    rm -f "$log"
    return 0
  fi
  case $status in 0 | 1) ;; 124 | 137) ended=hung ;; *) ended=crashed ;; esac
  ran=$(grep -cE '\[ +(OK|FAILED) +\] .* \([0-9]+ ms\)$' "$log") || true
  passed=$(grep -cE '\[ +OK +\] .* \([0-9]+ ms\)$' "$log") || true
  [ "$status" = 0 ] || failures "$part.$index" "$ended" "$log" >>"$results/failures"
  rm -f "$log"
  printf '%s %d %d %s %d %d %s\n' "$part" "$index" "$shards" "$ended" "$ran" "$passed" \
    "$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $began }")" >>"$results/finished"
}

# failures <shard> <how it ended> <log>: prints the name of each failed test and its last lines.
failures() {
  echo "== $1 $2"
  [ "$2" = finished ] || { echo "[ $2 in ] $(grep '\[ RUN  ' "$3" | tail -1)" && tail -5 "$3" | cut -c 1-300; }
  awk '/\[ RUN  / { n = 0 }
       { line[n++ % 12] = substr($0, 1, 300) }
       /\[ +FAILED +\] .* \([0-9]+ ms\)$/ { for (i = n > 12 ? n - 12 : 0; i < n; ++i) print line[i % 12] }' "$3"
}

table() {
  awk '
    function row(name, shards, ran, passed, seconds) {
      printf "%-10s %9s %7s %7s %7s %9s\n", name, shards, ran, passed, ran == "tests" ? "failed" : ran - passed, seconds
    }
    FNR == NR { part[NR] = $2; total[$2] = $3; next }
    { shards[$1]++; ended[$4]++; ran[$1] += $5; passed[$1] += $6; seconds[$1] += $7 }
    END {
      row("part", "shards", "tests", "passed", "seconds")
      for (i = 1; i in part; ++i) {
        p = part[i]
        if (shards[p]) row(p, shards[p] "/" total[p], ran[p], passed[p], int(seconds[p]))
        k += shards[p]; r += ran[p]; o += passed[p]; s += seconds[p]
      }
      row("all", k, r, o, int(s))
      if (ended["hung"] + ended["crashed"]) printf "%d shards hung, %d crashed\n", ended["hung"], ended["crashed"]
    }' <(parts) "$results/finished"
  [ ! -s "$results/failures" ] || grep -oE '\[ +(FAILED|hung in|crashed in) +\].*' "$results/failures" | sort
}

# Prints the shards that are not in `finished`: order and place in their part, part, shards, filter,
# index.
open_shards() {
  parts | while read -r order part shards filter; do
    [[ -z $wanted || " $wanted " == *" $part "* ]] || continue
    awk -v order="$order" -v part="$part" -v shards="$shards" -v filter="$filter" '
      $1 == part && $3 == shards { finished[$2] = 1 }
      END {
        for (i = 0; i < shards; ++i)
          if (!(i in finished)) printf "%.4f %s %d %s %d\n", order + i / shards, part, shards, filter, i
      }' "$results/finished"
  done | sort -s -k 1,1n | cut -d ' ' -f 2-
}

run() {
  folder=$(dirname "$script") results=$PWD/clfft-suite type=cpu device=0 each=900 library='' wanted='' lenient=
  local word=Portable minutes=60 jobs
  jobs=$(nproc)
  while [ $# -gt 0 ]; do
    case $1 in
      --folder | --library | --results | --device | --type | --each | --lenient) declare -g "${1#--}=$2" ;;
      --platform) word=$2 ;;
      --parts) wanted=$2 ;;
      --jobs) jobs=$2 ;;
      --minutes) minutes=$2 ;;
      *) die "suite.sh run: no option $1" ;;
    esac
    shift 2
  done
  deadline=$(awk "BEGIN { printf \"%d\", $EPOCHSECONDS + $minutes * 60 }")
  mkdir -p "$results/logs"
  touch "$results/finished"
  [ -n "$lenient" ] || export IMAGO_CLFFT_STRICT=1
  # Many shards run at a time: one thread for each, and one place for compiled kernels.
  export POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1
  export IMAGO_CACHE_DIR=$results/cache POCL_CACHE_DIR=$results/pocl CUDA_CACHE_PATH=$results/cuda
  platform=$(platform_number "$word")
  export folder library results type device each deadline platform
  open_shards | xargs -r -P "$jobs" -L 1 bash "$script" shard || true
  table
}

case ${1:-} in
  build | run | compile | shard) "$@" ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$script" ;;
esac
