"""Queues, arrays and events of pyopencl: the session of a queue, and what a call on it needs.

pyopencl itself is imported by calls that get its arrays.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterable
from typing import Any

from . import _core
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
    _core.use_driver()
    with _lock:
        return _session(queue.context.int_ptr, queue.device.int_ptr)


def session_for(double: bool, queue: Any) -> _core.Session:
    """Returns the session of the queue; None: the one for arrays on the host. Raises Error."""
    return sessions.require(double) if queue is None else session_of(queue)


def on_device(x: Any) -> bool:
    return type(x).__module__.startswith("pyopencl")


def queue_of(x: Any, queue: Any) -> Any:
    """Returns the queue of a call with the array x, or the given one."""
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


def new_or_given(out: Any, shape: tuple[int, ...], dtype: Any, x: Any, queue: Any) -> Any:
    """Returns `out`, or a new array if it is None. Raises if it has not this shape and type."""
    import pyopencl.array

    if out is None:
        return pyopencl.array.empty(queue, shape, dtype, allocator=x.allocator)
    if not isinstance(out, pyopencl.array.Array):
        raise TypeError(f"out has type {type(out).__name__}; it must be a pyopencl.array.Array")
    check_out(out, shape, dtype)
    return out


def check_out(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Raises ValueError if an array has not this shape and type."""
    if tuple(out.shape) != shape or out.dtype != dtype:
        raise ValueError(
            f"out has shape {out.shape} and dtype {out.dtype}; the result has {shape} and {dtype}"
        )


def waits(arrays: Iterable[Any], wait_for: Iterable[Any] | None) -> list[int]:
    """Returns the addresses of the events for which a call with these arrays waits."""
    addresses = {event.int_ptr for array in arrays for event in array.events}
    if wait_for is not None:
        addresses.update(event.int_ptr for event in wait_for)
    return list(addresses)


def finish(out: Any, address: int) -> Any:
    """Returns `out`, with the event of a call that waits for all events of `out`.

    `out.add_event` would wait for some of them.
    """
    import pyopencl

    out.events[:] = [pyopencl.Event.from_int_ptr(address, retain=False)]
    return out
