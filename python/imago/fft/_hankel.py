"""The fast Hankel transform: SciPy's code, with its Fourier transforms computed by imago."""

from __future__ import annotations

import sys
from typing import Any

import scipy.fft
from numpy.typing import ArrayLike, NDArray
from scipy.fft import _fftlog_backend


def fht(
    a: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0
) -> NDArray[Any]:
    """The Hankel transform of order `mu`; `dln` is the logarithmic spacing of the samples.

    >>> import numpy as np, imago
    >>> imago.fft.fht(np.ones(4), 0.1, 0.5).shape
    (4,)
    """
    with scipy.fft.set_backend(sys.modules["imago"]):
        return _fftlog_backend.fht(a, dln, mu, offset=offset, bias=bias)


def ifht(
    A: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0
) -> NDArray[Any]:
    """The inverse of `fht`.

    >>> import numpy as np, imago
    >>> imago.fft.ifht(imago.fft.fht(np.ones(4), 0.1, 0.5), 0.1, 0.5).round(6)
    array([1., 1., 1., 1.])
    """
    with scipy.fft.set_backend(sys.modules["imago"]):
        return _fftlog_backend.ifht(A, dln, mu, offset=offset, bias=bias)
