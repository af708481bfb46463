"""The Fourier transforms of imago.fft between real spectra and signals with Hermitian symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._compute import host, served
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
    """The real spectrum of a signal with Hermitian symmetry, half of which is given.

    The result has n numbers (default: 2 (m - 1), of m entries).

    `x` is cropped or padded with zeros to `n` points (of a half spectrum n/2+1 entries) along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.hfft([1.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return work.c2r(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def hfft2(
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
    """The real spectrum of a signal with Hermitian symmetry, along two axes.

    Of the last axis n/2+1 entries are given.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.hfft2([[1.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def hfftn(
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
    """The real spectrum of a signal with Hermitian symmetry, along several axes.

    Of the last axis n/2+1 entries are given.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

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

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` lets the result lie where a large `x` of its type did; `workers`
    is checked only, for the device knows how many threads compute; `plan` must be None. `out` is an
    array to write, as NumPy's functions have it, and is returned.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfft([4.0, 0.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.r2c(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def ihfft2(
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
    """The inverse of `hfft2`: of the last axis the first n/2+1 entries.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfft2([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return work.r2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def ihfftn(
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
    """The inverse of `hfftn`: of the last axis the first n/2+1 entries.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers`, `plan` and `out` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfftn([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return work.r2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)
