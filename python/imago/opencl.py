"""The functions of scipy.fft for arrays on the device, `pyopencl.array.Array`.

Names, arguments and meaning are those of `imago.fft`, without `overwrite_x`, `workers` and `plan`;
`next_fast_len`, `prev_fast_len` and `fhtoffset` are SciPy's own.
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
>>> x = pyopencl.array.to_device(queue, np.ones((2, 4), np.float32))
>>> spectrum = imago.opencl.rfft(x)
>>> abs(spectrum.get())
array([[4., 0., 0.],
       [4., 0., 0.]], dtype=float32)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyopencl.array import Array
from scipy.fft import _fftlog_backend, fhtoffset

from . import _core, _device_fft, _queues, hooks
from ._filter import Filter
from .fft import _arguments as arguments
from .fft import _frequencies, _functions, next_fast_len, prev_fast_len


def statistics(queue: cl.CommandQueue) -> dict[str, int]:
    """Returns the counts of `imago.fft.statistics` for the context and the device of a queue."""
    return dict(_queues.session_of(queue).statistics)


def _check_array(x: Any) -> None:
    if not isinstance(x, Array):
        raise TypeError(
            f"x has type {type(x).__name__}; it must be a pyopencl.array.Array. For NumPy arrays "
            "use imago.fft."
        )


def _call(
    decide: _device_fft.Decide,
    x: Any,
    arguments: tuple[Any, ...],
    *,
    out: Any = None,
    queue: Any = None,
    wait_for: Any = None,
) -> Array:
    _check_array(x)
    decision = _device_fft.decision(decide, x.shape, x.dtype, *arguments)
    request = decision.request
    if request is None:
        return x
    _core.use_driver()
    queue = _queues.queue_of(x, queue)
    if x.dtype != decision.dtype:
        x = x.astype(decision.dtype, queue=queue)
    out = _queues.new_or_given(out, decision.shape, decision.result_dtype, x, queue)
    if out.size == 0:
        return out
    if x.size == 0:
        out.fill(0, queue=queue)
        return out
    data, offset = x.base_data.int_ptr, x.offset
    out_data, out_offset = out.base_data.int_ptr, out.offset
    same = data == out_data and offset == out_offset
    in_place = same and x.strides == out.strides and x.shape == out.shape and x.dtype == out.dtype
    prepared = _device_fft.prepared(decision, x.shape, x.strides, out.strides, in_place)
    waits = _queues.waits((x, out), wait_for)
    event = _queues.session_of(queue).enqueue(
        prepared, queue.int_ptr, (data, offset), (out_data, out_offset), waits
    )
    return _queues.finish(out, event)


_device_fft.add(globals(), _call)

if TYPE_CHECKING:
    Lengths = int | Sequence[int | None] | None
    Axes = int | Sequence[int] | None

    class _OneAxis(Protocol):
        def __call__(
            self, x: Array, n: int | None = None, axis: int = -1,
            norm: _functions.Norm = None, *, out: Array | None = None,
            queue: cl.CommandQueue | None = None, wait_for: Sequence[cl.Event] | None = None,
        ) -> Array: ...  # fmt: skip

    class _SeveralAxes(Protocol):
        def __call__(
            self, x: Array, s: Lengths = None, axes: Axes = ...,
            norm: _functions.Norm = None, *, out: Array | None = None,
            queue: cl.CommandQueue | None = None, wait_for: Sequence[cl.Event] | None = None,
        ) -> Array: ...  # fmt: skip

    class _OneCosine(Protocol):
        def __call__(
            self, x: Array, type: int = 2, n: int | None = None, axis: int = -1,
            norm: _functions.Norm = None, orthogonalize: bool | None = None, *,
            out: Array | None = None, queue: cl.CommandQueue | None = None,
            wait_for: Sequence[cl.Event] | None = None,
        ) -> Array: ...  # fmt: skip

    class _SeveralCosines(Protocol):
        def __call__(
            self, x: Array, type: int = 2, s: Lengths = None, axes: Axes = None,
            norm: _functions.Norm = None, orthogonalize: bool | None = None, *,
            out: Array | None = None, queue: cl.CommandQueue | None = None,
            wait_for: Sequence[cl.Event] | None = None,
        ) -> Array: ...  # fmt: skip

    fft: _OneAxis
    ifft: _OneAxis
    rfft: _OneAxis
    irfft: _OneAxis
    hfft: _OneAxis
    ihfft: _OneAxis
    fft2: _SeveralAxes
    ifft2: _SeveralAxes
    rfft2: _SeveralAxes
    irfft2: _SeveralAxes
    hfft2: _SeveralAxes
    ihfft2: _SeveralAxes
    fftn: _SeveralAxes
    ifftn: _SeveralAxes
    rfftn: _SeveralAxes
    irfftn: _SeveralAxes
    hfftn: _SeveralAxes
    ihfftn: _SeveralAxes
    dct: _OneCosine
    idct: _OneCosine
    dst: _OneCosine
    idst: _OneCosine
    dctn: _SeveralCosines
    idctn: _SeveralCosines
    dstn: _SeveralCosines
    idstn: _SeveralCosines


def _rolled(x: Array, axis: int, by: int, queue: cl.CommandQueue, waits: Any) -> Array:
    """Returns a new array, rolled by `by` elements along the axis, as numpy.roll."""
    out = pyopencl.array.empty(queue, x.shape, x.dtype, allocator=x.allocator)
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


def _shifted(x: Any, axes: Any, back: bool, queue: Any, wait_for: Any) -> Array:
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


def fftshift(x: Any, axes: Any = None, *, queue: Any = None, wait_for: Any = None) -> Array:
    """Returns a copy with frequency 0 in the middle of the axes (default: all), as in NumPy."""
    return _shifted(x, axes, False, queue, wait_for)


def ifftshift(x: Any, axes: Any = None, *, queue: Any = None, wait_for: Any = None) -> Array:
    """Returns a copy with frequency 0 first again: the inverse of `fftshift`."""
    return _shifted(x, axes, True, queue, wait_for)


def fftfreq(n: int, d: float = 1.0, *, queue: Any, dtype: Any = np.float64) -> Array:
    """The frequencies of the n entries of `fft`, on the queue's device; `d`: sample spacing."""
    _core.use_driver()
    return pyopencl.array.to_device(queue, _frequencies.fftfreq(n, d, dtype=dtype))


def rfftfreq(n: int, d: float = 1.0, *, queue: Any, dtype: Any = np.float64) -> Array:
    """The frequencies of the n/2+1 entries of `rfft` on the queue's device; see `fftfreq`."""
    _core.use_driver()
    return pyopencl.array.to_device(queue, _frequencies.rfftfreq(n, d, dtype=dtype))


@functools.lru_cache(maxsize=8)
def _hankel(
    queue: cl.CommandQueue, rows: int, n: int, double: bool, biased: bool,
    coefficients: tuple[float, float, float, float], inverse: bool,
) -> tuple[Filter, dict[str, Array]]:  # fmt: skip
    """Returns a filter that computes rows of `fht`, and the arrays of its hooks.

    The result of SciPy's algorithm is in reverse order. For real numbers, that is the conjugate
    spectrum times exp(2 pi i k / n).
    """
    dln, mu, offset, bias = coefficients
    u = _fftlog_backend.fhtcoeff(n, dln, mu, offset=offset, bias=bias, inverse=inverse)
    factors = 1 / u if inverse else u.conj()
    factors = factors * np.exp(2j * np.pi * np.arange(n // 2 + 1) / n)
    steps = (np.arange(n) - (n - 1) / 2) * dln
    before, after = np.exp(-bias * steps), np.exp(-bias * (steps + offset))
    if inverse:
        before, after = 1 / after, 1 / before
    ends = hooks.Hooks()
    values = {"factors": factors.astype(np.complex128 if double else np.complex64)}
    if biased:
        ends = hooks.Hooks(load=[hooks.window(0, "before")], store=[hooks.window(0, "after")])
        real = np.float64 if double else np.float32
        values |= {"before": before.astype(real), "after": after.astype(real)}
    plan = Filter(
        n, kind="real", dtype=np.float64 if double else np.float32, batch=rows, ends=ends,
        spectrum=[hooks.conjugate(), hooks.multiply("factors", axes=(0,))], queue=queue,
    )  # fmt: skip
    return plan, {name: pyopencl.array.to_device(queue, value) for name, value in values.items()}


def _hankel_of(
    x: Any, coefficients: tuple[float, float, float, float], inverse: bool, queue: Any, out: Any,
    wait_for: Any,
) -> Array:  # fmt: skip
    _check_array(x)
    _queues.check_type(x)
    if x.dtype.kind == "c" or x.ndim == 0 or x.size == 0 or not x.flags.c_contiguous:
        raise ValueError(
            f"the array has type {x.dtype} and shape {x.shape}; it must be real and C-contiguous, with "
            "elements along a last axis"
        )
    _core.use_driver()
    queue = _queues.queue_of(x, queue)
    n = x.shape[-1]
    double = x.dtype == np.float64
    plan, values = _hankel(
        queue, x.size // n, n, double, coefficients[3] != 0, coefficients, inverse
    )
    out = _queues.new_or_given(out, x.shape, x.dtype, x, queue)
    return plan(x, out, wait_for=wait_for, **values)


def fht(
    a: Array, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0, *,
    out: Array | None = None, queue: cl.CommandQueue | None = None,
    wait_for: Sequence[cl.Event] | None = None,
) -> Array:  # fmt: skip
    """The fast Hankel transform of order `mu` along the last axis, as `imago.fft.fht`.

    One filter computes it. `a` is real and C-contiguous.
    """
    return _hankel_of(a, (dln, mu, offset, bias), False, queue, out, wait_for)


def ifht(
    A: Array, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0, *,
    out: Array | None = None, queue: cl.CommandQueue | None = None,
    wait_for: Sequence[cl.Event] | None = None,
) -> Array:  # fmt: skip
    """The inverse of `fht`, as `imago.fft.ifht`."""
    return _hankel_of(A, (dln, mu, offset, bias), True, queue, out, wait_for)


__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftfreq", "fftn", "fftshift", "fht",
    "fhtoffset", "hfft", "hfft2", "hfftn", "idct", "idctn", "idst", "idstn", "ifft",
    "ifft2", "ifftn", "ifftshift", "ifht", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2",
    "irfftn", "next_fast_len", "prev_fast_len", "rfft", "rfft2", "rfftfreq", "rfftn",
    "statistics",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__]
