"""The functions of scipy.fft for arrays in CUDA's memory: those of CuPy, and tensors of PyTorch.

`imago.fft` calls these functions for such arrays; names, arguments and meaning are the same.
Nothing is copied. The functions enqueue kernels into the stream that is current in the array's
library, on the array's GPU, and return an array of the same library. They may be captured in a CUDA
graph. Every function also accepts

- `out`: the array for the result, with its shape and type and any strides that are not negative. If
  input and result have the same shape, type and strides, the input itself is allowed and is
  transformed in place. Default: a new array.

Arrays have type float32, float64, complex64 or complex128, and any strides that are not negative.
The functions raise TypeError for other types, ValueError as `imago.fft` and for an unsuitable `out`,
`NotImplementedError` for a limit of the device and on a machine without CUDA's driver or without
NVIDIA's OpenCL driver, which compiles the kernels, and `imago.Error` if CUDA fails.

    import cupy, imago

    x = cupy.random.standard_normal((1000, 4096), dtype=cupy.float32)
    spectrum = imago.fft.rfft(x)  # an array of CuPy, in its current stream
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, NamedTuple

import numpy as np

from . import _core, _device_fft, _queues


class _Array(NamedTuple):
    """An array of any library, as kernels see it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]  # in bytes
    address: int
    gpu: int


class _CuPy:
    """Arrays of CuPy."""

    @staticmethod
    def view(x: Any) -> _Array:
        return _Array(x.shape, x.dtype, x.strides, x.data.ptr, x.device.id)

    @staticmethod
    def stream(x: Any) -> int:
        import cupy

        if x.device.id == cupy.cuda.runtime.getDevice():
            return cupy.cuda.get_current_stream().ptr
        with x.device:  # the stream that is current on the array's GPU
            return cupy.cuda.get_current_stream().ptr

    @staticmethod
    def new(x: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        import cupy

        with x.device:
            return cupy.empty(shape, dtype)

    @staticmethod
    def converted(x: Any, dtype: np.dtype[Any]) -> Any:
        with x.device:
            return x.astype(dtype)

    @staticmethod
    def fill_zero(x: Any) -> None:
        with x.device:
            x.fill(0)

    @staticmethod
    def copy(x: Any, out: Any) -> None:
        with x.device:
            out[...] = x


class _PyTorch:
    """Tensors of PyTorch on CUDA devices."""

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def _types() -> dict[Any, np.dtype[Any]]:
        import torch

        names = "float16", "float32", "float64", "complex64", "complex128", "int32", "int64", "bool"
        return {getattr(torch, name): np.dtype(name) for name in names}

    @classmethod
    def view(cls, x: Any) -> _Array:
        dtype = cls._types().get(x.dtype)
        if dtype is None:
            raise TypeError(f"x has dtype {x.dtype}; convert it with x.to(torch.float32)")
        if x.requires_grad:
            raise NotImplementedError(
                "x requires a gradient, which imago does not compute. Use x.detach(), or torch.fft"
            )
        strides = tuple(dtype.itemsize * stride for stride in x.stride())
        return _Array(tuple(x.shape), dtype, strides, x.data_ptr(), x.device.index or 0)

    @staticmethod
    def stream(x: Any) -> int:
        import torch

        return torch.cuda.current_stream(x.device).cuda_stream

    @staticmethod
    def new(x: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        import torch

        return x.new_empty(shape, dtype=getattr(torch, dtype.name))

    @staticmethod
    def converted(x: Any, dtype: np.dtype[Any]) -> Any:
        import torch

        return x.to(getattr(torch, dtype.name))

    @staticmethod
    def fill_zero(x: Any) -> None:
        x.zero_()

    @staticmethod
    def copy(x: Any, out: Any) -> None:
        out.copy_(x)


_libraries: dict[str, Any] = {"cupy": _CuPy, "torch": _PyTorch}
_of_type: dict[type, Any] = {}  # found once for each type, because each call asks twice


def library_of(x: Any) -> Any:
    """Returns the library of an array in CUDA's memory; None for other objects."""
    of = type(x)
    if of not in _of_type:
        name = of.__module__.partition(".")[0]
        _of_type[of] = _libraries.get(name) if hasattr(of, "__cuda_array_interface__") else None
    found = _of_type[of]
    return None if found is _PyTorch and not x.is_cuda else found


_lock = threading.Lock()
_sessions: dict[int, _core.CudaSession] = {}


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _session_of(gpu: int) -> _core.CudaSession:
    session = _sessions.get(gpu)
    if session is None:
        with _lock:
            session = _sessions.get(gpu)
            if session is None:
                session = _sessions[gpu] = _core.CudaSession(gpu)
    return session


def statistics(gpu: int = 0) -> dict[str, int]:
    """Returns the counts of `imago.fft.statistics` for arrays on a GPU, by its number in CUDA."""
    return dict(_session_of(gpu).session.statistics)


def _call(
    decide: _device_fft.Decide, x: Any, arguments: tuple[Any, ...], *, out: Any = None
) -> Any:
    library = library_of(x)
    if library is None:
        raise TypeError(
            f"x has type {type(x).__name__}; it must be an array of CuPy or a CUDA tensor of "
            "PyTorch. For NumPy arrays use imago.fft."
        )
    if library is _PyTorch and (x.is_conj() or x.is_neg()):  # flags instead of values
        x = x.resolve_conj().resolve_neg()
    view = library.view(x)
    decision = _device_fft.decision(decide, view.shape, view.dtype, *arguments)
    request = decision.request
    if request is None:  # no axes
        if out is not None:
            _queues.check_out(library.view(out), view.shape, view.dtype)
            library.copy(x, out)
        return x if out is None else out
    if view.dtype != decision.dtype:
        x = library.converted(x, decision.dtype)
        view = library.view(x)
    shape, dtype = decision.shape, decision.result_dtype
    if out is None:
        out = library.new(x, shape, dtype)
    elif library_of(out) is not library:
        raise TypeError(f"out has type {type(out).__name__}; it must be an array as x is")
    elif library is _PyTorch and (out.is_conj() or out.is_neg()):
        raise ValueError("out is a conjugate or negative view. Give a tensor of its own")
    made = library.view(out)
    _queues.check_out(made, shape, dtype)
    if made.gpu != view.gpu:
        raise ValueError(f"out is on GPU {made.gpu}; it must be on that of x, {view.gpu}")
    if 0 in shape:
        return out
    if 0 in view.shape:
        library.fill_zero(out)
        return out
    same = view.address == made.address and view.strides == made.strides
    in_place = same and view.shape == made.shape and view.dtype == made.dtype
    prepared = _device_fft.prepared(decision, view.shape, view.strides, made.strides, in_place)
    _session_of(view.gpu).enqueue(prepared, library.stream(x), view.address, made.address)
    return out


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
    if name[0] != "_" and getattr(value, "__module__", "") == __name__ and name not in ("library_of", "compute")
)
