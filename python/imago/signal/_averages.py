"""Spectra averaged over frames, on the device."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from .. import _core, _words, hooks
from .._planned import Layout
from . import _arrays
from ._short_time import Frames
from ._trends import Subtraction, Trends, packed


@_arrays.plans
def _cached_plan(session: _core.Session, fields: tuple[tuple[str, Any], ...]) -> _core.Welch:
    given = dict(fields)
    window = np.frombuffer(given["window"], np.complex128).tolist()
    return _core.Welch(session, {**given, **_arrays.CHOICES, "window": window})


@dataclasses.dataclass(frozen=True)
class _Input:
    """A signal, and its place among signals of a common shape."""

    x: Any
    axis: int
    shape: tuple[int, ...]
    """The common shape, without samples."""

    def placed(self, strides: tuple[int, ...]) -> tuple[int, ...]:
        """Returns strides of the signal's axes in the plan's order: the common shape, samples. They
        are 0 along axes of which the signal has one element or none."""
        own = [s if n > 1 else 0 for s, n in zip(strides, self.x.shape)]
        samples = own.pop(self.axis)
        return (*[0] * (len(self.shape) - len(own)), *own, samples)

    def layout(self, real: bool) -> Layout:
        """Returns the layout; `real`: the transform of frames is real."""
        on_device = _arrays.on_device(self.x)
        strides = _arrays.strides_of(self.x, "x") if on_device else packed(self.x.shape)
        as_real = self.x.dtype.kind == "f" and not real
        return Layout(self.placed(strides), storage="real" if as_real else "interleaved")

    def detrended(
        self, name: str, frames: Frames, count: int, terms: int
    ) -> tuple[tuple[hooks.Hook, ...], dict[str, Any]]:
        """Returns the hooks that subtract trends of so many terms, and their arguments."""
        if not terms:
            return (), {}
        length = len(frames.win)
        trends = Trends(self.axis, length, frames.hop, count, terms)
        coefficients = trends.coefficients(self.x, _arrays.Call())
        strides = self.placed(packed(coefficients.shape[:-1]))
        subtraction = Subtraction(name, strides, self.x.dtype.char, terms, in_groups=True)
        values = subtraction.values(coefficients, length, frames.points)
        return subtraction.on_samples, values


def mean_product(frames: Frames, xs: list[Any], axis: int, count: int, terms: int) -> Any:
    """Returns the mean of |X|^2 over `count` frames X of one signal, or of conj(X) Y of two.

    Bins are along `axis`, which counts from the end. The signals have one type, and as many samples
    as each other; along other axes they are broadcast. `terms`: those of trends, or 0.
    """
    along = [axis % x.ndim for x in xs]
    outer = [[n for d, n in enumerate(x.shape) if d != a] for x, a in zip(xs, along)]
    shape = np.broadcast_shapes(*outer)
    inputs = [_Input(x, a, shape) for x, a in zip(xs, along)]
    result = list(shape)
    place = axis % (len(shape) + 1)
    result.insert(place, frames.bins)
    values, on_samples = frames.factors(), []
    for name, each in zip(("x", "y"), inputs):
        own, arguments = each.detrended(name, frames, count, terms)
        on_samples.append(own)
        values |= arguments
    on_bins = () if frames.doubled is None else (hooks.window(len(shape) + 1, "bins"),)

    def plan_of(session: _core.Session, x: Any, strides: Any) -> _core.Welch:
        own = list(packed(result) if strides is None else strides[1])
        own.append(own.pop(place))
        fields = {
            "real": frames.real,
            "precision": _words.precision(x.dtype.char in "dD"),
            "lengths": (*shape, xs[0].shape[along[0]]),
            "axis": len(shape),
            "window": np.asarray(frames.win, np.complex128).tobytes(),
            "points": frames.points,
            "hop": frames.hop,
            "cross": len(xs) == 2,
            "signal": inputs[0].layout(frames.real),
            "other": inputs[-1].layout(frames.real),
            "spectrum": Layout(tuple(own)),
            "on_forward": hooks.Hooks(on_samples[0], on_bins),
            "on_other": hooks.Hooks(on_samples[-1], on_bins),
        }
        return _cached_plan(session, tuple(fields.items()))

    other = xs[1] if len(xs) == 2 else None
    request = _arrays.Request(
        result, plan_of, real_result=other is None, values=values, other=other
    )
    return _arrays.compute(xs[0], request, _arrays.Call())
