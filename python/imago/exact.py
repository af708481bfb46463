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

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Wrap = Literal["linear", "cyclic", "negacyclic"]
Ring = Literal["goldilocks", "baby_bear", "koala_bear"]
Order = Literal["natural", "bit_reversed"]

LARGEST = 2**60 - 1
"""The largest absolute value of a convolution's result."""

PRIMES = {
    "goldilocks": 2**64 - 2**32 + 1,
    "baby_bear": 2**31 - 2**27 + 1,
    "koala_bear": 2**31 - 2**24 + 1,
}
"""The primes of the rings of `ntt`."""

_WRAPS = {"linear": 0, "cyclic": 1, "negacyclic": 2}
_RINGS = {"goldilocks": 0, "baby_bear": 1, "koala_bear": 2}
_ORDERS = {"natural": 0, "bit_reversed": 1}


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


def _transformed(
    x: ArrayLike, ring: Ring, order: Order, coset: int, inverse: bool
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    if ring not in _RINGS:
        raise ValueError(f'ring is "{ring}": it must be one of {", ".join(_RINGS)}')
    if order not in _ORDERS:
        raise ValueError(f'order is "{order}": it must be one of {", ".join(_ORDERS)}')
    prime = PRIMES[ring]
    array = np.asarray(x)
    if array.dtype.kind == "f" and not isinstance(x, np.ndarray):
        array = np.asarray(x, object)  # NumPy makes floats of integers on both sides of 2^63
    if array.ndim == 0 or array.size == 0:
        raise ValueError(f"x has the shape {array.shape}: it must have an axis of residues")
    objects = array.dtype.kind == "O"
    if not (all(isinstance(a, int) for a in array.flat) if objects else array.dtype.kind in "iu"):
        raise TypeError(f"x has the type {array.dtype}: it must have integers")
    if array.min() < 0 or array.max() >= prime:
        raise ValueError(f"x has integers that are no residues: they must be from 0 to {prime - 1}")
    if not 0 < coset < prime:
        raise ValueError(f"coset is {coset}: it must be from 1 to {prime - 1}")
    words = np.array(array, np.uint64 if ring == "goldilocks" else np.uint32, order="C")
    _core.exact_ntt(words, words.shape[-1], _RINGS[ring], _ORDERS[order], coset, inverse)
    return words


def ntt(
    x: ArrayLike, ring: Ring = "goldilocks", *, order: Order = "natural", coset: int = 1
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the number-theoretic transform along the last axis.

    X[k] is the sum of coset**j * x[j] * w**(j*k) modulo PRIMES[ring], where w is the root of unity
    `root_of_unity(ring, n)`. The n residues are from 0 to the prime less 1, and n is a power of two
    from 2 on. With the order "bit_reversed", element k is at the place whose bits are those of k in
    reverse. Words have 64 bits for "goldilocks", and 32 bits for the others.
    """
    return _transformed(x, ring, order, coset, False)


def intt(
    x: ArrayLike, ring: Ring = "goldilocks", *, order: Order = "natural", coset: int = 1
) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """Returns the inverse of `ntt` with the same arguments."""
    return _transformed(x, ring, order, coset, True)


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


__all__ = ["LARGEST", "PRIMES", "convolve", "intt", "multiply", "ntt", "root_of_unity"]


def __dir__() -> list[str]:
    return [*__all__]
