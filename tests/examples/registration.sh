#!/bin/sh
# registration.sh <registration> <djpeg> <photograph.jpg>: the example finds the shifts that it is
# given, and refuses what cannot be found or read.
set -u
registration=$1 djpeg=$2 photograph=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export IMAGO_CACHE_DIR="$folder/cache"
failures=0
# expect <status> <text in the output> <arguments>...
expect() {
  status=$1 text=$2
  shift 2
  "$registration" "$@" >out 2>&1
  got=$?
  if [ "$got" != "$status" ] || ! grep -qF -e "$text" out; then
    echo "FAILED: registration $*: status $got, expected $status and '$text':"
    cat out
    failures=$((failures + 1))
  fi
}

"$djpeg" -grayscale -pnm "$photograph" >photograph.pgm || exit 1
for shift in "53 71" "-120 33" "17 -88" "0 0"; do
  # shellcheck disable=SC2086 # two arguments
  set -- $shift
  expect 0 "shift found   $1 rows, $2 columns" photograph.pgm joined.png "$1" "$2"
done
[ "$(head -c 4 joined.png | tail -c 3)" = PNG ] || { echo "FAILED: joined.png is no PNG"; failures=1; }
rm joined.png
expect 1 "overlap too little" photograph.pgm joined.png 225 192
expect 1 "at most 225" photograph.pgm joined.png 226 0
expect 1 "whole number" photograph.pgm joined.png 5x 0
head -c 1000 photograph.pgm >cut.pgm
expect 1 "truncated" cut.pgm joined.png 5 5
expect 1 "no PGM" "$photograph" joined.png 5 5
expect 1 "cannot be read" missing.pgm joined.png 5 5
expect 2 "usage" photograph.pgm
[ ! -e joined.png ] || { echo "FAILED: a refused run left a picture"; failures=1; }
[ "$failures" = 0 ] && echo "all as expected"
