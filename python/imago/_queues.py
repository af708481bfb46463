"""Arrays on a device: the session of their queue, and what a call on it needs.

These are arrays of pyopencl, with queues and events, and those in CUDA's memory, whose streams order
calls without events (`_cuda_arrays`). pyopencl itself is imported by calls that get its arrays.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core, _cuda_arrays
from ._cuda_arrays import array_of as _array_of
from ._cuda_arrays import gpu_of
from ._devices import sessions

_lock = threading.Lock()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@functools.lru_cache(maxsize=16)
def _session(context: int, device: int) -> _core.Session:
    return _core.Session(context, device)


def session_of(queue: Any) -> _core.Session:
    """Returns the session of a queue's context and device.

    The session holds references to both, so their addresses stay unique.
    """
    if is_stream(queue):
        return gpu_of(queue.gpu).session
    _core.use_driver()
    with _lock:
        return _session(queue.context.int_ptr, queue.device.int_ptr)


def session_for(double: bool, queue: Any) -> _core.Session:
    """Returns the session of the queue; None: the one for arrays on the host. Raises Error."""
    return sessions.require(double) if queue is None else session_of(queue)


def _of_pyopencl(x: Any) -> bool:
    return type(x).__module__.startswith("pyopencl")


def on_cuda(x: Any) -> bool:
    """Returns True for what `device_array` returns for an array in CUDA's memory."""
    return type(x) is _cuda_arrays.Array


def on_device(x: Any) -> bool:
    """Returns True for what `device_array` returns for an array on a device."""
    return on_cuda(x) or _of_pyopencl(x)


def device_array(x: Any) -> Any:
    """Returns an array on a device as imago's functions use it; None for other objects."""
    return x if on_cuda(x) or _of_pyopencl(x) else _array_of(x)


def to_host(x: Any) -> str:
    """Returns the expression for a copy of x on the host."""
    return x.library.remedy if on_cuda(x) else "x.get()"


def queue_of(x: Any, queue: Any) -> Any:
    """Returns the queue of a call with the array x, or the given one."""
    if on_cuda(x):
        if queue is not None:
            raise ValueError(
                "queue is for arrays of pyopencl. Leave it out: the call is in the stream that is "
                "current in the library of x."
            )
        return x.queue
    queue = queue or x.queue
    if queue is None:
        raise ValueError("x has no queue. Pass one with queue=.")
    return queue


def check_type(x: Any) -> None:
    """Raises TypeError unless an array or its outline has a type that devices compute."""
    if x.dtype.char not in "fdFD" or not x.dtype.isnative:
        raise TypeError(
            f"x has dtype {x.dtype}; it must be float32, float64, complex64 or complex128 in native "
            "byte order. Convert it with x.astype('float32') or another of these."
        )


def place(x: Any, name: str) -> tuple[int, int]:
    """Returns the address of the array's buffer and its offset there, in elements."""
    if x.offset % x.dtype.itemsize:
        raise ValueError(
            f"{name} begins at byte {x.offset} of its buffer; it must be a multiple of "
            f"{x.dtype.itemsize}"
        )
    return x.base_data.int_ptr, x.offset // x.dtype.itemsize


def packed_place(x: Any, name: str) -> tuple[int, int]:
    """Returns the place of an array that a plan reads or writes as contiguous memory."""
    if not x.flags.c_contiguous:
        raise ValueError("the strides of an array: contiguous (see Layout)")
    return place(x, name)


def new_or_given(out: Any, shape: tuple[int, ...], dtype: Any, x: Any, queue: Any) -> Any:
    """Returns `out`, or a new array if it is None. Raises if it has not this shape and type."""
    if on_cuda(x):
        return _new_or_given_on_cuda(out, shape, dtype, x)
    import pyopencl.array

    if out is None:
        return pyopencl.array.empty(queue, shape, dtype, allocator=x.allocator)
    if not isinstance(out, pyopencl.array.Array):
        raise TypeError(f"out has type {type(out).__name__}; it must be a pyopencl.array.Array")
    check_out(out, shape, dtype)
    return out


def _new_or_given_on_cuda(out: Any, shape: tuple[int, ...], dtype: Any, x: Any) -> Any:
    if out is None:
        return x.library.view(x.library.new(x.owner, shape, np.dtype(dtype)), x.stream)
    made = given(out, x)
    check_out(made, shape, dtype)
    return made


def given(out: Any, x: Any) -> Any:
    """Returns the `out` of a call with an array x in CUDA's memory. Raises if none can write it."""
    library = x.library
    if _cuda_arrays.library_of(out) is not library:
        raise TypeError(f"out has type {type(out).__name__}; it must be an array as x is")
    library.check_written(out)
    made = library.view(out, x.stream)
    check_gpu("out", made, x)
    return made


def check_gpu(name: str, array: Any, x: Any) -> None:
    """Raises ValueError if an array in CUDA's memory is on another GPU than x."""
    if array.gpu != x.gpu:
        raise ValueError(
            f"{name} is on GPU {array.gpu}; it must be on that of x, {x.gpu}. Copy it there."
        )


def is_stream(queue: Any) -> bool:
    """Returns True for the queue of an array in CUDA's memory."""
    return type(queue) is _cuda_arrays.Queue


def check_apart(x: Any, out: Any) -> None:
    """Raises ValueError if contiguous arrays in CUDA's memory overlap."""
    if x.address < out.address + out.nbytes and out.address < x.address + x.nbytes:
        raise ValueError("x and out overlap in memory. Give an out with memory of its own.")


def check_out(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Raises ValueError if an array has not this shape and type."""
    if tuple(out.shape) != shape or out.dtype != dtype:
        raise ValueError(
            f"out has shape {out.shape} and dtype {out.dtype}; the result has {shape} and {dtype}"
        )


def waits(arrays: Iterable[Any], wait_for: Iterable[Any] | None) -> list[int] | None:
    """Returns the addresses of the events for which a call with these arrays waits; None on CUDA."""
    arrays = list(arrays)
    if any(on_cuda(array) for array in arrays):
        if wait_for is not None:
            raise ValueError("wait_for is for arrays of pyopencl. Leave it out: the stream orders calls.")
        return None
    addresses = {event.int_ptr for array in arrays for event in array.events}
    if wait_for is not None:
        addresses.update(event.int_ptr for event in wait_for)
    return list(addresses)


def finish(out: Any, address: int) -> Any:
    """Returns `out`, with the event of a call that waits for all events of `out`.

    `out.add_event` would wait for some of them. On CUDA, returns the array of the library.
    """
    if on_cuda(out):
        return out.library.result(out)
    import pyopencl

    out.events[:] = [pyopencl.Event.from_int_ptr(address, retain=False)]
    return out


def constant(x: Any, values: Any) -> Any:
    """Returns values for arithmetic with x: in CUDA's memory if x is there, else as they are."""
    return _cuda_arrays.constant(x, values)


def not_computed(out: Any) -> Any:
    """Returns the array of its library for an `out` that no call computes."""
    return out.owner if on_cuda(out) else out


def is_captured(queue: Any) -> bool:
    """Returns True while a CUDA graph captures the calls of a queue."""
    return is_stream(queue) and queue.is_captured()
