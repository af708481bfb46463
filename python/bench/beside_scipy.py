"""Times imago.fft beside scipy.fft with all cores, and mkl_fft where it is installed, and prints a table.

    python bench/beside_scipy.py [--quick] [--only PART] [--json FILE]

A time is the least of several repetitions, results allocated by each call as users' are; the packages
take turns. Results are compared.
"""

import argparse
import json
import math
import os
import time

import numpy as np

import imago
from imago.fft._scipy import own_code as scipy_fft

try:
    from mkl_fft.interfaces import scipy_fft as mkl  # with mkl-service
except ImportError:
    mkl = None


def cases(quick):
    """Name, function, shape, type, other arguments."""
    small = 16 if quick else 1
    for dtype in ("c8", "c16"):
        for n, rows in ((64, 16384), (1000, 1024), (1024, 1024), (4096, 256), (1 << 20, 1)):
            yield f"fft {rows} x {n}", "fft", (max(1, rows // small), n), dtype, {}
        for n in (1024, 4096 // small):
            yield f"fft2 {n} x {n}", "fft2", (n, n), dtype, {}
        n = 256 // (4 if quick else 1)
        yield f"fftn {n}^3", "fftn", (n, n, n), dtype, {}
    for dtype in ("f4", "f8"):
        for n, rows in ((1000, 1024), (1024, 1024), (1 << 20, 1)):
            yield f"rfft {rows} x {n}", "rfft", (max(1, rows // small), n), dtype, {}
        yield "rfft2 1024 x 1024", "rfft2", (1024, 1024), dtype, {}
        n = 256 // (4 if quick else 1)
        yield f"rfftn {n}^3", "rfftn", (n, n, n), dtype, {}
        yield "dctn of 64 images of 256 x 256", "dctn", (64 // small, 256, 256), dtype, {"axes": (1, 2)}
        yield "dctn 1920 x 1080", "dctn", (1920, 1080), dtype, {}
        yield "dct of 8 x 8 blocks", "dctn", (135, 240, 8, 8), dtype, {"axes": (2, 3)}


def array(shape, dtype):
    generator = np.random.default_rng(1)
    x = generator.standard_normal(shape)
    return (x + 1j * x[..., ::-1] if dtype[0] == "c" else x).astype(dtype)


def once(function, calls=1):
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls


def measure(functions, budget):
    """The least time of each function; they take turns, so that a busy machine hurts all alike."""
    best = [math.inf] * len(functions)
    calls = [max(1, int(0.002 / once(f))) for f in functions]
    end = time.perf_counter() + budget
    rounds = 0
    while rounds < 5 or time.perf_counter() < end:
        for i, function in enumerate(functions):
            best[i] = min(best[i], once(function, calls[i]))
        rounds += 1
    return best


def compare(name, shape, dtype, kwargs, budget):
    x = array(shape, dtype)
    workers = os.cpu_count()
    scipy_name = name.replace("2", "n")
    theirs = getattr(scipy_fft, scipy_name)
    if name.endswith("2"):
        kwargs = {**kwargs, "axes": (-2, -1)}
    ours = getattr(imago.fft, scipy_name)
    start = time.perf_counter()
    result = ours(x, **kwargs)
    first = time.perf_counter() - start
    expected = theirs(x, workers=workers, **kwargs)
    error = np.linalg.norm((result - expected).ravel()) / np.linalg.norm(expected.ravel())
    assert error < (1e-5 if x.dtype.itemsize // (1 + (dtype[0] == "c")) == 4 else 1e-13), error
    del result, expected
    functions = [lambda: ours(x, **kwargs), lambda: theirs(x, workers=workers, **kwargs)]
    if other := getattr(mkl, scipy_name, None):
        other(x, workers=workers, **kwargs)
        functions.append(lambda: other(x, workers=workers, **kwargs))
    times = measure(functions, budget)
    return x.size, first, *times, *[math.nan] * (3 - len(times))


def overhead():
    """Prints the time of one transform of 1024 points with each kind of call."""
    x = array((1024,), "c16")
    out = np.empty_like(x)
    session = imago._devices.sessions.get(True)
    functions = {
        "scipy.fft, its own code": lambda: scipy_fft.fft(x),
        "imago.fft": lambda: imago.fft.fft(x),
        "imago._core": lambda: session.transform(x, out, b"\0", (1024,), 0, 1.0),
    }
    imago.fft.fft(x)
    for name, seconds in zip(functions, measure(list(functions.values()), 3)):
        print(f"{name:28} {seconds * 1e6:8.1f} us")


def table(quick, only, budget):
    rows = []
    print(f"{'':32} {'type':>5} {'first s':>8} {'imago ms':>9} {'SciPy ms':>9} {'times':>6} {'MKL ms':>9} {'times':>6}")
    for title, name, shape, dtype, kwargs in cases(quick):
        if only not in title:
            continue
        points, first, ours, theirs, mkls = compare(name, shape, dtype, kwargs, budget)
        rows.append(
            {"case": title, "type": dtype, "points": points, "imago": ours, "scipy": theirs, "mkl": mkls}
        )
        print(
            f"{title:32} {dtype:>5} {first:8.2f} {ours * 1e3:9.3f} {theirs * 1e3:9.3f} "
            f"{theirs / ours:6.2f} {mkls * 1e3:9.3f} {mkls / ours:6.2f}",
            flush=True,
        )
    for name in ("scipy", "mkl"):
        large = [row[name] / row["imago"] for row in rows if row["points"] >= 1 << 18]
        large = [ratio for ratio in large if not math.isnan(ratio)]
        if large:
            mean = math.exp(sum(map(math.log, large)) / len(large))
            print(f"geometric mean of {len(large)} from 2^18 points on: {mean:.2f} times {name}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small arrays")
    parser.add_argument("--only", default="", help="cases whose name has this")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each case")
    parser.add_argument("--json", help="write the table there")
    options = parser.parse_args()
    print(f"{imago.device().name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    overhead()
    rows = table(options.quick, options.only, options.budget)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
