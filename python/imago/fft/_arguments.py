"""The arguments of scipy.fft and their meaning: arrays, lengths, axes, norms, workers."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._devices import Unserved

try:
    from numpy.exceptions import AxisError
except ImportError:  # NumPy before 1.25
    from numpy import AxisError

LONG_DOUBLE = "long doubles, which imago does not compute; convert them with astype(numpy.float64)"

_REAL_OF = {"f": np.float32, "F": np.float32, "d": np.float64, "D": np.float64}
_COMPLEX_OF = {"f": np.complex64, "F": np.complex64, "d": np.complex128, "D": np.complex128}


def float_array(x: Any) -> NDArray[Any]:
    """Returns x in single or double precision and native byte order; x itself if it is that.

    float16 becomes float32, and types that are not floating-point become float64. Raises Unserved
    for long doubles.
    """
    if type(x) is not np.ndarray:
        x = np.asarray(x)
    dtype = x.dtype
    if dtype.char in _REAL_OF:
        return x if dtype.isnative else x.astype(dtype.newbyteorder("="))
    if dtype.kind not in "fc":
        return x.astype(np.float64)
    if dtype.itemsize == 2:
        return x.astype(np.float32)
    raise Unserved(LONG_DOUBLE)


def real_type(x: NDArray[Any]) -> type:
    return _REAL_OF[x.dtype.char]


def complex_type(x: NDArray[Any]) -> type:
    return _COMPLEX_OF[x.dtype.char]


def is_complex(x: NDArray[Any]) -> bool:
    return x.dtype.kind == "c"


def one_axis(x: NDArray[Any], axis: int, begins: str | None = None) -> int:
    """Returns the axis, counted from 0. Raises AxisError (a ValueError and an IndexError), whose
    message begins with `begins`."""
    index = operator.index(axis)
    if not -x.ndim <= index < x.ndim:
        raise AxisError(index, x.ndim, begins)
    return index % x.ndim


def check_points(n: int) -> int:
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified; it must be at least 1")
    return n


def integers(value: Any, name: str) -> list[int]:
    items: Iterable[Any] = (value,) if isinstance(value, Number) else value
    try:
        return [operator.index(item) for item in items]
    except TypeError as error:
        raise ValueError(f"{name} must be a scalar or iterable of integers, not {value!r}") from error


def lengths(s: Any) -> list[int]:
    """Returns the lengths along axes; -1 in place of None, which NumPy accepts, too."""
    if not isinstance(s, (Number, str)):
        s = [-1 if n is None else n for n in s]
    return integers(s, "shape")


def many_axes(
    x: NDArray[Any], s: Any, axes: Any, unique: bool = True
) -> tuple[list[int], list[int]]:
    """Returns the lengths along the axes and the axes counted from 0, both in the given order."""
    if axes is not None:
        axes = [axis + x.ndim if axis < 0 else axis for axis in integers(axes, "axes")]
        if any(not 0 <= axis < x.ndim for axis in axes):
            raise ValueError(f"axes exceeds dimensionality of input, which has {x.ndim} axes")
        if unique and len(set(axes)) != len(axes):
            raise ValueError("all axes must be unique")
    if s is None:
        if axes is None:
            axes = list(range(x.ndim))
        points = [x.shape[axis] for axis in axes]
    else:
        points = lengths(s)
        if axes is None:
            if len(points) > x.ndim:
                raise ValueError("shape requires more axes than are present")
            axes = list(range(x.ndim - len(points), x.ndim))
        elif len(axes) != len(points):
            raise ValueError("when given, axes and shape arguments have to be of the same length")
        points = [x.shape[axis] if n == -1 else n for n, axis in zip(points, axes)]
    if any(n < 1 for n in points):
        raise ValueError(f"invalid number of data points ({points}) specified; at least 1 each")
    return points, axes


def factor(norm: str | None, forward: bool, points: Sequence[int] | int) -> float:
    """Returns the factor by which the sums of a transform of these points are multiplied."""
    if norm is None or norm == "backward":
        if forward:
            return 1.0
    elif norm == "ortho":
        total = points if isinstance(points, int) else math.prod(points)
        return 1.0 / math.sqrt(total)
    elif norm == "forward":
        if not forward:
            return 1.0
    else:
        raise ValueError(
            f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"'
        )
    return 1.0 / (points if isinstance(points, int) else math.prod(points))


def check_numpy(out: Any) -> None:
    """Raises TypeError for an `out` on the host that is no array."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out has type {type(out).__name__}; it must be a numpy.ndarray")


def check_workers(workers: int | None) -> None:
    """Raises as SciPy does; the OpenCL driver sets the number of threads."""
    if workers is None:
        return
    if workers == 0:
        raise ValueError("workers must not be zero")
    most = os.cpu_count() or 1
    if workers < -most:
        raise ValueError(f"workers value out of range; got {workers}, must not be less than {-most}")


def check_plan(plan: object) -> None:
    if plan is not None:
        raise NotImplementedError("imago.fft does not accept a precomputed plan; use imago.Plan")
