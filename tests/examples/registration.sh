#!/bin/sh
# registration.sh <registration> <djpeg> <photograph.jpg>: the example must find the given shifts,
# and reject files and shifts that it cannot read or find.
set -u
example=$1 djpeg=$2 photograph=$3
. "$(dirname "$0")/expect.sh"

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
