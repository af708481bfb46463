"""The functions of scipy.fft for arrays on the device, `pyopencl.array.Array`.

Names, arguments and meaning are those of `imago.fft`, without `overwrite_x`, `workers` and `plan`.
Nothing is copied. The functions enqueue kernels and return; the result has an event that completes
after them. Every function also accepts

- `out`: the array for the result, with its shape and type and any strides. If input and result have
  the same shape, type and strides, the input itself is allowed and is transformed in place.
  Default: a new array;
- `queue`: the queue, which may be out of order. Default: the queue of the array;
- `wait_for`: events to wait for, in addition to those of the arrays.

Arrays have type float32, float64, complex64 or complex128, and any strides that are not negative.
The functions raise TypeError for other types, ValueError as `imago.fft` and for an unsuitable queue
or `out`, `NotImplementedError` for a limit of the device, and `imago.Error` if OpenCL fails.

>>> import numpy as np, pyopencl as cl, pyopencl.array, imago.opencl
>>> context = cl.create_some_context(interactive=False)
>>> queue = cl.CommandQueue(context)
>>> x = cl.array.to_device(queue, np.ones((2, 4), np.float32))
>>> spectrum = imago.opencl.rfft(x)
>>> spectrum.get().real
array([[4., 0., 0.],
       [4., 0., 0.]], dtype=float32)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array

from . import _core, _queues
from .fft import _arguments as arguments
from .fft import _frequencies, _functions
from .fft import _work as work
from .fft._work import IN_PLACE, Request, repeated_axes


def statistics(queue: cl.CommandQueue) -> dict[str, int]:
    """Returns the counts of `imago.fft.statistics` for the context and the device of a queue."""
    return dict(_queues.session_of(queue).statistics)


class _Outline(NamedTuple):
    """The shape and type of an array, which determine its transform."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def astype(self, dtype: Any) -> _Outline:
        return _Outline(self.shape, np.dtype(dtype))


class _Decision:
    """The transform of arrays with one outline; `request` is None if there is none to compute."""

    def __init__(self, x: _Outline, request: Request | None) -> None:
        self.dtype, self.request = x.dtype, request


class _Deciding:
    """Stands for a kind of arrays (`_work.Arrays`), but only records the requested transform."""

    conjugated_by_hook = 0

    @staticmethod
    def array(x: _Outline) -> _Outline:
        return x

    @staticmethod
    def compute(x: _Outline, request: Request) -> Any:
        return _Decision(x, request)

    apart = staticmethod(repeated_axes)


_deciding = _Deciding()
# A function from an outline and its own arguments to a _Decision.
Decide = Callable[..., Any]


@functools.lru_cache(maxsize=1024, typed=True)
def _decision(decide: Decide, shape: tuple[int, ...], dtype: np.dtype[Any], *arguments: Any) -> _Decision:
    x = _Outline(shape, dtype)
    _queues.check_type(x)
    decided = decide(_deciding, x, *arguments)
    return decided if isinstance(decided, _Decision) else _Decision(x, None)


@functools.lru_cache(maxsize=1024)
def _prepared(
    decision: _Decision, shape: tuple[int, ...], strides: tuple[int, ...], made: tuple[int, ...], in_place: bool
) -> _core.DeviceCall:
    """Returns the call that reads an array of this shape and strides and writes strides `made`."""
    _, kinds, lengths, to_shape, dtype, flags, scale = decision.request
    return _core.DeviceCall(
        (shape, strides, decision.dtype.char),
        (tuple(to_shape), made, np.dtype(dtype).char),
        kinds,
        list(lengths),
        flags | (IN_PLACE if in_place else 0),
        scale,
    )


def _check_array(x: Any) -> None:
    if not isinstance(x, cl.array.Array):
        raise TypeError(
            f"x has type {type(x).__name__}; it must be a pyopencl.array.Array. For NumPy arrays "
            "use imago.fft."
        )


def _call(
    decide: Decide, x: Any, arguments: tuple[Any, ...], out: Any, queue: Any, wait_for: Any
) -> cl.array.Array:
    _check_array(x)
    decision = _decision(decide, x.shape, x.dtype, *arguments)
    request = decision.request
    if request is None:
        return x
    _core.use_driver()
    queue = _queues.queue_of(x, queue)
    if x.dtype != decision.dtype:
        x = x.astype(decision.dtype, queue=queue)
    out = _queues.new_or_given(out, tuple(request.shape), np.dtype(request.dtype), x, queue)
    if out.size == 0:
        return out
    if x.size == 0:
        out.fill(0, queue=queue)
        return out
    data, offset = x.base_data.int_ptr, x.offset
    out_data, out_offset = out.base_data.int_ptr, out.offset
    same = data == out_data and offset == out_offset
    in_place = same and x.strides == out.strides and x.shape == out.shape and x.dtype == out.dtype
    prepared = _prepared(decision, x.shape, x.strides, out.strides, in_place)
    waits = _queues.waits((x, out), wait_for)
    event = _queues.session_of(queue).enqueue(
        prepared, queue.int_ptr, (data, offset), (out_data, out_offset), waits
    )
    return _queues.finish(out, event)


def _lengths(s: Any) -> Any:
    return s if s is None else tuple(arguments.lengths(s))


def _axes(axes: Any) -> Any:
    return axes if axes is None else tuple(arguments.integers(axes, "axes"))


def _fourier_function(family: _functions.Fourier, suffix: str) -> Callable[..., cl.array.Array]:
    compute = family.along_many if suffix else family.along_one

    def decide(on, x, lengths, axes, norm):
        return compute(on, family.forward, x, lengths, axes, norm, None, None)

    if suffix:
        default = (-2, -1) if suffix == "2" else None

        def function(x, s=None, axes=default, norm=None, *, out=None, queue=None, wait_for=None):
            return _call(decide, x, (_lengths(s), _axes(axes), norm), out, queue, wait_for)

    else:

        def function(x, n=None, axis=-1, norm=None, *, out=None, queue=None, wait_for=None):
            return _call(decide, x, (n, axis, norm), out, queue, wait_for)

    return function


def _cosine_function(family: _functions.Cosine, suffix: str) -> Callable[..., cl.array.Array]:
    compute = work.r2r_many if suffix else work.r2r_one

    def decide(on, x, type, lengths, axes, norm, orthogonalize):
        arguments = type, lengths, axes, norm, None, orthogonalize
        return compute(on, family.kinds, family.forward, x, *arguments)

    if suffix:

        def function(
            x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, out=None, queue=None,
            wait_for=None,
        ):  # fmt: skip
            given = (type, _lengths(s), _axes(axes), norm, orthogonalize)
            return _call(decide, x, given, out, queue, wait_for)

    else:

        def function(
            x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, out=None, queue=None,
            wait_for=None,
        ):  # fmt: skip
            return _call(decide, x, (type, n, axis, norm, orthogonalize), out, queue, wait_for)

    return function


def _add(make: Callable[..., Callable[..., cl.array.Array]], family: Any, suffix: str) -> None:
    """Adds a function to the module."""
    name, function = family.name + suffix, make(family, suffix)
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    first = (_functions.FUNCTIONS[name].__doc__ or "").split("\n\n")[0]
    function.__doc__ = f"{first}\n\n    As `imago.fft.{name}`, for an array on the device."
    globals()[name] = function


for _family in _functions.FOURIER:
    for _suffix in ("", "2", "n"):
        _add(_fourier_function, _family, _suffix)
for _cosines in _functions.COSINES:
    for _suffix in ("", "n"):
        _add(_cosine_function, _cosines, _suffix)


def _rolled(x: cl.array.Array, axis: int, by: int, queue: cl.CommandQueue, waits: Any) -> cl.array.Array:
    """Returns a new array, rolled by `by` elements along the axis, as numpy.roll."""
    out = cl.array.empty(queue, x.shape, x.dtype, allocator=x.allocator)
    n, unit = x.shape[axis], math.prod(x.shape[axis + 1 :]) * x.dtype.itemsize
    rows = math.prod(x.shape[:axis])
    for begin, to, count in ((0, by, n - by), (n - by, 0, by)):
        if count == 0:
            continue
        event = cl.enqueue_copy(
            queue,
            out.base_data,
            x.base_data,
            dst_origin=(out.offset + to * unit, 0, 0),
            src_origin=(x.offset + begin * unit, 0, 0),
            region=(count * unit, rows, 1),
            dst_pitches=(n * unit, 0),
            src_pitches=(n * unit, 0),
            wait_for=waits,
        )
        out.add_event(event)
    return out


def _shifted(x: Any, axes: Any, back: bool, queue: Any, wait_for: Any) -> cl.array.Array:
    _check_array(x)
    _core.use_driver()
    queue = _queues.queue_of(x, queue)
    if not x.flags.c_contiguous:
        raise ValueError("x is not contiguous; shifts need a C-contiguous array. Copy x into one.")
    axes = range(x.ndim) if axes is None else arguments.integers(axes, "axes")
    out, waits = x, [*x.events, *(wait_for or ())]
    for axis in axes:
        axis = arguments.one_axis(x, axis)
        n = x.shape[axis]
        out = _rolled(out, axis, n - n // 2 if back else n // 2, queue, waits) if x.size else out
        waits = list(out.events)
    return out.copy(queue=queue) if out is x else out


def fftshift(x: Any, axes: Any = None, *, queue: Any = None, wait_for: Any = None) -> cl.array.Array:
    """Returns a copy with frequency 0 in the middle of the axes (default: all), as in NumPy."""
    return _shifted(x, axes, False, queue, wait_for)


def ifftshift(x: Any, axes: Any = None, *, queue: Any = None, wait_for: Any = None) -> cl.array.Array:
    """Returns a copy with frequency 0 first again: the inverse of `fftshift`."""
    return _shifted(x, axes, True, queue, wait_for)


def fftfreq(n: int, d: float = 1.0, *, queue: Any, dtype: Any = np.float64) -> cl.array.Array:
    """The frequencies of the n entries of `fft`, on the queue's device; `d`: sample spacing."""
    _core.use_driver()
    return cl.array.to_device(queue, _frequencies.fftfreq(n, d, dtype=dtype))


def rfftfreq(n: int, d: float = 1.0, *, queue: Any, dtype: Any = np.float64) -> cl.array.Array:
    """The frequencies of the n/2+1 entries of `rfft` on the queue's device; see `fftfreq`."""
    _core.use_driver()
    return cl.array.to_device(queue, _frequencies.rfftfreq(n, d, dtype=dtype))


__all__ = sorted(
    name
    for name, value in globals().items()
    if name[0] != "_" and getattr(value, "__module__", "") == __name__ and name != "Decide"
)
