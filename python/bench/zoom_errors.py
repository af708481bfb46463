"""Measures the errors of random zooms: `python zoom_errors.py [CASES [SEED]]`.

Each case has a length n and m frequencies, both up to 2^20, and a range from `from` to `to`: whole
numbers and a whole sampling rate, or random doubles. It is computed in f64 and in f32 and compared
with sums in long double, whose phases are exact, at 4 to 32 of the frequencies. The error is
relative to sqrt(m) ||x||, the size that results have in the mean. The script prints the largest
errors, divided by imago's bound of Bluestein's algorithm for max(n, m) points.
"""

import math
import sys
import time
from fractions import Fraction

import numpy as np

import imago

TERMS = 2**22  # limit of the terms in all sums
PRECISIONS = {"f64": (np.complex128, 4e-17), "f32": (np.complex64, 2e-8)}


def root(j, f):
    """Returns exp(-2 pi i j f) for an exact frequency f, in long double."""
    bits = (f.numerator << 86) // f.denominator % (1 << 86)
    high, low = np.uint64(bits >> 43), np.longdouble(bits % (1 << 43))
    turns = (j * high % np.uint64(1 << 43)).astype(np.longdouble) / np.longdouble(2) ** 43
    angle = -2 * np.arccos(np.longdouble(-1)) * (turns + j * low / np.longdouble(2) ** 86)
    return np.cos(angle) + 1j * np.sin(angle)


def drawn(random):
    """Returns n, m, the range and the sampling rate."""
    n, m = (int(2 ** random.uniform(0, 20)) for _ in range(2))
    if random.integers(2):
        rate = int(2 ** random.uniform(0, 40))
        first, last = (int(random.integers(-rate, 2 * rate)) for _ in range(2))
        return n, m, first, last, rate
    return n, m, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.5, 2)


def main(cases=500, seed=1):
    random = np.random.default_rng(seed)
    worst = {name: (0.0, None) for name in PRECISIONS}
    began = time.perf_counter()
    for case in range(cases):
        n, m, first, last, rate = drawn(random)
        real = bool(random.integers(2))
        x = random.uniform(-1, 1, n) + (0 if real else 1j * random.uniform(-1, 1, n))
        kept = np.unique(random.integers(0, m, min(32, max(4, TERMS // n))))
        j = np.arange(n, dtype=np.uint64)
        step = (Fraction(last) - Fraction(first)) / m
        roots = [root(j, (Fraction(first) + int(k) * step) / Fraction(rate)) for k in kept]
        for name, (dtype, unit) in PRECISIONS.items():
            own = x.astype(np.zeros(0, dtype).real.dtype if real else dtype)
            wide = own.astype(np.clongdouble)
            expected = np.array([wide @ row for row in roots])
            found = imago.signal.zoom_fft(own, [first, last], m, fs=rate)[kept]
            size = np.linalg.norm(wide) * np.sqrt(len(kept))
            error = float(np.linalg.norm(found - expected) / size)
            ratio = error / (3 * unit * (4 + math.log2(max(n, m))))
            if ratio > worst[name][0]:
                text = f"{error:.2e} at n {n}, m {m}, from {first}, to {last}, rate {rate}"
                worst[name] = ratio, text
        if (case + 1) % 20 == 0 or case + 1 == cases:
            seconds = time.perf_counter() - began
            print(f"{case + 1} cases, {seconds:.0f} s:", flush=True)
            for name, (ratio, text) in worst.items():
                print(f"  {name}: {ratio:.3f} of the bound, {text}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
