"""Turns the arguments of SciPy's functions into transforms, for arrays of any kind.

`on` is the kind of arrays (`Arrays`). The other arguments have SciPy's names and are
checked here. c2c: complex transforms. r2c and c2r: real to complex and complex to real; `forward`
selects the factor and, for hfft and ihfft, that the spectrum is conjugated. r2r: cosine and sine
transforms. A name that ends in n: along several axes.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments

# The values of imago::Kind.
COMPLEX, REAL = 0, 1
DCT = (2, 3, 4, 5)
DST = (6, 7, 8, 9)
IDENTITY = 10

# Bits of a call's flags.
INVERSE, ORTHOGONAL, CONJUGATE, IN_PLACE = 1, 2, 4, 8


Complex = NDArray[np.complexfloating[Any, Any]]
Real = NDArray[np.floating[Any]]


class Request(NamedTuple):
    """The transform of one array."""

    extents: Sequence[int]
    """Shape to which the array is padded or cropped."""
    kinds: bytes
    """Kind of each dimension (`kinds_of`)."""
    lengths: Sequence[int]
    """Lengths of the transform, counted in the signal."""
    shape: Sequence[int]
    """Shape of the result."""
    dtype: type
    """Type of the result."""
    flags: int
    scale: float


class Arrays(Protocol):
    """A kind of arrays, in host or device memory, and how transforms of them are computed."""

    conjugated_by_hook: int
    """Least number of elements for which a hook conjugates instead of a pass over the array."""

    def array(self, x: Any) -> Any:
        """Returns x as an array of single or double precision, complex or real."""

    def compute(self, x: Any, request: Request) -> Any:
        """Returns the transform of x, an array."""

    def apart(self) -> Arrays:
        """Returns the object for a transform whose result is transformed again."""


@functools.lru_cache(maxsize=1024)
def kinds_of(dimensions: int, axes: tuple[int, ...], kind: int, last: int | None = None) -> bytes:
    """Returns a kind for each dimension: `kind` along the axes, `last` along the last of them."""
    kinds = bytearray([IDENTITY]) * dimensions
    for axis in axes:
        kinds[axis] = kind
    if last is not None:
        kinds[axes[-1]] = last
    return bytes(kinds)


def repeated_axes() -> NoReturn:
    raise ValueError("axes: all axes must be unique here. Call the function once for each axis.")


def _extents(shape: tuple[int, ...], axes: Sequence[int], lengths: Sequence[int]) -> list[int]:
    extents = list(shape)
    for axis, n in zip(axes, lengths):
        extents[axis] = n
    return extents


def _spectrum(
    on: Arrays, x: Any, axes: list[int], lengths: list[int], scale: float, forward: bool
) -> Any:
    """Returns the spectrum of complex numbers, or the signal."""
    shape = _extents(x.shape, axes, lengths)
    kinds = kinds_of(x.ndim, tuple(axes), COMPLEX)
    flags, dtype = 0 if forward else INVERSE, arguments.complex_type(x)
    return on.compute(x, Request(shape, kinds, shape, shape, dtype, flags, scale))


def c2c(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Complex:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    return _spectrum(on, x, [axis], [n], arguments.factor(norm, forward, n), forward)


def c2cn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Complex:
    arguments.check_plan(plan)
    given = x
    x = on.array(x)
    lengths, axes = arguments.many_axes(x, s, axes, unique=False)
    arguments.check_workers(workers)
    if not axes:
        return given
    if len(set(axes)) < len(axes):
        return _in_turn(on, forward, x, [*zip(lengths, axes)], norm)
    return _spectrum(on, x, axes, lengths, arguments.factor(norm, forward, lengths), forward)


def _in_turn(on: Arrays, forward: bool, x: Any, along: list[tuple[int, int]], norm: Any) -> Any:
    """Returns the transform along axes of which one comes twice: the last of them first, as NumPy."""
    for n, axis in along[:0:-1]:
        x = c2c(on.apart(), forward, x, n, axis, norm, None, None)
    return c2c(on, forward, x, *along[0], norm, None, None)


def _real_spectrum(
    on: Arrays, x: NDArray[Any], axes: list[int], lengths: list[int], scale: float, conjugate: bool
) -> NDArray[Any]:
    """Returns the half spectrum of real numbers: n/2+1 entries along the last of the axes."""
    extents = _extents(x.shape, axes, lengths)
    shape = list(extents)
    shape[axes[-1]] = lengths[-1] // 2 + 1
    kinds = kinds_of(x.ndim, tuple(axes), COMPLEX, REAL)
    hook = conjugate and x.size >= on.conjugated_by_hook
    flags = CONJUGATE if hook else 0
    dtype = arguments.complex_type(x)
    out = on.compute(x, Request(extents, kinds, extents, shape, dtype, flags, scale))
    return np.conjugate(out, out=out) if conjugate and not hook else out


def r2c(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Complex:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    if arguments.is_complex(x):
        raise TypeError("x must be a real sequence, but it is complex. Give x.real, or use fft")
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    return _real_spectrum(on, x, [axis], [n], arguments.factor(norm, forward, n), not forward)


def r2cn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Complex:
    arguments.check_plan(plan)
    x = on.array(x)
    if arguments.is_complex(x):
        raise TypeError("x must be a real sequence, but it is complex. Give x.real, or use fft")
    lengths, axes = arguments.many_axes(x, s, axes, unique=not forward)
    scale = arguments.factor(norm, forward, lengths)
    arguments.check_workers(workers)
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    if len(set(axes)) < len(axes):
        x = r2c(on.apart(), True, x, lengths[-1], axes[-1], norm, None, None)
        return _in_turn(on, True, x, [*zip(lengths, axes[:-1])], norm)
    return _real_spectrum(on, x, axes, lengths, scale, not forward)


def _real_signal(
    on: Arrays, x: NDArray[Any], axes: list[int], lengths: list[int], scale: float, conjugate: bool
) -> NDArray[Any]:
    """Returns the real numbers of a half spectrum, which has n/2+1 entries along the last axis."""
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
    return on.compute(x, Request(extents, kinds, shape, shape, dtype, flags, scale))


def c2r(on: Arrays, forward: bool, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> Real:
    arguments.check_plan(plan)
    x = on.array(x)
    arguments.check_workers(workers)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(2 * (x.shape[axis] - 1) if n is None else n)
    return _real_signal(on, x, [axis], [n], arguments.factor(norm, forward, n), forward)


def c2rn(on: Arrays, forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> Real:
    arguments.check_plan(plan)
    x = on.array(x)
    whole = s is None
    lengths, axes = arguments.many_axes(x, s, axes, unique=forward)
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    arguments.check_workers(workers)
    if whole:  # 1 entry gives 1 number, as in SciPy, which differs from `irfft` here
        lengths[-1] = max(1, 2 * (lengths[-1] - 1))
    if len(set(axes)) < len(axes):
        x = _in_turn(on.apart(), False, x, [*zip(lengths, axes[:-1])][::-1], norm)
        return c2r(on, False, x, lengths[-1], axes[-1], norm, None, None)
    scale = arguments.factor(norm, forward, lengths)
    return _real_signal(on, x, axes, lengths, scale, forward)


# The inverse type of each type.
_INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}


def _kind(family: tuple[int, ...], type: int, forward: bool) -> int:
    if type not in _INVERSE_TYPE:
        raise ValueError(f"invalid type {type!r}; it must be 1, 2, 3 or 4")
    return family[(type if forward else _INVERSE_TYPE[type]) - 1]


def points_of(kind: int, n: int) -> int:
    """Returns the length of the equivalent Fourier transform."""
    if kind == DCT[0]:
        if n < 2:
            raise ValueError(f"invalid number of data points ({n}) specified; DCT-I needs >= 2")
        return 2 * (n - 1)
    return 2 * (n + 1) if kind == DST[0] else 2 * n


def _flags(norm: Any, orthogonalize: bool | None) -> int:
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
    """Computes cosine and sine transforms. `axes` count from 0; `x` is a floating-point array."""
    kind = _kind(family, type, forward)
    scale = arguments.factor(norm, forward, [points_of(kind, n) for n in lengths])
    arguments.check_workers(workers)
    shape = _extents(x.shape, axes, lengths)
    kinds = kinds_of(x.ndim, tuple(axes), kind)
    flags = _flags(norm, orthogonalize)
    return on.compute(x, Request(shape, kinds, shape, shape, x.dtype.type, flags, scale))


def r2r_one(
    on: Arrays, family: Any, forward: bool, x: Any, type: Any, n: Any, axis: Any, *others: Any
) -> NDArray[Any]:
    x = on.array(x)
    axis = arguments.one_axis(x, axis)
    n = arguments.check_points(x.shape[axis] if n is None else n)
    return _r2r(on, family, forward, x, type, [n], [axis], *others)


def r2r_many(
    on: Arrays, family: Any, forward: bool, x: Any, type: Any, s: Any, axes: Any, *others: Any
) -> Any:
    given = x
    x = on.array(x)
    lengths, axes = arguments.many_axes(x, s, axes)
    if not axes:
        return given
    return _r2r(on, family, forward, x, type, lengths, axes, *others)
