"""Prints the times of small calls of imago.fft, compared with scipy.fft and with the device.

    python bench/small_calls.py [FUNCTION DTYPE]...     default: fft complex64 fft complex128
    python bench/small_calls.py rings                   rfft of 640 rings of 320 lengths

A time is the median of blocks of calls with existing plans; the three take turns. "device" is
imago.fft with IMAGO_FALLBACK=failure. "/ best" compares with the faster of SciPy and the device.
"""

import os
import sys
import time

import numpy as np
import scipy.fft

import imago

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


def row(name, dtype, n):
    x = np.random.default_rng(0).standard_normal(n).astype(dtype)
    ours, theirs = getattr(imago.fft, name), getattr(scipy.fft, name)
    calls = [lambda: ours(x), lambda: theirs(x), lambda: ours.__wrapped__(x)]
    until = time.perf_counter() + WARM_SECONDS
    while time.perf_counter() < until:
        for call in calls:
            call()
    small = imago.fft.statistics()["small"]
    ours(x)
    where = "SciPy" if imago.fft.statistics()["small"] > small else "device"
    imagos, scipys, device = medians(calls)
    ratio, best = imagos / scipys, imagos / min(scipys, device)
    print(
        f"{n:7} {imagos:9.1f} {scipys:9.1f} {device:9.1f} {ratio:8.2f} {best:8.2f}  {where}",
        flush=True,
    )


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
        print(f"{'points':>7} {'imago.fft':>9} {'scipy.fft':>9} {'device':>9} {'/ SciPy':>8} {'/ best':>8}")
        for n in SIZES:
            row(name, dtype, n)


main()
