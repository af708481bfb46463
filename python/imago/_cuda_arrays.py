"""Arrays in CUDA's memory, of CuPy, PyTorch and JAX, as imago's functions see them.

`array_of` returns an `Array`, which has the members of pyopencl's arrays that imago uses. So the
functions for arrays on a device compute both kinds. Nothing is copied: an `Array` is an address in the
library's memory, and its queue is the stream that is current in that library, on the array's GPU.

JAX has no current stream, and its arrays cannot be written. imago computes on them in a stream that
JAX lends for such work. By DLPack's argument `stream`, that stream waits for JAX's computations, and
JAX's for imago's; the host does not wait. A result is a new array in JAX's own memory.
"""

from __future__ import annotations

import collections
import functools
import importlib
import math
import os
import threading
from typing import Any, NamedTuple

import numpy as np

from . import _core


class Gpu(NamedTuple):
    """A GPU in use."""

    core: _core.CudaSession
    session: _core.Session


class Queue:
    """A stream, with the members of pyopencl's queues that imago uses."""

    __slots__ = ("gpu", "stream", "_handle")

    def __init__(self, gpu: int, stream: int) -> None:
        self.gpu, self.stream = gpu, stream
        self._handle = gpu_of(gpu).core.queue(stream)

    @property
    def int_ptr(self) -> int:
        return self._handle.int_ptr

    def is_captured(self) -> bool:
        """Returns True while a graph captures the stream."""
        return gpu_of(self.gpu).core.is_capturing(self.stream)


class Array:
    """An array in CUDA's memory, with the members of pyopencl's arrays that imago uses."""

    __slots__ = (
        "owner", "library", "shape", "dtype", "strides", "address", "gpu", "stream", "_parts", "_buffer"
    )  # fmt: skip

    events = ()
    offset = 0
    allocator = None

    def __init__(
        self, library: Any, owner: Any, shape: tuple[int, ...], dtype: np.dtype[Any],
        strides: tuple[int, ...], address: int, gpu: int, stream: int,
    ) -> None:  # fmt: skip
        self.library, self.owner, self._parts = library, owner, None
        self.shape, self.dtype, self.strides = shape, dtype, strides  # strides in bytes
        self.address, self.gpu, self.stream = address, gpu, stream
        self._buffer = None

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def flags(self) -> Array:
        return self

    @property
    def c_contiguous(self) -> bool:
        step = self.dtype.itemsize
        for n, stride in zip(self.shape[::-1], self.strides[::-1]):
            if n > 1 and stride != step:
                return False
            step *= n
        return True

    @property
    def base_data(self) -> _core.CudaBuffer:
        if self._buffer is None:
            self._buffer = gpu_of(self.gpu).core.buffer(self.address)  # as long as this object
        return self._buffer

    @property
    def queue(self) -> Queue:
        return Queue(self.gpu, self.stream)

    def _own(self) -> Any:
        """Returns the library's array."""
        return self.owner if self._parts is None else self.owner[self._parts]

    def _again(self, owner: Any) -> Array:
        return self.library.view(owner, self.stream)

    def astype(self, dtype: Any, queue: Any = None) -> Array:
        return self._again(self.library.converted(self._own(), np.dtype(dtype)))

    def packed(self) -> Array:
        """Returns the array, or if it is not contiguous, a copy on its GPU."""
        return self if self.c_contiguous else self.copy()

    def copy(self) -> Array:
        return self._again(self.library.copied(self._own()))

    def fill(self, value: int, queue: Any = None, wait_for: Any = None) -> None:
        assert value == 0
        self.library.fill_zero(self._own())

    def with_zeros(self, axis: int, before: int, behind: int) -> Array:
        """Returns a new array with zeros along an axis."""
        return self._again(self.library.padded(self._own(), axis, before, behind))

    def __getitem__(self, parts: Any) -> Array:
        """Returns the view of a slice, or of a tuple of slices, with steps of 1."""
        assert self._parts is None
        parts = parts if isinstance(parts, tuple) else (parts,)
        shape, address = list(self.shape), self.address
        for axis, part in enumerate(parts):
            first, end, _ = part.indices(self.shape[axis])
            shape[axis] = max(0, end - first)
            address += first * self.strides[axis]
        made = Array(
            self.library, self.owner, tuple(shape), self.dtype, self.strides, address, self.gpu,
            self.stream,
        )  # fmt: skip
        made._parts = parts
        return made


@functools.lru_cache(maxsize=None)
def _module(name: str) -> Any:
    """Returns the module of a library that a program has imported."""
    return importlib.import_module(name)


class _CuPy:
    """Arrays of CuPy."""

    remedy = "x.get()"
    """The expression for a copy of x on the host."""
    can_be_warm = True
    """`imago.cuda` finds the transform by `outline`, without a view."""

    @classmethod
    def view(cls, x: Any, stream: int) -> Array:
        return Array(cls, x, *cls.outline(x), *cls.place(x), stream)

    @staticmethod
    def outline(x: Any) -> tuple[Any, Any, Any]:
        """Returns the shape, type and strides of x, as the library has them."""
        return x.shape, x.dtype, x.strides

    @staticmethod
    def as_numpy(shape: Any, dtype: Any, strides: Any) -> tuple[Any, Any, Any]:
        """Returns an outline as NumPy has it; the type None: a type that imago does not compute."""
        return shape, dtype, strides

    @staticmethod
    def place(x: Any) -> tuple[int, int]:
        """Returns the address, and the number of the GPU in CUDA."""
        memory = x.data
        return memory.ptr, memory.device_id

    @staticmethod
    def stream(x: Any) -> int:
        return _module("cupy").cuda.get_current_stream(x.data.device_id).ptr

    @staticmethod
    def resolved(x: Any) -> Any:
        return x

    @staticmethod
    def check_written(out: Any) -> None:
        pass

    @staticmethod
    def new(x: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        make = _module("cupy").empty
        made = make(shape, dtype)  # on the current GPU: to change it takes longer
        if made.data.device_id == x.data.device_id:
            return made
        with x.device:
            return make(shape, dtype)

    @staticmethod
    def result(made: Array) -> Any:
        return made.owner

    @staticmethod
    def converted(x: Any, dtype: np.dtype[Any]) -> Any:
        with x.device:
            return x.astype(dtype)

    @staticmethod
    def copied(x: Any) -> Any:
        with x.device:
            return x.copy(order="C")

    @staticmethod
    def fill_zero(x: Any) -> None:
        with x.device:
            x.fill(0)

    @staticmethod
    def copy(x: Any, out: Any) -> None:
        with x.device:
            out[...] = x

    @staticmethod
    def padded(x: Any, axis: int, before: int, behind: int) -> Any:
        import cupy

        with x.device:
            return cupy.pad(x, [(before, behind) if d == axis else (0, 0) for d in range(x.ndim)])

    @staticmethod
    def from_host(x: Any, values: Any) -> Any:
        import cupy

        with x.device:
            return cupy.asarray(values)

    @staticmethod
    def shifted(x: Any, axes: Any, back: bool) -> Any:
        import cupy

        with x.device:
            return (cupy.fft.ifftshift if back else cupy.fft.fftshift)(x, axes)


class PyTorch:
    """Tensors of PyTorch on CUDA devices."""

    remedy = "x.cpu().numpy()"

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def _types() -> dict[Any, np.dtype[Any]]:
        import torch

        names = (
            "float16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint32 uint64 "
            "bool"
        ).split()
        return {getattr(torch, name): np.dtype(name) for name in names if hasattr(torch, name)}

    @classmethod
    @functools.lru_cache(maxsize=None)
    def _own_types(cls) -> dict[np.dtype[Any], Any]:
        return {dtype: own for own, dtype in cls._types().items()}

    can_be_warm = True

    @classmethod
    def view(cls, x: Any, stream: int) -> Array:
        shape, dtype, strides = cls.as_numpy(*cls.outline(x))
        if dtype is None:
            raise TypeError(f"x has dtype {x.dtype}; convert it with x.to(torch.float32)")
        return Array(cls, x, shape, dtype, strides, *cls.place(x), stream)

    @staticmethod
    def outline(x: Any) -> tuple[Any, Any, Any]:
        if x.requires_grad:
            raise NotImplementedError(
                "x requires a gradient, which this function does not compute. Use imago.torch, or "
                "x.detach()"
            )
        return x.shape, x.dtype, x.stride()

    @classmethod
    def as_numpy(cls, shape: Any, dtype: Any, strides: Any) -> tuple[Any, Any, Any]:
        found = cls._types().get(dtype)
        step = found.itemsize if found else 1
        return tuple(shape), found, tuple(step * stride for stride in strides)

    @staticmethod
    def place(x: Any) -> tuple[int, int]:
        return x.data_ptr(), x.get_device()

    @staticmethod
    def stream(x: Any) -> int:
        return _module("torch._C")._cuda_getCurrentRawStream(x.get_device())

    @staticmethod
    def resolved(x: Any) -> Any:
        """Returns a tensor of values, without flags that change their signs."""
        return x.resolve_conj().resolve_neg() if x.is_conj() or x.is_neg() else x

    @staticmethod
    def check_written(out: Any) -> None:
        if out.is_conj() or out.is_neg():
            raise ValueError("out is a conjugate or negative view. Give a tensor of its own")

    @classmethod
    def new(cls, x: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return x.new_empty(shape, dtype=cls._own_types()[dtype])

    @staticmethod
    def result(made: Array) -> Any:
        return made.owner

    @staticmethod
    def converted(x: Any, dtype: np.dtype[Any]) -> Any:
        import torch

        return x.to(getattr(torch, dtype.name))

    @staticmethod
    def copied(x: Any) -> Any:
        import torch

        return x.clone(memory_format=torch.contiguous_format)

    @staticmethod
    def fill_zero(x: Any) -> None:
        x.zero_()

    @staticmethod
    def copy(x: Any, out: Any) -> None:
        out.copy_(x)

    @staticmethod
    def padded(x: Any, axis: int, before: int, behind: int) -> Any:
        shape = list(x.shape)
        shape[axis] += before + behind
        out = x.new_zeros(shape)
        out.narrow(axis, before, x.shape[axis]).copy_(x)
        return out

    @staticmethod
    def from_host(x: Any, values: Any) -> Any:
        import torch

        return torch.from_numpy(values).to(x.device)

    @staticmethod
    def shifted(x: Any, axes: Any, back: bool) -> Any:
        import torch

        return (torch.fft.ifftshift if back else torch.fft.fftshift)(x, axes)


class _Jax:
    """Arrays of JAX on CUDA devices."""

    remedy = "numpy.asarray(x)"
    can_be_warm = False

    # Memory in use by calls of this thread; and by earlier calls, with the event of their end. JAX
    # does not know that imago's stream reads it.
    _held = threading.local()
    _pending: collections.deque[tuple[Any, list[Any]]] = collections.deque()
    _lock = threading.Lock()

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def _place(device: Any) -> tuple[int, int]:
        """Returns the number of a GPU in CUDA, and the stream of imago's calls there."""
        if not hasattr(device, "local_hardware_id"):
            raise ValueError(
                f"x is distributed ({device}); imago computes arrays of one device. Give the data of "
                "x.addressable_shards"
            )
        return device.local_hardware_id, device.get_stream_for_external_ready_events()

    @classmethod
    def view(cls, x: Any, stream: int) -> Array:
        gpu, _ = cls._place(x.device)
        held = _core.DlpackArray(x.__dlpack__(stream=stream))
        if not hasattr(cls._held, "arrays"):
            cls._held.arrays = []
        cls._held.arrays.append((x, held))
        return Array(cls, x, x.shape, np.dtype(x.dtype), held.strides, held.address, gpu, stream)

    @classmethod
    def stream(cls, x: Any) -> int:
        return cls._place(x.device)[1]

    @staticmethod
    def resolved(x: Any) -> Any:
        return x

    @staticmethod
    def check_written(out: Any) -> None:
        raise TypeError("out is an array of JAX, which cannot be written. Leave out the argument")

    @staticmethod
    @functools.lru_cache(maxsize=1024)
    def _maker(shape: tuple[int, ...], dtype: np.dtype[Any], device: Any) -> Any:
        import jax

        where = jax.sharding.SingleDeviceSharding(device)
        return jax.jit(lambda: jax.numpy.zeros(shape, dtype), out_shardings=where)

    @classmethod
    def new(cls, x: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return cls._maker(tuple(shape), dtype, x.device)()

    @classmethod
    def result(cls, made: Array) -> Any:
        """Returns an array with the memory of `made`, for which JAX's computations wait."""
        import jax

        core = gpu_of(made.gpu).core
        result = jax.dlpack.from_dlpack(_Exported(made, core)) if made.size else made.owner
        held, cls._held.arrays = cls._held.arrays, []
        with cls._lock:
            cls._pending.append((core.event(made.stream), held))
            while cls._pending and cls._pending[0][0].done:
                cls._pending.popleft()
        return result

    @staticmethod
    def converted(x: Any, dtype: np.dtype[Any]) -> Any:
        return x.astype(dtype)

    @staticmethod
    def copied(x: Any) -> Any:
        return x.copy()

    @staticmethod
    def fill_zero(x: Any) -> None:
        pass  # new arrays are zero, and others are not written

    @staticmethod
    def copy(x: Any, out: Any) -> None:
        _Jax.check_written(out)

    @staticmethod
    def padded(x: Any, axis: int, before: int, behind: int) -> Any:
        import jax

        return jax.numpy.pad(x, [(before, behind) if d == axis else (0, 0) for d in range(x.ndim)])

    @staticmethod
    def from_host(x: Any, values: Any) -> Any:
        import jax

        return jax.device_put(values, x.device)

    @staticmethod
    def shifted(x: Any, axes: Any, back: bool) -> Any:
        import jax

        return (jax.numpy.fft.ifftshift if back else jax.numpy.fft.fftshift)(x, axes)


class _Exported:
    """A result that JAX imports by DLPack. JAX's stream waits for imago's."""

    def __init__(self, made: Array, core: _core.CudaSession) -> None:
        self._made, self._core = made, core

    def __dlpack_device__(self) -> Any:
        return self._made.owner.__dlpack_device__()

    def __dlpack__(self, *, stream: int | None = None, **others: Any) -> Any:
        legacy = 1  # cudaStreamLegacy, which None means
        stream = legacy if stream is None else stream
        if stream != self._made.stream:
            self._core.wait(stream, self._made.stream)
        return self._made.owner.__dlpack__(stream=stream)


_libraries: dict[str, Any] = {"cupy": _CuPy, "torch": PyTorch, "jaxlib": _Jax}
NAMES = tuple(_libraries)
"""Names of the modules that have the arrays' types."""
_of_type: dict[type, Any] = {}  # found once for each type, because each call asks twice


def library_of(x: Any) -> Any:
    """Returns the library of an array in CUDA's memory; None for other objects."""
    of = type(x)
    if of not in _of_type:
        name = of.__module__.partition(".")[0]
        _of_type[of] = _libraries.get(name) if hasattr(of, "__cuda_array_interface__") else None
    found = _of_type[of]
    if found is PyTorch:
        return found if x.is_cuda else None
    if found is _Jax:
        return found if x.platform() == "gpu" else None
    return found


def array_of(x: Any) -> Array | None:
    """Returns the Array of a library's array; None for other objects."""
    library = library_of(x)
    return library and library.view(library.resolved(x), library.stream(x))


_constants: collections.OrderedDict[Any, Any] = collections.OrderedDict()
_MOST_CONSTANTS = 64


def constant(x: Any, values: np.ndarray[Any, Any]) -> Any:
    """Returns values as a library's array on the GPU of its array x, in the precision of x. They are
    cached, so that later calls copy nothing. For other x, returns the values as they are."""
    library = library_of(x)
    if library is None:
        return values
    double = str(x.dtype).endswith(("float64", "complex128"))
    key = type(x), str(x.device), double, values.shape, values.tobytes()
    with _lock:
        found = _constants.pop(key, None)
    if found is None:
        found = library.from_host(x, values.astype(np.float64 if double else np.float32))
    with _lock:
        _constants[key] = found
        if len(_constants) > _MOST_CONSTANTS:
            _constants.popitem(last=False)
    return found


_lock = threading.Lock()
_gpus: dict[int, Gpu] = {}


def _after_fork() -> None:
    global _lock
    _lock, _Jax._lock = threading.Lock(), threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def gpu_of(number: int) -> Gpu:
    """Returns a GPU, by its number in CUDA."""
    gpu = _gpus.get(number)
    if gpu is None:
        with _lock:
            gpu = _gpus.get(number)
            if gpu is None:
                core = _core.CudaSession(number)
                gpu = _gpus[number] = Gpu(core, core.session)
    return gpu
