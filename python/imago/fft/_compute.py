"""The way of an array to the device and back, and to SciPy where no device serves."""

from __future__ import annotations

import functools
import inspect
import os
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _words
from .._devices import FallbackWarning, Unserved, sessions
from ._arguments import float_array
from ._scipy import own_code

# imago::Kind, in its order.
COMPLEX, REAL = 0, 1
DCT = (2, 3, 4, 5)
DST = (6, 7, 8, 9)
IDENTITY = 10

# The bits of a call's flags.
INVERSE, ORTHOGONAL, CONJUGATE, IN_PLACE = 1, 2, 4, 8

# From so many elements on a plan for the strides of the array, or one that pads, costs less than a
# packed copy. Below, the results do not depend on the layout in their last bits either.
_READ_WHERE_IT_LIES = 1 << 16

Function = TypeVar("Function", bound=Callable[..., Any])


@functools.lru_cache(maxsize=1024)
def kinds_of(dimensions: int, axes: tuple[int, ...], kind: int, last: int | None = None) -> bytes:
    """A kind for each dimension: `kind` along the axes, `last` along the last named of them."""
    kinds = bytearray([IDENTITY]) * dimensions
    for axis in axes:
        kinds[axis] = kind
    if last is not None:
        kinds[axes[-1]] = last
    return bytes(kinds)


def _padded(x: NDArray[Any], extents: Sequence[int]) -> NDArray[Any]:
    """x with zeros behind it, up to the extents; cropped to them where it is longer."""
    padded = np.zeros(extents, x.dtype)
    inside = tuple(slice(min(n, m)) for n, m in zip(x.shape, extents))
    padded[inside] = x[inside]
    return padded


class Request(NamedTuple):
    """What is computed of an array."""

    extents: Sequence[int]
    """To which it is padded or cropped."""
    kinds: bytes
    """Of each dimension (`kinds_of`)."""
    lengths: Sequence[int]
    """Of the transform: numbers of the signal."""
    shape: Sequence[int]
    """Of the result."""
    dtype: type
    """Of the result."""
    flags: int
    scale: float


class Arrays(Protocol):
    """Where arrays lie, and who computes with them."""

    conjugated_by_hook: int
    """From so many elements on a hook conjugates, and not a pass over the array."""

    def array(self, x: Any) -> Any:
        """x as an array of single or double precision, complex or real."""

    def compute(self, x: Any, request: Request) -> Any:
        """An array: the transform of x."""


def _takes(x: NDArray[Any], shape: Sequence[int], dtype: type) -> bool:
    """Whether x can hold a result of this shape and type, and is so large that it pays."""
    fits = x.dtype == dtype and list(x.shape) == list(shape) and x.size >= _READ_WHERE_IT_LIES
    return fits and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned


def compute_into(x: NDArray[Any], out: NDArray[Any], request: Request) -> None:
    """Writes the transform of x to `out`, C-contiguous. Raises Unserved where no device can."""
    session = sessions.get(out.dtype.char in "dD")
    if out.size == 0:
        return
    extents, kinds, lengths, _, _, flags, scale = request
    if out.size < _READ_WHERE_IT_LIES or x.size == 0:
        if list(x.shape) != list(extents):
            x = _padded(x, extents)
        elif not x.flags.c_contiguous:
            x = x.copy()
    try:
        if not session.transform(x, out, kinds, lengths, flags, scale):
            session.transform(x.copy(), out, kinds, lengths, flags, scale)
    except NotImplementedError as error:
        raise Unserved(str(error)) from error


class _Host:
    """NumPy's arrays; `overwrite` says that results may lie where the inputs did."""

    conjugated_by_hook = 1 << 16
    array = staticmethod(float_array)

    def __init__(self, overwrite: bool) -> None:
        self._overwrite = overwrite

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """A new array, or x. Raises Unserved where no device can."""
        if self._overwrite and _takes(x, request.shape, request.dtype):
            compute_into(x, x, request._replace(flags=request.flags | IN_PLACE))
            return x
        out = np.empty(request.shape, request.dtype)
        compute_into(x, out, request)
        return out


class _Into:
    """NumPy's arrays; results are written to `out`, converted if it is of another type."""

    conjugated_by_hook = _Host.conjugated_by_hook
    array = staticmethod(float_array)

    def __init__(self, out: NDArray[Any]) -> None:
        self._out = out

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """`out`. Raises ValueError if it has another shape, TypeError if it holds other numbers."""
        out = self._out
        if list(out.shape) != list(request.shape):
            raise ValueError(f"out has shape {out.shape}, and the result {tuple(request.shape)}")
        flags = out.flags
        plain = flags.c_contiguous and flags.writeable and flags.aligned
        if out.dtype == request.dtype and plain and not np.may_share_memory(x, out):
            compute_into(x, out, request)
        else:
            np.copyto(out, _host.compute(x, request), casting="same_kind")
        return out


_host, _overwriting = _Host(False), _Host(True)


def host(overwrite: bool, out: NDArray[Any] | None = None) -> Arrays:
    """Where arrays of the host are computed."""
    if out is None:
        return _overwriting if overwrite else _host
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is {type(out).__name__}: a numpy.ndarray")
    return _Into(out)


def _given_back(result: Any, out: NDArray[Any] | None) -> Any:
    """The result, in `out` if there is one."""
    if out is None or result is out:
        return result
    if np.shape(result) != out.shape:
        raise ValueError(f"out has shape {out.shape}, and the result {np.shape(result)}")
    np.copyto(out, result, casting="same_kind")
    return out


class _Fallbacks:
    """Counts the calls that SciPy computed, and warns once for each reason."""

    def __init__(self) -> None:
        self.after_fork()
        self._warned: set[str] = set()
        self.count = 0

    def after_fork(self) -> None:
        """A child gets a lock of its own: another thread of its parent may have held this one."""
        self._lock = threading.Lock()

    def add(self, name: str, reason: str) -> None:
        with self._lock:
            self.count += 1
            known = reason in self._warned or reason == "long double"
            self._warned.add(reason)
        if not known:
            warnings.warn(f"SciPy computes {name}: {reason}", FallbackWarning, stacklevel=4)


fallbacks = _Fallbacks()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=fallbacks.after_fork)


def served(function: Function) -> Function:
    """Lets SciPy compute what no device serves, unless IMAGO_FALLBACK=0 forbids it."""
    name = function.__name__
    parameters = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return _given_back(function(*args, **kwargs), kwargs.get("out"))
        except Unserved as unserved:
            reason = str(unserved)
        if os.environ.get("IMAGO_FALLBACK") == "0":
            raise NotImplementedError(f"{name}: {reason}, and IMAGO_FALLBACK=0")
        fallbacks.add(name, reason)
        # Not through scipy.fft: imago may be its only backend. Those along two axes are those along
        # several, with axes of their own.
        bound = parameters.bind(*args, **kwargs)
        bound.apply_defaults()
        out = bound.arguments.pop("out", None)
        result = getattr(own_code, name.replace("2", "n"))(*bound.args, **bound.kwargs)
        return _given_back(result, out)

    return call  # type: ignore[return-value]


def statistics() -> dict[str, int]:
    """What was done in this process so far.

    `computed`: transforms that a device computed; `scipy`: calls that went to SciPy's own code;
    `plans`: plans that are kept, whose workspaces have `workspace_bytes`; `hits` and `misses`: calls
    that found theirs, and those that made one.

    >>> import imago
    >>> before = imago.fft.statistics()["computed"]
    >>> spectrum = imago.fft.fft([1, 2, 3])
    >>> imago.fft.statistics()["computed"] - before
    1
    """
    return {**sessions.statistics(), "scipy": fallbacks.count}


def limit_plans(plans: int = 512) -> None:
    """Changes how many plans are kept for later calls: those that were used last.

    Raises ValueError for less than one.

    >>> import imago
    >>> imago.fft.limit_plans(10_000)   # for a program with very many shapes
    >>> imago.fft.limit_plans()
    """
    if _words.whole("plans", plans) < 1:
        raise ValueError(f"plans is {plans}: 1 or more")
    sessions.limit_plans(plans)
