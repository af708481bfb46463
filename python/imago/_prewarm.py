"""imago.prewarm(): compiles kernels before they are needed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, _progress, fft, hooks
from ._devices import Unserved
from ._filter import Filter
from .fft._backend import FUNCTIONS

# Any call compiles the generic kernel of its precision, and a filter that of hooks.
_LEAST = (("fft", (8,), np.complex64), ("fft", (8,), np.complex128))

Planned = (
    tuple[str, tuple[int, ...], DTypeLike]
    | tuple[str, tuple[int, ...], DTypeLike, Mapping[str, Any]]
)


def _run(call: Planned) -> None:
    if not isinstance(call, tuple) or len(call) not in (3, 4):
        raise ValueError(
            f"calls: {call!r} is not a tuple of a function's name, a shape, a dtype "
            "and perhaps a dict of arguments"
        )
    name, shape, dtype, *more = call
    if name not in FUNCTIONS:
        raise ValueError(f"calls: {name!r} is not a transform of imago.fft")
    function, arguments = getattr(fft, name), more[0] if more else {}
    on_device = getattr(function, "__wrapped__", function)  # small arrays, too
    try:
        on_device(np.zeros(shape, dtype), **arguments)
    except Unserved:
        function(np.zeros(shape, dtype), **arguments)  # gives the reason


def prewarm(calls: Iterable[Planned] = ()) -> None:
    """Compiles kernels, so that later calls do not wait for a compiler or use slower kernels.

    Each of `calls` describes a call of `imago.fft`: the function's name, the shape and the dtype of
    its array, and a dict of its other arguments if there are any. Returns when the kernels for all
    of them are compiled. They are cached on disk, for later programs too. Without `calls`, compiles
    only the generic kernels, with which any call begins.

    `set_progress` selects how the work is reported. Raises ValueError for a name that is not a
    transform of `imago.fft`, and what that function raises for its arguments.

    >>> import imago
    >>> imago.prewarm([("rfft2", (48, 64), "float32"), ("dct", (100,), "float64", {"type": 3})])
    """
    wanted = list(calls)
    if not wanted:
        for call in _LEAST:
            _run(call)
        for dtype in (np.float32, np.float64):
            Filter(8, spectrum=[hooks.scale(1.0)], dtype=dtype)
        return
    began = time.monotonic()
    _core.compile_first(True)
    try:
        with _progress.one_wait():
            for done, call in enumerate(wanted):
                _progress.show("compiling kernels", done, len(wanted), time.monotonic() - began)
                _run(call)
    finally:
        _core.compile_first(False)
