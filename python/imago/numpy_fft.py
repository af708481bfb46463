"""The functions of numpy.fft, computed as those of imago.fft.

Names, arguments (`a`, `s`, `out`), deprecation warnings, messages and types are NumPy's, so that a
program only changes its import. `imago.fft` has SciPy's functions, which differ in these:

- `irfft` and `hfft` of float16 return float16; `imago.fft` returns float32;
- `s` without `axes`, and None in `s`, warn (DeprecationWarning);
- `out` must have the shape of the result, and a type to which it can be cast.

>>> import numpy as np
>>> from imago import numpy_fft
>>> numpy_fft.rfft(a=[1, 2, 3, 4])
array([10.+0.j, -2.+2.j, -2.+0.j])
>>> numpy_fft.irfft(np.ones(3, np.float16)).dtype
dtype('float16')
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq
from numpy.typing import ArrayLike, NDArray

from . import fft as _scipys
from .fft._functions import Norm

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Complex = NDArray[np.complexfloating[Any, Any]]
Real = NDArray[np.floating[Any]]
Lengths = Sequence[int | None] | None
Axes = Sequence[int] | None


def __dir__() -> list[str]:
    return [*__all__]


def _put(result: Any, out: Any) -> Any:
    """Returns the result, in `out` if it is given."""
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


def _along_one(name: str, a: ArrayLike, n: int | None, axis: int, norm: Norm, out: Any) -> Any:
    a = np.asarray(a)
    if n is None:
        n = a.shape[axis]  # IndexError, as in NumPy
        n = 2 * (n - 1) if name in ("irfft", "hfft") else n
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    result = getattr(_scipys, name)(a, n, axis, norm)
    if result.dtype.kind == "f" and a.real.dtype == np.float16:
        result = result.astype(np.float16)
    return _put(result, out)


def _along_several(
    name: str, a: ArrayLike, s: Lengths, axes: Axes, norm: Norm, out: Any
) -> Any:
    a = np.asarray(a)
    one = name[:-1]
    if axes is None:
        if s is not None:
            warnings.warn(
                "`axes` should not be `None` if `s` is not `None` (Deprecated in NumPy 2.0): give the "
                "axes of the lengths in `s`",
                DeprecationWarning,
                stacklevel=3,
            )
        axes = list(range(-(a.ndim if s is None else len(s)), 0))
    whole = s is None
    lengths = [a.shape[axis] for axis in axes] if s is None else list(s)
    if len(lengths) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if not axes and one in ("fft", "ifft"):
        return a
    if whole and one == "irfft":
        lengths[-1] = 2 * (a.shape[axes[-1]] - 1)
    if None in lengths:
        warnings.warn(
            "Passing an array containing `None` values to `s` is deprecated in NumPy 2.0: leave `s` "
            "out, or pass -1 to use the whole axis",
            DeprecationWarning,
            stacklevel=3,
        )
    if one == "irfft" and lengths[-1] is None:
        lengths[-1] = 2 * (a.shape[axes[-1]] - 1)
    lengths = [a.shape[axis] if n in (None, -1) else n for n, axis in zip(lengths, axes)]
    for n in lengths:
        if n is not None and n < 1:
            raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if len(axes) == 1:
        return _along_one(one, a, lengths[0], axes[0], norm, out)
    return _put(getattr(_scipys, one + "n")(a, lengths, axes, norm), out)


def fft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Complex | None = None
) -> Complex:
    """The discrete Fourier transform along an axis, as numpy.fft.fft."""
    return _along_one("fft", a, n, axis, norm, out)


def ifft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Complex | None = None
) -> Complex:
    """The inverse of `fft`, as numpy.fft.ifft."""
    return _along_one("ifft", a, n, axis, norm, out)


def rfft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Complex | None = None
) -> Complex:
    """The first n/2+1 entries of the transform of real numbers, as numpy.fft.rfft."""
    return _along_one("rfft", a, n, axis, norm, out)


def irfft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Real | None = None
) -> Real:
    """The inverse of `rfft`, as numpy.fft.irfft."""
    return _along_one("irfft", a, n, axis, norm, out)


def hfft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Real | None = None
) -> Real:
    """The real spectrum of a signal with Hermitian symmetry, as numpy.fft.hfft."""
    return _along_one("hfft", a, n, axis, norm, out)


def ihfft(
    a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Complex | None = None
) -> Complex:
    """The inverse of `hfft`, as numpy.fft.ihfft."""
    return _along_one("ihfft", a, n, axis, norm, out)


def fft2(
    a: ArrayLike, s: Lengths = None, axes: Axes = (-2, -1), norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The transform along two axes, as numpy.fft.fft2."""
    return _along_several("fft2", a, s, axes, norm, out)


def ifft2(
    a: ArrayLike, s: Lengths = None, axes: Axes = (-2, -1), norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The inverse of `fft2`, as numpy.fft.ifft2."""
    return _along_several("ifft2", a, s, axes, norm, out)


def rfft2(
    a: ArrayLike, s: Lengths = None, axes: Axes = (-2, -1), norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The transform of real numbers along two axes, as numpy.fft.rfft2."""
    return _along_several("rfft2", a, s, axes, norm, out)


def irfft2(
    a: ArrayLike, s: Lengths = None, axes: Axes = (-2, -1), norm: Norm = None,
    out: Real | None = None,
) -> Real:  # fmt: skip
    """The inverse of `rfft2`, as numpy.fft.irfft2."""
    return _along_several("irfft2", a, s, axes, norm, out)


def fftn(
    a: ArrayLike, s: Lengths = None, axes: Axes = None, norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The transform along several axes, as numpy.fft.fftn."""
    return _along_several("fftn", a, s, axes, norm, out)


def ifftn(
    a: ArrayLike, s: Lengths = None, axes: Axes = None, norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The inverse of `fftn`, as numpy.fft.ifftn."""
    return _along_several("ifftn", a, s, axes, norm, out)


def rfftn(
    a: ArrayLike, s: Lengths = None, axes: Axes = None, norm: Norm = None,
    out: Complex | None = None,
) -> Complex:  # fmt: skip
    """The transform of real numbers along several axes, as numpy.fft.rfftn."""
    return _along_several("rfftn", a, s, axes, norm, out)


def irfftn(
    a: ArrayLike, s: Lengths = None, axes: Axes = None, norm: Norm = None,
    out: Real | None = None,
) -> Real:  # fmt: skip
    """The inverse of `rfftn`, as numpy.fft.irfftn."""
    return _along_several("irfftn", a, s, axes, norm, out)
