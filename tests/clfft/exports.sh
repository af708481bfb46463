#!/usr/bin/env bash
# exports.sh <libclFFT.so.2> <clFFT.h>
#
# The library must export exactly the functions that the header declares.
set -euo pipefail
library=$1 header=$2
declared=$(sed 's,//.*,,; s/^[[:space:]]*\*.*//' "$header" | grep -oE '\bclfft[A-Z][A-Za-z]*[[:space:]]*\(' |
  tr -d '( \t' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
[ "$(wc -l <<<"$declared")" = 34 ] || { echo "clFFT.h declares $(wc -l <<<"$declared") functions, not 34"; exit 1; }
diff <(echo "$declared") <(echo "$exported") || { echo "FAILED: declared (<) and exported (>)"; exit 1; }
soname=$(readelf -d "$library")
grep -q 'SONAME.*\[libclFFT\.so\.2\]' <<<"$soname" || { echo "FAILED: the SONAME"; exit 1; }
echo "34 names"
