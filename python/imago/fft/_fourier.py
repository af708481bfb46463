"""The Fourier transforms of imago.fft: complex, real to complex, and complex to real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from ._compute import COMPLEX, CONJUGATE, INVERSE, REAL, Arrays, host, kinds_of, served

Norm = Literal["backward", "ortho", "forward"] | None


def _replaced(shape: tuple[int, ...], axis: int, n: int) -> tuple[int, ...]:
    return shape[:axis] + (n,) + shape[axis + 1 :]


def _extents(shape: tuple[int, ...], axes: Sequence[int], lengths: Sequence[int]) -> list[int]:
    extents = list(shape)
    for axis, n in zip(axes, lengths):
        extents[axis] = n
    return extents


def _c2c(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    scale = arguments.factor(norm, forward, n)
    shape = _replaced(x.shape, axis, n)
    kinds = kinds_of(x.ndim, (axis,), COMPLEX)
    flags = 0 if forward else INVERSE
    return on.compute(x, shape, kinds, shape, shape, arguments.complex_type(x), flags, scale)


def _c2cn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    given = x
    x = on.array(x)
    lengths, axes = arguments.many_axes(x, s, axes)
    arguments.check_workers(workers)
    if not axes:
        return given
    scale = arguments.factor(norm, forward, lengths)
    shape = _extents(x.shape, axes, lengths)
    kinds = kinds_of(x.ndim, tuple(axes), COMPLEX)
    flags = 0 if forward else INVERSE
    return on.compute(x, shape, kinds, shape, shape, arguments.complex_type(x), flags, scale)


def _real_spectrum(
    on: Arrays, x: NDArray[Any], axes: list[int], lengths: list[int], scale: float, conjugate: bool
) -> NDArray[Any]:
    """The half spectrum of real numbers: n/2+1 entries along the last of the axes."""
    extents = _extents(x.shape, axes, lengths)
    shape = list(extents)
    shape[axes[-1]] = lengths[-1] // 2 + 1
    kinds = kinds_of(x.ndim, tuple(axes), COMPLEX, REAL)
    hook = conjugate and x.size >= on.conjugated_by_hook
    flags = CONJUGATE if hook else 0
    dtype = arguments.complex_type(x)
    out = on.compute(x, extents, kinds, extents, shape, dtype, flags, scale)
    return np.conjugate(out, out=out) if conjugate and not hook else out


def _r2c(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    if arguments.is_complex(x):
        raise TypeError("x must be a real sequence")
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    return _real_spectrum(on, x, [axis], [n], arguments.factor(norm, forward, n), not forward)


def _r2cn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    x = on.array(x)
    if arguments.is_complex(x):
        raise TypeError("x must be a real sequence")
    lengths, axes = arguments.many_axes(x, s, axes)
    scale = arguments.factor(norm, forward, lengths)
    arguments.check_workers(workers)
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    return _real_spectrum(on, x, axes, lengths, scale, not forward)


def _real_signal(
    on: Arrays, x: NDArray[Any], axes: list[int], lengths: list[int], scale: float, conjugate: bool
) -> NDArray[Any]:
    """The real numbers of a half spectrum; along the last of the axes it has n/2+1 entries."""
    dtype = arguments.real_type(x)
    if not arguments.is_complex(x):
        x = x.astype(arguments.complex_type(x))
        conjugate = False
    hook = conjugate and x.size >= on.conjugated_by_hook
    if conjugate and not hook:
        x = np.conjugate(x)
    shape = _extents(x.shape, axes, lengths)
    extents = list(shape)
    extents[axes[-1]] = lengths[-1] // 2 + 1
    kinds = kinds_of(x.ndim, tuple(axes), COMPLEX, REAL)
    flags = INVERSE | (CONJUGATE if hook else 0)
    return on.compute(x, extents, kinds, shape, shape, dtype, flags, scale)


def _c2r(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(2 * (x.shape[axis] - 1) if n is None else n)
    return _real_signal(on, x, [axis], [n], arguments.factor(norm, forward, n), forward)


def _c2rn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Any:
    arguments.check_plan(plan)
    x = on.array(x)
    whole = s is None
    lengths, axes = arguments.many_axes(x, s, axes)
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    arguments.check_workers(workers)
    if whole:  # one entry stands for one number, as SciPy has it here and not in `irfft`
        lengths[-1] = max(1, 2 * (lengths[-1] - 1))
    scale = arguments.factor(norm, forward, lengths)
    return _real_signal(on, x, axes, lengths, scale, forward)


# The functions themselves, of which SciPy's are the model: their signatures and their meaning.


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
) -> NDArray[Any]:
    """The discrete Fourier transform along an axis: sums of x[j] exp(-2 pi i j k / n).

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.fft([1.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return _c2c(host, True, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The discrete Fourier transform along two axes.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.fft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _c2cn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The discrete Fourier transform along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.fftn([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _c2cn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `fft`: sums of x[k] exp(2 pi i j k / n), over n.

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.ifft([3.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return _c2c(host, False, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `fft2`, along two axes.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.ifft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return _c2cn(host, False, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `fftn`, along several axes.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.ifftn([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return _c2cn(host, False, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The first n/2+1 entries of the discrete Fourier transform of real numbers.

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfft([1.0, 1.0, 1.0, 1.0])
    array([4.+0.j, 0.+0.j, 0.+0.j])
    """
    return _r2c(host, True, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The discrete Fourier transform of real numbers along two axes.

    Of the last axis it has the first n/2+1 entries.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _r2cn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The discrete Fourier transform of real numbers along several axes.

    Of the last axis it has the first n/2+1 entries.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.rfftn([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _r2cn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `rfft`: n real numbers (default: 2 (m - 1), of m entries of a spectrum).

    `x` is cropped or padded with zeros to `n` points (of a half spectrum n/2+1 entries) along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.irfft([4.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return _c2r(host, False, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `rfft2`: real numbers, from n/2+1 entries along the last axis.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.irfft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2rn(host, False, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `rfftn`: real numbers, from n/2+1 entries along the last axis.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.irfftn([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2rn(host, False, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, half of which is given.

    The result has n numbers (default: 2 (m - 1), of m entries).

    `x` is cropped or padded with zeros to `n` points (of a half spectrum n/2+1 entries) along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis.

    >>> import imago
    >>> imago.fft.hfft([1.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return _c2r(host, True, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, along two axes.

    Of the last axis n/2+1 entries are given.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.hfft2([[1.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2rn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The real spectrum of a signal with Hermitian symmetry, along several axes.

    Of the last axis n/2+1 entries are given.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not.

    >>> import imago
    >>> imago.fft.hfftn([[1.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2rn(host, True, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `hfft`: the first n/2+1 entries of a signal whose spectrum is real.

    `x` is cropped or padded with zeros to `n` points along `axis`. `norm` says where the factor
    1/n is: "backward" (the default: in inverse transforms), "ortho" (its root in both) or "forward".
    `overwrite_x` is allowed and not made use of; `workers` is checked only, for the device knows how
    many threads compute; `plan` must be None.

    Raises ValueError for n below 1, a norm or workers that there are not, AxisError for the axis and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfft([4.0, 0.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return _r2c(host, False, x, n, axis, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `hfft2`: of the last axis the first n/2+1 entries.

    Along `axes` (default: the last two) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfft2([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return _r2cn(host, False, x, s, axes, norm, workers, plan)


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
) -> NDArray[Any]:
    """The inverse of `hfftn`: of the last axis the first n/2+1 entries.

    Along `axes` (default: all) `x` is cropped or padded with zeros to `s` points; -1 leaves
    a length as it is. `norm` says where the factor is, 1 over the product of the lengths: "backward"
    (the default: in inverse transforms), "ortho" (its root in both) or "forward". `overwrite_x`,
    `workers` and `plan` are as for `fft`.

    Raises ValueError for lengths below 1, for axes that are not there or come twice, for `s` and
    `axes` that differ in length, and for a norm or workers that there are not and
    TypeError for complex numbers.

    >>> import imago
    >>> imago.fft.ihfftn([[4.0, 0.0], [0.0, 0.0]]).real
    array([[1., 1.],
           [1., 1.]])
    """
    return _r2cn(host, False, x, s, axes, norm, workers, plan)
