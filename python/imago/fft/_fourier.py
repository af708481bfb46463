"""The Fourier transforms of imago.fft: complex, real to complex, and complex to real.

SciPy's are the model of these functions: their signatures and their meaning. Those of real spectra
are in `_hermitian`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._compute import host, served

Norm = Literal["backward", "ortho", "forward"] | None


@served
def fft(
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
    """The discrete Fourier transform along an axis: sums of x[j] exp(-2 pi i j k / n).

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.fft([1.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.c2c(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def fft2(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete Fourier transform along two axes.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.fft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def fftn(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete Fourier transform along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.fftn([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def ifft(
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
    """The inverse of `fft`: sums of x[k] exp(2 pi i j k / n), over n.

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.ifft([3.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.c2c(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def ifft2(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `fft2`, along two axes.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.ifft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def ifftn(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `fftn`, along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.ifftn([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def rfft(
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
    """The first n/2+1 entries of the discrete Fourier transform of real numbers.

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfft([1.0, 1.0, 1.0, 1.0])
    array([4.+0.j, 0.+0.j, 0.+0.j])
    """
    return work.r2c(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def rfft2(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete Fourier transform of real numbers along two axes.

    Of the last axis it has the first n/2+1 entries.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.r2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def rfftn(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The discrete Fourier transform of real numbers along several axes.

    Of the last axis it has the first n/2+1 entries.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfftn([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.r2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def irfft(
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
    """The inverse of `rfft`: n real numbers (default: 2 (m - 1), of m entries of a spectrum).

    `x` is cropped or padded with zeros to `n` points (of a half spectrum n/2+1 entries) along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.irfft([4.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return work.c2r(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def irfft2(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `rfft2`: real numbers, from n/2+1 entries along the last axis.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.irfft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def irfftn(
    x: ArrayLike,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: Norm = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: object = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The inverse of `rfftn`: real numbers, from n/2+1 entries along the last axis.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.irfftn([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)
