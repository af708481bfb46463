#!/usr/bin/env bash
# ufo.sh <folder of libclFFT.so.2> <ufo-launch> <libufofilterfft.so>
#
# Tests Debian's ufo-filters (tomography), as packaged. Forward and inverse give the image divided
# twice by its points (by UFO and by clFFT's scale of backward transforms). Filtered rows must equal
# those of Debian's own clFFT.
set -euo pipefail
folder=$1 ufo=$2 client=$3
own=${LD_LIBRARY_PATH:-}
loads=$(LD_LIBRARY_PATH=$folder ldd "$client")
grep -q "libclFFT.so.2 => $folder" <<<"$loads" || { echo "FAILED: ufo-filters do not load $folder"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export UFO_DEVICE_TYPE=cpu
width=64 height=32
perl -e 'srand 1; print pack "f<*", map { 0.5 + rand } 1 .. shift' $((width * height)) >image.raw

# launch <libraries> <result> <filters>...: reads the image and writes the result.
launch() {
  LD_LIBRARY_PATH=$1 "$ufo" read path=image.raw raw-width=$width raw-height=$height raw-bitdepth=32 ! "${@:3}" ! \
    write filename="$2" >log 2>&1 || { cat log; exit 1; }
}

# same <a> <b> <factor>: checks that a times the factor equals b, to a relative 1e-5.
same() {
  perl -e '
    sub floats { open my $file, "<:raw", shift or die; local $/; unpack "f<*", <$file> }
    my @a = floats(shift); my @b = floats(shift); my $factor = shift;
    die "FAILED: ", scalar @a, " and ", scalar @b, " numbers\n" if @a != @b || !@a;
    my ($off, $size) = (0, 0);
    for (0 .. $#a) { $off += ($a[$_] * $factor - $b[$_]) ** 2; $size += $b[$_] ** 2 }
    printf "relative error %.1e\n", sqrt($off / $size);
    exit !($size > 0 && sqrt($off / $size) < 1e-5)' "$@" || { echo "FAILED: $1 is not $2"; exit 1; }
}

launch "$folder" back.raw fft dimensions=2 ! ifft dimensions=2
same back.raw image.raw $((width * height))
filtered=(fft dimensions=1 ! filter ! ifft dimensions=1)
launch "$folder" filtered.raw "${filtered[@]}"
# UFO of Ubuntu 24.04 with its own clFFT computes, prints that it finished, and then crashes.
(launch "$own" wanted.raw "${filtered[@]}") >crash 2>&1 || grep -q "^Finished in" log || { cat crash; exit 1; }
same filtered.raw wanted.raw 1
! cmp -s filtered.raw image.raw || { echo "FAILED: nothing is filtered"; exit 1; }
