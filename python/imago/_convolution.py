"""imago.Convolution: convolves signals with a kernel that is transformed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _queues, _words, hooks
from . import _hook_arguments as hook_arguments
from ._devices import sessions
from ._planned import Immutable
from ._types import array_method
from .fft._arguments import check_numpy


_OF_A_CALL = ("x", "out", "self")


class Convolution(Immutable):
    """Convolves arrays with a fixed kernel. Several threads may call it at once.

    - `kernel`: the array of the kernel, on the host or in CUDA's memory. One on a GPU convolves only
      arrays there, and is not copied to the host. With `of="each"` or `of="all"` the first axis counts the
      kernels (for "each": one per signal of the batch); with `channels` the next axis counts them;
    - `signal`: the lengths of a signal, an int or one int per axis of the kernel;
    - `extent`: the part of the result that is returned: "full", "same", "valid" (as in SciPy) or
      "circular";
    - `correlate`: True computes a correlation, with the conjugate of the kernel;
    - `batch`: number of signals of a call;
    - `of`: "shared" (one kernel for all signals), "each" (one kernel per signal) or "all" (each
      signal with each kernel);
    - `channels`: number of arrays of a signal and of a kernel, whose convolutions are summed;
    - `load`, `store`, `spectrum`: hooks on the elements of the signal, of the result, and of the
      spectrum after the product;
    - `blocks`: True allows block-by-block convolution of long signals;
    - `f64`: the same as for `Plan`.

    imago computes in double precision if the kernel has double precision, else in single precision.
    A convolution can be pickled and copied.

    Raises ValueError for arguments that are not allowed, NotImplementedError for a limit of imago
    or the device, and `imago.Error` if OpenCL fails.

    >>> import numpy as np, imago
    >>> smooth = imago.Convolution(np.ones(3) / 3, 6, extent="same")
    >>> smooth([0, 0, 3, 0, 0, 3]).round(6) + 0.0
    array([0., 1., 1., 1., 1., 1.])
    """

    def __init__(
        self,
        kernel: ArrayLike,
        signal: int | Sequence[int],
        *,
        extent: _words.Extent = "full",
        correlate: bool = False,
        batch: int = 1,
        of: _words.Kernels = "shared",
        channels: int = 1,
        load: Sequence[hooks.Hook] = (),
        store: Sequence[hooks.Hook] = (),
        spectrum: Sequence[hooks.Hook] = (),
        blocks: bool = True,
        f64: _words.F64 = "automatic",
    ) -> None:
        given = locals()
        self._given = {name: given[name] for name in self._DEFAULTS}
        self._lengths = lengths = _words.lengths("signal", signal)
        batch, channels = _words.whole("batch", batch), _words.whole("channels", channels)
        on_device = _queues.device_array(kernel)
        self._on_gpu = _queues.on_cuda(on_device)
        kernel = on_device if self._on_gpu else np.asarray(kernel)
        kernel = self._converted(kernel, kernel.dtype.kind == "c", self._double(kernel))
        several = of != "shared"
        leading = several + (channels > 1)
        if kernel.ndim != len(lengths) + leading:
            raise ValueError(
                f"kernel has {kernel.ndim} dimensions; it needs {len(lengths) + leading}: "
                f"{len(lengths)} for the signal"
                + (", 1 that counts the kernels" if several else "")
                + (", 1 that counts the channels" if channels > 1 else "")
            )
        if of == "each" and kernel.shape[0] != batch:
            raise ValueError(
                f"kernel.shape[0] is {kernel.shape[0]}; it must be {batch}, one kernel per signal"
            )
        if channels > 1 and kernel.shape[several] != channels:
            raise ValueError(
                f"kernel.shape[{several:d}] is {kernel.shape[several]}; it must be {channels}, one "
                "array per channel"
            )
        self._complex = kernel.dtype.kind == "c"
        self._doubles = kernel.dtype.char in "dD"
        self._kernel_dtype = kernel.dtype
        side = hook_arguments.Elements(self._complex)
        self._arguments = {
            **hook_arguments.expected_of(spectrum, hook_arguments.Elements(), _OF_A_CALL),
            **hook_arguments.expected_of((*load, *store), side, _OF_A_CALL),
        }
        fields = {
            "signal": list(lengths),
            "kernel": list(kernel.shape[leading:]),
            "extent": _words.number("extent", extent, _words.EXTENTS),
            "correlate": correlate,
            "complex": self._complex,
            "precision": _words.precision(self._doubles),
            "batch": batch,
            "of": _words.number("of", of, _words.KERNELS),
            "kernels": kernel.shape[0] if of == "all" else 1,
            "channels": channels,
            "load": load,
            "store": store,
            "spectrum": spectrum,
            "blocks": blocks,
            "f64": _words.number("f64", f64, _words.F64S),
        }
        self._fields = fields
        # The plans of GPUs; None: the one for arrays on the host.
        self._plans: dict[int | None, Any] = {}
        if self._on_gpu:
            queue, gpu = kernel.queue, kernel.gpu
            given = fields, queue.int_ptr, _queues.place(kernel, "kernel")
            self._plan = self._plans[gpu] = _core.Convolution(_queues.session_of(queue), *given)
            self._kernel = kernel.copy().owner  # the caller may change the original
        else:
            self._kernel = kernel.copy()
            session = sessions.require(self._doubles)
            self._plan = self._plans[None] = _core.Convolution(session, fields, kernel)
        front = (batch,) if batch > 1 else ()
        self._signal = front + ((channels,) if channels > 1 else ()) + lengths
        self._result = front + ((kernel.shape[0],) if of == "all" else ()) + tuple(self._plan.result)

    @staticmethod
    def _double(array: Any) -> bool:
        return array.dtype.char not in "efF"

    @staticmethod
    def _converted(array: Any, pairs: bool, double: bool) -> Any:
        types = (np.complex64, np.complex128) if pairs else (np.float32, np.float64)
        if _queues.on_cuda(array):
            return (array if array.dtype == types[double] else array.astype(types[double])).packed()
        return np.ascontiguousarray(array, types[double])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a call's input: (batch, channels, lengths), without axes of length 1."""
        return self._signal

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Shape of a call's result: (batch, kernels, lengths)."""
        return self._result

    @property
    def points(self) -> tuple[int, ...]:
        """Lengths of the padded array, or of a block; hooks get indices in this array."""
        return tuple(self._plan.points)

    def describe(self) -> str:
        """Returns a description of a call: one line per step."""
        return self._plan.describe()

    def __repr__(self) -> str:
        return self._repr(f"<kernel of {self._kernel_dtype}, shape {tuple(self._kernel.shape)}>")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._kernel, self._lengths, self._given)

    @array_method
    def __call__(self, x: Any, out: Any = None, **arguments: Any) -> Any:
        """Returns the convolution of x, an array of shape `shape`.

        The result is written to `out` if it is given. `arguments` are the arguments of the hooks.

        For an array of CuPy, PyTorch or JAX in CUDA's memory, the call is enqueued in the stream that
        is current in its library, and returns an array of that library. Arrays for the hooks must be
        on the same GPU.

        Raises ValueError for another shape of x or out, and TypeError for complex x if the kernel
        is real.
        """
        on_device = _queues.device_array(x)
        on_cuda = _queues.on_cuda(on_device)
        x = on_device if on_cuda else np.asarray(x)
        if x.shape != self._signal:
            raise ValueError(f"x has shape {x.shape}; this convolution needs {self._signal}")
        if x.dtype.kind == "c" and not self._complex:
            raise TypeError("x is complex and the kernel is real. Give a complex kernel, or x.real")
        x = self._converted(x, self._complex, self._doubles)
        plan = self._plan_for(x.gpu if on_cuda else None, x)
        if on_cuda:
            return self._enqueued(plan, x, out, arguments)
        if out is None:
            out = np.empty(self._result, self._kernel_dtype)
        check_numpy(out)
        if out.shape != self._result or out.dtype != self._kernel_dtype:
            raise ValueError(
                f"out has shape {out.shape} and dtype {out.dtype}; this convolution needs "
                f"{self._result} and {self._kernel_dtype}"
            )
        if np.may_share_memory(x, out):
            raise ValueError("x and out overlap in memory. Give an out with memory of its own.")
        given = {
            name: hook_arguments.on_host(name, value, self._arguments.get(name), self._doubles)
            for name, value in arguments.items()
        }
        plan.run(x, out, given)
        return out

    def _plan_for(self, gpu: int | None, x: Any) -> Any:
        """Returns the plan for arrays on a GPU; None: on the host."""
        plan = self._plans.get(gpu)
        if plan is None and self._on_gpu:
            place = "the host" if gpu is None else f"GPU {gpu}"
            raise ValueError(
                f"x is on {place} and the kernel on GPU {next(iter(self._plans))}. Copy x there, or "
                "make the convolution with a kernel on the host, which computes arrays anywhere."
            )
        if plan is None:
            session = _queues.session_of(x.queue)
            plan = self._plans[gpu] = _core.Convolution(session, self._fields, self._kernel)
        return plan

    def _enqueued(self, plan: Any, x: Any, out: Any, arguments: dict[str, Any]) -> Any:
        """Enqueues a call on an array in CUDA's memory."""
        queue, arrays = x.queue, [x]
        given = {
            name: hook_arguments.on_device(
                name, value, self._arguments.get(name), self._doubles, x, arrays
            )
            for name, value in arguments.items()
        }
        made = _queues.new_or_given(out, self._result, self._kernel_dtype, x, queue=None)
        if out is not None:
            _queues.check_apart(x, made)
        places = _queues.packed_place(x, "x"), _queues.packed_place(made, "out")
        return _queues.finish(made, plan.enqueue(queue.int_ptr, *places, given, None))


def _again(kernel: NDArray[Any], signal: tuple[int, ...], given: dict[str, Any]) -> Convolution:
    """Creates a convolution from its pickle."""
    return Convolution(kernel, signal, **given)
