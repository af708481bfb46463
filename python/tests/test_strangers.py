"""Rows are independent: the error of a row does not depend on size, NaN or infinity in others."""

import numpy as np
import pytest
import scipy.fft
from support import random_array, reference

import imago

# APART: the ratio of row 1, the largest, to row 0, the smallest. BOUND: the largest error of a row,
# relative to its own norm.
APART = {"f4": 1e7, "f8": 1e13, "c8": 1e7, "c16": 1e13}
BOUND = {"f4": 1e-6, "f8": 2e-15, "c8": 1e-6, "c16": 2e-15}
WIDE = {"f": np.longdouble, "c": np.clongdouble}
COSINES = [(name, kind) for name in ("dct", "dst", "idct", "idst") for kind in (1, 2, 3, 4)]


def rows_of(count, length, dtype):
    """Returns rows of very different size, adjacent and half of the rows apart."""
    exponents = np.random.default_rng(3).uniform(0, 1, count)
    exponents[:4] = [0, 1, 0.6, 0.3]
    rows = random_array((count, length), dtype)
    return (rows * (APART[dtype] ** exponents)[:, np.newaxis]).astype(dtype)


def poisoned(rows):
    """Returns such rows with NaN in row 1 and infinity in row 3, and the finite rows."""
    rows = rows.copy()
    rows[1, 2] = np.nan
    rows[3, 0] = np.inf
    return rows, [i for i in range(len(rows)) if i not in (1, 3)]


def assert_rows(result, expected, dtype, rows=slice(None)):
    result, expected = result[rows].astype(WIDE[result.dtype.kind]), expected[rows]
    error = np.linalg.norm(result - expected, axis=-1) / np.linalg.norm(expected, axis=-1)
    assert np.all(error < BOUND[dtype]), error


def check(compute, exact, dtype, count=5, length=15):
    rows = rows_of(count, length, dtype)
    wide = WIDE[rows.dtype.kind]
    assert_rows(compute(rows), exact(rows.astype(wide)), dtype)
    ill, whole = poisoned(rows)
    result = compute(ill)
    assert_rows(result, exact(rows.astype(wide)), dtype, whole)
    assert not np.isfinite(result[1]).all()
    assert not np.isfinite(result[3]).all()


@pytest.mark.parametrize(
    "large, dtype", [(1e8, "f4"), (1e17, "f8"), (np.nan, "f4"), (np.nan, "f8"), (np.inf, "f4")]
)
def test_a_row_beside_a_large_one(large, dtype):
    x = np.array([[large, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]], dtype)
    expected = [72, -25.769292, 0, -2.6938192, 0, -0.80361161, 0, -0.20280929]
    np.testing.assert_allclose(imago.fft.dct(x)[1], expected, atol=2e-5)
    h = np.ones(3, dtype)
    y = np.array([[large] + 9 * [0], range(10)], dtype)
    result = imago.Convolution(h, 10, batch=2)(y)
    np.testing.assert_allclose(result[1], np.convolve(range(10), [1, 1, 1]), atol=2e-5)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name, kind", COSINES)
def test_cosines_and_sines(name, kind, dtype):
    exact = getattr(reference, name)
    check(lambda x: getattr(imago.fft, name)(x, kind), lambda x: exact(x, kind), dtype)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_columns(kind):
    def compute(x):
        return imago.fft.dct(np.ascontiguousarray(x.T), kind, axis=0).T

    check(compute, lambda x: reference.dct(x, kind), "f4", length=16)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_cosines_of_complex_rows(dtype):
    # The real and imaginary part of a row share its norm.
    check(lambda x: imago.fft.dct(x), lambda x: reference.dct(x), dtype)


@pytest.mark.parametrize("shape", [(8, 12), (9, 15)])
def test_images_of_a_batch(shape):
    points = shape[0] * shape[1]

    def images(function):
        return lambda x: function(x.reshape(-1, *shape), axes=(1, 2)).reshape(-1, points)

    check(images(imago.fft.dctn), images(reference.dctn), "f4", 6, points)


@pytest.mark.parametrize("name, dtype", [("fft", "c8"), ("ifft", "c16"), ("rfft", "f4"), ("rfft", "f8")])
def test_fourier(name, dtype):
    check(lambda x: getattr(imago.fft, name)(x), lambda x: getattr(reference, name)(x), dtype)


@pytest.mark.parametrize("name", ["dct", "idst"])
def test_scipy_with_this_backend(name):
    def compute(x):
        with scipy.fft.set_backend(imago, only=True):
            return getattr(scipy.fft, name)(x)

    check(compute, lambda x: getattr(reference, name)(x), "f8")


@pytest.mark.parametrize("kind", ["dct1", "dct2", "dct3", "dst2"])
def test_plans(kind):
    plan = imago.Plan(16, kind=kind, batch=5, dtype="f4")
    exact = getattr(reference, kind[:3])
    check(lambda x: plan.forward(x), lambda x: exact(x, int(kind[3])), "f4", length=16)


@pytest.mark.parametrize("extent", ["full", "same", "valid", "circular"])
@pytest.mark.parametrize("dtype, correlate", [("f4", False), ("f8", True), ("c8", False)])
def test_convolutions(extent, dtype, correlate):
    n, batch = 40, 6
    h = random_array((7,), dtype, 1)
    convolution = imago.Convolution(h, n, batch=batch, extent=extent, correlate=correlate)

    def exact(x):
        if extent != "circular":
            function = np.correlate if correlate else np.convolve
            if not correlate:
                return np.array([function(row, h, extent) for row in x])
            return np.array([function(row, h.astype(row.dtype), extent) for row in x])
        taps = np.conj(h) if correlate else h
        sign = -1 if correlate else 1
        return sum(tap * np.roll(x, sign * j, axis=1) for j, tap in enumerate(taps))

    check(convolution, exact, dtype, batch, n)


def test_cepstra_of_a_silent_frame():
    power = np.abs(random_array((100, 26), "f4")) + 1e-3
    power[41] = 0
    with np.errstate(divide="ignore"):
        logarithms = np.log(power)
    result = imago.fft.dct(logarithms, norm="ortho")
    frames = np.isfinite(result).all(axis=1)
    assert not frames[41]
    assert frames.sum() == 99
