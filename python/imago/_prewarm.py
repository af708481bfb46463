"""imago.prewarm(): compiles kernels before they are needed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _progress, fft
from ._devices import sessions

# Any call compiles the generic kernel of its precision.
_LEAST = (("fft", (8,), np.complex64), ("fft", (8,), np.complex128))
_PATIENCE = 100  # milliseconds between two looks at Ctrl-C and the progress

Planned = (
    tuple[str, tuple[int, ...], DTypeLike]
    | tuple[str, tuple[int, ...], DTypeLike, Mapping[str, Any]]
)


def prewarm(calls: Iterable[Planned] = ()) -> None:
    """Compiles kernels, so that later calls do not wait for a compiler or use slower kernels.

    Each of `calls` describes a call of `imago.fft`: the function's name, the shape and the dtype of
    its array, and a dict of its other arguments if there are any. Returns when the kernels for all
    of them are compiled. They are cached on disk, for later programs too. Without `calls`, compiles
    only the generic kernels, with which any call begins.

    `set_progress` selects how the work is reported. Raises ValueError for a name that is not a
    function of `imago.fft`, and what that function raises for its arguments.

    >>> import imago
    >>> imago.prewarm([("rfft2", (48, 64), "float32"), ("dct", (100,), "float64", {"type": 3})])
    """
    wanted = list(calls) or list(_LEAST)
    for name, shape, dtype, *more in wanted:
        function = getattr(fft, name, None)
        if name.startswith("_") or not callable(function):
            raise ValueError(f"calls: {name!r} is not a function of imago.fft")
        function(np.zeros(shape, dtype), **(more[0] if more else {}))
    if wanted == list(_LEAST):
        return
    began = time.monotonic()
    pending = total = sessions.wait(0)
    while pending:
        pending = sessions.wait(_PATIENCE)
        _progress.show("compiling kernels", total - pending, total, time.monotonic() - began)
    _progress.clear()
