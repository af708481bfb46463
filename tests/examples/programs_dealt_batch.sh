#!/bin/sh
# programs_dealt_batch.sh <programs_dealt_batch>: a batch must be right on one device and on two.
set -u
example=$1
. "$(dirname "$0")/expect.sh"

export POCL_DEVICES=pthread
expect 0 "1 of 1 devices at work, 10000 of 10000 lines are right"
export POCL_DEVICES="pthread basic"
expect 0 "2 of 2 devices at work, 10000 of 10000 lines are right"
[ "$failures" = 0 ] && echo "all as expected"
