"""imago.numpy_fft beside numpy.fft: NumPy's names, types and warnings."""

import inspect

import numpy as np
import pytest
from support import assert_close, random_array

from imago import numpy_fft

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")


def real(name):
    return name.startswith(("rfft", "ihfft"))


def test_it_has_numpys_functions():
    assert set(numpy_fft.__all__) == set(np.fft.__all__)
    for name in (*ONE, *SEVERAL):
        theirs = inspect.signature(getattr(np.fft, name)).parameters
        ours = inspect.signature(getattr(numpy_fft, name)).parameters
        assert [(p.name, p.default) for p in ours.values()] == [
            (p.name, p.default) for p in theirs.values()
        ]


@pytest.mark.parametrize("name", ONE)
def test_one_axis(name):
    ours, theirs = getattr(numpy_fft, name), getattr(np.fft, name)
    for dtype in ("f2", "f4", "f8", "i4") if real(name) else ("f2", "f4", "f8", "i4", "c8", "c16"):
        x = np.arange(1, 25).reshape(4, 6).astype(dtype)
        for given in ({}, {"n": 5}, {"axis": 0}, {"norm": "ortho"}, {"n": 9, "norm": "forward"}):
            found, exact = ours(a=x, **given), theirs(x, **given)
            assert found.dtype == exact.dtype
            # NumPy rounds the factors of halves to half precision.
            if dtype == "f2":
                np.testing.assert_allclose(found, exact, 2e-3, 2e-2)
            else:
                assert_close(found, exact)
    with pytest.raises(ValueError, match=r"Invalid number of FFT data points \(0\) specified"):
        ours(x.real if real(name) else x, n=0)
    with pytest.raises(IndexError):
        ours(x.real, axis=2)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_axes(name):
    ours, theirs = getattr(numpy_fft, name), getattr(np.fft, name)
    x = random_array((4, 5, 6), "f8" if real(name) else "c16")
    axes = [{}, {"axes": (0, 1)}, {"axes": (2, 0)}, {"axes": (1, 1)}, {"axes": (0,)}]
    axes += [{"s": (3, 8), "axes": (0, 2)}, {"s": (-1, 7), "axes": (1, 2)}, {"norm": "ortho"}]
    for given in axes:
        assert_close(ours(x, **given), theirs(x, **given))
    with pytest.warns(DeprecationWarning, match="Passing an array containing `None` values to `s`"):
        found = ours(x, (None, 6), (0, 1))
    with pytest.warns(DeprecationWarning):
        assert_close(found, theirs(x, (None, 6), (0, 1)))
    with pytest.warns(DeprecationWarning, match="`axes` should not be `None` if `s` is not `None`"):
        found = ours(x, (4, 6), None)
    with pytest.warns(DeprecationWarning):
        assert_close(found, theirs(x, (4, 6), None))
    half = x.real.astype("f2") if real(name) else x.astype("c8")
    assert ours(half).dtype == theirs(half).dtype
    for axes in ((0, 1), (0,)):
        assert ours(x.real.astype("f2"), axes=axes).dtype == theirs(x.real.astype("f2"), axes=axes).dtype
    with pytest.raises(ValueError, match="Shape and axes have different lengths"):
        ours(x, (4,), (0, 1))


def test_out():
    x = random_array((4, 8), "f8")
    out = np.empty((4, 5), "c16")
    assert numpy_fft.rfft(x, out=out) is out
    assert_close(out, np.fft.rfft(x))
    with pytest.raises(ValueError, match="output array has wrong shape"):
        numpy_fft.rfft2(x, out=out[:3])
    with pytest.raises(TypeError, match="Cannot cast output"):
        numpy_fft.fft(x, out=np.empty((4, 8)))
    with pytest.raises(TypeError, match="return arrays must be of ArrayType"):
        numpy_fft.fft(x, out=[0])
