"""Python's names for the values of the C++ library's enumerations, in their order."""

from __future__ import annotations

import operator
from typing import Any, Literal, get_args

Kind = Literal[
    "complex", "real", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "identity"
]  # fmt: skip
F64 = Literal["automatic", "native", "pairs", "fast"]
Directions = Literal["both", "forward", "inverse"]
Norm = Literal["none", "backward", "ortho", "forward"]
Extent = Literal["full", "same", "valid", "circular"]
Padding = Literal["zeros", "edge", "even", "odd"]
Kernels = Literal["shared", "each", "all"]
Method = Literal["automatic", "phase", "voting", "dense"]
Verdict = Literal["verified", "consistent", "noise_floor", "unverified"]
Assurance = Literal["consistent", "verified"]

KINDS: tuple[str, ...] = get_args(Kind)
F64S: tuple[str, ...] = get_args(F64)
PRECISIONS = ("float16", "float32", "float64")
DIRECTIONS: tuple[str, ...] = get_args(Directions)
NORMS: tuple[str, ...] = get_args(Norm)
EXTENTS: tuple[str, ...] = get_args(Extent)
BORDERS: tuple[str, ...] = get_args(Padding)
KERNELS: tuple[str, ...] = get_args(Kernels)
METHODS: tuple[Method, ...] = get_args(Method)
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
ASSURANCES: tuple[str, ...] = get_args(Assurance)


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
