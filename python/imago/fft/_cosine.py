"""The cosine and sine transforms of imago.fft, types 1 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._compute import DCT, DST, host, served
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

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n-1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` lets the result lie
    where a large `x` of its type did; `workers` is checked only. `out` is an array to write, as
    NumPy's functions have it, and is returned.

    Raises ValueError for n below 1 (of type 1: 2), for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.dct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DCT, True, x, type, n, axis, norm, workers, orthogonalize)


@served
def dctn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    orthogonalize: bool | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete cosine transform of type 1, 2, 3 or 4 along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves a length
    as it is. The other arguments, and what is raised, are as for `dct`; axes that are not there
    or come twice are a ValueError.

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

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n-1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` lets the result lie
    where a large `x` of its type did; `workers` is checked only. `out` is an array to write, as
    NumPy's functions have it, and is returned.

    Raises ValueError for n below 1 (of type 1: 2), for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.idct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DCT, False, x, type, n, axis, norm, workers, orthogonalize)


@served
def idctn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dctn` of the same type.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves a length
    as it is. The other arguments, and what is raised, are as for `idct`; axes that are not there
    or come twice are a ValueError.

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

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n+1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` lets the result lie
    where a large `x` of its type did; `workers` is checked only. `out` is an array to write, as
    NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.dst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DST, True, x, type, n, axis, norm, workers, orthogonalize)


@served
def dstn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete sine transform of type 1, 2, 3 or 4 along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves a length
    as it is. The other arguments, and what is raised, are as for `dst`; axes that are not there
    or come twice are a ValueError.

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

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n+1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` lets the result lie
    where a large `x` of its type did; `workers` is checked only. `out` is an array to write, as
    NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.idst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return work.r2r_one(host(overwrite_x, out), DST, False, x, type, n, axis, norm, workers, orthogonalize)


@served
def idstn(
    x: ArrayLike,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `dstn` of the same type.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves a length
    as it is. The other arguments, and what is raised, are as for `idst`; axes that are not there
    or come twice are a ValueError.

    >>> import imago
    >>> imago.fft.idstn([[1.0, 0.0], [0.0, 0.0]], norm="ortho").round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    return work.r2r_many(host(overwrite_x, out), DST, False, x, type, s, axes, norm, workers, orthogonalize)
