#!/bin/sh
# Runs the recoveries of docs/measured/sparse.md in parallel parts, and prints one table of all of
# them:
#   campaign.sh <folder of sparse_trials> <seeds> <parts> [more options, as --device H200]
# Prints every row. Then it prints the recovered runs and all runs of sparse signals, the unverified
# runs and all runs of signals that are not sparse, and the false claims.
set -eu
tools=$1 seeds=$2 parts=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tools/sparse_trials" recover --list | tail -n +2 > "$folder/rows"
export tools seeds folder
xargs -d '\n' -P "$parts" -I{} sh -c \
  'row=$1; shift; "$tools/sparse_trials" recover --rows "$row" --seeds "$seeds" --no-dense --method phase "$@" | tail -n +2 > "$folder/$(echo "$row" | tr " ^=" "___").out"' \
  sh {} "$@" < "$folder/rows"
cat "$folder"/*.out | sort
cat "$folder"/*.out | awk '
  { at = 0; for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+\/[0-9]+$/) { split($i, found, "/"); at = i; break } }
  !at { next }
  /not sparse/ { split($(at + 6), verdicts, "/"); others += found[2]; unverified += verdicts[4]; }
  !/not sparse/ { right += found[1]; runs += found[2]; }
  { false_claims += $(at + 7) }
  END { printf "recovered %d of %d; not sparse and unverified %d of %d; false claims %d\n", right, runs, unverified, others, false_claims; exit false_claims > 0; }'
