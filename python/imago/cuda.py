"""The functions of scipy.fft for arrays in CUDA's memory: those of CuPy, PyTorch and JAX.

`imago.fft` calls these functions for such arrays; names, arguments and meaning are the same.
Nothing is copied. The functions enqueue kernels into the stream that is current in the array's
library, on the array's GPU, and return an array of the same library. They may be captured in a CUDA
graph, except those on arrays of JAX. Every function also accepts

- `out`: the array for the result, with its shape and type and any strides that are not negative. If
  input and result have the same shape, type and strides, the input itself is allowed and is
  transformed in place. Default: a new array. Arrays of JAX cannot be written, so they accept none.

Arrays have type float32, float64, complex64 or complex128. Inputs may have any strides; one with
negative strides is copied on its GPU. The functions raise TypeError for other types, ValueError as
`imago.fft` and for an unsuitable `out`, `NotImplementedError` for a limit of the device and on a
machine without CUDA's driver or without NVIDIA's OpenCL driver, which compiles the kernels, and
`imago.Error` if CUDA fails.

    import cupy, imago

    x = cupy.random.standard_normal((1000, 4096), dtype=cupy.float32)
    spectrum = imago.fft.rfft(x)  # an array of CuPy, in its current stream
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from . import _core, _device_fft, _queues
from ._cuda_arrays import gpu_of, library_of


__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftn", "hfft", "hfft2", "hfftn", "idct",
    "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ihfft", "ihfft2", "ihfftn",
    "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftn", "statistics",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__]


def statistics(gpu: int = 0) -> dict[str, int]:
    """Returns the counts of `imago.fft.statistics` for arrays on a GPU, by its number in CUDA."""
    return dict(gpu_of(gpu).session.statistics)


class _Bound(NamedTuple):
    """The call that transforms arrays of one outline, and the shape and type of its result."""

    call: _core.DeviceCall
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


@functools.lru_cache(maxsize=1024, typed=True)
def _bound(
    decide: _device_fft.Decide, library: Any, outline: Any, of_out: Any, same: bool, *arguments: Any
) -> _Bound | None:
    """Returns the call for arrays of these outlines; None if it needs more than kernels, or fails.

    `of_out` is None for a new result; `same`: both begin at one address.
    """
    shape, dtype, strides = library.as_numpy(*outline)
    if dtype is None:
        return None
    decision = _device_fft.decision(decide, shape, dtype, *arguments)
    if decision.request is None or decision.dtype != dtype or 0 in shape or 0 in decision.shape:
        return None
    made = decision.shape, decision.result_dtype
    if of_out is None:
        step = made[1].itemsize
        into = tuple(step * math.prod(made[0][axis:]) for axis in range(1, len(made[0]) + 1))
    else:
        *others, into = library.as_numpy(*of_out)
        if tuple(others) != made:
            return None
    in_place = same and outline == of_out
    try:
        return _Bound(_device_fft.prepared(decision, shape, strides, into, in_place), *made)
    except ValueError:  # kernels read no negative strides
        return None


def warm(
    library: Any, decide: _device_fft.Decide, x: Any, arguments: tuple[Any, ...], out: Any
) -> Any:
    """Computes a call that needs only kernels, found by the outlines; else returns None."""
    address, gpu = library.place(x)
    if out is None:
        bound = _bound(decide, library, library.outline(x), None, False, *arguments)
        if bound is None:
            return None
        out = library.new(x, bound.shape, bound.dtype)
        to = library.place(out)[0]
    else:
        if library_of(out) is not library:
            return None
        library.check_written(out)
        to, its_gpu = library.place(out)
        outlines = library.outline(x), library.outline(out)
        bound = _bound(decide, library, *outlines, to == address, *arguments)
        if bound is None or its_gpu != gpu:
            return None
    gpu_of(gpu).core.enqueue(bound.call, library.stream(x), address, to)
    return out


def _call(
    decide: _device_fft.Decide, x: Any, arguments: tuple[Any, ...], *, out: Any = None
) -> Any:
    library = library_of(x)
    if library is None:
        raise TypeError(
            f"x has type {type(x).__name__}; it must be an array of CuPy, a CUDA tensor of PyTorch or "
            "an array of JAX on a GPU. For NumPy arrays use imago.fft."
        )
    if library.can_be_warm:
        x = library.resolved(x)
        made = warm(library, decide, x, arguments, out)
        if made is not None:
            return made
    view = library.view(library.resolved(x), library.stream(x))
    decision = _device_fft.decision(decide, view.shape, view.dtype, *arguments)
    request = decision.request
    if request is None:  # no axes
        if out is None:
            return x
        _queues.new_or_given(out, view.shape, view.dtype, view, None)
        library.copy(x, out)
        return out
    if view.dtype != decision.dtype:
        view = view.astype(decision.dtype)
    made = _queues.new_or_given(out, decision.shape, decision.result_dtype, view, None)
    if 0 in made.shape:
        return made.owner
    if 0 in view.shape:
        made.fill(0)
        return made.owner
    same = view.address == made.address and view.strides == made.strides
    in_place = same and view.shape == made.shape and view.dtype == made.dtype
    try:
        prepared = _device_fft.prepared(decision, view.shape, view.strides, made.strides, in_place)
    except ValueError:
        view = view.packed()  # a copy, because kernels read no negative strides
        prepared = _device_fft.prepared(decision, view.shape, view.strides, made.strides, False)
    gpu_of(view.gpu).core.enqueue(prepared, view.stream, view.address, made.address)
    return library.result(made)


decides = _device_fft.add(globals(), _call)
"""For each function, its part of the arguments of `warm`."""


_COMMON = {"n", "s", "axis", "axes", "norm", "out", "type", "orthogonalize"}


def compute(name: str, signature: Any, args: Any, kwargs: Any) -> Any:
    """Computes a call of the function of this name in imago.fft, which has this signature."""
    function = globals()[name]
    if len(args) < 5 and (not kwargs or kwargs.keys() <= _COMMON):
        # Binding takes longer than the launch, and four positions are the same in both functions.
        return function(*args, **kwargs)
    given = signature.bind(*args, **kwargs).arguments
    if given.pop("plan", None) is not None:
        raise NotImplementedError("plan must be None")
    given.pop("overwrite_x", None), given.pop("workers", None)
    return function(given.pop("x"), **given)


__all__ = sorted(
    name
    for name in globals()
    if name in decides or name == "statistics"
)
