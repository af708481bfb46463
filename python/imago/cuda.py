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

from typing import Any

from . import _device_fft, _queues
from ._cuda_arrays import gpu_of, library_of


def statistics(gpu: int = 0) -> dict[str, int]:
    """Returns the counts of `imago.fft.statistics` for arrays on a GPU, by its number in CUDA."""
    return dict(gpu_of(gpu).session.statistics)


def _call(
    decide: _device_fft.Decide, x: Any, arguments: tuple[Any, ...], *, out: Any = None
) -> Any:
    library = library_of(x)
    if library is None:
        raise TypeError(
            f"x has type {type(x).__name__}; it must be an array of CuPy, a CUDA tensor of PyTorch or "
            "an array of JAX on a GPU. For NumPy arrays use imago.fft."
        )
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


_device_fft.add(globals(), _call)


_COMMON = {"n", "s", "axis", "axes", "norm", "out", "type", "orthogonalize"}


def compute(name: str, signature: Any, args: Any, kwargs: Any) -> Any:
    """Computes a call of the function of this name in imago.fft, which has this signature."""
    function = globals()[name]
    if len(args) == 1 and (not kwargs or kwargs.keys() <= _COMMON):
        return function(*args, **kwargs)  # binding takes longer than the launch
    given = signature.bind(*args, **kwargs).arguments
    if given.pop("plan", None) is not None:
        raise NotImplementedError("plan must be None")
    given.pop("overwrite_x", None), given.pop("workers", None)
    return function(given.pop("x"), **given)


__all__ = sorted(
    name
    for name, value in globals().items()
    if name[0] != "_" and getattr(value, "__module__", "") == __name__ and name != "compute"
)
