"""Small arrays, which functions of the processor compute: no device is used and nothing is launched.

The functions were generated when imago was built. They compute the calls for which they are predicted
to be faster than a launch, unless the user selected a device (`imago.set_device`, IMAGO_DEVICE) or its
kernels (IMAGO_FIRST_CALL). IMAGO_SMALL=0 forbids them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._devices import sessions
from . import _work as work

MOST_ELEMENTS = 1 << 22
"""Results with more elements are never small."""

_KINDS = {
    "fft": (work.COMPLEX, False),
    "ifft": (work.COMPLEX, True),
    "rfft": (work.REAL, False),
    "irfft": (work.REAL, True),
    "dct": (work.DCT[1], False),
    "idct": (work.DCT[2], True),
    "dst": (work.DST[1], False),
    "idst": (work.DST[2], True),
}


def function_of(name: str) -> Callable[[Any], Any] | None:
    """Returns a function of one array for a function of imago.fft with its default arguments.

    It returns the result, or None if imago's other code computes the call.
    """
    kind = _KINDS.get(name.rstrip("2n"))
    axes = {"2": 2, "n": 0}.get(name[-1], 1)
    return _core.SmallFunction(*kind, axes) if kind else None


def computes(x: NDArray[Any], out: NDArray[Any], request: work.Request) -> bool:
    """Writes the transform of x to `out` and returns True, or returns False."""
    if out.size > MOST_ELEMENTS or out.size == 0:
        return False
    _, kinds, lengths, _, _, flags, scale = request
    return _core.small_transform(x, out, kinds, lengths, flags, scale)


def accepts(x: NDArray[Any], out: NDArray[Any], request: work.Request) -> bool:
    """Returns True if `computes` would compute."""
    if out.size > MOST_ELEMENTS or out.size == 0:
        return False
    _, kinds, lengths, _, _, flags, scale = request
    return _core.small_accepts(x, out, kinds, lengths, flags, scale)


def description() -> str:
    instructions = _core.small_instruction_set()
    return (
        f"Functions of the processor ({instructions}) compute this call, because the array is small. "
        "Set IMAGO_SMALL=0 to compute on the device.\n"
    )


def _reset(chosen: bool = False) -> None:
    """Called when another device is chosen: True if the user selected it."""
    _core.small_enable(not chosen)


sessions.on_choice(_reset)
sessions.also_clear(_core.small_clear)
