"""Exact convolutions and products of integers.

They are transforms of residues modulo the prime 2^61 - 1, so nothing is rounded. The functions
compute on the default device; the first call for a number of points compiles kernels.

>>> import imago.exact
>>> imago.exact.convolve([1, 2, 3], [10, 0, -1])
array([10, 20, 29, -2, -3])
>>> imago.exact.multiply(10**40 + 1, 10**40 - 1) == 10**80 - 1
True
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Wrap = Literal["linear", "cyclic", "negacyclic"]

LARGEST = 2**60 - 1
"""The largest absolute value of a convolution's result."""

_WRAPS = {"linear": 0, "cyclic": 1, "negacyclic": 2}


def _integers(x: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(x)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has the shape {array.shape}: it must be one axis of integers")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has the type {array.dtype}: it must have integers")
    if array.dtype == np.uint64 and array.max() > LARGEST:
        raise ValueError(f"{name} has the integer {array.max()}: it must be at most 2**60 - 1")
    return np.ascontiguousarray(array, np.int64)


def convolve(first: ArrayLike, second: ArrayLike, wrap: Wrap = "linear") -> NDArray[np.int64]:
    """Returns the convolution of two sequences of integers, exactly.

    `wrap` is the place of the products beyond the last element: "linear" (the result has an element
    for each), "cyclic" (they are added from the first element on) or "negacyclic" (they are
    subtracted). Sequences that wrap have the same length.

    Raises ValueError unless the largest absolute values prove that no result exceeds 2**60 - 1: the
    product of both, times the elements of the shorter sequence, must not.
    """
    if wrap not in _WRAPS:
        raise ValueError(f'wrap is "{wrap}": it must be one of {", ".join(_WRAPS)}')
    a, b = _integers(first, "first"), _integers(second, "second")
    if wrap != "linear" and a.size != b.size:
        raise ValueError(f"second has {b.size} elements: sequences that wrap have the same length")
    result = np.empty(a.size + b.size - 1 if wrap == "linear" else a.size, np.int64)
    _core.exact_convolve(a, b, result, _WRAPS[wrap])
    return result


def _words(number: int) -> NDArray[np.uint64]:
    count = max(1, (number.bit_length() + 63) // 64)
    return np.frombuffer(number.to_bytes(8 * count, "little"), "<u8")


def multiply(first: int, second: int) -> int:
    """Returns the product of two integers of any size, exactly.

    It is meant for integers of many thousand digits: Python's own product is faster for others.
    """
    a = _words(abs(first))
    b = a if second is first else _words(abs(second))
    result = np.empty(a.size + b.size, np.uint64)
    _core.exact_multiply(a, b, result)
    product = int.from_bytes(result.tobytes(), "little")
    return -product if (first < 0) != (second < 0) else product


__all__ = ["LARGEST", "convolve", "multiply"]


def __dir__() -> list[str]:
    return [*__all__]
