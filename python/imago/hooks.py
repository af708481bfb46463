"""Operations on elements that run inside the kernels of a transform, at load or at store.

Hooks need no additional pass over memory. `imago.Plan` accepts `Hooks` for each direction,
`imago.Convolution` accepts sequences of hooks; they run in the order of the list. Axes are
dimensions of the transform. Indices are those of the input or output: a half spectrum has n/2+1 of
them along its real axis.

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
    "Accumulate", "Add", "Code", "Conjugate", "Frames", "Hook", "Hooks", "Modulate", "Multiply",
    "Power", "RealPart", "Roll", "Scale", "Shift", "Stored", "WeightedSum", "ZeroOutside",
    "accumulate", "add", "code", "conjugate", "decibels", "frames", "from_integer", "from_real",
    "lane_code", "modulate", "multiply", "power", "roll", "scale", "shift", "shift_back",
    "to_integer", "to_real", "weighted_sum", "window", "zero_outside",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__]


@dataclasses.dataclass(frozen=True)
class Scale:
    """Multiplies by `factor` or, if `argument` is set, by the number of that name in the call."""

    factor: float = 1.0
    argument: str = ""


@dataclasses.dataclass(frozen=True)
class Multiply:
    """Multiplies by the elements of an array of the call, which is packed over the `axes`.

    `axes` ascend; None: all axes. `batched`: the array has separate factors for each batch element.
    `real`: its numbers are real. `conjugate`: multiplies by the complex conjugates.

    `of_real` is your promise that the factors are the spectrum of real numbers: factor n - k is the
    conjugate of factor k. It speeds up a filter that writes real frames to one signal (hook
    `frames` at store), if the factors are the same for all frames. One complex row then computes
    two frames, and the rounding error of each is relative to both. imago does not check the
    promise.
    """

    argument: str
    axes: tuple[int, ...] | None = None
    batched: bool = False
    real: bool = False
    conjugate: bool = False
    of_real: bool = False


@dataclasses.dataclass(frozen=True)
class WeightedSum:
    """Sums `count` arrays in memory, `stride` elements apart, each multiplied by its weights."""

    weights: Multiply
    count: int
    stride: int


@dataclasses.dataclass(frozen=True)
class Add:
    """Adds factor * a * b to each element.

    The numbers a are in the array `argument` of the call, at the place `offset` plus the element's
    indices times `strides`, plus its index in the batch times `distance`, in elements of that
    array; without `strides` it is packed. `real`: a is real; for real elements it always is. The
    numbers b are in the array `times` of real numbers, one for each index along `axis`; without it
    b is 1. With `argument_of_offset`, all places of a are further by `unit` times the whole number
    that the call supplies under this name. Elements that `zero_outside` or `frames` make zero at
    load stay zero.
    """

    argument: str
    strides: tuple[int, ...] = ()
    distance: int = 0
    offset: int = 0
    real: bool = False
    factor: float = 1.0
    times: str = ""
    axis: int = 0
    argument_of_offset: str = ""
    unit: int = 1


@dataclasses.dataclass(frozen=True)
class ZeroOutside:
    """Treats elements outside begin <= index < end as zero: they are not read, or not written."""

    axis: int
    begin: int
    end: int


@dataclasses.dataclass(frozen=True)
class Frames:
    """Rows are frames of a longer signal: element j of frame i is sample i hop + j - before.

    `frames` is the axis that counts the frames, `axis` the axis of a frame's elements. Samples
    outside of 0 <= sample < samples are zero. The layout's strides must place frames `hop` samples
    apart. With `argument`, all frames start later, by the number of samples that the call supplies
    under this name.
    """

    frames: int
    axis: int
    hop: int
    before: int
    samples: int
    argument: str = ""


@dataclasses.dataclass(frozen=True)
class Stored:
    """Memory holds integers of `type` "int8", "uint8", "int16" or "uint16", scaled by `scale`."""

    type: str
    scale: float = 1.0


@dataclasses.dataclass(frozen=True)
class Power:
    """Computes |x|^2 or, with `decibels`, 10 log10 max(|x|^2, floor): a real number."""

    decibels: bool = False
    floor: float = 0.0


@dataclasses.dataclass(frozen=True)
class RealPart:
    """Real parts of complex elements in memory: at load imaginary parts are 0."""


@dataclasses.dataclass(frozen=True)
class Conjugate:
    """Computes the complex conjugate of each element."""


@dataclasses.dataclass(frozen=True)
class Accumulate:
    """Adds elements to those in memory, each exactly once."""


@dataclasses.dataclass(frozen=True)
class Shift:
    """Shifts as NumPy's fftshift along the axes, or with `back` as ifftshift."""

    axes: tuple[int, ...]
    back: bool = False


@dataclasses.dataclass(frozen=True)
class Roll:
    """Moves element j to (j + by) mod n along the axis."""

    axis: int
    by: int


@dataclasses.dataclass(frozen=True)
class Modulate:
    """Multiplies by exp(2 pi i j numerator / denominator), j the index along the axis."""

    axis: int
    numerator: int
    denominator: int


@dataclasses.dataclass(frozen=True)
class Code:
    """Calls your own function in OpenCL C; see docs/hooks.md.

    `parameters` are pairs of a type ("real_buffer", "complex_buffer", "real" or "integer") and a
    name. With `lanes` the function is written for vectors of elements.
    """

    text: str
    function: str
    parameters: tuple[tuple[str, str], ...] = ()
    lanes: bool = False


Hook = (
    Scale | Multiply | WeightedSum | Add | ZeroOutside | Frames | Stored | Power | Conjugate |
    Accumulate | RealPart | Shift | Roll | Modulate | Code
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Hooks:
    """The hooks of one direction: at `load` and at `store`, each in the order of the list."""

    load: Sequence[Hook] = ()
    store: Sequence[Hook] = ()


def scale(by: float | str) -> Scale:
    """Multiplies by a number, or by the number of that name in the call."""
    return Scale(argument=by) if isinstance(by, str) else Scale(float(by))


def window(axis: int, argument: str) -> Multiply:
    """Multiplies by real factors, one for each point of the axis."""
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
    """Multiplies by an array of the call, with the shape of one batch element or of the `axes`."""
    over = None if axes is None else tuple(axes)
    return Multiply(argument, over, batched, real, conjugate, of_real)


def weighted_sum(argument: str, count: int, stride: int, **how: bool) -> WeightedSum:
    """Loads the weighted sum of `count` arrays in memory, which are `stride` elements apart.

    For each of them, the call's array `argument` has one weight per element, unless `how` specifies
    another shape. Must be the first hook at load.
    """
    return WeightedSum(multiply(argument, **how), count, stride)


def add(
    argument: str, strides: Sequence[int] = (), *, distance: int = 0, offset: int = 0,
    real: bool = False, factor: float = 1.0, times: str = "", axis: int = 0,
    argument_of_offset: str = "", unit: int = 1,
) -> Add:  # fmt: skip
    """Adds the numbers of an array of the call, times a factor and those of a second array (Add).

    The array has the shape of one batch element, unless `strides` specify another order.
    """
    return Add(
        argument, tuple(strides), distance, offset, real, factor, times, axis, argument_of_offset,
        unit,
    )  # fmt: skip


def zero_outside(axis: int, begin: int, end: int) -> ZeroOutside:
    """Treats elements outside begin <= index < end as zero: they are not read, or not written."""
    return ZeroOutside(axis, begin, end)


def from_integer(type: str, scale: float = 1.0) -> Stored:
    """Reads integers and multiplies them by `scale`. Must be the first hook at load."""
    return Stored(type, scale)


def to_integer(type: str, scale: float = 1.0) -> Stored:
    """Multiplies by `scale` and rounds to the nearest integer. Must be the last hook at store."""
    return Stored(type, scale)


def power() -> Power:
    """Stores |x|^2, a real number. Only at store."""
    return Power()


def decibels(floor: float) -> Power:
    """Stores 10 log10 max(|x|^2, floor), a real number; floor is above 0. Only at store."""
    return Power(True, floor)


def from_real() -> RealPart:
    """Loads real numbers as complex elements; hooks before it see real numbers. Only at load."""
    return RealPart()


def to_real() -> RealPart:
    """Stores only the real parts of complex elements. Only at store."""
    return RealPart()


def conjugate() -> Conjugate:
    """Computes the complex conjugate of each element."""
    return Conjugate()


def accumulate() -> Accumulate:
    """Adds elements to those in `out`. Only as the last hook at store, out of place."""
    return Accumulate()


def shift(axes: Sequence[int]) -> Shift:
    """Shifts as NumPy's fftshift along the axes."""
    return Shift(tuple(axes))


def shift_back(axes: Sequence[int]) -> Shift:
    """Shifts as NumPy's ifftshift along the axes."""
    return Shift(tuple(axes), True)


def roll(axis: int, by: int) -> Roll:
    """Moves elements as NumPy's roll along an axis."""
    return Roll(axis, by)


def frames(frames: int, axis: int, hop: int, before: int, samples: int) -> Frames:
    """Reads or writes frames of a signal of `samples` samples, `hop` samples apart.

    The axis `frames` counts them. The first frame begins `before` samples before the signal.
    """
    return Frames(frames, axis, hop, before, samples)


def modulate(axis: int, numerator: int, denominator: int) -> Modulate:
    """Multiplies by exp(2 pi i j numerator / denominator), j the index along the axis."""
    return Modulate(axis, numerator, denominator)


def code(text: str, function: str, parameters: Sequence[tuple[str, str]] = ()) -> Code:
    """Calls your own function in OpenCL C, element by element."""
    return Code(text, function, tuple(parameters))


def lane_code(text: str, function: str, parameters: Sequence[tuple[str, str]] = ()) -> Code:
    """Calls your own function in OpenCL C, written for vectors of elements; also fast on CPUs."""
    return Code(text, function, tuple(parameters), True)
