"""Python's names for the values of the C++ library's enumerations, in their order."""

from __future__ import annotations

import operator
from typing import Any

KINDS = (
    "complex", "real", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "identity"
)  # fmt: skip
F64 = ("automatic", "native", "pairs")
PRECISIONS = ("float16", "float32", "float64")
DIRECTIONS = ("both", "forward", "inverse")
NORMS = ("none", "backward", "ortho", "forward")
EXTENTS = ("full", "same", "valid", "circular")
BORDERS = ("zeros", "edge", "even", "odd")
KERNELS = ("shared", "each", "all")
METHODS = ("automatic", "phase", "voting", "dense")
VERDICTS = ("verified", "consistent", "noise_floor", "unverified")
ASSURANCES = ("consistent", "verified")


def number(field: str, value: Any, words: tuple[str, ...]) -> int:
    """Returns the index of the value in `words`. Raises ValueError if it is none of them."""
    if value not in words:
        allowed = ", ".join(map(repr, words[:-1]))
        raise ValueError(f"{field} is {value!r}; it must be {allowed} or {words[-1]!r}")
    return words.index(value)


def precision(double: bool) -> int:
    """Returns the index in PRECISIONS of float64, or of float32."""
    return PRECISIONS.index("float64" if double else "float32")


def whole(field: str, value: Any) -> int:
    """Returns a whole number of Python or NumPy as an int. Raises TypeError for other values."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{field} is {value!r}; it must be a whole number") from None


def lengths(field: str, value: Any) -> tuple[int, ...]:
    """Returns one length or several as a tuple. Raises TypeError for other values."""
    try:
        return (operator.index(value),)
    except TypeError:
        pass
    try:
        several = tuple(value)
    except TypeError:
        allowed = "a whole number or a sequence of whole numbers"
        raise TypeError(f"{field} is {value!r}; it must be {allowed}") from None
    return tuple(whole(f"{field}[{i}]", n) for i, n in enumerate(several))
