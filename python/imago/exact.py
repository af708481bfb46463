"""Exact convolutions and products of integers, and transforms of residues.

They are transforms of residues modulo primes, so nothing is rounded. The functions compute on the
default device; the first call for a number of points compiles kernels.

>>> import imago.exact
>>> imago.exact.convolve([1, 2, 3], [10, 0, -1])
array([10, 20, 29, -2, -3])
>>> imago.exact.multiply(10**40 + 1, 10**40 - 1) == 10**80 - 1
True
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Wrap = Literal["linear", "cyclic", "negacyclic"]
Ring = Literal["goldilocks", "baby_bear", "koala_bear"]
Order = Literal["natural", "bit_reversed"]
Results = Literal["int64", "modulo", "int128"]

LARGEST = 2**63 - 1
"""The largest absolute value of a convolution's result of the type int64."""

LARGEST_INT128 = ((2**61 - 1) * (2**64 - 2**32 + 1) - 1) // 2
"""The largest absolute value with `results="int128"`."""

PRIMES = {
    "goldilocks": 2**64 - 2**32 + 1,
    "baby_bear": 2**31 - 2**27 + 1,
    "koala_bear": 2**31 - 2**24 + 1,
}
"""The primes of the rings of `ntt`."""

_WRAPS = {"linear": 0, "cyclic": 1, "negacyclic": 2}
_RINGS = {"goldilocks": 0, "baby_bear": 1, "koala_bear": 2}
_ORDERS = {"natural": 0, "bit_reversed": 1}
_RESULTS = {"int64": 0, "modulo": 1, "int128": 2}


def _choice(name: str, word: str, words: dict[str, int]) -> int:
    if word not in words:
        raise ValueError(f'{name} is "{word}": it must be one of {", ".join(words)}')
    return words[word]


def _array(x: ArrayLike) -> NDArray[Any]:
    array = np.asarray(x)
    if array.dtype.kind == "f" and not isinstance(x, np.ndarray):
        array = np.asarray(x, object)  # NumPy makes floats of integers on both sides of 2^63
    return array


def _all_integers(array: NDArray[Any]) -> bool:
    if array.dtype.kind == "O":
        return all(isinstance(a, int) for a in array.flat)
    return array.dtype.kind in "iu"


def _integers(x: ArrayLike, name: str, modulo: bool) -> NDArray[np.int64]:
    array = _array(x)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has the shape {array.shape}: it must be one axis of integers")
    if not _all_integers(array):
        raise TypeError(f"{name} has the type {array.dtype}: it must have integers")
    if array.dtype.kind == "O" and modulo:
        array = array % 2**64
        return np.array(array, np.uint64).view(np.int64)
    if not modulo and (array.max() > LARGEST or array.min() < -LARGEST - 1):
        raise ValueError(f"{name} has integers of more than 64 bits: they must be signed")
    return np.ascontiguousarray(array, np.int64)


def convolve(
    first: ArrayLike, second: ArrayLike, wrap: Wrap = "linear", *, results: Results = "int64"
) -> NDArray[Any]:
    """Returns the convolution of two sequences of integers, exactly.

    `wrap` is the place of the products beyond the last element: "linear" (the result has an element
    for each), "cyclic" (they are added from the first element on) or "negacyclic" (they are
    subtracted). Sequences that wrap have the same length.

    `results` are integers of the type int64; or "modulo", of the type uint64: the results modulo
    2**64, of any integers; or "int128", Python's integers up to `LARGEST_INT128`.

    Raises ValueError unless the largest absolute values prove that no result is too large: the
    product of both, times the elements of the shorter sequence, must be at most 2**63 - 1 or
    `LARGEST_INT128`.
    """
    wrapped, kind = _choice("wrap", wrap, _WRAPS), _choice("results", results, _RESULTS)
    modulo = results == "modulo"
    a, b = _integers(first, "first", modulo), _integers(second, "second", modulo)
    if wrap != "linear" and a.size != b.size:
        raise ValueError(f"second has {b.size} elements: sequences that wrap have the same length")
    count = a.size + b.size - 1 if wrap == "linear" else a.size
    result = np.empty((count, 2 if results == "int128" else 1), np.int64)
    _core.exact_convolve(a, b, result, wrapped, kind)
    low = result[:, 0].view(np.uint64)
    if results == "int128":
        return result[:, 1].astype(object) * 2**64 + low.astype(object)
    return low if modulo else result[:, 0]


def _transformed(
    x: ArrayLike, ring: Ring, axes: Sequence[int] | None, order: Order, coset: int, inverse: bool
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    ring_number, order_number = _choice("ring", ring, _RINGS), _choice("order", order, _ORDERS)
    prime = PRIMES[ring]
    array = _array(x)
    if array.ndim == 0 or array.size == 0:
        raise ValueError(f"x has the shape {array.shape}: it must have an axis of residues")
    if not _all_integers(array):
        raise TypeError(f"x has the type {array.dtype}: it must have integers")
    if array.min() < 0 or array.max() >= prime:
        raise ValueError(f"x has integers that are no residues: they must be from 0 to {prime - 1}")
    if not 0 < coset < prime:
        raise ValueError(f"coset is {coset}: it must be from 1 to {prime - 1}")
    chosen = [*range(array.ndim)] if axes is None else [operator.index(axis) for axis in axes]
    places = {axis % array.ndim for axis in chosen if -array.ndim <= axis < array.ndim}
    if not chosen or len(places) != len(chosen):
        raise ValueError(f"axes are {axes}: they must be different axes of x, at least one")
    last = [*range(array.ndim - len(chosen), array.ndim)]
    array = np.moveaxis(array, sorted(places), last)
    words = np.array(array, np.uint64 if ring == "goldilocks" else np.uint32, order="C")
    lengths = words.shape[words.ndim - len(chosen) :]
    _core.exact_ntt(words, lengths, ring_number, order_number, coset, inverse)
    return np.ascontiguousarray(np.moveaxis(words, last, sorted(places)))


def ntt(
    x: ArrayLike,
    ring: Ring = "goldilocks",
    *,
    axis: int = -1,
    order: Order = "natural",
    coset: int = 1,
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the number-theoretic transform along an axis.

    X[k] is the sum of coset**j * x[j] * w**(j*k) modulo PRIMES[ring], where w is the root of unity
    `root_of_unity(ring, n)`. The n residues are from 0 to the prime less 1, and n is a power of two
    from 2 on. With the order "bit_reversed", element k is at the place whose bits are those of k in
    reverse. Words have 64 bits for "goldilocks", and 32 bits for the others.
    """
    return _transformed(x, ring, (axis,), order, coset, False)


def intt(
    x: ArrayLike,
    ring: Ring = "goldilocks",
    *,
    axis: int = -1,
    order: Order = "natural",
    coset: int = 1,
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the inverse of `ntt` with the same arguments."""
    return _transformed(x, ring, (axis,), order, coset, True)


def nttn(
    x: ArrayLike,
    ring: Ring = "goldilocks",
    *,
    axes: Sequence[int] | None = None,
    order: Order = "natural",
    coset: int = 1,
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the transform along several axes, by default all: `ntt` along each of them."""
    return _transformed(x, ring, axes, order, coset, False)


def inttn(
    x: ArrayLike,
    ring: Ring = "goldilocks",
    *,
    axes: Sequence[int] | None = None,
    order: Order = "natural",
    coset: int = 1,
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the inverse of `nttn` with the same arguments."""
    return _transformed(x, ring, axes, order, coset, True)


def root_of_unity(ring: Ring, order: int) -> int:
    """Returns the root of unity of an order, a power of two, that `ntt` uses."""
    prime, generator = PRIMES[ring], {"goldilocks": 7, "baby_bear": 31, "koala_bear": 3}[ring]
    if order < 1 or order & (order - 1) or (prime - 1) % order:
        raise ValueError(f"order is {order}: it must be a power of two that divides {prime - 1}")
    return pow(generator, (prime - 1) // order, prime)


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


__all__ = [
    "LARGEST",
    "LARGEST_INT128",
    "PRIMES",
    "convolve",
    "intt",
    "inttn",
    "multiply",
    "ntt",
    "nttn",
    "root_of_unity",
]


def __dir__() -> list[str]:
    return [*__all__]
