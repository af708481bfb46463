"""Checks the arrays of nonuniform transforms, on the host and on the device."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _queues
from .._queues import on_device
from ..fft._arguments import check_numpy


class ArgumentError(ValueError, RuntimeError):
    """Raised for a wrong argument: a ValueError as elsewhere, and finufft's RuntimeError."""


COORDINATES = {
    np.dtype(name): number
    for number, names in enumerate(
        (("float32",), ("float64",), ("uint32", "int32"), ("uint64", "int64"))
    )
    for name in names
}
"""The values of the library's enumeration for each type of coordinates."""

COMPLEX = np.dtype(np.complex64), np.dtype(np.complex128)


def given(x: Any) -> Any:
    """Returns an array on a device as functions here use it, and other objects as they are."""
    found = _queues.device_array(x)
    return x if found is None else found


def type_of(x: Any, default: Any = None) -> Any:
    """Returns the type of an array in native byte order, and the default for lists."""
    return np.dtype(x.dtype).newbyteorder("=") if hasattr(x, "dtype") else default


def precision(dtype: Any, name: str) -> np.dtype[Any]:
    """Returns complex64 or complex128. Raises ArgumentError for other types."""
    try:
        found = np.dtype(dtype).newbyteorder("=")
    except TypeError:
        found = None
    if found not in COMPLEX:
        raise ArgumentError(f"{name} is {dtype!r}; it must be complex64 or complex128")
    return found


def read(x: Any, name: str, dtype: Any, queue: Any) -> Any:
    """Returns an array to read, contiguous and of this type.

    Raises TypeError for another type, and for host arrays with a queue or the reverse.
    """
    x = given(x)
    if queue is not None:
        return _of_device(x, name, dtype, queue)
    if on_device(x):
        remedy = _queues.to_host(x).replace("x", name, 1) if _queues.on_cuda(x) else f"{name}.get()"
        raise TypeError(f"{name} is on a device. Give the plan a queue, or pass {remedy}.")
    if not hasattr(x, "dtype"):
        try:
            return np.ascontiguousarray(np.asarray(x, dtype))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{name} is no array of {dtype}: {error}") from None
    x = np.asarray(x)
    if not x.dtype.isnative:  # such as FITS files have
        x = x.astype(x.dtype.newbyteorder("="))
    _check_type(x, name, dtype)
    if not x.flags.c_contiguous:
        warnings.warn(
            f"{name} is not C-contiguous, so it is copied. Pass numpy.ascontiguousarray({name}).",
            stacklevel=_outside(),
        )
        x = np.ascontiguousarray(x)
    return x


def written(out: Any, dtype: Any, queue: Any) -> Any:
    """Returns an array to write. Raises TypeError if it has another type or is not contiguous."""
    if queue is not None:
        return _of_device(given(out), "out", dtype, queue, written=True)
    check_numpy(out)
    _check_type(out, "out", dtype, "Leave it out for a new array")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise TypeError("out must be C-contiguous and writeable. Leave it out for a new array.")
    return out


def coordinates(names: str, points: Sequence[Any], dtype: Any, queue: Any) -> list[Any]:
    """Returns the arrays with these names, one for each axis. Raises for wrong shapes."""
    found: list[Any] = []
    for name, x in zip(names, map(given, points)):
        if x is None:
            each = ", ".join(names[: len(points)])
            raise ArgumentError(f"{name} is None; give an array for each of {each}")
        if dtype.kind == "f" and whole_numbers(x):
            if queue is not None:
                raise TypeError(
                    f"{name} has dtype {x.dtype}; radians must be {dtype}. Convert it with "
                    f"{name}.astype({str(dtype)!r}), or pass coordinates={str(x.dtype)!r} for "
                    "fractions of a period."
                )
            x = np.asarray(x, dtype)
        x = read(x, name, dtype, queue)
        if x.ndim != 1:
            raise ArgumentError(f"{name} has shape {x.shape}; it must have one dimension")
        if found and x.size != found[0].size:
            raise ArgumentError(
                f"{name} has {x.size} elements and {names[0]} has {found[0].size}"
            )
        found.append(x)
    return found


def check_finite(names: str, points: Sequence[Any]) -> None:
    """Raises ValueError for the first coordinate on the host that is not finite."""
    for name, x in zip(names, points):
        if isinstance(x, np.ndarray) and x.dtype.kind == "f" and not np.isfinite(x).all():
            at = int(np.argmin(np.isfinite(x)))
            raise ValueError(f"{name}[{at}] is {x[at]}; give finite numbers")


def joined(batch: int, lists: Sequence[Any]) -> tuple[list[int], list[Any]]:
    """Returns the lengths of the host arrays of each list, and one array for each list.

    Raises ArgumentError unless each list has `batch` arrays, of the same lengths.
    """
    counts: list[int] = []
    arrays: list[Any] = []
    for one in lists:
        if one is None:
            arrays.append(None)
            continue
        if not isinstance(one, (list, tuple, np.ndarray)) or len(one) != batch:
            raise ArgumentError(
                f"with points_per_member, give a list of {batch} host arrays, or one array and counts"
            )
        rows = [np.asarray(row) for row in one]
        own = [row.size for row in rows]
        if any(row.ndim != 1 for row in rows) or own != (counts or own):
            raise ArgumentError("arrays of a list must have one dimension, and a vector's one length")
        counts = own
        arrays.append(np.concatenate(rows))
    return counts, arrays


def checked_counts(counts: Any, description: Any, points: int) -> list[int]:
    """Returns the number of points of each vector that has points of its own; otherwise none."""
    if not description.points_per_member:
        if counts is not None:
            raise ArgumentError("counts is given, but the plan was made without points_per_member")
        return []
    found = [int(count) for count in counts]
    if len(found) != description.batch or sum(found) != points or min(found) < 0:
        raise ArgumentError(
            f"counts has {len(found)} numbers and the sum {sum(found)}; it must have "
            f"{description.batch} with the sum {points}"
        )
    return found


def check_shape(name: str, shape: Sequence[int], batch: int, inner: tuple[int, ...]) -> None:
    """Raises ArgumentError unless the shape is (batch, *inner), or `inner` for a batch of 1."""
    shape = tuple(shape)
    if shape != (batch, *inner) and (batch != 1 or shape != inner):
        expected = f"{inner} or {(1, *inner)}" if batch == 1 else f"{(batch, *inner)}"
        raise ArgumentError(f"{name} has shape {shape}; it must be {expected}")


def check_apart(data: Any, out: Any) -> None:
    if _queues.on_cuda(out):
        return _queues.check_apart(data, out)
    if isinstance(out, np.ndarray) and np.may_share_memory(data, out):
        raise ArgumentError("out overlaps the input. Give an out with memory of its own.")


def whole_numbers(x: Any) -> bool:
    """Returns True for arrays of integers, which are radians unless `coordinates` is given."""
    return hasattr(x, "dtype") and np.dtype(x.dtype).kind in "iub"


def _check_type(x: Any, name: str, dtype: Any, remedy: str = "Convert it with {0}.astype({1!r})") -> None:
    if x.dtype != dtype:
        raise TypeError(
            f"{name} has dtype {x.dtype}; it must be {dtype}. {remedy.format(name, str(dtype))}."
        )


def _of_device(x: Any, name: str, dtype: Any, queue: Any, written: bool = False) -> Any:
    if _queues.is_stream(queue):
        if not _queues.on_cuda(x):
            raise TypeError(f"{name} has type {type(x).__name__}; it must be an array as the points are")
        _queues.check_gpu(name, x, queue)
        if written:
            x.library.check_written(x.owner)
        else:
            x = x.packed()
    elif _queues.on_cuda(x) or not on_device(x):
        raise TypeError(f"{name} has type {type(x).__name__}; it must be a pyopencl.array.Array")
    _check_type(x, name, dtype)
    if not x.flags.c_contiguous:
        raise TypeError(f"{name} is not C-contiguous. Pass a copy.")
    return x


def _outside() -> int:
    """Returns the stack level of the caller outside of this package, for warnings."""
    import sys

    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("imago.nufft"):
        frame, level = frame.f_back, level + 1
    return level
