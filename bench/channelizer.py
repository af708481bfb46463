"""Times imago.signal.Channelizer beside the two steps of others: weighted sums, then transforms.

    python bench/channelizer.py            # CuPy and a GPU; without CuPy NumPy and SciPy on this machine

Rows are branches, taps of a branch and frames. The steps of CuPy are one kernel of its own for the
sums (an ElementwiseKernel) and a batched cuFFT; "naive" has one operation of CuPy for each tap. All
programs take turns in each of 9 rounds. A time is the median; "ratio" is the steps' time over ours.
"""

import os
import sys
import time

import numpy as np

os.environ["IMAGO_FIRST_CALL"] = "compile"
import imago.signal  # noqa: E402

try:
    import cupy as xp

    NAME, finish = "CuPy", xp.cuda.Device().synchronize
    ROWS = [(1024, 8, 2048), (1024, 8, 65536), (256, 16, 131072), (4096, 8, 8192), (64, 12, 262144)]
except ImportError:
    import scipy.fft

    xp, NAME, finish = np, "SciPy", lambda: None
    ROWS = [(1024, 8, 512), (256, 16, 1024)]
ROUNDS, SECONDS = 9, 0.03

SUMS = """
const int k = i % branches;
T sum = 0;
for (int tap = 0; tap < taps; ++tap) sum += x[i + (ptrdiff_t)tap * branches] * w[tap * branches + k];
y = sum;
"""


def steps(branches, taps, weights, frames):
    """Returns the two steps as a function, and the naive form."""
    if NAME == "SciPy":
        views = [slice(t * branches, (t + frames) * branches) for t in range(taps)]

        def call(x):
            sums = sum(
                x[view].reshape(frames, branches) * weights[t * branches : (t + 1) * branches]
                for t, view in enumerate(views)
            )
            return scipy.fft.fft(sums, axis=-1, workers=-1)

        return {"SciPy steps": call}
    kernel = xp.ElementwiseKernel(
        "raw T x, raw U w, int32 branches, int32 taps", "T y", SUMS, "weighted_sums"
    )

    def fused(x):
        sums = xp.empty((frames, branches), x.dtype)
        kernel(x, weights, branches, taps, sums)
        return xp.fft.fft(sums, axis=-1)

    def naive(x):
        rows = x.reshape(-1, branches)
        sums = rows[:frames] * weights[:branches]
        for t in range(1, taps):
            sums += rows[t : t + frames] * weights[t * branches : (t + 1) * branches]
        return xp.fft.fft(sums, axis=-1)

    return {"CuPy steps": fused, "CuPy naive": naive}


def seconds_of(call, count):
    finish()
    began = time.perf_counter()
    for _ in range(count):
        call()
    finish()
    return (time.perf_counter() - began) / count


def measure(branches, taps, frames):
    random = np.random.default_rng(1)
    n = branches * (frames + taps - 1)
    host = random.standard_normal(2 * n, "f4").view("c8")
    window = np.hanning(branches * taps)
    x, weights = xp.asarray(host), xp.asarray(window.astype("f4"))
    bank = imago.signal.Channelizer(window, branches)
    out = xp.empty((frames, branches), "c8")
    calls = {"imago": lambda: bank(x, out=out)}
    for name, call in steps(branches, taps, weights, frames).items():
        calls[name] = lambda call=call: call(x)
    results = {name: call() for name, call in calls.items()}
    wanted = results.pop("imago")
    for name, found in results.items():
        off = float(xp.linalg.norm(found - wanted) / xp.linalg.norm(found))
        assert off < 1e-5, f"{name}: relative difference {off}"
    del results, found
    for _ in range(3):
        counts = {name: max(1, int(SECONDS / seconds_of(call, 3))) for name, call in calls.items()}
    rounds = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            rounds[name].append(seconds_of(call, counts[name]))
    least = 8 * (x.size + out.size)  # bytes, each once
    for name in calls:
        ratio = np.median(np.array(rounds[name]) / np.array(rounds["imago"]))
        middle = np.median(rounds[name])
        print(
            f"{branches:5d} x {taps:2d} x {frames:6d}  {name:12s} {1e6 * middle:10.1f} us"
            f"  {least / middle / 1e9:8.1f} GB/s  ratio {ratio:5.2f}"
        )
    sys.stdout.flush()
    return np.median(np.array(rounds[f"{NAME} steps"]) / np.array(rounds["imago"]))


def main():
    print("branches x taps x frames, program, time of a call, bytes of both arrays over it, ratio")
    ratios = [measure(*row) for row in ROWS]
    print(f"geometric mean of the ratios to {NAME}'s steps: {np.exp(np.mean(np.log(ratios))):.2f}")


main()
