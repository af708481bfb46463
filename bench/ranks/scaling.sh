#!/usr/bin/env bash
# scaling.sh <build folder or packed folder> <runs.json> <scaling.svg> [<ranks>...]
#
# Measures strong and weak scaling of imago::mpi and FFTW-MPI, and of heFFTe if it is built in.
# There is one run for each number of ranks (1 2 4), with 128 and 256 cubed and 64 planes of 256x256
# for each rank, and transposed spectra. To change these, set SHAPES, WEAK and SECONDS_EACH in the
# environment.
set -euo pipefail
folder=$1 json=$2 picture=$3
shift 3
[ $# -gt 0 ] || set -- 1 2 4
program=$folder/imago_ranks
mpirun=mpirun
if [ -x "$program" ]; then # a packed folder (pack.sh) contains its own MPI
  export OPAL_PREFIX=$folder/openmpi PMIX_INSTALL_PREFIX=$folder/pmix LD_LIBRARY_PATH=$folder/lib
  export OMPI_MCA_btl=vader,self OMPI_MCA_pml=ob1 PMIX_MCA_pcompress_base_silence_warning=1
  mpirun=$folder/openmpi/bin/mpirun
else
  program=$folder/bench/ranks/imago_ranks
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export POCL_MAX_PTHREAD_COUNT=1 POCL_WORK_GROUP_SPECIALIZATION=0
for ranks; do
  printf '== %s ranks\n' "$ranks"
  "$mpirun" --oversubscribe --bind-to none -np "$ranks" "$program" --precision f32 --order transposed \
    --lengths "${SHAPES:-128x128x128,256x256x256}" --weak "${WEAK:-64x256x256}" --seconds "${SECONDS_EACH:-0.5}" \
    --peers fftw,heffte,heffte-imago,messages --json "$json" --picture "$picture"
done
