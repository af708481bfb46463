#!/usr/bin/env bash
# run.sh [seconds]: runs the benchmark of a packed folder (pack.sh) within this time (default 280),
# the most important runs first. Each prints its rows and geometric means; runs that do not end in
# time are stopped.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
limit=${1:-280}
export OPAL_PREFIX=$here/openmpi PMIX_INSTALL_PREFIX=$here/pmix LD_LIBRARY_PATH=$here/lib
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=vader,self OMPI_MCA_pml=ob1
export PMIX_MCA_pcompress_base_silence_warning=1
export POCL_MAX_PTHREAD_COUNT=1 POCL_WORK_GROUP_SPECIALIZATION=0
export IMAGO_CACHE_DIR=${IMAGO_CACHE_DIR:-/tmp/imago_ranks_cache}
mpirun=$OPAL_PREFIX/bin/mpirun

ranks() { # ranks <count> <arguments..>
  local count=$1 left=$((limit - SECONDS))
  shift
  [ "$left" -gt 5 ] || return 0
  printf '\n== %s s: %s ranks, %s\n' "$SECONDS" "$count" "$*"
  timeout "$left" "$mpirun" --oversubscribe --bind-to none -np "$count" "$here/imago_ranks" "$@" 2>&1
}

printf 'commit %s, %s cores, %s\n' "$(cat "$here/commit")" "$(nproc)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
ranks 4 --lengths 128x128x128,256x256x256 --precision f32 --seconds 0.7
ranks 4 --lengths 128x128x128,256x256x256 --precision f64 --seconds 0.7 --peers fftw,messages
ranks 16 --lengths 128x128x128,256x256x256 --precision f32 --seconds 0.7
ranks 4 --lengths 512x512x512 --precision f32 --seconds 1
ranks 16 --lengths 512x512x512 --precision f32 --seconds 1 --order transposed
for pieces in 1 4 16; do # finds the best number of pieces
  ranks 4 --lengths 128x128x128,256x256x256 --precision f32 --seconds 0.3 --order transposed --pieces $pieces --peers messages
done
for count in 1 2 4 8 16; do # strong scaling in addition to the runs above, and weak scaling
  ranks "$count" --lengths "$((64 * count))x256x256" --precision f32 --seconds 0.3 --order transposed --peers fftw
done
for count in 1 2 8; do
  ranks "$count" --lengths 256x256x256 --precision f32 --seconds 0.3 --order transposed --peers fftw
done
ranks 4 --lengths 512x512x512 --precision f64 --seconds 1 --peers fftw,messages
printf '\n== %s s: done\n' "$SECONDS"
