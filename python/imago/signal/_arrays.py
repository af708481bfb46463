"""Computes plans on NumPy arrays and on arrays of a device: results, events, strides."""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from .. import _core, _queues
from .._devices import sessions
from .._queues import on_device
from ..fft import _arguments as arguments


CHOICES = {"deterministic": False, "f64": 0, "recipe": None}
"""Fields of all plans."""

Planner = TypeVar("Planner", bound=Callable[..., Any])


class _Captured(threading.local):
    now = False
    """True: the thread makes a call that a CUDA graph captures."""


_captured = _Captured()
_of_graphs: list[Any] = []
"""Plans and memory of captured calls. Graphs use them later, so they stay until the process ends."""


def plans(planner: Planner) -> Planner:
    """Caches the plans that a function returns, until the user releases them. A captured call gets
    its own, with kernels for its shape."""
    cached = functools.lru_cache(maxsize=32)(planner)
    sessions.also_clear(cached.cache_clear)

    @functools.wraps(planner)
    def plan(*given: Any) -> Any:
        if not _captured.now:
            return cached(*given)
        _core.compile_first(True)
        try:
            _of_graphs.append(planner(*given))
        finally:
            _core.compile_first(False)
        return _of_graphs[-1]

    plan.cache_info = cached.cache_info  # type: ignore[attr-defined]
    return plan  # type: ignore[return-value]


@plans
def _uploaded(session: _core.Session, values: bytes) -> _core.Buffer:
    return _core.Buffer(session, values)


def array(x: Any) -> Any:
    """Returns an array of a device as functions here use it, and anything else as NumPy's."""
    found = _queues.device_array(x)
    return np.asarray(x) if found is None else found


@dataclasses.dataclass(frozen=True)
class Call:
    """The arguments of a call that SciPy does not have."""

    out: Any = None
    queue: Any = None
    wait_for: Any = None

    def placed(self, result: Any) -> Any:
        """Returns a result on the host, copied to `out` if that is another array."""
        if self.out is None or result is self.out:
            return result
        np.copyto(self.out, result, casting="same_kind")
        return self.out


@dataclasses.dataclass(frozen=True)
class Request:
    """A computation of a result from an array."""

    shape: Sequence[int]
    """The shape of the result."""
    plan_of: Callable[[Any, Any, Any], Any]
    """Returns the plan for a session, the array that it reads, and the strides of both arrays in
    elements, which are None if both are contiguous."""
    inverse: bool = False
    real_result: bool = False
    complex_only: bool = False  # real arrays become complex
    double_only: bool = False  # single precision becomes double, or is refused on a device
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Values of the hooks' arguments. Complex ones have the precision of the call."""
    other: Any = None  # a second array, of the type of the first

    def numbers(self, x: Any) -> dict[str, Any]:
        """Returns the values of the hooks' arguments for an array."""
        real = np.float64 if x.dtype.char in "dD" else np.float32
        return {
            name: value if on_device(value) or value.dtype.kind == "c" else np.asarray(value, real)
            for name, value in self.values.items()
        }

    def result_type(self, x: Any) -> np.dtype[Any]:
        double = x.dtype.char in "dD"
        return np.dtype(("d" if double else "f") if self.real_result else ("D" if double else "F"))


def compute(x: Any, request: Request, call: Call) -> Any:
    """Returns the result, an array of the same kind. Raises Unserved if no device computes it."""
    if on_device(x):
        return _on_device(x, request, call)
    if call.queue is not None or call.wait_for is not None:
        raise ValueError("queue and wait_for are for arrays of pyopencl. Leave them out.")
    return call.placed(_on_host(x, request, call.out))


def _on_host(x: Any, request: Request, out: Any) -> Any:
    x = arguments.float_array(x)
    if request.complex_only and x.dtype.kind == "f":
        x = x.astype(arguments.complex_type(x))
    if request.double_only and x.dtype.char in "fF":
        x = x.astype(np.float64 if x.dtype.char == "f" else np.complex128)
    dtype = request.result_type(x)
    if out is not None:
        arguments.check_numpy(out)
        _queues.check_out(out, tuple(request.shape), dtype)
    x = np.ascontiguousarray(x)
    direct = out is not None and out.flags.c_contiguous and not np.may_share_memory(x, out)
    result = out if direct else np.empty(request.shape, dtype)
    session = sessions.get(dtype.char in "dD")
    if x.size == 0:
        result[...] = 0
    elif result.size:
        plan = request.plan_of(session, x, None)
        if request.other is None:
            plan.run(request.inverse, x, result, request.numbers(x))
        else:
            plan.run_cross(x, request.other, result, request.numbers(x))
    return result


def _on_device(x: Any, request: Request, call: Call) -> Any:
    queue = _queues.queue_of(x, call.queue)
    _queues.check_type(x)
    if _queues.on_cuda(x) and min(x.strides, default=0) < 0:
        x = x.packed()
    if request.double_only and x.dtype.char in "fF":
        raise TypeError(
            f"x has dtype {x.dtype}; points off the unit circle need float64 or complex128. "
            "Convert it with x.astype('complex128')."
        )
    if request.complex_only and x.dtype.kind == "f":
        x = x.astype(np.dtype(arguments.complex_type(x)), queue=queue)
    out = _queues.new_or_given(
        call.out, tuple(request.shape), request.result_type(x), x, queue
    )
    if x.size == 0 and out.size:
        out.fill(0, queue)
    if x.size == 0 or out.size == 0:
        return _queues.not_computed(out)
    packed = x.flags.c_contiguous and out.flags.c_contiguous
    strides = None if packed else (strides_of(x, "x"), strides_of(out, "out"))
    session = _queues.session_of(queue)
    other = () if request.other is None else (request.other,)
    read, values, uploaded = [x, *other], {}, []
    _captured.now = _queues.is_captured(queue)
    try:
        plan = request.plan_of(session, x, strides)
        for name, value in request.numbers(x).items():
            if on_device(value):
                read.append(value)
                values[name] = _queues.place(value, name)
            else:
                uploaded.append(_uploaded(session, value.tobytes()))
                values[name] = uploaded[-1].int_ptr, 0
    finally:
        _captured.now = False
    waits = _queues.waits((*read, out), call.wait_for)
    places = [_queues.place(array, "x") for array in (x, *other)]
    places.append(_queues.place(out, "out"))
    if other:
        event = plan.enqueue_cross(queue.int_ptr, *places, values, waits)
    else:
        event = plan.enqueue(queue.int_ptr, request.inverse, *places, values, waits)
    return _queues.finish(out, event)


def with_zeros(x: Any, axis: int, before: int, behind: int) -> Any:
    """Returns the array of a device with zeros along an axis."""
    if _queues.on_cuda(x):
        return x.with_zeros(axis, before, behind)
    import pyopencl as cl
    import pyopencl.array

    if not x.flags.c_contiguous:
        raise ValueError("x is not C-contiguous, and zeros must continue it. Copy it.")
    shape = list(x.shape)
    shape[axis] += before + behind
    padded = cl.array.zeros(x.queue, tuple(shape), x.dtype, allocator=x.allocator)
    # The samples of an outer index are contiguous, and a row of the copy.
    step = x.strides[axis]
    row, padded_row = step * x.shape[axis], step * shape[axis]
    copied = cl.enqueue_copy(
        x.queue, padded.base_data, x.base_data, src_origin=(x.offset, 0),
        dst_origin=(padded.offset + before * step, 0), region=(row, x.nbytes // row),
        src_pitches=(row,), dst_pitches=(padded_row,), wait_for=[*x.events, *padded.events],
    )  # fmt: skip
    padded.events[:] = [copied]
    return padded


def strides_of(x: Any, name: str) -> tuple[int, ...]:
    """Returns the strides in elements."""
    unit = x.dtype.itemsize
    if any(stride < 0 or stride % unit for stride in x.strides):
        raise ValueError(
            f"{name} has strides {x.strides} in bytes; they must be multiples of {unit} and not "
            "negative. Copy it into a contiguous array."
        )
    return tuple(stride // unit for stride in x.strides)
