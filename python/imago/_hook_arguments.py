"""The arguments of hooks: their expected types, and the conversion of a call's values."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _queues, hooks


class Expected(NamedTuple):
    """The type and size that a hook expects of its argument."""

    type: str
    """One of "number", "real", "complex" and "" (real or complex)."""
    elements: int | None = None
    """Number of elements of the array; None: not known here."""


def _elements(
    hook: hooks.Multiply, shape: Sequence[int] | None, batch: int, arrays: int
) -> int | None:
    if shape is None:
        return None
    axes = range(len(shape)) if hook.axes is None else hook.axes
    if not all(isinstance(axis, (int, np.integer)) and 0 <= axis < len(shape) for axis in axes):
        return None  # the library reports the error
    return math.prod(shape[axis] for axis in axes) * (batch if hook.batched else 1) * arrays


class Elements(NamedTuple):
    """The elements that the hooks of one side read or write."""

    complex: bool | None = None
    """None: not known here; then the shape is not known either."""
    shape: Sequence[int] | None = None
    batch: int = 1


def expected_of(
    listed: Iterable[Any], side: Elements, taken: Collection[str]
) -> dict[str, Expected]:
    """Returns the expected arguments of the hooks of one side, by their names.

    `taken` are the names of the call's own parameters. Raises ValueError if an argument of a hook
    has one of these names.
    """
    found: dict[str, Expected] = {}
    factors = {None: "", True: "complex", False: "real"}[side.complex]
    for hook in listed:
        arrays = 1
        if isinstance(hook, hooks.Power):
            factors = "real"
        if isinstance(hook, hooks.WeightedSum):
            arrays, hook = hook.count, hook.weights
        if isinstance(hook, hooks.Scale) and hook.argument:
            found[hook.argument] = Expected("number")
        elif isinstance(hook, hooks.Multiply):
            elements = _elements(hook, side.shape, side.batch, arrays)
            found[hook.argument] = Expected("real" if hook.real else factors, elements)
        elif isinstance(hook, hooks.Add):
            found[hook.argument] = Expected("real" if hook.real else factors)
            if hook.times:
                found[hook.times] = Expected("real")
            if hook.argument_of_offset:
                found[hook.argument_of_offset] = Expected("number")
        elif isinstance(hook, hooks.Code):
            kinds = {"real_buffer": "real", "complex_buffer": "complex"}
            for kind, name in hook.parameters:
                found[name] = Expected(kinds.get(kind, "number"))
    for name in found:
        if name in taken:
            raise ValueError(
                f"the argument of a hook is named {name!r}, which is an argument of the call "
                "itself. Choose another name."
            )
    return found


def check(name: str, expected: Expected, array: Any) -> None:
    """Raises TypeError for complex numbers that must be real, ValueError for another size."""
    if expected.type == "real" and array.dtype.kind == "c":
        raise TypeError(
            f"{name} is complex; its hook needs real numbers. Give {name}.real, or use a hook for "
            "complex factors on complex elements (hooks.multiply)."
        )
    if expected.elements is not None and array.size != expected.elements:
        raise ValueError(
            f"{name} has {array.size} elements; its hook needs {expected.elements}, one for each "
            "point of the hook's axes"
        )


def on_host(name: str, value: ArrayLike, expected: Expected | None, double: bool) -> Any:
    """Returns a float, or a contiguous array of the plan's precision in native byte order."""
    if expected is None:
        expected = Expected("number" if np.ndim(value) == 0 else "")
    if expected.type == "number":
        return float(value)  # type: ignore[arg-type]
    array: NDArray[Any] = np.asarray(value)
    check(name, expected, array)
    if expected.type == "complex" or (expected.type == "" and array.dtype.kind == "c"):
        return np.ascontiguousarray(array, np.complex128 if double else np.complex64)
    return np.ascontiguousarray(array, np.float64 if double else np.float32)


def on_device(
    name: str, value: Any, expected: Expected | None, double: bool, x: Any, arrays: list[Any]
) -> Any:
    """Returns a float, or the place of an array on the device of x. Adds the array to `arrays`."""
    array = _queues.device_array(value)
    if array is None or _queues.on_cuda(array) != _queues.on_cuda(x):
        if np.ndim(value) > 0:
            raise TypeError(
                f"{name} is not on the device of x. Copy it into an array of the same library there."
            )
        return float(value)
    check_on_device(name, array, expected, double)
    if _queues.on_cuda(x):
        _queues.check_gpu(name, array, x)
        array = array.packed()
    arrays.append(array)
    return _queues.packed_place(array, name)


def check_on_device(name: str, array: Any, expected: Expected | None, double: bool) -> None:
    """Raises TypeError or ValueError if its hook cannot read this array on the device."""
    expected = expected or Expected("")
    check(name, expected, array)
    real, pairs = (np.dtype(t) for t in (("f8", "c16") if double else ("f4", "c8")))
    allowed = {"real": [real], "complex": [pairs]}.get(expected.type, [real, pairs])
    if array.dtype not in allowed:
        raise TypeError(
            f"{name} has dtype {array.dtype}; its hook needs {allowed[0]}. Convert with "
            f"{name}.astype({str(allowed[0])!r})."
        )
