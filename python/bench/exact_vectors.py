"""Compares exact convolutions with FLINT's products, and counts the ones that differ.

    python python/bench/exact_vectors.py [COUNT [LOG2 OF THE MOST ELEMENTS [SEED]]]

Sequences are of structured forms (all the largest integer, one integer, signs in turns, a ramp, two
values at random) and random. Their integers are the largest that the bounds allow; their lengths are
random, for each power of two in turns. All three ways to wrap are tried. It needs python-flint.
"""

import collections
import sys
from math import isqrt

import flint
import numpy as np

from imago import exact

count, most, seed = (int(x) for x in (sys.argv[1:] + ["10000", "12", "1"][len(sys.argv) - 1:]))
random = np.random.default_rng(seed)


def formed(form: str, n: int, largest: int) -> np.ndarray:
    if form == "largest":
        return np.full(n, largest)
    if form == "smallest":
        return np.full(n, -largest)
    if form == "one":
        x = np.zeros(n, np.int64)
        x[random.integers(n)] = -largest
        return x
    if form == "signs":
        return np.where(np.arange(n) % 2, largest, -largest)
    if form == "ramp":
        return np.clip(np.linspace(-largest, largest, n).astype(np.int64), -largest, largest)
    if form == "two values":
        return random.choice(np.array([largest, -largest]), n)
    return random.integers(-largest, largest, n, endpoint=True)


def product(a: np.ndarray, b: np.ndarray, wrap: str) -> list[int]:
    whole = [int(x) for x in (flint.fmpz_poly(a.tolist()) * flint.fmpz_poly(b.tolist())).coeffs()]
    whole += [0] * (a.size + b.size - 1 - len(whole))
    if wrap == "linear":
        return whole
    n, sign = a.size, 1 if wrap == "cyclic" else -1
    further = whole[n:] + [0]
    return [x + sign * y for x, y in zip(whole[:n], further)]


forms = ("largest", "smallest", "one", "signs", "ramp", "two values", "random")
tried: collections.Counter[str] = collections.Counter()
wrong: collections.Counter[str] = collections.Counter()
for i in range(count):
    # Few lengths for each number of points, because each has a plan of its own.
    points = 1 << (1 + i % most)
    wrap = ("linear", "cyclic", "negacyclic")[i // most % 3]
    n = max(1, points - int(random.integers(2)))
    m = n if wrap != "linear" else max(1, points // 2 + int(random.integers(2)))
    # In 128 bits, in 64 bits and, within those, in one ring.
    size = i // most % 5
    results = "int128" if size == 0 else "int64"
    largest = {0: exact.LARGEST_INT128, 1: 2**60 - 1}.get(size, exact.LARGEST)
    bound = largest // min(n, m)
    first = int(random.integers(1, min(bound, 2**62), endpoint=True)) if i % 7 == 0 else isqrt(bound)
    second = min(bound // first, 2**62)
    a, b = (formed(forms[int(random.integers(7))], *x) for x in ((n, first), (m, second)))
    name = f"{wrap}, up to 2^{1 + i % most}"
    tried[name] += 1
    wrong[name] += exact.convolve(a, b, wrap, results=results).tolist() != product(a, b, wrap)
for name in tried:
    print(f"{name:28} {tried[name]:6} tried {wrong[name]:4} wrong")
print(f"{sum(tried.values())} tried, {sum(wrong.values())} wrong")
sys.exit(sum(wrong.values()) != 0)
