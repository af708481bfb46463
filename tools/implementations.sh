#!/usr/bin/env bash
# Runs `imago selftest` on OpenCL implementations for CPUs, in both mappings. Prints the table of
# docs/measured/implementations.md: version, cases, passed, failed and the names of the failed cases.
#   tools/implementations.sh [--part K/N] [--filter TEXT] [--only NAME] [--imago PATH]
#                            [--limit SECONDS] [--speed] [--bits IMAGO_BITS [--most POINTS]]
# --speed compares `imago bench --suite cpu` with FFTW_MEASURE; the machine must be idle.
# --bits compares the recorded bits of reproducible plans (tests/reproducible), in both mappings, with
# the built program imago_bits; --most leaves out longer problems.
# Without --part and --filter the whole CI tier runs (ten minutes on two cores, hours with rusticl
# and old PoCLs). --limit is per implementation; cases after it do not count. Logs are kept in
# IMPLEMENTATIONS (default: ~/.cache/imago-implementations), so that a second call continues.
#   pocl     the system's, or Debian's pocl-opencl-icd
#   intel    intel-opencl-rt of PyPI, downloaded into that folder (some 300 MB)
#   pocl-own a build of PoCL, installed in POCL_PREFIX
#   rusticl  Mesa's on llvmpipe, if mesa-opencl-icd is installed
#   trixie-pocl forky-pocl trixie-rusticl forky-rusticl
#            those of other releases of Debian, which root installs there with debootstrap (1.5 GB
#            each); only with --only. To remove one: `rm -rf` of $IMPLEMENTATIONS/<release>.root
#
set -euo pipefail
cd "$(dirname "$0")/.."

store=${IMPLEMENTATIONS:-$HOME/.cache/imago-implementations}
imago=build/release/tools/imago part='' filter='' only='' limit=86400 speed='' launcher=()
bits='' most=100000000 canon=$PWD/tests/reproducible/canon1.txt
while [ $# -gt 0 ]; do
  case $1 in
    --speed)
      speed=yes
      shift
      continue
      ;;
    --part) part=$2 ;;
    --filter) filter=$2 ;;
    --only) only=$2 ;;
    --imago) imago=$2 ;;
    --limit) limit=$2 ;;
    --bits) bits=yes imago=$2 ;;
    --most) most=$2 ;;
    *) sed -n '2,19s/^# \{0,1\}//p' "$0" && exit 2 ;;
  esac
  shift 2
done
[ -x "$imago" ] || { echo "$imago is missing: build it first" >&2 && exit 2; }
mkdir -p "$store" && chmod 700 "$store"

# vendors <name> <library>: makes a folder with only this driver, for the OpenCL loader.
vendors() {
  mkdir -p "$store/$1.vendors"
  echo "$2" >"$store/$1.vendors/driver.icd"
}

find_library() { find "$1" -name "$2" -print 2>/dev/null | head -n 1; }

# Wheels are zip files. They are unpacked and not installed, so no Python environment changes.
fetch_intel() {
  [ -z "$(find_library "$store/intel" libintelocl.so)" ] || return 0
  python3 -m pip download --quiet --no-deps --dest "$store/wheels" \
    intel-opencl-rt intel-cmplr-lib-rt 'tbb==2023.*' || return 1
  for wheel in "$store"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$store/intel"; done
}

# Installs a release of Debian with its drivers into a folder.
fetch_debian() {
  local root=$store/$1.root
  [ ! -e "$root/etc/OpenCL/vendors/pocl.icd" ] || return 0
  local scripts=/usr/share/debootstrap/scripts
  [ -e "$scripts/$1" ] || set -- "$1" "$scripts/sid"
  debootstrap --variant=minbase --include=pocl-opencl-icd,mesa-opencl-icd,ocl-icd-libopencl1 \
    "$1" "$root" http://deb.debian.org/debian ${2:+"$2"} >&2
}

# Copies the libraries that imago needs and such a folder lacks, except those that belong to its C
# library.
copy_program() {
  mkdir -p "$store/program"
  local libraries
  libraries=$(ldd "$imago" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libOpenCL)\.so')
  # shellcheck disable=SC2086
  cp -u "$imago" "$canon" $libraries "$store/program/"
}

# in_debian <release> <command>: runs a command with private mounts, which end with it.
in_debian() {
  # shellcheck disable=SC2016
  unshare --mount bash -c 'root=$1 store=$2; shift 2
    for folder in /proc /sys /dev "$store"; do
      mkdir -p "$root$folder" && mount --bind "$folder" "$root$folder"
    done
    exec chroot "$root" "$@"' bash "$store/$1.root" "$store" "${@:2}"
}

# setup <name>: sets the environment of an implementation; fails if it is not available.
setup() {
  case $1 in
    pocl)
      [ -e /etc/OpenCL/vendors/pocl.icd ] || return 1
      vendors pocl "$(cat /etc/OpenCL/vendors/pocl.icd)"
      ;;
    intel)
      fetch_intel || return 1
      local library path=
      library=$(find_library "$store/intel" libintelocl.so)
      for found in libintelocl.so libsvml.so libtbb.so.12; do
        path+=$(dirname "$(find_library "$store/intel" $found)"):
      done
      vendors intel "$library"
      export LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:-}
      ;;
    pocl-own)
      [ -n "${POCL_PREFIX:-}" ] || return 1
      vendors pocl-own "$(find_library "$POCL_PREFIX" 'libpocl.so')"
      ;;
    rusticl)
      [ -e /etc/OpenCL/vendors/rusticl.icd ] || return 1
      vendors rusticl "$(cat /etc/OpenCL/vendors/rusticl.icd)"
      export RUSTICL_ENABLE=llvmpipe
      ;;
    *-pocl | *-rusticl)
      local release=${1%-*} driver=${1#*-}
      fetch_debian "$release" && copy_program || return 1
      vendors "$1" "$(cat "$store/$release.root/etc/OpenCL/vendors/$driver.icd")"
      export RUSTICL_ENABLE=llvmpipe LD_LIBRARY_PATH=$store/program
      launcher=(in_debian "$release") imago=$store/program/$(basename "$imago")
      canon=$store/program/$(basename "$canon")
      ;;
  esac
  export OCL_ICD_VENDORS=$store/$1.vendors IMAGO_CACHE_DIR=$store/$1.cache
  export HOME=$store POCL_CACHE_DIR=$store/$1.kernels POCL_WORK_GROUP_SPECIALIZATION=0
  mkdir -p "$IMAGO_CACHE_DIR" && chmod 700 "$IMAGO_CACHE_DIR"
}

# run_cases <name>: runs the cases, and resumes a log.
run_cases() {
  local options=(--standard --resume "$store/$1.log")
  [ -z "$part" ] || options+=(--part "$part")
  [ -z "$filter" ] || options+=(--filter "$filter")
  "${launcher[@]}" timeout --signal INT "$limit" "$imago" selftest "${options[@]}" >"$store/$1.out" 2>&1 || true
}

# row <name> <mapping>: prints a line of the table, for the cases in the log.
row() {
  local log=$store/$1.log head passed failed names
  [ -s "$log" ] || { echo "| $1 | $2 | no device | | | |" && return; }
  head=$(sed -n '1s/^.*seed [0-9]*, \(.*\), generator .*$/\1/p' "$log")
  passed=$(grep -c "^passed [^ ]*$2" "$log" || true)
  failed=$(grep -c "^failed [^ ]*$2" "$log" || true)
  names=$(sed -n "s/^failed \([^ ]*$2[^ ]*\) .*/\1/p" "$log" | tr '\n' ' ')
  echo "| $head | $2 | $((passed + failed)) | $passed | $failed | ${names:--} |"
}

# run_speed <name>: prints a line of the table of speeds, relative to FFTW: the geometric mean and
# the minimum.
run_speed() {
  "${launcher[@]}" timeout --signal INT "$limit" "$imago" bench --suite cpu --peers fftw --seconds 0.2 \
    --as-found --no-check --json "$store/$1.json" >"$store/$1.speed" 2>&1 || true
  python3 - "$1" "$store/$1.json" <<'END'
import json, math, sys
name, file = sys.argv[1:]
try:
    report = json.load(open(file))
except OSError:
    sys.exit(print(f'| {name} | not measured | |'))
facts, of = report['facts'], {}
for row in report['rows']:
    of.setdefault(row['precision'], []).extend(r['value'] for r in row['ratios'] if r['peer'] == 'fftw')
cells = [f'{math.exp(sum(map(math.log, v)) / len(v)):.2f}, {min(v):.2f}' for _, v in sorted(of.items())]
platform = facts['platform'].split('  ')[0]
print(f"| {platform}, {facts['driver']} | {' | '.join(cells)} |")
END
}

# run_bits <name>: prints the problems whose bits differ, and their number.
run_bits() {
  for mapping in vector work_group; do
    "${launcher[@]}" timeout --signal INT "$limit" "$imago" check "$canon" --mapping $mapping \
      --most "$most" >"$store/$1.$mapping.bits" 2>&1 || true
    sed "s/^/$1, $mapping: /" "$store/$1.$mapping.bits"
  done
}

if [ -n "$bits" ]; then
  true # the program names the device
elif [ -n "$speed" ]; then
  echo '| implementation | f32: mean, worst | f64: mean, worst |'
  echo '|---|---|---|'
else
  echo '| implementation | mapping | cases | passed | failed | which |'
  echo '|---|---|---|---|---|---|'
fi
for name in ${only:-pocl intel pocl-own rusticl}; do
  if (setup "$name") >/dev/null 2>&1; then
    (
      setup "$name"
      if [ -n "$bits" ]; then run_bits "$name" && exit; fi
      if [ -n "$speed" ]; then run_speed "$name" && exit; fi
      run_cases "$name" && row "$name" vector && row "$name" work_group
    )
  else
    echo "| $name | - | not here | | | |"
  fi
done
