"""Trends of frames, on the device: one plan computes them, and hooks subtract them.

A trend is a mean, or a straight line. Its coefficients are products of the frame and polynomials. A
frame is folded into `rows` rows, which a Fourier transform then adds: they are its bin 0. So a sum
of n terms has the rounding error of about sqrt(n).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core, _words, hooks
from .._planned import Layout
from . import _arrays

TERMS = {"constant": 1, "c": 1, "linear": 2, "l": 2}
"""Number of coefficients of each trend that devices compute."""


def polynomials(length: int, terms: int) -> Any:
    """Returns the polynomials of a trend, one a row: 1, and the distance from the middle."""
    steps = np.arange(length) - (length - 1) / 2
    return np.array([np.ones(length), steps][:terms])


@_arrays.plans
def _cached_plan(
    session: _core.Session, trends: Trends, shape: tuple[int, ...], strides: tuple[int, ...],
    char: str,
) -> _core.Plan:  # fmt: skip
    real, last = char in "fd", len(shape) + 1
    lengths = list(shape)
    lengths[trends.axis] = trends.count
    step = strides[trends.axis]
    apart = [s * trends.hop if d == trends.axis else s for d, s in enumerate(strides)]
    made = (*packed((*lengths, trends.terms)), 1)
    kinds = [_words.number("kind", "identity", _words.KINDS)] * last
    weights = hooks.multiply("weights", axes=(last - 1, last), real=True)
    store: list[hooks.Hook] = [hooks.zero_outside(last, 0, 1), *[hooks.to_real()] * real]
    load = hooks.WeightedSum(weights, trends.length // trends.rows, trends.rows * step)
    fields = {
        "axes": [*kinds, _words.number("kind", "real" if real else "complex", _words.KINDS)],
        "precision": _words.precision(char in "dD"),
        "lengths": [*lengths, trends.terms, trends.rows],
        "batch": 1,
        "in_place": False,
        "signal": Layout((*apart, 0, step)),
        "directions": _words.number("directions", "forward", _words.DIRECTIONS),
        "norm": _words.number("norm", "none", _words.NORMS),
        "scale": None,
        "orthogonal": None,
        "spectrum": Layout(made),
        "on_forward": hooks.Hooks(load=[load], store=store),
        "on_inverse": hooks.Hooks(),
        **_arrays.CHOICES,
        "at_once": True,
    }
    return _core.Plan(session, fields)


def packed(shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the strides of a packed array."""
    return tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))


@dataclasses.dataclass(frozen=True)
class Trends:
    """Trends of frames along an axis; the first begins with sample 0, and all lie in the signal."""

    axis: int
    length: int
    hop: int
    count: int
    terms: int

    @property
    def rows(self) -> int:
        """Returns the divisor of the length that is nearest below its root."""
        return max(k for k in range(1, math.isqrt(self.length) + 1) if self.length % k == 0)

    def coefficients(self, x: Any, call: _arrays.Call) -> Any:
        """Returns the coefficients: the shape of x with frames in place of samples, and a last
        axis of terms."""
        shape = list(x.shape)
        shape[self.axis] = self.count
        sums = polynomials(self.length, self.terms)
        sums /= (sums**2).sum(axis=1, keepdims=True)
        folded = sums.reshape(self.terms, -1, self.rows).swapaxes(0, 1)

        def plan_of(session: _core.Session, given: Any, strides: Any) -> _core.Plan:
            own = packed(given.shape) if strides is None else strides[0]
            return _cached_plan(session, self, tuple(given.shape), own, given.dtype.char)

        values = {"weights": np.ascontiguousarray(folded)}
        request = _arrays.Request(
            (*shape, self.terms), plan_of, real_result=x.dtype.kind != "c", values=values
        )
        given = _arrays.Call(None, call.queue, call.wait_for)
        return _arrays.array(_arrays.compute(x, request, given))


@dataclasses.dataclass(frozen=True)
class Subtraction:
    """Subtracts trends from samples of frames, at load."""

    name: str
    """It begins the names of the arguments."""
    strides: tuple[int, ...]
    """Strides of the coefficients, in frames, for each dimension of the plan but the last."""
    char: str
    """Type of the samples."""
    terms: int
    in_groups: bool = False
    """The plan computes frames in groups (WelchTransform)."""

    @property
    def on_samples(self) -> tuple[hooks.Add, ...]:
        """Returns the hooks at load."""
        mean = hooks.add(
            f"{self.name}_trends",
            (*(stride * self.terms for stride in self.strides), 0),
            real=self.char in "fd",
            factor=-1,
        )
        if self.in_groups:
            mean = dataclasses.replace(
                mean, argument_of_offset="first_frame", unit=self.terms * self.strides[-1]
            )
        slope = dataclasses.replace(
            mean, offset=1, times=f"{self.name}_steps", axis=len(self.strides)
        )
        return (mean, slope)[: self.terms]

    def values(self, coefficients: Any, length: int, points: int) -> dict[str, Any]:
        """Returns the arguments of the hooks."""
        values = {f"{self.name}_trends": coefficients}
        if self.terms == 2:
            steps = np.zeros(points)
            steps[:length] = polynomials(length, 2)[1]
            values[f"{self.name}_steps"] = steps
        return values
