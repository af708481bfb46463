"""The functions of scipy.fft for arrays in the memory of a device, which kernels read as they lie.

A module gives `add` a function that computes one call, `imago.opencl` for arrays of pyopencl,
`imago.cuda` for those of CUDA's libraries.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core, _queues
from .fft import _arguments as arguments
from .fft import _functions
from .fft import _work as work
from .fft._work import IN_PLACE, Request, repeated_axes


class Outline(NamedTuple):
    """The shape and type of an array, which determine its transform."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def astype(self, dtype: Any) -> Outline:
        return Outline(self.shape, np.dtype(dtype))


class _Decision:
    """The transform of arrays with one outline; `request` is None if there is none to compute."""

    def __init__(self, x: Outline, request: Request | None) -> None:
        self.dtype, self.request = x.dtype, request
        if request is not None:  # the result's
            self.shape, self.result_dtype = tuple(request.shape), np.dtype(request.dtype)


class _Deciding:
    """Stands for a kind of arrays (`_work.Arrays`), but only records the requested transform."""

    conjugated_by_hook = 0

    @staticmethod
    def array(x: Outline) -> Outline:
        return x

    @staticmethod
    def compute(x: Outline, request: Request) -> Any:
        return _Decision(x, request)

    apart = staticmethod(repeated_axes)


_deciding = _Deciding()
# A function from an outline and its own arguments to a _Decision.
Decide = Callable[..., Any]


@functools.lru_cache(maxsize=1024, typed=True)
def decision(decide: Decide, shape: tuple[int, ...], dtype: np.dtype[Any], *arguments: Any) -> _Decision:
    x = Outline(shape, dtype)
    _queues.check_type(x)
    decided = decide(_deciding, x, *arguments)
    return decided if isinstance(decided, _Decision) else _Decision(x, None)


@functools.lru_cache(maxsize=1024)
def prepared(
    decided: _Decision, shape: tuple[int, ...], strides: tuple[int, ...], made: tuple[int, ...], in_place: bool
) -> _core.DeviceCall:
    """Returns the call that reads an array of this shape and strides and writes strides `made`."""
    _, kinds, lengths, to_shape, dtype, flags, scale = decided.request
    return _core.DeviceCall(
        (shape, strides, decided.dtype.char),
        (tuple(to_shape), made, np.dtype(dtype).char),
        kinds,
        list(lengths),
        flags | (IN_PLACE if in_place else 0),
        scale,
    )


# Computes one call: decide, x, the arguments of decide, and the keywords of the module.
Compute = Callable[..., Any]


def _lengths(s: Any) -> Any:
    return s if s is None else tuple(arguments.lengths(s))


def _axes(axes: Any) -> Any:
    return axes if axes is None else tuple(arguments.integers(axes, "axes"))


def _fourier_function(
    family: _functions.Fourier, suffix: str, call: Compute
) -> tuple[Decide, Callable[..., Any]]:
    along = family.along_many if suffix else family.along_one

    def decide(on, x, lengths, axes, norm):
        return along(on, family.forward, x, lengths, axes, norm, None, None)

    if suffix:
        default = (-2, -1) if suffix == "2" else None

        def function(x, s=None, axes=default, norm=None, **where):
            return call(decide, x, (_lengths(s), _axes(axes), norm), **where)

    else:

        def function(x, n=None, axis=-1, norm=None, **where):
            return call(decide, x, (n, axis, norm), **where)

    return decide, function


def _cosine_function(
    family: _functions.Cosine, suffix: str, call: Compute
) -> tuple[Decide, Callable[..., Any]]:
    along = work.r2r_many if suffix else work.r2r_one

    def decide(on, x, type, lengths, axes, norm, orthogonalize):
        return along(on, family.kinds, family.forward, x, type, lengths, axes, norm, None, orthogonalize)

    if suffix:

        def function(x, type=2, s=None, axes=None, norm=None, orthogonalize=None, **where):
            return call(decide, x, (type, _lengths(s), _axes(axes), norm, orthogonalize), **where)

    else:

        def function(x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, **where):
            return call(decide, x, (type, n, axis, norm, orthogonalize), **where)

    return decide, function


def _with_keywords(function: Callable[..., Any], call: Compute) -> inspect.Signature:
    """Returns the function's signature with the keywords of `call` in the place of **where."""
    own = list(inspect.signature(function).parameters.values())[:-1]
    given = inspect.signature(call).parameters.values()
    keywords = [one for one in given if one.kind is one.KEYWORD_ONLY]
    return inspect.Signature([*own, *keywords])


def add(module: dict[str, Any], call: Compute) -> dict[str, Decide]:
    """Adds the Fourier, cosine and sine functions to a module, which `call` computes.

    call(decide, x, arguments, *, <keywords>) gets the arguments for `decision`. Returns `decide` of
    each function.
    """
    decides: dict[str, Decide] = {}
    families: list[tuple[Callable[..., Any], Any, tuple[str, ...]]] = []
    families += [(_fourier_function, family, ("", "2", "n")) for family in _functions.FOURIER]
    families += [(_cosine_function, family, ("", "n")) for family in _functions.COSINES]
    for make, family, suffixes in families:
        for suffix in suffixes:
            name, (decide, function) = family.name + suffix, make(family, suffix, call)
            function.__name__ = function.__qualname__ = name
            function.__module__ = module["__name__"]
            function.__signature__ = _with_keywords(function, call)
            decides[name] = decide
            first = (_functions.FUNCTIONS[name].__doc__ or "").split("\n\n")[0]
            function.__doc__ = f"{first}\n\n    As `imago.fft.{name}`, for an array on the device."
            module[name] = function
    return decides
