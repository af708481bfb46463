"""Runs NumPy's own tests of its FFT on imago: `pytest -p numpy_plugin --pyargs numpy.fft`.

The plugin replaces the functions of `numpy.fft` by those of imago.fft before it imports the tests.
It implements the conventions of NumPy that SciPy lacks: `out`, and the combination of `s` and
`axes`, for which it calls NumPy's own code. Shifts and frequencies stay
NumPy's, because those of imago.fft are SciPy's, which call NumPy's. The last lines print how many
calls imago computed. With IMAGO_LEAST_COMPUTED=N in the environment the run fails below N.
"""

import functools

import numpy as np
from numpy.fft import _pocketfft
from scipy_plugin import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

import imago

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]


def put(result, out):
    """Treats `out` as NumPy does: same shape, and a type that the result can be cast to."""
    if out is None:
        return result
    if not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out.shape != result.shape:
        raise ValueError("output array has wrong shape.")
    if not np.can_cast(result.dtype, out.dtype, "same_kind"):
        raise TypeError(f"Cannot cast output from {result.dtype} to {out.dtype}")
    out[...] = result
    return out


def along_one(name):
    ours = getattr(imago.fft, name)

    @functools.wraps(getattr(np.fft, name))
    def function(a, n=None, axis=-1, norm=None, out=None):
        return put(ours(a, n, axis, norm), out)

    return function


def along_several(name, default):
    ours = getattr(imago.fft, name.replace("2", "n"))

    @functools.wraps(getattr(np.fft, name))
    def function(a, s=None, axes=default, norm=None, out=None):
        a = np.asarray(a)
        if axes is None and s is None:
            axes = range(a.ndim)
        lengths, axes = _pocketfft._cook_nd_args(a, s, axes, invreal=name.startswith("irfft"))
        lengths = [a.shape[axis] if n is None else n for n, axis in zip(lengths, axes)]
        return put(ours(a, lengths, axes, norm), out)

    return function


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    setattr(np.fft, _name, along_one(_name))
for _name in ("fft", "ifft", "rfft", "irfft"):
    setattr(np.fft, _name + "2", along_several(_name + "2", (-2, -1)))
    setattr(np.fft, _name + "n", along_several(_name + "n", None))
