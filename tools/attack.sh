#!/usr/bin/env bash
# attack.sh --minutes N [--jobs J] [--seed S] [--no-build] [--table FILE] [--bin DIR] [--weapons "NAME .."]
#
# Attacks imago for N minutes with every weapon in turn (docs/security.md describes them), in as many
# jobs as there are cores. Prints a table of the runs and findings, and keeps logs that reproduce them
# in build/attack; the exit status is 1 if there were findings. With --bin nothing is built; DIR then
# holds the programs as tools/attack_pack.sh arranges them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minutes=10 jobs=$(nproc) seed=$(date +%s) build=yes table='' root=build
weapons=()
for fuzzer in tests/fuzz/*.cpp; do
  [ "$fuzzer" = tests/fuzz/standalone.cpp ] || weapons+=("fuzz_$(basename "$fuzzer" .cpp)")
done
weapons+=(faults faults_cold faults_memory abuse device_abuse threads call_kill
  cache_kill command_faults tune_kill profile_kill)
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --seed) seed=$2; shift ;;
    --table) table=$2; shift ;;
    --no-build) build=no ;;
    --bin) root=$(realpath "$2") build=no && shift ;;
    --weapons) read -ra weapons <<<"$2" && shift ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
bin=$root/release tests=$root/release/tests fuzz=$root/release/tests/fuzz

build_all() {
  cmake --preset release >/dev/null
  cmake --build --preset release --target imago_cli imago_calls imago_oclgrind_sample imago_faults_run \
    imago_abuse imago_device_abuse imago_threads imago_profile_kill imago_fuzzers
  command -v clang++ >/dev/null || { echo "no clang++: the fuzzers replay their corpus only"; return 0; }
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz
}
[ "$build" = no ] || build_all >&2
[ -x "$root/fuzz/tests/fuzz/imago_fuzz_npy" ] && fuzz=$root/fuzz/tests/fuzz
# Programs that were built elsewhere come with their libraries.
[ ! -d "$root/lib" ] || export LD_LIBRARY_PATH=$root/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

state=$PWD/build/attack
mkdir -p "$state/corpus"
rm -f "$state"/*.log "$state/tally" "$state"/fuzz_*-*-*
echo 0 >"$state/next"
: >"$state/tally"
start=$(date +%s)
commit=$(cat "$root/commit" 2>/dev/null || git rev-parse --short HEAD)
end=$((start + minutes * 60))
# Duration of a turn in seconds, short enough that every weapon gets a turn, and limited by the
# remaining time.
longest=$((minutes * 60 * jobs / (2 * ${#weapons[@]})))
[ "$longest" -le 120 ] || longest=120
slice_now() {
  local slice=$((end - $(date +%s)))
  [ "$slice" -le "$longest" ] || slice=$longest
  [ "$slice" -ge 10 ] || slice=10
  echo "$slice"
}
export POCL_WORK_GROUP_SPECIALIZATION=0 ASAN_OPTIONS=allocator_may_return_null=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$PWD/tests/suppressions/lsan.txt

# Runs a weapon of this name for one turn with this seed.
strike() {
  local codes=(-4 -5 -6 -36 -9999) slice
  slice=$(slice_now)
  case $1 in
    fuzz_*)
      mkdir -p "$state/corpus/$1"
      local target=$fuzz/imago_fuzz_${1#fuzz_}
      [ -x "$target" ] || target=$tests/fuzz/imago_fuzz_${1#fuzz_}
      "$target" -max_total_time="$slice" -seed="$2" -timeout=30 -rss_limit_mb=3000 \
        -artifact_prefix="$state/$1-" "$state/corpus/$1" "tests/fuzz/corpus/${1#fuzz_}"
      ;;
    faults) "$tests/faults/imago_faults_run" --sample 40 --seconds "$slice" --seed "$2" --code "${codes[$2 % 5]}" ;;
    faults_cold)
      "$tests/faults/imago_faults_run" --cold --sample 20 --seconds "$slice" --seed "$2" --code "${codes[$2 % 5]}"
      ;;
    faults_memory) "$tests/faults/imago_faults_run" --memory --sample 40 --seconds "$slice" --seed "$2" ;;
    abuse) "$tests/abuse/imago_abuse" --seconds "$slice" --seed "$2" ;;
    device_abuse) "$tests/abuse/imago_device_abuse" --seconds "$slice" --seed "$2" ;;
    threads) "$tests/abuse/imago_threads" "$slice" "$2" c ;;
    call_kill) bash tests/faults/call_kill.sh "$bin/bench/imago_calls" "$tests/imago_oclgrind_sample" 20 "$2" ;;
    cache_kill) bash tests/faults/cache_kill.sh "$bin/tools/imago" 4 "$2" ;;
    command_faults)
      bash tests/faults/command_faults.sh "$bin/tools/imago" "$(realpath "$tests/faults/libimago_faults.so")" 30 "$2"
      ;;
    tune_kill) bash tests/command/tune_kill.sh "$bin/tools/imago" 8 ;;
    profile_kill) "$tests/faults/imago_profile_kill" 500 "$2" ;;
  esac
}

# Prints the number of runs in a log.
runs_of() {
  case $1 in
    fuzz_*) sed -n 's/^Done \([0-9]*\) runs.*/\1/p; s/^\([0-9]*\) inputs$/\1/p' "$2" ;;
    faults*) sed -n 's/^faults: \([0-9]*\) runs.*/\1/p' "$2" ;;
    abuse) sed -n 's/^abuse: \([0-9]*\) planned.*/\1/p' "$2" ;;
    device_abuse) sed -n 's/^device: \([0-9]*\) strikes.*/\1/p' "$2" ;;
    threads) sed -n 's/^threads: \([0-9]*\) calls.*/\1/p' "$2" ;;
    command_faults) sed -n 's/^\([0-9]*\) runs with faults.*/\1/p' "$2" ;;
    *) sed -n 's/^killed .*\b\([0-9][0-9]*\) times.*/\1/p' "$2" ;;
  esac | tail -n 1
}

# Runs one turn after another until the time is over.
worker() {
  local turn weapon log status found runs
  while [ "$(date +%s)" -lt "$end" ]; do
    turn=$(flock "$state/next" sh -c 'n=$(cat "$1"); echo $((n + 1)) >"$1"; echo "$n"' sh "$state/next")
    weapon=${weapons[turn % ${#weapons[@]}]}
    log=$state/$weapon-$turn.log
    status=0
    strike "$weapon" $(((seed + turn) % 1000000)) >"$log" 2>&1 || status=$?
    found=$(grep -c '^FINDING' "$log" || true)
    [ "$status" -eq 0 ] || [ "$found" -gt 0 ] || found=1
    runs=$(runs_of "$weapon" "$log")
    echo "$weapon ${runs:-0} $found" >>"$state/tally"
    [ "$found" -gt 0 ] || rm -f "$log"
  done
}
for ((job = 0; job < jobs; ++job)); do worker & done
wait

report() {
  echo "| weapon | turns | runs | found |"
  echo "|---|---|---|---|"
  for weapon in "${weapons[@]}"; do
    awk -v w="$weapon" '$1 == w { turns++; runs += $2; found += $3 }
      END { printf "| %s | %d | %d | %d |\n", w, turns, runs, found }' "$state/tally"
  done
  echo
  echo "$(date -u +%Y-%m-%d), commit $commit, seed $seed," \
    "$((($(date +%s) - start) / 60)) minutes on $jobs of $(nproc) cores."
}
report | tee ${table:+"$table"}
[ "$(awk '{ found += $3 } END { print found + 0 }' "$state/tally")" -eq 0 ] || {
  echo
  grep -h '^FINDING' "$state"/*.log | sort | uniq -c | sort -rn | head -n 30 || true
  # For crashes without a finding, prints the last lines and the inputs of the fuzzers, because the
  # logs may be lost.
  for log in $(grep -L '^FINDING' "$state"/*.log); do
    echo "== $(basename "$log")"
    tail -n 12 "$log"
  done
  for input in "$state"/fuzz_*-*-*; do
    [ ! -f "$input" ] || [ "$(stat -c %s "$input")" -gt 3000 ] || echo "$(basename "$input"): $(base64 -w 0 "$input")"
  done
  echo "logs: $state"
  exit 1
}
