#!/bin/sh
# deconvolution.sh <deconvolution> <djpeg> <photograph.jpg>: the restored photograph must be as good
# as the page says; no floor is too little and a large one too much. The example must reject files
# that it cannot read.
set -u
example=$1 djpeg=$2 photograph=$3
. "$(dirname "$0")/expect.sh"
# PoCL would compile every kernel again for small grids.
export POCL_WORK_GROUP_SPECIALIZATION=0

"$djpeg" -grayscale -pnm "$photograph" >photograph.pgm || exit 1
expect 0 "seen                 off by  22.3" photograph.pgm pictures.png
for line in "floor 1e-06 off by 103." "floor 3e-03 off by  12.6" "floor 1e-01 off by  21.6"; do
  grep -qF "restored, $line" out || { echo "FAILED: no line of $line"; cat out; failures=1; }
done
[ "$(head -c 4 pictures.png | tail -c 3)" = PNG ] || { echo "FAILED: pictures.png is no PNG"; failures=1; }
rm pictures.png
printf 'P5 7 9 255\n%063d' 0 >small.pgm
expect 1 "at least 13 rows" small.pgm pictures.png
expect 1 "cannot be read" missing.pgm pictures.png
expect 2 "usage" photograph.pgm
[ ! -e pictures.png ] || { echo "FAILED: a refused run left a picture"; failures=1; }
[ "$failures" = 0 ] && echo "all as expected"
