"""Compares zooms by imago with those by CuPy, or by SciPy if CuPy is not installed.

    python bench/zoom.py [LIBRARY [N:POINTS:BATCH...]]

LIBRARY is libimago_bench_zoom.so (default: build/release/bench/libimago_bench_zoom.so). Data is on
the device, objects exist, and the programs take turns. A time is the median of 9 trains of calls,
by the clock of the host. ZoomFFT computes in double, also for complex64. "steps" are its products
and transforms in the precision of the signals, without its transpositions: CuPy's read an array of
the device in each call, and wait for it.
"""

import ctypes
import sys
import time

import numpy as np

try:
    import cupy as xp
    from cupyx.scipy import fft, signal

    NAME, finish = "CuPy", xp.cuda.Device().synchronize
except ImportError:
    import numpy as xp
    from scipy import fft, signal

    NAME, finish = "SciPy", lambda: None

ROWS = ["4096:1024:4096", "1024:256:16384", "65536:4096:128", f"{2**20}:{2**16}:1"]
FROM, TO, RATE = 1, 2, 10  # not exact in binary after the division
TRAIN_SECONDS = 0.05
ROUNDS = 9
SAMPLES = 32  # frequencies that are checked


class Numbers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("length", "points", "batch")]
    _fields_ += [(name, ctypes.c_double) for name in ("start", "end", "rate")]
    _fields_ += [("is_double", ctypes.c_int)]


class Imago:
    name = "imago"

    def __init__(self, library, x, points):
        library.imago_zoom_make.restype = ctypes.c_void_p
        library.imago_zoom_seconds.restype = ctypes.c_double
        text = ctypes.create_string_buffer(500)
        numbers = Numbers(x.shape[1], points, x.shape[0], FROM, TO, RATE, x.dtype == "c16")
        there = x.ctypes.data_as(ctypes.c_void_p)
        zoom = library.imago_zoom_make(ctypes.byref(numbers), there, text, ctypes.c_size_t(500))
        if not zoom:
            raise RuntimeError(text.value.decode())
        self.library, self.zoom, self.about = library, ctypes.c_void_p(zoom), text.value.decode()
        self.spectra = np.empty((x.shape[0], points), x.dtype)

    def seconds(self, calls):
        return self.library.imago_zoom_seconds(self.zoom, ctypes.c_size_t(calls))

    def result(self):
        self.library.imago_zoom_read(self.zoom, self.spectra.ctypes.data_as(ctypes.c_void_p))
        return self.spectra

    def close(self):
        self.library.imago_zoom_destroy(self.zoom)


class Theirs:
    def __init__(self, name, call, x):
        self.name, self.call, self.x, self.about = f"{NAME} {name}", call, x, ""

    def seconds(self, calls):
        self.call(self.x)
        finish()
        began = time.perf_counter()
        for _ in range(calls):
            self.call(self.x)
        finish()
        return time.perf_counter() - began

    def result(self):
        found = self.call(self.x)
        return found.get() if hasattr(found, "get") else found

    def close(self):
        pass


def steps(zoom, dtype):
    """Returns the steps of ZoomFFT as a function of signals of this type along their last axis."""
    before, between, after = (f.astype(dtype) for f in (zoom._Awk2, zoom._Fwk2, zoom._wk2))
    return lambda x: fft.ifft(between * fft.fft(x * before, zoom._nfft))[..., zoom._yidx] * after


def error(x, found):
    """Returns the relative L2 error at some frequencies of the first and the last spectrum."""
    n, points = x.shape[1], found.shape[1]
    off = norm = 0
    for k in np.random.default_rng(1).integers(0, points, SAMPLES):
        # Cycles are j (FROM + k (TO - FROM) / points) / RATE, computed exactly in integers.
        parts = np.arange(n) * int(FROM * points + k * (TO - FROM)) % (RATE * points)
        turn = np.exp(-2j * np.pi / (RATE * points) * parts)
        for member in (0, -1):
            wanted = np.sum(x[member].astype("c16") * turn)
            off += abs(found[member, k] - wanted) ** 2
            norm += abs(wanted) ** 2
    return (off / norm) ** 0.5


def measure(library, n, points, batch, dtype):
    random = np.random.default_rng(0)
    x = random.standard_normal((batch, 2 * n), "f4" if dtype == "c8" else "f8").view(dtype)
    zoom = signal.ZoomFFT(n, [FROM, TO], points, fs=RATE)
    there = xp.asarray(x)
    programs = [Imago(library, x, points), Theirs("ZoomFFT", zoom, there)]
    programs.append(Theirs("steps", steps(zoom, dtype), there))
    calls = [max(1, int(TRAIN_SECONDS / (each.seconds(2) / 2))) for each in programs]
    rounds = []
    for _ in range(ROUNDS):
        rounds.append([each.seconds(count) / count for each, count in zip(programs, calls)])
    rounds = np.array(rounds)
    ratios = rounds / rounds[:, :1]
    print(f"{n} -> {points}, batch {batch}, complex{64 if dtype == 'c8' else 128}")
    for i, each in enumerate(programs):
        low, middle, high = np.quantile(ratios[:, i], (0, 0.5, 1))
        ratio = "" if i == 0 else f"{middle:6.2f} [{low:.2f}, {high:.2f}]"
        microseconds, off = 1e6 * np.median(rounds[:, i]), error(x, each.result())
        print(f"  {each.name:14} {microseconds:10.1f} us {ratio:22} {off:9.1e}  {each.about}")
        each.close()
    return np.median(ratios[:, 1:], axis=0)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "build/release/bench/libimago_bench_zoom.so"
    library = ctypes.CDLL(path)
    print("program, time of a call, speedup of imago [lowest, highest], relative error")
    speedups = [
        measure(library, *map(int, row.split(":")), dtype)
        for dtype in ("c8", "c16")
        for row in sys.argv[2:] or ROWS
    ]
    for name, value in zip(("ZoomFFT", "steps"), np.exp(np.mean(np.log(speedups), axis=0))):
        print(f"geometric mean of the speedups over {NAME} {name}: {value:.2f}")


main()
