"""The sizes of pyvkfft's accuracy tests (2025.1.1, test_fft.py and test suite), with imago's bound.

By default each of the shorter shapes of its basic tests runs with one kind and precision, in turn.
With IMAGO_TEST_SIZES=P in the environment every shape runs with all kinds and precisions, and so do
P percent of the sizes of its systematic tests: lengths without a prime factor above 13 up to
100 000, others up to 10 000, squares up to 4500 and cubes up to 550 of both. P = 100 takes days.
"""

import itertools
import math
import os
import random

import numpy as np
import pytest
from support import random_array, reference

import imago

PERCENT = float(os.environ.get("IMAGO_TEST_SIZES", "0"))
KINDS = ["fft", "rfft"] + [f"{name}{type}" for name in ("dct", "dst") for type in (1, 2, 3, 4)]
PRECISIONS = ["f4", "f8"]
SMALL = [15, 17, 30, 34]
# 2988 contains a safe prime; the others are products of small primes, or next to one, up to 2^20.
LARGE = [808, 2988, 4200, 8192, 8193, 8194, 8232, 131072, 8232 * 128, 8193 * 128, 8194 * 128]


def largest_prime(n):
    factor, largest = 2, 1
    while n > 1:
        if n % factor == 0:
            n, largest = n // factor, factor
        else:
            factor += 1 if factor * factor <= n else n - factor
    return largest


def basic_shapes():
    yield from ((n,) for n in SMALL + LARGE)
    yield from ((n,) * dimensions for dimensions in (2, 3, 4) for n in (15, 17))
    yield from (shape for n in (30, 34, 808, 8193) for shape in ((n, 3), (3, n)))
    yield from ((n, 3, 3) for n in (30, 34))


def systematic_shapes():
    for dimensions, smooth, others in ((1, 100_000, 10_000), (2, 4500, 4500), (3, 550, 550)):
        for n in range(2, smooth + 1):
            if n <= others or largest_prime(n) <= 13:
                yield (n,) * dimensions


def cases():
    every = list(itertools.product(KINDS, PRECISIONS))
    if not PERCENT:
        shorter = (s for s in basic_shapes() if len(s) < 4 and max(s) <= 8232)
        for i, shape in enumerate(shorter):
            yield (shape, *every[i % len(every)])
        return
    yield from ((shape, *how) for shape in basic_shapes() for how in every)
    draw = random.Random(18)
    for shape in systematic_shapes():
        yield from ((shape, *how) for how in every if draw.random() < PERCENT / 100)


def bound(shape, kind, precision):
    """Returns the bound of the relative error (L2) of one transform: docs/architecture.md."""
    double = {"1": lambda n: 2 * (n - 1 if kind == "dct1" else n + 1)}.get(kind[-1], lambda n: 2 * n)
    lengths = [double(n) if kind[-1].isdigit() else n for n in shape]
    unit = 2e-8 if precision == "f4" else 4e-17
    rough = 3 if max(map(largest_prime, lengths)) > 31 else 1
    return 2 * rough * unit * (4 + math.log2(math.prod(lengths)))


@pytest.mark.parametrize("shape, kind, precision", list(cases()))
def test_size(shape, kind, precision):
    x = random_array(shape, ("c" + str(2 * int(precision[1]))) if kind == "fft" else precision)
    wide = x.astype(np.clongdouble if kind == "fft" else np.longdouble)
    name, others = kind.rstrip("1234") + "n", tuple(map(int, kind[-1:])) if kind[-1].isdigit() else ()
    expected = getattr(reference, name)(wide, *others)
    result = getattr(imago.fft, name)(x, *others)
    error = np.linalg.norm((result - expected).ravel()) / np.linalg.norm(expected.ravel())
    assert error <= bound(shape, kind, precision)
