"""The cosine and sine transforms of imago.fft, types 1 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._host import host
from ._served import served
from ._work import DCT, DST
from ._fourier import Norm


@served
def dct(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete cosine transform of type 1, 2, 3 or 4 along an axis.

    Crops `x` or pads it with zeros to `n` points along `axis`. The real and imaginary parts of
    complex `x` are transformed separately. `norm` selects where the factor 1/N is applied, with N =
    2n (type 1: 2(n-1)): "backward" (the default) in inverse transforms, "forward" in forward
    transforms, "ortho" as its square root in both. `orthogonalize` (default: True if norm is
    "ortho") rescales the first or last points, so that the matrix of the transform is orthogonal up
    to a factor. For `overwrite_x`, `workers` and `out` see `fft`.

    Raises ValueError for n below 1 (type 1: below 2), an unknown type or norm, or invalid workers,
    and AxisError for an axis that `x` does not have.

    >>> import imago
    >>> imago.fft.dct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DCT, True, x, type, n, axis, norm, workers, orthogonalize)


@served
def dctn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    orthogonalize: bool | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete cosine transform of type 1, 2, 3 or 4 along several axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a length.
    The other arguments and the exceptions are those of `dct`. Axes that `x` does not have or that
    come twice raise ValueError, too.

    >>> import imago
    >>> imago.fft.dctn([[1.0, 0.0], [0.0, 0.0]], norm="ortho").round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return work.r2r_many(host(overwrite_x, out), DCT, True, x, type, s, axes, norm, workers, orthogonalize)


@served
def idct(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dct` of the same type.

    Crops `x` or pads it with zeros to `n` points along `axis`. The real and imaginary parts of
    complex `x` are transformed separately. `norm` selects where the factor 1/N is applied, with N =
    2n (type 1: 2(n-1)): "backward" (the default) in inverse transforms, "forward" in forward
    transforms, "ortho" as its square root in both. `orthogonalize` (default: True if norm is
    "ortho") rescales the first or last points, so that the matrix of the transform is orthogonal up
    to a factor. For `overwrite_x`, `workers` and `out` see `fft`.

    Raises ValueError for n below 1 (type 1: below 2), an unknown type or norm, or invalid workers,
    and AxisError for an axis that `x` does not have.

    >>> import imago
    >>> imago.fft.idct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DCT, False, x, type, n, axis, norm, workers, orthogonalize)


@served
def idctn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dctn` of the same type.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a length.
    The other arguments and the exceptions are those of `idct`. Axes that `x` does not have or that
    come twice raise ValueError, too.

    >>> import imago
    >>> imago.fft.idctn([[1.0, 0.0], [0.0, 0.0]], norm="ortho").round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return work.r2r_many(host(overwrite_x, out), DCT, False, x, type, s, axes, norm, workers, orthogonalize)


@served
def dst(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete sine transform of type 1, 2, 3 or 4 along an axis.

    Crops `x` or pads it with zeros to `n` points along `axis`. The real and imaginary parts of
    complex `x` are transformed separately. `norm` selects where the factor 1/N is applied, with N =
    2n (type 1: 2(n+1)): "backward" (the default) in inverse transforms, "forward" in forward
    transforms, "ortho" as its square root in both. `orthogonalize` (default: True if norm is
    "ortho") rescales the first or last points, so that the matrix of the transform is orthogonal up
    to a factor. For `overwrite_x`, `workers` and `out` see `fft`.

    Raises ValueError for n below 1, an unknown type or norm, or invalid workers, and AxisError for
    an axis that `x` does not have.

    >>> import imago
    >>> imago.fft.dst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DST, True, x, type, n, axis, norm, workers, orthogonalize)


@served
def dstn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete sine transform of type 1, 2, 3 or 4 along several axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a length.
    The other arguments and the exceptions are those of `dst`. Axes that `x` does not have or that
    come twice raise ValueError, too.

    >>> import imago
    >>> imago.fft.dstn([[1.0, 0.0], [0.0, 0.0]], norm="ortho").round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return work.r2r_many(host(overwrite_x, out), DST, True, x, type, s, axes, norm, workers, orthogonalize)


@served
def idst(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dst` of the same type.

    Crops `x` or pads it with zeros to `n` points along `axis`. The real and imaginary parts of
    complex `x` are transformed separately. `norm` selects where the factor 1/N is applied, with N =
    2n (type 1: 2(n+1)): "backward" (the default) in inverse transforms, "forward" in forward
    transforms, "ortho" as its square root in both. `orthogonalize` (default: True if norm is
    "ortho") rescales the first or last points, so that the matrix of the transform is orthogonal up
    to a factor. For `overwrite_x`, `workers` and `out` see `fft`.

    Raises ValueError for n below 1, an unknown type or norm, or invalid workers, and AxisError for
    an axis that `x` does not have.

    >>> import imago
    >>> imago.fft.idst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DST, False, x, type, n, axis, norm, workers, orthogonalize)


@served
def idstn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int | None] | None = None,
    axes: int | Sequence[int | None] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dstn` of the same type.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a length.
    The other arguments and the exceptions are those of `idst`. Axes that `x` does not have or that
    come twice raise ValueError, too.

    >>> import imago
    >>> imago.fft.idstn([[1.0, 0.0], [0.0, 0.0]], norm="ortho").round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return work.r2r_many(host(overwrite_x, out), DST, False, x, type, s, axes, norm, workers, orthogonalize)
