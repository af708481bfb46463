"""imago as SciPy's backend."""

import numpy as np
import pytest
import scipy.fft
import scipy.signal
from support import assert_close, random_array, reference

import imago


@pytest.mark.parametrize("backend", [imago, imago.fft])
def test_scipy_runs_on_it(backend, computed):
    x = random_array(16, np.float64)
    with scipy.fft.set_backend(backend, only=True):
        result = scipy.fft.rfft(x)
    assert computed() == 1
    assert_close(result, reference.rfft(x))


def test_every_function_of_scipy_reaches_it(computed):
    x = random_array((4, 6), np.float64)
    names = [name for name in dir(scipy.fft) if name.lstrip("ih").rstrip("2n") in ("fft", "rfft")]
    names += ["hfft", "ihfft", "dct", "idctn", "dstn", "idst"]
    with scipy.fft.set_backend(imago, only=True):
        for name in names:
            before = computed()
            getattr(scipy.fft, name)(x)
            assert computed() > before, name


def test_convolutions_of_scipy_reach_it(computed):
    a, b = random_array(300, np.float64), random_array(40, np.float64, 1)
    with scipy.fft.set_backend(imago):
        result = scipy.signal.fftconvolve(a, b)
    assert computed() == 3
    assert_close(result, np.convolve(a, b), rounding=1e-15)


def test_hankel_transforms_are_scipys_on_imago(computed):
    x = random_array(32, np.float64)
    expected = scipy.fft.fht(x, 0.1, 1.0)
    assert computed() == 0
    assert_close(imago.fft.fht(x, 0.1, 1.0), expected, rounding=1e-15)
    assert computed() == 2
    assert_close(imago.fft.ifht(expected, 0.1, 1.0), x, rounding=1e-14)


def test_other_libraries_arrays_are_passed_on():
    class Foreign:
        def __array_namespace__(self, api_version=None):
            return np

    assert imago.__ua_function__(scipy.fft.fft, (Foreign(),), {}) is NotImplemented
    assert imago.__ua_function__(len, (np.ones(3),), {}) is NotImplemented


def test_skipped(computed):
    x = random_array(16, np.float64)
    with scipy.fft.set_backend(imago), scipy.fft.skip_backend(imago):
        scipy.fft.fft(x)
    assert computed() == 0
