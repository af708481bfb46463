"""SciPy's sample frequencies, in any real type, as the array API standard requires."""

from __future__ import annotations

from typing import Any

import scipy.fft
from numpy.typing import DTypeLike, NDArray


def fftfreq(
    n: int, d: float = 1.0, *, xp: Any = None, device: Any = None, dtype: DTypeLike = None
) -> NDArray[Any]:
    """The frequencies of the n entries of `fft`, in cycles per unit of the sample spacing `d`.

    As `scipy.fft.fftfreq`; `dtype` is the type of the result (default: float64).

    >>> import imago
    >>> imago.fft.fftfreq(4)
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    return _typed(scipy.fft.fftfreq(n, d, **_given(xp, device)), dtype)


def rfftfreq(
    n: int, d: float = 1.0, *, xp: Any = None, device: Any = None, dtype: DTypeLike = None
) -> NDArray[Any]:
    """The frequencies of the n/2+1 entries of `rfft`, in cycles per unit of the spacing `d`.

    As `scipy.fft.rfftfreq`; `dtype` is the type of the result (default: float64).

    >>> import imago
    >>> imago.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    return _typed(scipy.fft.rfftfreq(n, d, **_given(xp, device)), dtype)


def _given(xp: Any, device: Any) -> dict[str, Any]:
    """Returns the arguments that are given: old versions of SciPy do not know them."""
    return {k: v for k, v in (("xp", xp), ("device", device)) if v is not None}


def _typed(frequencies: Any, dtype: DTypeLike) -> Any:
    return frequencies if dtype is None else frequencies.astype(dtype)
