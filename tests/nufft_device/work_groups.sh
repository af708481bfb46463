#!/bin/sh
# work_groups.sh <imago_test_nufft_device> <imago_test_sparse>
#
# Nonuniform transforms give the same bits for any largest size of a work-group from 32 on, and the
# right values on a device with smaller ones. Sparse transforms are refused there.
set -eu
test=$1 sparse=$2
bits() { POCL_MAX_WORK_GROUP_SIZE=$1 "$test" "[nufft_bits]" | grep '^bits '; }
expected=$(bits 4096)
for size in 32 48; do
  found=$(bits "$size")
  [ "$found" = "$expected" ] || {
    echo "work-groups of $size: $found instead of: $expected"
    exit 1
  }
done
echo "$expected"
POCL_MAX_WORK_GROUP_SIZE=5 "$test" "[nufft_small_groups]"
POCL_MAX_WORK_GROUP_SIZE=5 "$sparse" "[sparse_small_groups]"
