#!/bin/sh
# complete.sh <program that calls OpenCL> <libimago_faults.so>: checks that the interposer has every
# call of the program that can fail.
set -eu
calls() { nm -D "$1" | sed -n "s/.* $2 \\(cl[A-Z][A-Za-z]*\\).*/\\1/p" | grep -v '^clRelease' | sort -u; }
missing=$(mktemp)
trap 'rm -f "$missing"' EXIT
calls "$2" T >"$missing.has"
calls "$1" U | grep -vxFf "$missing.has" >"$missing" || true
rm -f "$missing.has"
if [ -s "$missing" ]; then
  echo "the interposer lacks:"
  cat "$missing"
  exit 1
fi
echo "$(calls "$1" U | wc -l) calls, and the interposer has them all"
