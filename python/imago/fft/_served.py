"""Lets SciPy compute the calls that no device can compute, and explains and counts calls."""

from __future__ import annotations

import functools
import inspect
import os
import threading
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core, _words
from .._devices import FallbackWarning, Unserved, sessions
from . import _host, _small
from ._arguments import LONG_DOUBLE
from ._scipy import own_code

# Functions that compute calls on arrays of other libraries, by the name of the library. Each returns
# the function for an array, or None. The package sets them: they are in modules above this one.
elsewhere: dict[str, Callable[[Any], Callable[..., Any] | None]] = {}

Function = TypeVar("Function", bound=Callable[..., Any])


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
    """Lets the processor's functions compute small arrays, and SciPy what no device can compute.

    IMAGO_FALLBACK=0 forbids the latter.
    """
    name = function.__name__
    signature = inspect.signature(function)
    theirs = _scipys(name)

    direct = _small.function_of(name)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if direct is not None and len(args) == 1 and not kwargs:
            result = direct(args[0])
            if result is not None:
                return result
        if not args:
            for word in ("x", "a"):  # "a" is NumPy's name of x
                if word in kwargs:
                    args = (kwargs.pop(word),)
                    break
        if args and type(args[0]) is not np.ndarray:
            find = elsewhere.get(type(args[0]).__module__.partition(".")[0])
            compute = find(args[0]) if find else None
            if compute:
                return compute(name, signature, args, kwargs)
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
    if not hasattr(function, "__wrapped__") or function.__module__ != f"{__package__}._functions":
        raise ValueError(
            f"function is {function!r}; it must be a Fourier, cosine or sine function of imago.fft"
        )
    kwargs.pop("out", None)
    try:
        return function.__wrapped__(*args, **kwargs, out=_host.plans)
    except Unserved as unserved:
        return f"SciPy computes this call: {unserved}\n"


def statistics() -> dict[str, int]:
    """Returns counts of this process.

    `computed`: transforms that a device computed; `generic`: those of them that generic kernels
    computed, because kernels for their shape were not compiled; `small`: transforms of small arrays
    that functions of the processor computed; `scipy`: calls that SciPy computed; `plans`: plans in
    the cache; `workspace_bytes`: bytes of their workspaces; `hits` and `misses`: calls
    that found their plan in the cache, and calls that created one.

    >>> import numpy as np, imago
    >>> before = imago.fft.statistics()["computed"]
    >>> spectrum = imago.fft.fft(np.ones((5, 1 << 20), np.float32))   # larger than small ones
    >>> imago.fft.statistics()["computed"] - before
    1
    """
    return {**sessions.statistics(), "scipy": fallbacks.count, "small": _core.small_computed()}


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
