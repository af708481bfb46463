"""Times imago.signal.ZoomFFT and scipy.signal.ZoomFFT: `python zoom_times.py [ROUNDS]`.

Both compute the same host arrays, in turns; the printed times are the fastest of the rounds. SciPy
computes in double precision in both rows.
"""

import os
import sys
import time

import numpy as np
import scipy.signal

import imago

# samples, frequencies, signals
SHAPES = [(4096, 1024, 64), (1000, 256, 64), (100_000, 4096, 4), (2**20, 4096, 1)]


def timed(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main(rounds=15):
    print(f"{imago.device(np.float64).name}, load {os.getloadavg()[0]:.1f}")
    for n, m, batch in SHAPES:
        arguments = n, [0.2, 0.24], m
        ours, theirs = imago.signal.ZoomFFT(*arguments), scipy.signal.ZoomFFT(*arguments)
        random = np.random.default_rng(1)
        for dtype in (np.complex64, np.complex128, np.float32, np.float64):
            x = random.uniform(-1, 1, (batch, n)) + 1j * random.uniform(-1, 1, (batch, n))
            x = (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)
            out = ours(x)
            calls = (lambda: ours(x, out=out), lambda: theirs(x))
            times = [[timed(call) for call in calls] for _ in range(rounds)]
            fast, slow = (min(each) * 1e3 for each in zip(*times))
            print(
                f"{n} -> {m}, batch {batch}, {np.dtype(dtype).name}: imago {fast:.2f} ms, "
                f"SciPy {slow:.2f} ms, {slow / fast:.1f} times",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
