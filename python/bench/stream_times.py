"""Times of streams in blocks, beside imago's transforms of the whole signal.

    PYTHONPATH=python python3 python/bench/stream_times.py [SAMPLES]

Prints microseconds per block, and the speed relative to the whole signal in one call (the median of
five rounds; both have arrays on the host).
"""

import sys
import time

import numpy as np
import scipy.signal

import imago
from imago.signal import ShortTimeFFT, Stream

FRAME, HOP, TAPS = 1024, 256, 1001


def seconds(call):
    call()
    rounds = []
    for _ in range(5):
        begin = time.perf_counter()
        call()
        rounds.append(time.perf_counter() - begin)
    return sorted(rounds)[2]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 20
    x = np.random.default_rng(1).standard_normal(count).astype(np.float32)
    window, taps = np.hanning(FRAME).astype(np.float32), np.random.rand(TAPS).astype(np.float32)
    transform = ShortTimeFFT(window, HOP, 1)
    convolution = imago.Convolution(taps, (count,))
    whole = {
        "stft": seconds(lambda: transform.stft(x)),
        "fir": seconds(lambda: convolution(x)),
    }
    print(f"{count} float32 samples; frames of {FRAME}, hop {HOP}; {TAPS} taps")
    print("SciPy, the whole signal: stft "
          f"{seconds(lambda: scipy.signal.ShortTimeFFT(window, HOP, 1).stft(x)):.3f} s, "
          f"oaconvolve {seconds(lambda: scipy.signal.oaconvolve(x, taps)):.3f} s")
    for name, seconds_of_whole in whole.items():
        print(f"{name}: the whole signal {seconds_of_whole:.3f} s")
        for block in (256, 1024, 4096, 16384, 65536):
            stream = (
                Stream.stft(window, HOP, block=block)
                if name == "stft"
                else Stream.fir(taps, block=block)
            )

            def run(stream=stream, block=block):
                for begin in range(0, count, block):
                    stream.push(x[begin : begin + block])
                stream.finish()

            taken = seconds(run)
            print(f"  blocks of {block:5}: {taken / (count / block) * 1e6:8.1f} us each, "
                  f"{seconds_of_whole / taken:.2f} of the speed")


main()
