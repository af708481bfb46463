"""The common part of imago.Plan and imago.Filter: arrays are checked, converted and computed."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core, _queues, _words, hooks
from . import _hook_arguments as hook_arguments


@dataclasses.dataclass(frozen=True)
class Layout:
    """Layout of one array of a `Plan` or `Filter`, in elements. Default: packed.

    `strides`: one per dimension; `distance`: between batch elements; `offset`: index of the first
    element. `storage` "real": the array holds only the real parts of complex data.
    """

    strides: tuple[int, ...] = ()
    distance: int = 0
    offset: int = 0
    storage: Literal["interleaved", "real"] = "interleaved"


_OF_A_CALL = ("signal", "spectrum", "out", "wait_for", "self")


def _precision_of(dtype: DTypeLike) -> np.dtype[Any]:
    """Returns the type of the numbers in arrays of this type, in native byte order."""
    given = np.dtype(dtype)
    real = np.zeros(0, given).real.dtype if given.kind == "c" else given
    return real.newbyteorder("=")


class _Side:
    """The array of one side of one direction: its shape (None if unknown), type and rank."""

    def __init__(
        self, shape: tuple[int, ...] | None, dtype: np.dtype[Any] | None, rank: int
    ) -> None:
        self.shape, self.dtype, self.rank = shape, dtype, rank


class Immutable:
    """Common base of plans, which are their own copies and print their arguments."""

    _DEFAULTS: Mapping[str, Any]
    """Defaults of the constructor's named arguments, without `queue`."""
    _given: dict[str, Any]
    _lengths: tuple[int, ...]

    def __init_subclass__(cls) -> None:
        parameters = inspect.signature(cls.__init__).parameters.items()
        named = {n: p.default for n, p in parameters if p.kind is p.KEYWORD_ONLY and n != "queue"}
        cls._DEFAULTS = {n: "float32" if n == "dtype" else default for n, default in named.items()}

    def _repr(self, *first: str) -> str:
        lengths = self._lengths[0] if len(self._lengths) == 1 else self._lengths
        given = [f"{k}={v!r}" for k, v in self._given.items() if k != "recipe" and v != self._DEFAULTS[k]]
        return f"imago.{type(self).__name__}({', '.join([*first, repr(lengths), *given])})"

    def __repr__(self) -> str:
        return self._repr()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


class Planned(Immutable):
    """Common base of `Plan` and `Filter`, which checks and converts arrays, and computes."""

    _plan: Any

    def __init__(
        self,
        lengths: int | Sequence[int],
        kind: str | Sequence[str],
        dtype: DTypeLike,
        *,
        batch: int,
        in_place: bool,
        layouts: tuple[Layout, Layout],
        ends: Mapping[tuple[bool, str], Sequence[hooks.Hook]],
        spectrum: Sequence[hooks.Hook] | None = None,
        queue: Any,
    ) -> None:
        self._lengths = _words.lengths("lengths", lengths)
        self._kinds = self._kinds_of(kind, len(self._lengths))
        # Cosine and sine transforms of real numbers; "identity" axes keep real numbers real.
        self._of_pairs = bool({"complex", "real"} & {*self._kinds}) or {*self._kinds} == {"identity"}
        self._batch, self._in_place, self._spectrum = batch, in_place, spectrum
        self._layouts = layouts
        self._precision = _precision_of(dtype)
        self._given["dtype"] = self._precision.name
        self._hooks = {end: tuple(listed) for end, listed in ends.items()}
        self._arguments = self._argument_types()
        self._queue = queue
        self._sides: dict[tuple[bool, bool], _Side] = {}
        self._on_cuda: dict[int, Any] = {}  # plans for arrays in CUDA's memory, by GPU

    def _make(self, core: Any, fields: dict[str, Any]) -> None:
        """Makes the plan, from its type in _core and the fields of its description."""
        self._core, self._described = core, fields
        self._plan = core(self._session(self._queue), fields)

    def _fields(self) -> dict[str, Any]:
        """Returns the fields that the library's descriptions of transforms and filters share."""
        return {
            "axes": [_words.number("kind", k, _words.KINDS) for k in self._kinds],
            "precision": _words.number("dtype", self._precision.name, _words.PRECISIONS),
            "lengths": list(self._lengths),
            "batch": self._batch,
            "in_place": self._in_place,
            "signal": self._layouts[False],
            "recipe": self._given["recipe"],
            "deterministic": self._given["deterministic"],
            "reproducible": self._given.get("reproducible", False),
            "f64": _words.number("f64", self._given["f64"], _words.F64S),
        }

    @property
    def signal_bytes(self) -> int:
        """Bytes of the smallest array that holds the signals; in place, also the results."""
        return self._plan.signal_bytes

    @property
    def workspace_bytes(self) -> int:
        """Bytes of the workspace on the device; 0 if none is needed."""
        return self._plan.workspace_bytes

    @property
    def table_bytes(self) -> int:
        """Bytes of constant tables on the device, which plans share."""
        return self._plan.table_bytes

    def describe(self) -> str:
        """Returns a line for each step: algorithm, kernel, parameters, bytes moved.

        >>> import imago
        >>> "64" in imago.Plan(64).describe()
        True
        """
        return self._plan.describe()

    def recipe(self) -> str:
        """Returns the plan's choices as one line of JSON, for the argument `recipe`.

        A plan with this recipe makes the same choices. It raises NotImplementedError if it would
        have other kernels.

        >>> import imago
        >>> plan = imago.Plan(64)
        >>> imago.Plan(64, recipe=plan.recipe()).sources() == plan.sources()
        True
        """
        return self._plan.recipe()

    def sources(self) -> list[tuple[str, str, str]]:
        """Returns the kernels: name, OpenCL C source and compiler options of each."""
        return self._plan.sources()

    @staticmethod
    def _kinds_of(kind: str | Sequence[str], rank: int) -> tuple[str, ...]:
        if not isinstance(kind, str):
            return tuple(kind) if isinstance(kind, Iterable) else (kind,)
        if kind == "real" and rank > 0:
            return ("complex",) * (rank - 1) + ("real",)
        return (kind,) * rank

    def __reduce__(self) -> tuple[Any, ...]:
        if self._queue is not None:
            raise TypeError("a plan with a queue cannot be pickled or copied: its memory is the queue's")
        return _made_again, (type(self), self._lengths, {**self._given, "recipe": self.recipe()})

    def _session(self, queue: Any) -> _core.Session:
        return _queues.session_for(self._precision == np.float64, queue)

    def _holds(self, inverse: bool, store: bool) -> _Side:
        """Returns the array that a direction reads, or writes if `store`."""
        side = self._sides.get((inverse, store))
        if side is None:
            side = self._sides[inverse, store] = self._side(inverse, store)
        return side

    def _side(self, inverse: bool, store: bool) -> _Side:
        spectrum = inverse != store
        real = "real" in self._kinds
        pairs = self._of_pairs
        if real and (not spectrum or self._spectrum is not None):
            pairs = False
        layout = self._layouts[spectrum]
        pairs = pairs and layout.storage != "real"
        dtype = self._precision
        known = not layout.strides and not layout.offset and not layout.distance
        known = known and not (self._in_place and real)
        for hook in self._hooks[inverse, "store" if store else "load"]:
            if isinstance(hook, hooks.Stored):
                dtype = np.dtype(hook.type)
            elif isinstance(hook, hooks.Power):
                pairs = False
            elif isinstance(
                hook, (hooks.Accumulate, hooks.Frames, hooks.WeightedSum, hooks.ZeroOutside)
            ):
                known = False
        shape = list(self._lengths)
        if real and spectrum and self._spectrum is None:
            axis = self._kinds.index("real")
            shape[axis] = shape[axis] // 2 + 1
        if self._batch > 1:
            shape.insert(0, self._batch)
        rank = len(self._lengths)
        if pairs and dtype.kind == "f" and dtype.itemsize > 2:
            dtype = np.dtype(f"c{2 * dtype.itemsize}")
        elif pairs:
            shape.append(2)
            rank += 1
        return _Side(tuple(shape) if known else None, dtype, rank)

    def _elements(self, spectrum: bool) -> hook_arguments.Elements:
        """Returns the elements that hooks of a side process: their type, and the shape."""
        real = "real" in self._kinds
        pairs = self._of_pairs if not real else spectrum
        shape = list(self._lengths)
        if real and spectrum:
            axis = self._kinds.index("real")
            shape[axis] = shape[axis] // 2 + 1
        return hook_arguments.Elements(pairs, shape, self._batch)

    def _argument_types(self) -> dict[str, hook_arguments.Expected]:
        """Returns the requirements of each argument of the hooks."""
        types: dict[str, hook_arguments.Expected] = {}
        filtered = self._spectrum is not None
        sides = [
            (listed, (inverse != (end == "store")) and not filtered)
            for (inverse, end), listed in self._hooks.items()
        ]
        for listed, spectrum in [*sides, (self._spectrum or (), True)]:
            expected = hook_arguments.expected_of(listed, self._elements(spectrum), _OF_A_CALL)
            for name, needed in expected.items():
                if types.setdefault(name, needed) != needed:  # two hooks use the name
                    types[name] = hook_arguments.Expected(needed.type)
        return types

    def _call(
        self, inverse: bool, x: Any, out: Any, wait_for: Any, arguments: Mapping[str, Any]
    ) -> Any:
        on_device = _queues.device_array(x)
        if self._queue is not None:
            return self._call_in_queue(inverse, x, out, wait_for, arguments)
        if _queues.on_cuda(on_device):
            return self._call_on_cuda(inverse, on_device, out, wait_for, arguments)
        if on_device is not None:
            raise TypeError(
                "x is a pyopencl.array.Array; this plan computes NumPy's arrays. Make it with queue=, "
                "or give x.get()"
            )
        x = np.asarray(x)
        read, made = self._holds(inverse, False), self._holds(inverse, True)
        if not self._in_place and not x.dtype.isnative:
            x = x.astype(x.dtype.newbyteorder("="))
        self._check("x", x, read)
        if self._in_place:
            out = x
            self._check_written("x", x)
        else:
            x = np.ascontiguousarray(x)
            if out is None:
                out = np.empty(*self._new(made))
            elif not isinstance(out, np.ndarray):
                raise TypeError(f"out is {type(out).__name__}: a numpy.ndarray")
            self._check("out", out, made)
            self._check_written("out", out)
        if not self._in_place and np.may_share_memory(x, out):
            raise ValueError("x and out overlap: give out memory of its own")
        double = self._precision == np.float64
        given = {
            name: hook_arguments.on_host(name, value, self._arguments.get(name), double)
            for name, value in arguments.items()
        }
        # Memory is passed unchanged, because the plan knows its layout.
        self._plan.run(inverse, x, out, given)
        return out

    @staticmethod
    def _check_written(name: str, array: NDArray[Any]) -> None:
        if not array.flags.writeable:
            raise ValueError(f"{name} is read-only: give an array that can be written ({name}.copy())")
        if not array.flags.c_contiguous:
            raise ValueError(
                f"{name} is not contiguous, and is written in place: give a C-contiguous array "
                f"({name}.copy()), or a plan with a Layout"
            )

    def _check(self, name: str, array: Any, side: _Side) -> None:
        if array.dtype != side.dtype:
            remedy = "numpy.empty(.., {0!r})" if name == "out" else name + ".astype({0!r})"
            raise TypeError(
                f"{name} has dtype {array.dtype}, and this plan needs {side.dtype}: give "
                + remedy.format(str(side.dtype))
            )
        if array.size == 0:
            raise ValueError(f"{name} is empty, of shape {array.shape}: it must have elements")
        if side.shape is None or array.size == math.prod(side.shape) and (
            array.ndim == 1 or array.shape[-side.rank :] == side.shape[-side.rank :]
        ):
            return
        raise ValueError(
            f"{name} has shape {array.shape}, and this plan needs {side.shape} (lengths "
            f"{self._lengths}, batch {self._batch})"
        )

    def _new(self, side: _Side) -> tuple[tuple[int, ...], np.dtype[Any]]:
        if side.shape is None or side.dtype is None:
            raise ValueError(
                "out is missing: with layouts, boxes, frames or accumulate() give an array to write"
            )
        return side.shape, side.dtype

    def _call_in_queue(
        self, inverse: bool, x: Any, out: Any, wait_for: Any, arguments: Mapping[str, Any]
    ) -> Any:
        import pyopencl as cl
        import pyopencl.array

        _core.use_driver()
        for name, array in (("x", x), ("out", x if out is None else out)):
            if not isinstance(array, cl.array.Array):
                raise TypeError(
                    f"{name} is {type(array).__name__}, and this plan has a queue and needs a "
                    "pyopencl.array.Array: give pyopencl.array.to_device(queue, x)"
                )
        self._check("x", x, self._holds(inverse, False))
        made = self._holds(inverse, True)
        if self._in_place:
            out = x
        elif out is None:
            out = cl.array.empty(self._queue, *self._new(made), allocator=x.allocator)
        else:
            self._check("out", out, made)
        return self._enqueued(self._plan, self._queue, inverse, x, out, wait_for, arguments)

    def _call_on_cuda(
        self, inverse: bool, x: Any, out: Any, wait_for: Any, arguments: Mapping[str, Any]
    ) -> Any:
        self._check("x", x, self._holds(inverse, False))
        queue = x.queue
        made = self._holds(inverse, True)
        if self._in_place:
            x.library.check_written(x.owner)
            if not x.c_contiguous:
                raise ValueError(
                    "x is not contiguous, and is written in place: give a C-contiguous array, or a "
                    "plan with a Layout"
                )
            out = x
        else:
            x = x.packed()
            if out is None:
                out = _queues.new_or_given(None, *self._new(made), x, None)
            else:
                out = _queues.given(out, x)
                self._check("out", out, made)
                _queues.check_apart(x, out)
        plan = self._on_cuda.get(x.gpu)
        if plan is None:
            plan = self._on_cuda[x.gpu] = self._core(_queues.session_of(queue), self._described)
        return self._enqueued(plan, queue, inverse, x, out, wait_for, arguments)

    def _enqueued(
        self, plan: Any, queue: Any, inverse: bool, x: Any, out: Any, wait_for: Any,
        arguments: Mapping[str, Any],
    ) -> Any:  # fmt: skip
        """Enqueues a call on checked arrays of a device, and returns `out`."""
        arrays = [x, out]
        double = self._precision == np.float64
        given = {
            name: hook_arguments.on_device(
                name, value, self._arguments.get(name), double, x, arrays
            )
            for name, value in arguments.items()
        }
        places = _queues.packed_place(x, "x"), _queues.packed_place(out, "out")
        waits = _queues.waits(arrays, wait_for)
        event = plan.enqueue(queue.int_ptr, inverse, *places, given, waits)
        return _queues.finish(out, event)


def _made_again(made: type[Planned], lengths: tuple[int, ...], given: dict[str, Any]) -> Planned:
    """Returns a plan or a filter from its pickle."""
    try:
        return made(lengths, **given)
    except (ValueError, NotImplementedError):
        return made(lengths, **{**given, "recipe": None})
