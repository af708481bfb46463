"""imago.signal on host arrays and on arrays of pyopencl. SciPy's own tests: signal_plugin.py."""

import threading
from fractions import Fraction

import numpy as np
import pytest
import scipy.signal
from support import random_array

import imago
from imago import signal


def phases(n, frequencies):
    """Returns exp(-2 pi i j f) for exact frequencies f, in long double."""
    j = np.arange(n, dtype=np.uint64)
    rows = []
    for f in frequencies:
        bits = (f.numerator << 86) // f.denominator % (1 << 86)
        high, low = np.uint64(bits >> 43), bits % (1 << 43)
        turns = (j * high % np.uint64(1 << 43)).astype(np.longdouble) / 2.0**43
        turns += j.astype(np.longdouble) * low / np.longdouble(2.0) ** 86
        rows.append(_root(turns))
    return np.array(rows)


def _root(turns):
    angle = -2 * np.arccos(np.longdouble(-1)) * turns
    return np.cos(angle) + 1j * np.sin(angle)


def frequencies(fn, m, fs, endpoint=False):
    first, last, rate = (Fraction(f) for f in (*fn, fs))
    return [(first + k * (last - first) / (m - endpoint)) / rate for k in range(m)]


def error(result, x, factors):
    """Returns the error relative to the size that results have in the mean."""
    expected = x @ factors.T
    mean = np.linalg.norm(x.astype(np.clongdouble)) * np.sqrt(np.longdouble(len(factors)))
    return float(np.linalg.norm(result - expected) / mean)


BOUNDS = {"f4": 5e-7, "c8": 5e-7, "f8": 1e-15, "c16": 1e-15}


@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("endpoint", [False, True])
def test_direct_sum(dtype, endpoint):
    x = random_array((3, 60), dtype)
    result = signal.zoom_fft(x, [3, 10.5], 40, fs=44.1, endpoint=endpoint)
    assert result.dtype == (np.complex64 if dtype in ("f4", "c8") else np.complex128)
    factors = phases(60, frequencies([3, 10.5], 40, 44.1, endpoint))
    assert error(result, x, factors) < BOUNDS[dtype]


@pytest.mark.long
def test_long_zooms_lose_no_digits():
    x = random_array(100_000, "f8")
    factors = phases(100_000, frequencies([1, 2], 16, 3))
    assert error(signal.zoom_fft(x, [1, 2], 16, fs=3), x, factors) < 2e-15


def test_types():
    singles, doubles = ("f2", "f4", ">f4", "c8"), ("i4", "?", "f8", ">c16")
    for given, made in [(t, "c8") for t in singles] + [(t, "c16") for t in doubles]:
        x = np.ones(8, given)
        assert signal.zoom_fft(x, 1).dtype == np.dtype(made)
        assert signal.czt(x).dtype == np.dtype(made)
    spiral = signal.czt(np.ones(8, "f4"), a=0.9)
    assert spiral.dtype == np.complex128
    np.testing.assert_allclose(spiral, scipy.signal.czt(np.ones(8), a=0.9), rtol=1e-13)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_axis(axis):
    x = random_array((5, 6, 7), "c16")
    expected = scipy.signal.zoom_fft(x, [0.1, 0.4], 9, axis=axis)
    for array in (x, np.asfortranarray(x)):
        result = signal.zoom_fft(array, [0.1, 0.4], 9, axis=axis)
        np.testing.assert_allclose(result, expected, atol=1e-13)


def test_points_and_attributes():
    for ours, theirs in (
        (signal.CZT(8, 5, 0.99, 1j), scipy.signal.CZT(8, 5, 0.99, 1j)),
        (signal.CZT(8), scipy.signal.CZT(8)),
        (signal.ZoomFFT(8, [1, 2], 5, fs=9), scipy.signal.ZoomFFT(8, [1, 2], 5, fs=9)),
        (signal.ZoomFFT(8, 0.5, 5, endpoint=True), scipy.signal.ZoomFFT(8, 0.5, 5, endpoint=True)),
    ):
        np.testing.assert_allclose(ours.points(), theirs.points(), rtol=1e-14)
        for name in ("n", "m", "w", "a"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name))
    assert (ours.f1, ours.f2, ours.fs) == (theirs.f1, theirs.f2, theirs.fs)


def test_one_point_with_endpoint():
    x = random_array(8, "f8")
    np.testing.assert_allclose(signal.zoom_fft(x, [0, 1], 1, endpoint=True), [x.sum()], rtol=1e-14)


@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_adjoint(dtype):
    x, y = random_array((3, 40), dtype), random_array((3, 9), "c16", seed=1)
    for transform in (signal.ZoomFFT(40, [0.2, 0.3], 9), signal.CZT(40, 9, 0.999 - 0.1j, 1.01)):
        left, right = np.vdot(y, transform(x)), np.vdot(transform.adjoint(y), x)
        assert abs(left - right) < 1e-12
    real = transform.adjoint(y.real)
    np.testing.assert_allclose(real, transform.adjoint(y.real + 0j))


def test_out():
    x = random_array((4, 12), "f4")
    transform = signal.ZoomFFT(12, [0.2, 0.8], 5)
    out = np.zeros((4, 10), "c8")
    assert transform(x, out=out[:, ::2]).base is out
    np.testing.assert_array_equal(out[:, ::2], transform(x))
    assert not out[:, 1::2].any()
    contiguous = np.empty((4, 5), "c8")
    assert signal.zoom_fft(x, [0.2, 0.8], 5, out=contiguous) is contiguous
    own = random_array(12, "c16")
    same = signal.ZoomFFT(12, [0.2, 0.8])
    expected = same(own)
    assert same(own, out=own) is own
    np.testing.assert_array_equal(own, expected)
    for wrong in (np.empty((4, 5), "c16"), np.empty((5, 4), "c8")):
        with pytest.raises(ValueError, match="out has shape"):
            transform(x, out=wrong)
    with pytest.raises(TypeError, match="out has type list"):
        transform(x, out=[])


def test_empty():
    assert signal.zoom_fft(np.ones((0, 8)), 1, 5).shape == (0, 5)


def test_plans_are_cached_and_released():
    from imago.signal._zoom import _cached_plan

    imago.release_memory()
    assert _cached_plan.cache_info().currsize == 0
    x = np.ones(8)
    for _ in range(3):
        signal.zoom_fft(x, 1)
        signal.ZoomFFT(8, 1)(x)
    assert _cached_plan.cache_info().currsize == 1
    imago.release_memory()
    assert _cached_plan.cache_info().currsize == 0


def test_threads(computed):
    transform = signal.ZoomFFT(64, [0.1, 0.3], 20)
    xs = [random_array(64, "c16", seed) for seed in range(8)]
    found = [None] * 8

    def work(i):
        found[i] = transform(xs[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for x, y in zip(xs, found):
        np.testing.assert_array_equal(y, transform(x))
    assert computed() == 16


def test_long_doubles_are_computed_by_scipy(monkeypatch):
    x = random_array(12, np.longdouble)
    np.testing.assert_array_equal(signal.zoom_fft(x, 0.3), scipy.signal.zoom_fft(x, 0.3))
    np.testing.assert_array_equal(signal.czt(x), scipy.signal.czt(x))
    np.testing.assert_array_equal(signal.czt(x, w=0.9), scipy.signal.czt(x, w=0.9))
    with pytest.raises(NotImplementedError, match="SciPy has no adjoint"):
        signal.CZT(12).adjoint(x)
    monkeypatch.setenv("IMAGO_FALLBACK", "0")
    with pytest.raises(NotImplementedError, match="IMAGO_FALLBACK is 0"):
        signal.zoom_fft(x, 0.3)


@pytest.mark.parametrize("n, m", [(40, 40), (1, 101), (3, 101), (101, 2)])
def test_spirals_have_right_digits_or_are_rejected(n, m):
    # The error is relative to the sums of the terms' moduli, whose sizes differ by far.
    x, j, k = random_array(n, "c16"), np.arange(n), np.arange(m, dtype=np.longdouble)[:, None]
    for modulus in (0.97, 1.03, 0.999, 1.01, 0.5):
        # Errors grow by exp of this, to about a tenth at exp(32).
        spread = abs(np.log(modulus)) * ((n + m) / 2 - 1) ** 2 / 2 if n > 1 else 0
        w, a = modulus * np.exp(-0.3j), 1.01 * np.exp(0.1j)
        if spread > 33:
            with pytest.raises(ValueError, match=r"its chirp spreads over exp\(\d+.*it may spread over"):
                signal.czt(x, m, w, a)
            continue
        assert spread < 31  # no case is so near to the limit that it depends on rounding
        exponents = j * (k * np.log(np.clongdouble(w)) - np.log(np.clongdouble(a)))
        found, terms = signal.czt(x, m, w, a), np.exp(exponents) * x
        relative = abs(found - terms.sum(axis=1)) / abs(terms).sum(axis=1)
        assert relative.max() <= 2e-15 * np.exp(spread)
        if n == 1:
            assert abs(found - x[0]).max() < 1e-15


def test_scipys_spirals_without_a_right_digit_are_rejected():
    x = random_array(40, np.longdouble)
    with pytest.raises(NotImplementedError, match="SciPy's result would be wrong. Give float64"):
        signal.czt(x, w=0.9)
    with pytest.raises(ValueError, match="its chirp spreads over"):
        signal.czt(x.astype(float), w=0.9)


def test_mistakes():
    with pytest.raises(ValueError, match="Make another object"):
        signal.ZoomFFT(8, 1)(np.ones(9))
    with pytest.raises(ValueError, match="fn is .* 2-length sequence"):
        signal.ZoomFFT(8, [1, 2, 3])
    for fs in (-1, 0, np.inf, np.nan):
        with pytest.raises(ValueError, match=f"fs is {fs}; it must be above 0 and finite. Give"):
            signal.zoom_fft(np.ones(8), 1, fs=fs)
    for fn in (np.inf, [1, np.nan], [-1e30, 1]):
        with pytest.raises(ValueError, match=r"fn is .*; it must be finite, and at most 2\^32 times"):
            signal.zoom_fft(np.ones(8), fn)
    for name in ("w", "a"):
        for z in (0, np.nan, complex(1, np.inf)):
            with pytest.raises(ValueError, match=f"{name} is .*; it must be finite and not 0. Give"):
                signal.czt(np.ones(8), **{name: z})
    with pytest.raises(ValueError, match="too wide"):
        signal.czt(np.ones(8), w=1e20)
    with pytest.raises(ValueError, match="queue and wait_for are for"):
        signal.czt(np.ones(8), queue=1)


cl = pytest.importorskip("pyopencl")
import pyopencl.array  # noqa: E402


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_device_arrays(queue, dtype, axis):
    x = random_array((6, 7, 10), dtype)
    there = cl.array.to_device(queue, x)
    n = x.shape[axis]
    for transform in (signal.ZoomFFT(n, [0.1, 0.9], 5), signal.CZT(n, 8)):
        result = transform(there, axis=axis)
        assert len(result.events) == 1
        np.testing.assert_array_equal(result.get(), transform(x, axis=axis))
        back = transform.adjoint(result, axis=axis).get()
        np.testing.assert_array_equal(back, transform.adjoint(result.get(), axis=axis))


def test_device_functions(queue):
    x = random_array((3, 12), "f8")
    there = cl.array.to_device(queue, x)
    np.testing.assert_array_equal(signal.czt(there, 5, 0.99, 1j).get(), signal.czt(x, 5, 0.99, 1j))
    np.testing.assert_array_equal(signal.zoom_fft(there, 0.3).get(), signal.zoom_fft(x, 0.3))


@pytest.mark.long
def test_device_views(queue):
    x = random_array((6, 12), "f4")
    there = cl.array.to_device(queue, x)
    views = (np.s_[1:5, 3:11], np.s_[::2, 1::3], np.s_[2:], np.s_[:, 4])
    for view in views:
        for axis in range(x[view].ndim):
            result = signal.zoom_fft(there[view], [0.1, 0.5], 7, axis=axis).get()
            expected = signal.zoom_fft(x[view], [0.1, 0.5], 7, axis=axis)
            np.testing.assert_allclose(result, expected, atol=1e-5)
    turned = signal.zoom_fft(there.T, [0.1, 0.5], 7).get()
    np.testing.assert_allclose(turned, signal.zoom_fft(x.T, [0.1, 0.5], 7), atol=1e-5)
    with pytest.raises(ValueError, match="strides"):
        signal.zoom_fft(there[::-1], 1)


def test_device_out(queue):
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(queue, x)
    out = cl.array.zeros(queue, (4, 10), np.complex64)
    transform = signal.ZoomFFT(12, [0.2, 0.8], 5)
    transform(there, out=out[:, ::2], queue=queue, wait_for=[])
    np.testing.assert_allclose(out.get()[:, ::2], transform(x), atol=1e-5)
    assert not out.get()[:, 1::2].any()
    transform.adjoint(out[:, ::2], out=there)
    np.testing.assert_allclose(there.get(), transform.adjoint(out.get()[:, ::2]), atol=1e-4)
    with pytest.raises(ValueError, match="out has shape"):
        transform(there, out=out)
    with pytest.raises(TypeError, match="out has type ndarray"):
        transform(there, out=x)


@pytest.mark.parametrize("given", ["of the array", "of the call"])
def test_device_waits(queue, given):
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(queue, x)
    gate = cl.UserEvent(queue.context)
    waits = {}
    if given == "of the array":
        there.events.append(gate)
    else:
        waits["wait_for"] = [gate]
    result = signal.zoom_fft(there, 1, queue=cl.CommandQueue(queue.context), **waits)
    done = result.events[0]
    assert done.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    done.wait()
    np.testing.assert_allclose(result.get(), signal.zoom_fft(x, 1), atol=1e-5)


def test_device_mistakes(queue):
    ints = cl.array.to_device(queue, np.ones(8, np.int32))
    with pytest.raises(TypeError, match="Convert it with x.astype"):
        signal.zoom_fft(ints, 1)
    with pytest.raises(TypeError, match="points off the unit circle need float64"):
        signal.czt(cl.array.to_device(queue, np.ones(8, np.float32)), a=0.9)
    with pytest.raises(ValueError, match="x has no queue"):
        signal.czt(cl.array.to_device(queue, np.ones(8)).with_queue(None))
    assert signal.zoom_fft(cl.array.zeros(queue, (0, 8), np.float64), 1, 5).shape == (0, 5)
