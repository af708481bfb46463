#!/bin/sh
# compression.sh <compression> <djpeg> <photograph.jpg>: the example's picture must have the quality
# of the kept coefficients, and the example must reject files that it cannot read.
set -u
example=$1 djpeg=$2 photograph=$3
. "$(dirname "$0")/expect.sh"

"$djpeg" -grayscale -pnm "$photograph" >photograph.pgm || exit 1
expect 0 "10.0 %        36.28 dB" photograph.pgm pictures.png
grep -qF "1.0 %        20.75 dB" out || { echo "FAILED: no line of 1 %"; failures=1; }
[ "$(head -c 4 pictures.png | tail -c 3)" = PNG ] || { echo "FAILED: pictures.png is no PNG"; failures=1; }
rm pictures.png
printf 'P5 7 9 255\n%063d' 0 >small.pgm
expect 1 "at least 8 rows" small.pgm pictures.png
expect 1 "cannot be read" missing.pgm pictures.png
expect 2 "usage" photograph.pgm
[ ! -e pictures.png ] || { echo "FAILED: a refused run left a picture"; failures=1; }
[ "$failures" = 0 ] && echo "all as expected"
