"""Prints the times of small calls of imago.fft, compared with scipy.fft and with the device.

    python bench/small_calls.py [FUNCTION DTYPE]...     default: fft complex64 fft complex128
    python bench/small_calls.py rings                   rfft of 640 rings of 320 lengths

A time is the median of blocks of calls with existing plans; the three take turns. "device" is
imago.fft without the processor's functions (IMAGO_SMALL=0). Ratios are SciPy's or the device's time
over imago.fft's, and the last line their geometric means.
"""

import os
import sys
import time

import numpy as np
import scipy.fft

import imago
from imago import _core

SIZES = [8, 16, 32, 64, 128, 256, 512, 1000, 1009, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
WARM_SECONDS = 1.0  # the device compiles the kernels of a shape in the background meanwhile
REPETITIONS = 25
BLOCK_SECONDS = 0.002


def seconds_of(call, number):
    began = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - began) / number


def medians(calls):
    """Returns the median times of the calls in microseconds."""
    numbers = [max(1, int(BLOCK_SECONDS / seconds_of(call, 10))) for call in calls]
    seconds = [[] for _ in calls]
    for _ in range(REPETITIONS):
        for times, call, number in zip(seconds, calls, numbers):
            times.append(seconds_of(call, number))
    return [1e6 * sorted(times)[REPETITIONS // 2] for times in seconds]


def on_device(function, x):
    """Returns a call that a device computes."""

    def call():
        _core.small_enable(False)
        function(x)
        _core.small_enable(True)

    return call


def row(name, dtype, n):
    x = np.random.default_rng(0).standard_normal(n).astype(dtype)
    ours, theirs = getattr(imago.fft, name), getattr(scipy.fft, name)
    until = time.perf_counter() + WARM_SECONDS
    device = on_device(ours, x)
    while time.perf_counter() < until:
        device()
    small = imago.fft.statistics()["small"]
    ours(x)
    where = "functions" if imago.fft.statistics()["small"] > small else "device"
    imagos, scipys = medians([lambda: ours(x), lambda: theirs(x)])
    (devices,) = medians([device])
    ratios = scipys / imagos, devices / imagos
    print(
        f"{n:7} {imagos:9.1f} {scipys:9.1f} {devices:9.1f} {ratios[0]:8.2f} {ratios[1]:8.2f}  {where}",
        flush=True,
    )
    return ratios


def rings():
    """Prints the times of the rings of a HEALPix map, each with a call of its own."""
    generator = np.random.default_rng(0)
    lengths = [4 * i for i in (*range(1, 321), *range(320, 0, -1))]
    arrays = [generator.standard_normal(n).astype("f4") for n in lengths]
    for name, function in ("imago.fft", imago.fft.rfft), ("scipy.fft", scipy.fft.rfft):
        times = []
        for _ in range(REPETITIONS):
            began, used = time.perf_counter(), time.process_time()
            for array in arrays:
                function(array)
            times.append((time.perf_counter() - began, time.process_time() - used))
        first, (wall, cpu) = times[0], [sorted(t)[REPETITIONS // 2] for t in zip(*times[1:])]
        print(
            f"{name}: {1e3 * first[0]:.0f} ms and {1e3 * first[1]:.0f} CPU ms in the first round, "
            f"{1e3 * wall:.1f} ms and {1e3 * cpu:.1f} CPU ms in the median of others"
        )
    print(imago.fft.statistics())


def main():
    wanted = sys.argv[1:] or ["fft", "complex64", "fft", "complex128"]
    print(f"{imago.device().name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if wanted == ["rings"]:
        return rings()
    for name, dtype in zip(wanted[::2], wanted[1::2]):
        print(f"\n{name}, {dtype}, microseconds")
        print(f"{'points':>7} {'imago.fft':>9} {'scipy.fft':>9} {'device':>9} {'SciPy/':>8} {'device/':>8}")
        rows = []
        for n in SIZES:
            rows.append(row(name, dtype, n))
        scipys, devices = np.exp(np.mean(np.log(rows), axis=0))
        print(f"geometric means {scipys:.2f} of SciPy (least {min(rows)[0]:.2f}), {devices:.2f} of the device")


main()
