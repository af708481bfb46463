"""The words of Python for the enumerations of the C++ library, in their order."""

from __future__ import annotations

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
