"""The cosine and sine transforms of imago.fft, types 1 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from ._compute import DCT, DST, ORTHOGONAL, Arrays, host, kinds_of, served
from ._fourier import Norm

# The type that undoes each.
_INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}


def _kind(family: tuple[int, ...], type: int, forward: bool) -> int:
    if type not in _INVERSE_TYPE:
        raise ValueError(f"invalid type {type!r}: 1, 2, 3 or 4")
    return family[(type if forward else _INVERSE_TYPE[type]) - 1]


def _points(kind: int, n: int) -> int:
    """The points of the Fourier transform that the sums stand for."""
    if kind == DCT[0]:
        if n < 2:
            raise ValueError(f"invalid number of data points ({n}) specified: DCT-I needs 2 or more")
        return 2 * (n - 1)
    return 2 * (n + 1) if kind == DST[0] else 2 * n


def _flags(norm: Norm, orthogonalize: bool | None) -> int:
    if orthogonalize is None:
        orthogonalize = norm == "ortho"
    return ORTHOGONAL if orthogonalize else 0


def _r2r(
    on: Arrays,
    family: tuple[int, ...],
    forward: bool,
    x: Any,
    type: Any,
    lengths: Any,
    axes: Any,
    norm: Any,
    workers: Any,
    orthogonalize: Any,
) -> Any:
    """`axes` are counted from 0, and `x` is an array of floats."""
    kind = _kind(family, type, forward)
    scale = arguments.factor(norm, forward, [_points(kind, n) for n in lengths])
    arguments.check_workers(workers)
    shape = list(x.shape)
    for axis, n in zip(axes, lengths):
        shape[axis] = n
    kinds = kinds_of(x.ndim, tuple(axes), kind)
    return on.compute(x, shape, kinds, shape, shape, x.dtype.type, _flags(norm, orthogonalize), scale)


def _one(
    on: Arrays, family: Any, forward: bool, x: Any, type: Any, n: Any, axis: Any, *others: Any
) -> NDArray[Any]:
    x = on.array(x)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    return _r2r(on, family, forward, x, type, [n], [axis], *others)


def _many(
    on: Arrays, family: Any, forward: bool, x: Any, type: Any, s: Any, axes: Any, *others: Any
) -> Any:
    given = x
    x = on.array(x)
    lengths, axes = arguments.many_axes(x, s, axes)
    if not axes:
        return given
    return _r2r(on, family, forward, x, type, lengths, axes, *others)


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
) -> NDArray[Any]:
    """The discrete cosine transform of type 1, 2, 3 or 4 along an axis.

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n-1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` is allowed and not made use of; `workers`
    is checked only.

    Raises ValueError for n below 1 (of type 1: 2), for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.dct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return _one(host, DCT, True, x, type, n, axis, norm, workers, orthogonalize)


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
    return _many(host, DCT, True, x, type, s, axes, norm, workers, orthogonalize)


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
) -> NDArray[Any]:
    """The inverse of `dct` of the same type.

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n-1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` is allowed and not made use of; `workers`
    is checked only.

    Raises ValueError for n below 1 (of type 1: 2), for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.idct([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return _one(host, DCT, False, x, type, n, axis, norm, workers, orthogonalize)


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
    return _many(host, DCT, False, x, type, s, axes, norm, workers, orthogonalize)


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
) -> NDArray[Any]:
    """The discrete sine transform of type 1, 2, 3 or 4 along an axis.

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n+1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` is allowed and not made use of; `workers`
    is checked only.

    Raises ValueError for n below 1, for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.dst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return _one(host, DST, True, x, type, n, axis, norm, workers, orthogonalize)


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
    return _many(host, DST, True, x, type, s, axes, norm, workers, orthogonalize)


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
) -> NDArray[Any]:
    """The inverse of `dst` of the same type.

    `x` is cropped or padded with zeros to `n` points along `axis`; of complex numbers both parts are
    transformed. `norm` says where the factor 1/N is, N being 2n, of type 1 2(n+1): "backward" (the
    default: in inverse transforms), "ortho" (its root in both) or "forward". With `orthogonalize`
    (default: with "ortho") the first or the last points are rescaled so that the matrix of the
    transform is orthogonal but for a factor. `overwrite_x` is allowed and not made use of; `workers`
    is checked only.

    Raises ValueError for n below 1, for a type, a norm or workers that there are not, AxisError
    for the axis.

    >>> import imago
    >>> imago.fft.idst([1.0, 0.0], norm="ortho").round(3)
    array([0.707, 0.707])
    """
    return _one(host, DST, False, x, type, n, axis, norm, workers, orthogonalize)


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
    return _many(host, DST, False, x, type, s, axes, norm, workers, orthogonalize)
