"""SciPy's sample frequencies, in any real type, as the array API standard requires, and its shifts."""

from __future__ import annotations

from typing import Any

import scipy.fft
from numpy.typing import DTypeLike, NDArray

from .. import _cuda_arrays


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


def fftshift(x: Any, axes: Any = None) -> Any:
    """Shifts frequency 0 to the middle of the axes (default: all), as `scipy.fft.fftshift`.

    >>> import imago
    >>> imago.fft.fftshift([0, 1, -2, -1])
    array([-2, -1,  0,  1])
    """
    return _shifted(x, axes, back=False)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """Undoes `fftshift`, as `scipy.fft.ifftshift`.

    >>> import imago
    >>> imago.fft.ifftshift([-2, -1, 0, 1])
    array([ 0,  1, -2, -1])
    """
    return _shifted(x, axes, back=True)


def _shifted(x: Any, axes: Any, back: bool) -> Any:
    library = _cuda_arrays.library_of(x)  # SciPy converts arrays in CUDA's memory to NumPy's
    if library:
        return library.shifted(x, axes, back)
    return (scipy.fft.ifftshift if back else scipy.fft.fftshift)(x, axes)


def _given(xp: Any, device: Any) -> dict[str, Any]:
    """Returns the arguments that are given: old versions of SciPy do not know them."""
    return {k: v for k, v in (("xp", xp), ("device", device)) if v is not None}


def _typed(frequencies: Any, dtype: DTypeLike) -> Any:
    return frequencies if dtype is None else frequencies.astype(dtype)
