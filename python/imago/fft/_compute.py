"""Computes transforms of host arrays on the device, or with SciPy if no device can."""

from __future__ import annotations

import functools
import inspect
import os
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _small, _words
from .._devices import FallbackWarning, Unserved, sessions
from ._arguments import LONG_DOUBLE, float_array
from ._scipy import own_code

# The values of imago::Kind.
COMPLEX, REAL = 0, 1
DCT = (2, 3, 4, 5)
DST = (6, 7, 8, 9)
IDENTITY = 10

# Bits of a call's flags.
INVERSE, ORTHOGONAL, CONJUGATE, IN_PLACE = 1, 2, 4, 8

# Starting at this many elements, a plan that reads the array's strides, or pads, costs less than a
# packed copy. Smaller arrays are always packed, so that their results do not depend on the layout.
_READ_WHERE_IT_LIES = 1 << 16

_EXPLAINED = tuple(f"{__package__}.{module}" for module in ("_fourier", "_hermitian", "_cosine"))

Function = TypeVar("Function", bound=Callable[..., Any])


@functools.lru_cache(maxsize=1024)
def kinds_of(dimensions: int, axes: tuple[int, ...], kind: int, last: int | None = None) -> bytes:
    """Returns a kind for each dimension: `kind` along the axes, `last` along the last of them."""
    kinds = bytearray([IDENTITY]) * dimensions
    for axis in axes:
        kinds[axis] = kind
    if last is not None:
        kinds[axes[-1]] = last
    return bytes(kinds)


def _padded(x: NDArray[Any], extents: Sequence[int]) -> NDArray[Any]:
    """Returns x padded with zeros to the extents, or cropped where it is longer."""
    padded = np.zeros(extents, x.dtype)
    inside = tuple(slice(min(n, m)) for n, m in zip(x.shape, extents))
    padded[inside] = x[inside]
    return padded


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


def _takes(x: NDArray[Any], shape: Sequence[int], dtype: type) -> bool:
    """Returns True if x can hold a result of this shape and type, and is large enough to gain."""
    fits = x.dtype == dtype and list(x.shape) == list(shape) and x.size >= _READ_WHERE_IT_LIES
    return fits and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned


def _readable(x: NDArray[Any], out: NDArray[Any], extents: Sequence[int]) -> NDArray[Any]:
    """Returns the array that kernels read: x if it is large, else a packed copy."""
    if out.size < _READ_WHERE_IT_LIES or x.size == 0:
        if list(x.shape) != list(extents):
            return _padded(x, extents)
        if not x.flags.c_contiguous:
            return x.copy()
    return x


def compute_into(x: NDArray[Any], out: NDArray[Any], request: Request) -> None:
    """Writes the transform of x to `out`, C-contiguous. Raises Unserved if no device can."""
    session = sessions.get(out.dtype.char in "dD")
    if out.size == 0:
        return
    extents, kinds, lengths, _, _, flags, scale = request
    x = _readable(x, out, extents)
    try:
        if not session.transform(x, out, kinds, lengths, flags, scale):
            session.transform(x.copy(), out, kinds, lengths, flags, scale)
    except NotImplementedError as error:
        raise Unserved(str(error)) from error


def repeated_axes() -> NoReturn:
    raise ValueError("axes: all axes must be unique here. Call the function once for each axis.")


class _Host:
    """NumPy arrays. With `overwrite` a result may reuse the memory of its input."""

    conjugated_by_hook = 1 << 16
    array = staticmethod(float_array)

    def __init__(self, overwrite: bool) -> None:
        self._overwrite = overwrite

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """Returns a new array, or x. Raises Unserved if no device can compute it."""
        if self._overwrite and _takes(x, request.shape, request.dtype):
            compute_into(x, x, request._replace(flags=request.flags | IN_PLACE))
            return x
        out = np.empty(request.shape, request.dtype)
        compute_into(x, out, request)
        return out

    @staticmethod
    def apart() -> Arrays:
        return _host


class _Into:
    """NumPy arrays. Results are written to `out`, and converted if it has another type."""

    conjugated_by_hook = _Host.conjugated_by_hook
    array = staticmethod(float_array)
    apart = staticmethod(_Host.apart)

    def __init__(self, out: NDArray[Any]) -> None:
        self._out = out

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """Returns `out`. Raises ValueError for another shape, TypeError for an unsuitable type."""
        out = self._out
        if list(out.shape) != list(request.shape):
            raise ValueError(f"out has shape {out.shape}; the result has {tuple(request.shape)}")
        flags = out.flags
        plain = flags.c_contiguous and flags.writeable and flags.aligned
        if out.dtype == request.dtype and plain and not np.may_share_memory(x, out):
            compute_into(x, out, request)
        else:
            np.copyto(out, _host.compute(x, request), casting="same_kind")
        return out


class _Plans:
    """NumPy arrays that are not transformed: instead of results there are descriptions of plans."""

    conjugated_by_hook = 0
    array = staticmethod(float_array)

    def compute(self, x: NDArray[Any], request: Request) -> str:
        out = np.empty(request.shape, request.dtype)
        session = sessions.get(out.dtype.char in "dD")
        if out.size == 0:
            return "The result is empty.\n"
        extents, kinds, lengths, _, _, flags, scale = request
        x = _readable(x, out, extents)
        try:
            return session.describe(x, out, kinds, lengths, flags, scale)
        except NotImplementedError as error:
            raise Unserved(str(error)) from error

    apart = staticmethod(repeated_axes)


_host, _overwriting, _plans = _Host(False), _Host(True), _Plans()


def host(overwrite: bool, out: NDArray[Any] | None = None) -> Arrays:
    """Returns the object that computes transforms of host arrays."""
    if out is None:
        return _overwriting if overwrite else _host
    if out is _plans:
        return _plans
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out has type {type(out).__name__}; it must be a numpy.ndarray")
    return _Into(out)


def _given_back(result: Any, out: NDArray[Any] | None) -> Any:
    """Returns the result, in `out` if it is given."""
    if out is None or result is out:
        return result
    if np.shape(result) != out.shape:
        raise ValueError(f"out has shape {out.shape}; the result has {np.shape(result)}")
    np.copyto(out, result, casting="same_kind")
    return out


class _Fallbacks:
    """Counts the calls that SciPy computes, and warns once for each reason."""

    def __init__(self) -> None:
        self.after_fork()
        self._warned: set[str] = set()
        self.count = 0
        self.small = 0  # calls among them for which SciPy is faster than the device

    def after_fork(self) -> None:
        """Gives a child process a new lock: another thread of its parent may have held this one."""
        self._lock = threading.Lock()

    def add(self, name: str, reason: str) -> None:
        """Counts a call that SciPy is going to compute. Raises if the user forbids that."""
        if os.environ.get("IMAGO_FALLBACK") == "0":
            raise NotImplementedError(
                f"{name}: {reason}. SciPy does not compute it because IMAGO_FALLBACK is 0; unset it"
            )
        with self._lock:
            self.count += 1
            known = reason in self._warned or reason == LONG_DOUBLE
            self._warned.add(reason)
        if not known:
            text = f"SciPy computes {name} instead of imago: {reason}"
            warnings.warn(text, FallbackWarning, stacklevel=4)

    def add_small(self) -> None:
        with self._lock:
            self.count += 1
            self.small += 1


fallbacks = _Fallbacks()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=fallbacks.after_fork)


def _scipys(name: str) -> Callable[..., Any]:
    """Returns SciPy's own code for a function, with the parameters of imago's except `out`.

    This is not scipy.fft's function, because imago may be its only backend.
    """
    if not name.endswith("2"):
        return getattr(own_code, name)
    several = getattr(own_code, name.replace("2", "n"))

    def two(x: Any, s: Any = None, axes: Any = (-2, -1), *args: Any, **kwargs: Any) -> Any:
        return several(x, s, axes, *args, **kwargs)

    return two


def served(function: Function) -> Function:
    """Lets SciPy compute the calls that no device can compute, and those on small arrays.

    IMAGO_FALLBACK=0 forbids both.
    """
    name = function.__name__
    signature = inspect.signature(function)
    theirs = _scipys(name)

    def computed_by_scipy(args: Any, kwargs: Any) -> Any:
        """Returns SciPy's result for a small array; None if the device computes the call."""
        small = _small.current
        if small.pending:
            small.consider(args[0], sessions.get)
        out = kwargs.get("out")
        if out is not None:
            if not isinstance(out, np.ndarray):
                return None
            kwargs = {word: value for word, value in kwargs.items() if word != "out"}
        if not small.allows(name, signature, args, kwargs):
            return None
        try:
            result = theirs(*args, **kwargs)
        except Exception:  # imago raises its own
            return None
        fallbacks.add_small()
        return _given_back(result, out)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not args and "a" in kwargs:  # NumPy's name of x
            args = (kwargs.pop("a"),)
        small = _small.current
        if (small.limits or small.pending) and args and type(args[0]) is np.ndarray:
            result = computed_by_scipy(args, kwargs)
            if result is not None:
                return result
        try:
            return _given_back(function(*args, **kwargs), kwargs.get("out"))
        except Unserved as unserved:
            reason = str(unserved)
        fallbacks.add(name, reason)
        out = kwargs.pop("out", None)
        return _given_back(theirs(*args, **kwargs), out)

    return call  # type: ignore[return-value]


def explain(function: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """Returns a text about a call: the plan of the device, or why SciPy computes it.

    `function` is one of the Fourier, cosine and sine functions of imago.fft; the rest are its
    arguments. Computes nothing. Raises ValueError for another function, and what the function
    raises for its arguments.

    >>> import numpy as np, imago
    >>> text = imago.fft.explain(imago.fft.fft, np.ones(100, np.longdouble))
    >>> text.startswith("SciPy computes this call: long doubles")
    True
    """
    if not hasattr(function, "__wrapped__") or function.__module__ not in _EXPLAINED:
        raise ValueError(
            f"function is {function!r}; it must be a Fourier, cosine or sine function of imago.fft"
        )
    kwargs.pop("out", None)
    small = _small.current
    try:
        if args and type(args[0]) is np.ndarray:
            if small.allows(function.__name__, inspect.signature(function), args, kwargs):
                reason = small.reason(args[0].dtype.char not in "fF")
                return f"SciPy computes this call, because the array is small: {reason}\n"
        return function.__wrapped__(*args, **kwargs, out=_plans)
    except Unserved as unserved:
        return f"SciPy computes this call: {unserved}\n"


def statistics() -> dict[str, int]:
    """Returns counts of this process.

    `computed`: transforms that a device computed; `generic`: those of them that generic kernels
    computed, because kernels for their shape were not compiled; `scipy`: calls that SciPy computed;
    `small`: those of them for which SciPy is faster than the launch on the device, a CPU; `plans`:
    plans in the cache; `workspace_bytes`: bytes of their workspaces; `hits` and `misses`: calls
    that found their plan in the cache, and calls that created one.

    >>> import numpy as np, imago
    >>> before = imago.fft.statistics()["computed"]
    >>> spectrum = imago.fft.fft(np.ones((64, 4096)))
    >>> imago.fft.statistics()["computed"] - before
    1
    """
    return {**sessions.statistics(), "scipy": fallbacks.count, "small": fallbacks.small}


def limit_plans(plans: int = 512) -> None:
    """Sets the size of the plan cache, which keeps the most recently used plans for later calls.

    Raises ValueError if `plans` is below 1.

    >>> import imago
    >>> imago.fft.limit_plans(10_000)   # for a program with very many shapes
    >>> imago.fft.limit_plans()
    """
    if _words.whole("plans", plans) < 1:
        raise ValueError(f"plans is {plans}; it must be at least 1")
    sessions.limit_plans(plans)
