"""The Fourier transforms of imago.fft between signals with Hermitian symmetry and real spectra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._host import host
from ._served import served
from ._fourier import Norm


@served
def hfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, from half of the signal.

    The result has n real numbers (default: 2 (m - 1), for m entries of `x`).

    Crops `x` or pads it with zeros to n/2+1 entries along `axis`. `norm` selects where the factor
    1/n is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, and AxisError for an axis
    that `x` does not have.

    >>> import imago
    >>> imago.fft.hfft([1.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return work.c2r(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def hfft2(
    x: ArrayLike,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, along two axes.

    `x` has n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 keeps a
    length. `norm` selects where the factor, 1 / (product of the lengths), is applied: "backward"
    (the default) in inverse transforms, "forward" in forward transforms, "ortho" as its square root
    in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have or that come twice, `s` and
    `axes` of different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.hfft2([[1.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def hfftn(
    x: ArrayLike,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, along several axes.

    `x` has n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a
    length. `norm` selects where the factor, 1 / (product of the lengths), is applied: "backward"
    (the default) in inverse transforms, "forward" in forward transforms, "ortho" as its square root
    in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have or that come twice, `s` and
    `axes` of different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.hfftn([[1.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def ihfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `hfft`: the first n/2+1 entries of a signal whose spectrum is real.

    Crops `x` or pads it with zeros to `n` points along `axis`. `norm` selects where the factor 1/n
    is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, AxisError for an axis that
    `x` does not have, and TypeError for complex `x`.

    >>> import imago
    >>> imago.fft.ihfft([4.0, 0.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.r2c(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def ihfft2(
    x: ArrayLike,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `hfft2`: the first n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 keeps a
    length. `norm` selects where the factor, 1 / (product of the lengths), is applied: "backward"
    (the default) in inverse transforms, "forward" in forward transforms, "ortho" as its square root
    in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have or that come twice, `s` and
    `axes` of different lengths, an unknown norm or invalid workers, and TypeError for complex `x`.

    >>> import imago
    >>> imago.fft.ihfft2([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return work.r2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def ihfftn(
    x: ArrayLike,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `hfftn`: the first n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a
    length. `norm` selects where the factor, 1 / (product of the lengths), is applied: "backward"
    (the default) in inverse transforms, "forward" in forward transforms, "ortho" as its square root
    in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have or that come twice, `s` and
    `axes` of different lengths, an unknown norm or invalid workers, and TypeError for complex `x`.

    >>> import imago
    >>> imago.fft.ihfftn([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return work.r2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)
