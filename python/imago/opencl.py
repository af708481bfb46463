"""The functions of scipy.fft for arrays on the device, `pyopencl.array.Array`.

Names, arguments and meaning are those of `imago.fft`, without `overwrite_x`, `workers` and `plan`.
Nothing is copied: the kernels are put into a queue, and the result has an event that completes after
them. Every function takes

- `out`: the array of the result's shape and type to write, with any strides; the array itself
  transforms in place where input and result are alike. Default: a new array;
- `queue`: the queue, which may be out of order. Default: that of the array;
- `wait_for`: events to wait for, beside those of the arrays.

Arrays are of float32, float64, complex64 or complex128 with any strides that are not negative.
Raises TypeError for other types, ValueError for what `imago.fft` does and for a queue or an `out`
that does not fit, `NotImplementedError` for what the device cannot and `imago.Error` where OpenCL
fails.

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
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array

from . import _core
from .fft import _cosine, _fourier
from .fft import _work as work
from .fft._compute import DCT, DST, IN_PLACE, Request

_lock = threading.Lock()


@functools.lru_cache(maxsize=16)
def _session(context: int, device: int) -> _core.Session:
    return _core.Session(context, device)


def _session_of(queue: cl.CommandQueue) -> _core.Session:
    """The session of a queue's context and device; it holds them, so no other has their addresses."""
    with _lock:
        return _session(queue.context.int_ptr, queue.device.int_ptr)


def statistics(queue: cl.CommandQueue) -> dict[str, int]:
    """As `imago.fft.statistics`, for the context and the device of a queue."""
    return dict(_session_of(queue).statistics)


def _described(x: cl.array.Array) -> tuple[Any, ...]:
    return (x.base_data.int_ptr, x.offset, x.shape, x.strides, x.dtype.char)


class _OnDevice:
    """The arrays of one call: where its result goes, and what it waits for."""

    conjugated_by_hook = 0

    def __init__(self, out: Any, queue: Any, wait_for: Any) -> None:
        self._out, self._queue, self._wait_for = out, queue, wait_for

    @staticmethod
    def array(x: Any) -> cl.array.Array:
        if not isinstance(x, cl.array.Array):
            raise TypeError(f"x is {type(x).__name__}: a pyopencl.array.Array (see imago.fft)")
        if x.dtype.char not in "fdFD" or not x.dtype.isnative:
            raise TypeError(f"x is of {x.dtype}: float32, float64, complex64 or complex128")
        return x

    def _result(self, queue: cl.CommandQueue, x: cl.array.Array, shape: Any, dtype: type) -> Any:
        shape = tuple(shape)
        out = self._out
        if out is None:
            return cl.array.empty(queue, shape, dtype, allocator=x.allocator)
        if not isinstance(out, cl.array.Array):
            raise TypeError(f"out is {type(out).__name__}: a pyopencl.array.Array")
        if out.shape != shape or out.dtype != dtype:
            raise ValueError(
                f"out has shape {out.shape} and type {out.dtype}: {shape} and {np.dtype(dtype)}"
            )
        return out

    def compute(self, x: cl.array.Array, request: Request) -> cl.array.Array:
        _, kinds, lengths, shape, dtype, flags, scale = request
        queue = self._queue or x.queue
        if queue is None:
            raise ValueError("x has no queue: give one")
        out = self._result(queue, x, shape, dtype)
        if out.size == 0:
            return out
        if x.size == 0:
            out.fill(0, queue=queue)
            return out
        given, made = _described(x), _described(out)
        if given == made:
            flags |= IN_PLACE
        waits = {event.int_ptr for event in (*x.events, *out.events, *(self._wait_for or ()))}
        event = _session_of(queue).enqueue(
            queue.int_ptr, given, made, kinds, list(lengths), flags, scale, list(waits)
        )
        # It completes after all those that out had. (add_event would wait for some of them.)
        out.events[:] = [cl.Event.from_int_ptr(event, retain=False)]
        return out


def _fourier_function(name: str) -> Callable[..., cl.array.Array]:
    model = getattr(_fourier, name)
    forward = name.rstrip("2n") in ("fft", "rfft", "hfft")
    several = name[-1] in "2n"
    kind = {"f": "c2c", "i": "c2c", "r": "r2c", "h": "c2r"}[name[0]]
    kind = {"irfft": "c2r", "ihfft": "r2c"}.get(name.rstrip("2n"), kind)
    compute = getattr(work, kind + ("n" if several else ""))

    if several:
        default = (-2, -1) if name.endswith("2") else None

        def function(x, s=None, axes=default, norm=None, *, out=None, queue=None, wait_for=None):
            return compute(_OnDevice(out, queue, wait_for), forward, x, s, axes, norm, None, None)

    else:

        def function(x, n=None, axis=-1, norm=None, *, out=None, queue=None, wait_for=None):
            return compute(_OnDevice(out, queue, wait_for), forward, x, n, axis, norm, None, None)

    return _named(function, name, model)


def _cosine_function(name: str) -> Callable[..., cl.array.Array]:
    model = getattr(_cosine, name)
    forward = not name.startswith("i")
    family = DCT if "dct" in name else DST

    if name.endswith("n"):

        def function(
            x, type=2, s=None, axes=None, norm=None, orthogonalize=None, *, out=None, queue=None,
            wait_for=None,
        ):  # fmt: skip
            on = _OnDevice(out, queue, wait_for)
            return work.r2r_many(on, family, forward, x, type, s, axes, norm, None, orthogonalize)

    else:

        def function(
            x, type=2, n=None, axis=-1, norm=None, orthogonalize=None, *, out=None, queue=None,
            wait_for=None,
        ):  # fmt: skip
            on = _OnDevice(out, queue, wait_for)
            return work.r2r_one(on, family, forward, x, type, n, axis, norm, None, orthogonalize)

    return _named(function, name, model)


def _named(function: Callable[..., Any], name: str, model: Any) -> Callable[..., cl.array.Array]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    first = model.__doc__.split("\n\n")[0]
    function.__doc__ = f"{first}\n\n    As `imago.fft.{name}`, of an array on the device."
    return function


for _suffix in ("", "2", "n"):
    for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        globals()[_name + _suffix] = _fourier_function(_name + _suffix)
for _suffix in ("", "n"):
    for _name in ("dct", "idct", "dst", "idst"):
        globals()[_name + _suffix] = _cosine_function(_name + _suffix)
