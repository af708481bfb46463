"""The Fourier transforms of imago.fft: complex, real to complex, and complex to real.

Signatures and meaning are those of SciPy's functions. Transforms with a real spectrum are in
`_hermitian`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike, NDArray

from . import _work as work
from ._host import host
from ._served import served

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

    Crops `x` or pads it with zeros to `n` points along `axis`. `norm` selects where the factor 1/n
    is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, and AxisError for an axis
    that `x` does not have.

    >>> import imago
    >>> imago.fft.fft([1.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.c2c(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def fft2(
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
    """The discrete Fourier transform along two axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 and
    None keep a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects
    where the factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.fft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def fftn(
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
    """The discrete Fourier transform along several axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 and None keep
    a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects where the
    factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

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

    Crops `x` or pads it with zeros to `n` points along `axis`. `norm` selects where the factor 1/n
    is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, and AxisError for an axis
    that `x` does not have.

    >>> import imago
    >>> imago.fft.ifft([3.0, 0.0, 0.0]).real
    array([1., 1., 1.])
    """
    return work.c2c(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def ifft2(
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
    """The inverse of `fft2`, along two axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 and
    None keep a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects
    where the factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.ifft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return work.c2cn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def ifftn(
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
    """The inverse of `fftn`, along several axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 and None keep
    a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects where the
    factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

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

    Crops `x` or pads it with zeros to `n` points along `axis`. `norm` selects where the factor 1/n
    is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, AxisError for an axis that
    `x` does not have, and TypeError for complex `x`.

    >>> import imago
    >>> imago.fft.rfft([1.0, 1.0, 1.0, 1.0])
    array([4.+0.j, 0.+0.j, 0.+0.j])
    """
    return work.r2c(host(overwrite_x, out), True, x, n, axis, norm, workers, plan)


@served
def rfft2(
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
    """The discrete Fourier transform of real numbers along two axes.

    The result has the first n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 and
    None keep a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects
    where the factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers, and TypeError for complex `x`.

    >>> import imago
    >>> imago.fft.rfft2([[1.0, 1.0], [1.0, 1.0]])
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return work.r2cn(host(overwrite_x, out), True, x, s, axes, norm, workers, plan)


@served
def rfftn(
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
    """The discrete Fourier transform of real numbers along several axes.

    The result has the first n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 and None keep
    a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects where the
    factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers, and TypeError for complex `x`.

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
    """The inverse of `rfft`: n real numbers (default: 2 (m - 1), for m entries of `x`).

    Crops `x` or pads it with zeros to n/2+1 entries along `axis`. `norm` selects where the factor
    1/n is applied: "backward" (the default) in inverse transforms, "forward" in forward transforms,
    "ortho" as its square root in both. With `overwrite_x` a large result
    may reuse the memory of `x`, if shape and type are the same. `workers` is checked but not used:
    the OpenCL driver sets the number of threads. `plan` must be None. If `out` is given, the result
    is written to it, as in NumPy, and returned.

    Raises ValueError for n below 1, an unknown norm or invalid workers, and AxisError for an axis
    that `x` does not have.

    >>> import imago
    >>> imago.fft.irfft([4.0, 0.0, 0.0])
    array([1., 1., 1., 1.])
    """
    return work.c2r(host(overwrite_x, out), False, x, n, axis, norm, workers, plan)


@served
def irfft2(
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
    """The inverse of `rfft2`: real numbers, from n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: the last two); -1 and
    None keep a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects
    where the factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.irfft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)


@served
def irfftn(
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
    """The inverse of `rfftn`: real numbers, from n/2+1 entries along the last of the axes.

    Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 and None keep
    a length. An axis that comes twice is transformed twice, as in NumPy. `norm` selects where the
    factor, 1 / (product of the lengths), is applied: "backward" (the default) in inverse
    transforms, "forward" in forward transforms, "ortho" as its square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

    Raises ValueError for lengths below 1, axes that `x` does not have, `s` and `axes` of
    different lengths, an unknown norm or invalid workers.

    >>> import imago
    >>> imago.fft.irfftn([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return work.c2rn(host(overwrite_x, out), False, x, s, axes, norm, workers, plan)
