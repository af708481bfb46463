"""What is done to elements on their way from memory into a transform, and out of it.

Hooks run inside the kernels that load and store, so they cost no pass over memory. `imago.Plan`
takes `Hooks` for each direction, `imago.Convolution` sequences; first listed, first done. Axes are dimensions of
the transform, and indices those of the side: a half spectrum has n/2+1 along its real axis.

>>> import numpy as np, imago
>>> from imago import hooks
>>> plan = imago.Plan(4, on_forward=hooks.Hooks(load=[hooks.window(0, "w")], store=[hooks.power()]))
>>> plan.forward(np.ones(4, np.complex64), w=np.array([1, 1, 0, 0]))
array([4., 2., 0., 2.], dtype=float32)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

__all__ = [
    "Code",
    "Frames",
    "Hook",
    "Hooks",
    "Modulate",
    "Multiply",
    "Power",
    "Roll",
    "Scale",
    "Shift",
    "Stored",
    "WeightedSum",
    "ZeroOutside",
    "code",
    "decibels",
    "frames",
    "from_integer",
    "lane_code",
    "modulate",
    "multiply",
    "power",
    "roll",
    "scale",
    "shift",
    "shift_back",
    "to_integer",
    "weighted_sum",
    "window",
    "zero_outside",
]


@dataclasses.dataclass(frozen=True)
class Scale:
    """Times `factor`, or times the number that the call names `argument`."""

    factor: float = 1.0
    argument: str = ""


@dataclasses.dataclass(frozen=True)
class Multiply:
    """Times the elements of an array of the call, packed over the `axes` that it has.

    `axes` ascend; None: all of them. `batched`: it has factors of its own for each batch member.
    `real`: its numbers are real. `conjugate`: times the conjugate. `of_real`: a promise that they
    are the spectrum of real numbers; no plan uses it now.
    """

    argument: str
    axes: tuple[int, ...] | None = None
    batched: bool = False
    real: bool = False
    conjugate: bool = False
    of_real: bool = False


@dataclasses.dataclass(frozen=True)
class WeightedSum:
    """Memory holds `count` arrays, `stride` elements apart; their sum, each times its weights."""

    weights: Multiply
    count: int
    stride: int


@dataclasses.dataclass(frozen=True)
class ZeroOutside:
    """Elements outside of begin <= index < end are zero: not read, or not written."""

    axis: int
    begin: int
    end: int


@dataclasses.dataclass(frozen=True)
class Frames:
    """Rows are frames of a longer signal: element j of frame i is sample i hop + j - before.

    `frames` is the axis that counts the frames, `axis` the one along which their elements lie.
    Samples outside of 0 <= sample < samples are zero. The layout's strides say where frames lie.
    """

    frames: int
    axis: int
    hop: int
    before: int
    samples: int


@dataclasses.dataclass(frozen=True)
class Stored:
    """Memory holds whole numbers of `type`: "int8", "uint8", "int16" or "uint16"."""

    type: str
    scale: float = 1.0


@dataclasses.dataclass(frozen=True)
class Power:
    """|x|^2, or 10 log10 max(|x|^2, floor): a real number."""

    decibels: bool = False
    floor: float = 0.0


@dataclasses.dataclass(frozen=True)
class Shift:
    """NumPy's fftshift along the axes, or with `back` ifftshift."""

    axes: tuple[int, ...]
    back: bool = False


@dataclasses.dataclass(frozen=True)
class Roll:
    """Element j goes to (j + by) mod n along the axis."""

    axis: int
    by: int


@dataclasses.dataclass(frozen=True)
class Modulate:
    """Times exp(2 pi i j numerator / denominator), j the index along the axis."""

    axis: int
    numerator: int
    denominator: int


@dataclasses.dataclass(frozen=True)
class Code:
    """A function of your own in OpenCL C; see docs/hooks.md.

    `parameters` are pairs of a type ("real_buffer", "complex_buffer", "real" or "integer") and a
    name. With `lanes` it is written for vectors of elements.
    """

    text: str
    function: str
    parameters: tuple[tuple[str, str], ...] = ()
    lanes: bool = False


Hook = (
    Scale
    | Multiply
    | WeightedSum
    | ZeroOutside
    | Frames
    | Stored
    | Power
    | Shift
    | Roll
    | Modulate
    | Code
)


@dataclasses.dataclass(frozen=True)
class Hooks:
    """What is done to the elements that a direction loads, and to those that it stores, in order."""

    load: Sequence[Hook] = ()
    store: Sequence[Hook] = ()


def scale(by: float | str) -> Scale:
    """Times a number, or times the number that the call gives by that name."""
    return Scale(argument=by) if isinstance(by, str) else Scale(float(by))


def window(axis: int, argument: str) -> Multiply:
    """Times real factors, one for each point of the axis."""
    return Multiply(argument, (axis,), real=True)


def multiply(
    argument: str,
    axes: Sequence[int] | None = None,
    *,
    batched: bool = False,
    real: bool = False,
    conjugate: bool = False,
    of_real: bool = False,
) -> Multiply:
    """Times an array of the call: of the shape of one batch member, or of the `axes` it has."""
    over = None if axes is None else tuple(axes)
    return Multiply(argument, over, batched, real, conjugate, of_real)


def weighted_sum(argument: str, count: int, stride: int, **how: bool) -> WeightedSum:
    """At load, first: the sum of `count` arrays in memory, each with weights of its own."""
    return WeightedSum(multiply(argument, **how), count, stride)


def zero_outside(axis: int, begin: int, end: int) -> ZeroOutside:
    """Elements outside of begin <= index < end are zero: not read, or not written."""
    return ZeroOutside(axis, begin, end)


def from_integer(type: str, scale: float = 1.0) -> Stored:
    """At load, first: memory holds whole numbers, and an element is one of them times `scale`."""
    return Stored(type, scale)


def to_integer(type: str, scale: float = 1.0) -> Stored:
    """At store, last: elements times `scale`, rounded to the nearest number that there is."""
    return Stored(type, scale)


def power() -> Power:
    """At store: |x|^2."""
    return Power()


def decibels(floor: float) -> Power:
    """At store: 10 log10 max(|x|^2, floor); floor is above 0."""
    return Power(True, floor)


def shift(axes: Sequence[int]) -> Shift:
    """NumPy's fftshift along the axes."""
    return Shift(tuple(axes))


def shift_back(axes: Sequence[int]) -> Shift:
    """NumPy's ifftshift along the axes."""
    return Shift(tuple(axes), True)


def roll(axis: int, by: int) -> Roll:
    """NumPy's roll along an axis."""
    return Roll(axis, by)


def frames(frames: int, axis: int, hop: int, before: int, samples: int) -> Frames:
    """Frames, counted along axis `frames`, of a signal of so many samples, `hop` apart.

    The first begins `before` samples before the signal does.
    """
    return Frames(frames, axis, hop, before, samples)


def modulate(axis: int, numerator: int, denominator: int) -> Modulate:
    """Times exp(2 pi i j numerator / denominator), j the index along the axis."""
    return Modulate(axis, numerator, denominator)


def code(text: str, function: str, parameters: Sequence[tuple[str, str]] = ()) -> Code:
    """A function of your own in OpenCL C."""
    return Code(text, function, tuple(parameters))


def lane_code(text: str, function: str, parameters: Sequence[tuple[str, str]] = ()) -> Code:
    """The same, written for vectors of elements: fast on CPUs, too."""
    return Code(text, function, tuple(parameters), True)
