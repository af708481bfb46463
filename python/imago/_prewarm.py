"""imago.prewarm(): compiles kernels before they are needed."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, _progress, fft, hooks
from ._devices import Unserved, device
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


def uniform() -> None:
    """Compiles the generic kernels of transforms and hooks."""
    for call in _LEAST:
        _run(call)
    for dtype in (np.float32, np.float64):
        Filter(8, spectrum=[hooks.scale(1.0)], dtype=dtype)
        if device(dtype).type == "cpu":
            # PoCL compiles a kernel once more, at a launch of more than 65535 work-items.
            shape = (40_000, 128)
            large = Filter(
                shape[1], spectrum=[hooks.scale(1.0)], kind="real", dtype=dtype, batch=shape[0]
            )
            large(np.zeros(shape, dtype))


def nonuniform() -> None:
    """Compiles the generic kernels of nonuniform transforms, all of which a type 3 has."""
    from . import nufft

    # The second is for PoCL, as above.
    for real, count in itertools.product((np.float32, np.float64), (2, 70_000)):
        x = np.linspace(-1, 1, count).astype(real)
        try:
            nufft.nufft1d3(x, np.ones(count, np.result_type(real, np.complex64)), x, eps=1e-3)
        except NotImplementedError:  # a device without doubles
            continue


def prewarm(calls: Iterable[Planned] = ()) -> None:
    """Compiles kernels, so that later calls do not wait for a compiler or use slower kernels.

    Each of `calls` describes a call of `imago.fft`: the function's name, the shape and the dtype of
    its array, and a dict of its other arguments if there are any. Returns when the kernels for all
    of them are compiled. They are cached on disk, for later programs too. Without `calls`, compiles
    only the generic kernels, with which any call begins: of `imago.fft`, of `imago.signal` and
    filters, and of `imago.nufft`.

    `set_progress` selects how the work is reported. Raises ValueError for a name that is not a
    transform of `imago.fft`, and what that function raises for its arguments.

    >>> import imago
    >>> imago.prewarm([("rfft2", (48, 64), "float32"), ("dct", (100,), "float64", {"type": 3})])
    """
    wanted = list(calls)
    if not wanted:
        uniform()
        nonuniform()
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
