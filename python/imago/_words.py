"""The words of Python for the enumerations of the C++ library, in their order."""

from __future__ import annotations

import operator
from typing import Any

KINDS = (
    "complex",
    "real",
    "dct1",
    "dct2",
    "dct3",
    "dct4",
    "dst1",
    "dst2",
    "dst3",
    "dst4",
    "identity",
)
PRECISIONS = ("float16", "float32", "float64")
DIRECTIONS = ("both", "forward", "inverse")
NORMS = ("none", "backward", "ortho", "forward")
EXTENTS = ("full", "same", "valid", "circular")
KERNELS = ("shared", "each", "all")
METHODS = ("automatic", "phase", "voting", "dense")
VERDICTS = ("verified", "consistent", "noise_floor", "unverified")
ASSURANCES = ("consistent", "verified")


def number(field: str, value: Any, words: tuple[str, ...]) -> int:
    """Which of the words the value is."""
    if value not in words:
        raise ValueError(f"{field} is {value!r}: {', '.join(words[:-1])} or {words[-1]}")
    return words.index(value)


def whole(field: str, value: Any) -> int:
    """A whole number of Python's or NumPy's."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{field} is {value!r}: a whole number") from None


def lengths(field: str, value: Any) -> tuple[int, ...]:
    """One length, or several."""
    try:
        return (operator.index(value),)
    except TypeError:
        pass
    try:
        several = tuple(value)
    except TypeError:
        raise TypeError(f"{field} is {value!r}: a whole number, or several") from None
    return tuple(whole(f"{field}[{i}]", n) for i, n in enumerate(several))
