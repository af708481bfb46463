"""finufft's class of plans."""

from __future__ import annotations

import dataclasses
import functools
import numbers
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core, _queues
from .._types import array_method
from . import _arrays, _transform

if TYPE_CHECKING:
    from typing_extensions import Unpack

_TYPE_2, _TYPE_3 = 2, 3
_ARGUMENTS = (
    "nufft_type", "n_modes_or_dim", "n_trans", "eps", "isign", "dtype", "coordinates", "points"
)  # fmt: skip
"""Arguments of a plan, without its queue and options."""


def modes_of(n_modes: Any, name: str = "n_modes") -> tuple[int, ...]:
    """Returns the numbers of modes. Raises ArgumentError for values that are not allowed."""
    several = (n_modes,) if isinstance(n_modes, numbers.Integral) else n_modes
    if not isinstance(several, (tuple, list, np.ndarray)):
        raise _arrays.ArgumentError(f"{name} is {n_modes!r}; it must be a tuple or a whole number")
    if not 1 <= len(several) <= 3:
        raise _arrays.ArgumentError(f"{name} is {n_modes!r}; it must have 1, 2 or 3 elements")
    if not all(isinstance(n, numbers.Integral) and n > 0 for n in several):
        raise _arrays.ArgumentError(f"{name} is {n_modes!r}; it must have whole numbers above 0")
    return tuple(int(n) for n in several)


@dataclasses.dataclass(frozen=True)
class Step:
    """Predicted launches and time of a step of a plan."""

    kernels: int
    """Launches of one call."""
    seconds: float
    """Predicted time of one call in seconds; use it for comparisons only."""


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Choices and predicted requirements of a plan, from `Plan.estimate`."""

    width: int
    """Number of cells along an axis that a point is spread over."""
    upsampling: float
    """Least number of cells of the grid for a mode of an axis."""
    grid: tuple[int, ...]
    """Lengths of the grid, in the order of the modes."""
    eps: float
    """The tolerance that is used: the largest error."""
    predicted_error: float
    """Upper bound of the error without rounding."""
    bins: int
    """Number of bins by which points are sorted."""
    tile: tuple[int, ...]
    """Cells of a bin's tile along each axis, in the order of the modes."""
    vectors: bool
    """True: kernels with vectors, as on CPUs. False: with work-groups, as on GPUs."""
    points: int
    """Number of points."""
    points_bytes: int
    """Bytes of the strengths."""
    modes_bytes: int
    """Bytes of the modes."""
    workspace_bytes: int
    """Bytes of device memory for the grid, the sorted points and the workspace."""
    setpts: Step
    """The step `Plan.setpts`."""
    type1: Step
    """A type 1: `execute` or `execute_adjoint`."""
    type2: Step
    """A type 2: `execute` or `execute_adjoint`."""


class Plan:
    """A plan of nonuniform transforms, with finufft's arguments.

    - `nufft_type`: 1, from points to modes; 2, from modes to points; 3, from points to frequencies;
    - `n_modes_or_dim`: numbers of modes, a tuple of 1 to 3, or a number for one axis. For type 3
      the number of axes;
    - `n_trans`: number of vectors of strengths or modes in one call;
    - `eps`: the tolerance: the error's norm, relative to the result's for random data. Default:
      1e-6, or the smallest that the precision reaches for these modes, if that is larger;
    - `isign`: the exponent's sign. Default: -1 for type 2, and +1 for the others;
    - `dtype`: "complex64" or "complex128", of strengths and modes;
    - `modeord`: 0, frequencies in increasing order, or 1, frequency 0 first;
    - `coordinates`: type of the coordinates: float32 or float64 (radians), or uint32, int32, uint64
      or int64 (fractions of a period, not for type 3). Default: the precision of `dtype`; integers
      are then radians, too;
    - `points`: expected number of points, for the choice of the grid. Default: as many as modes;
    - `promise`: what `eps` bounds: "norm", the error's norm for numbers without correlations, or
      "each_value", the error of each value for all numbers. Default: "norm";
    - `real`: True for real strengths of types 1 and 3 and real values of type 2, float32 or float64.
      Type 2 then computes the real part of its sum. Default: False;
    - `points_per_member`: True if each of the `n_trans` vectors has points of its own, which `setpts`
      gets as a list of arrays or with `counts`. Types 1 and 2. `points` is then the sum of all
      vectors. Default: False;
    - `queue`: the queue of all calls, for arrays of pyopencl. Default: arrays on the host, and those
      in CUDA's memory.

    Other options of finufft are accepted. Those that choose how it computes have no effect. A plan
    without a queue can be pickled and copied; the copy has no points until `setpts`.

    Raises ArgumentError for values that are not allowed, NotImplementedError for a limit of imago
    or the device, and `imago.Error` if OpenCL fails. Several threads may call a plan; the calls run
    one after the other.

    >>> import numpy as np, imago.nufft
    >>> plan = imago.nufft.Plan(2, (3, 3), eps=1e-9)
    >>> plan.setpts(np.array([0.0, 1.0]), np.array([0.0, -1.0]))
    >>> plan.execute(np.ones((3, 3), complex)).round(6) + 0.0
    array([9.      +0.j, 4.328916+0.j])
    """

    def __init__(
        self,
        nufft_type: int,
        n_modes_or_dim: Any,
        n_trans: int = 1,
        eps: float | None = None,
        isign: int | None = None,
        dtype: Any = "complex128",
        *,
        coordinates: Any = None,
        points: int = 0,
        queue: Any = None,
        **kwargs: Unpack[_transform.PlanKeywords],
    ) -> None:
        given = locals()
        self._arguments = {**{name: given[name] for name in _ARGUMENTS}, **kwargs}
        self._dtype = _arrays.precision(dtype, "dtype")
        description = described(
            nufft_type, n_modes_or_dim, n_trans, eps, isign, self._dtype, coordinates, kwargs, points
        )
        self._type, self._queue = nufft_type, queue
        self._session = _transform.session_for(description, queue)
        self._transform = _transform.Transform(self._session, description)
        # The transforms for points on GPUs, in CUDA's memory; None: for the others.
        self._transforms: dict[int | None, _transform.Transform] = {None: self._transform}
        self._gpu: int | None = None  # the place of the points
        self._lock = threading.Lock()
        self._given: tuple[Any, ...] = ()  # points and frequencies of type 3
        self._adjoint: _transform.Transform | None = None  # a plan for the adjoint of type 3

    def __reduce__(self) -> tuple[Any, ...]:
        if self._queue is not None:
            raise TypeError(
                "the plan has a queue, which cannot be pickled or copied. Make another plan with the "
                "same arguments."
            )
        return functools.partial(type(self), **self._arguments), ()

    @classmethod
    def estimate(
        cls,
        nufft_type: int,
        n_modes_or_dim: Any,
        n_trans: int = 1,
        eps: float | None = None,
        isign: int | None = None,
        dtype: Any = "complex128",
        *,
        coordinates: Any = None,
        points: int = 0,
        queue: Any = None,
        **kwargs: Unpack[_transform.PlanKeywords],
    ) -> Estimate:
        """Predicts what a plan with these arguments needs, without building or measuring a kernel.

        The prediction is for `points` points that are spread evenly. Points in few places need more
        launches and memory, and so do the generic kernels of the first calls. Raises what `Plan` raises, and ArgumentError for type 3, whose grid
        depends on the points.

        >>> import imago.nufft
        >>> needed = imago.nufft.Plan.estimate(1, (256, 256), eps=1e-6, points=100_000)
        >>> needed.grid, needed.points_bytes, needed.workspace_bytes > needed.modes_bytes
        ((512, 512), 1600000, True)
        """
        if nufft_type == _TYPE_3:
            raise _arrays.ArgumentError(
                "nufft_type is 3; its grid depends on the points. Make a plan and call setpts, "
                "then describe."
            )
        dtype = _arrays.precision(dtype, "dtype")
        description = described(
            nufft_type, n_modes_or_dim, n_trans, eps, isign, dtype, coordinates, kwargs, points
        )
        session = _transform.session_for(description, queue)
        found = _core.nufft_estimate(session, description.fields())
        steps = {name: Step(**found.pop(name)) for name in ("type1", "type2")}
        setpts = Step(**found.pop("set_points"))
        return Estimate(**found, **steps, setpts=setpts, eps=description.tolerance)

    @property
    def type(self) -> int:
        """1, 2 or 3."""
        return self._type

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of strengths and modes."""
        return self._dtype

    @property
    def dim(self) -> int:
        """Number of axes."""
        return len(self.n_modes) or self._transform.description.axes

    @property
    def n_modes(self) -> tuple[int, ...]:
        """Numbers of modes, in the order of the arrays' axes. Type 3: empty."""
        return self._transform.description.modes

    @property
    def n_trans(self) -> int:
        """Number of vectors in one call."""
        return self._transform.description.batch

    @property
    def eps(self) -> float:
        """The tolerance that is used."""
        return self._transform.description.tolerance

    def describe(self) -> str:
        """Returns a description: choices, accuracy, memory, launches and predicted times.

        Numbers are those of the points that are set, or of as many as modes.
        """
        return self._transform.core.describe()

    def __repr__(self) -> str:
        return (
            f"<Plan: type {self.type}, {self.dim} axes, modes {self.n_modes}, "
            f"n_trans {self.n_trans}, eps {self.eps:.3g}, {self.dtype}>"
        )

    def setpts(
        self, x: Any, y: Any = None, z: Any = None, s: Any = None, t: Any = None, u: Any = None, *,
        counts: Any = None, wait_for: Any = None,
    ) -> None:  # fmt: skip
        """Sets the points of later calls. Their arrays are copied and may change afterwards.

        - `x`, `y`, `z`: the coordinates, one array for each axis, all of the same length;
        - `s`, `t`, `u`: the frequencies of type 3, in the same way;
        - `counts`: with `points_per_member`, the number of points of each of the `n_trans` vectors,
          which stand one after the other in each array. Without it, `x`, `y` and `z` are lists of
          host arrays, one for each vector;
        - `wait_for`: events to wait for in addition to those of the arrays, on a device.

        Points in CUDA's memory, of CuPy, PyTorch or JAX, are for data on the same GPU: `execute` then
        computes in the stream that is current in the array's library, and returns an array of it.

        Waits for the device. Raises ArgumentError for wrong shapes, TypeError for another type than
        the plan's, and ValueError for NaN or infinity; the plan then has no points.
        """
        description = self._transform.description
        if description.points_per_member and counts is None:
            counts, (x, y, z) = _arrays.joined(description.batch, (x, y, z))
        x = _arrays.given(x)
        place = self._place_of(x, wait_for)
        points = self._coordinates_of("xyz", (x, y, z), self.dim, place)
        frequencies = self.dim if self._type == _TYPE_3 else 0
        targets = self._coordinates_of("stu", (s, t, u), frequencies, place)
        counts = _arrays.checked_counts(counts, description, points[0].size)
        gpu = place.queue.gpu if _queues.on_cuda(x) and self._queue is None else None
        with self._lock:
            self._adjoint = None
            if gpu not in self._transforms:
                session = _queues.session_of(place.queue)
                self._transforms[gpu] = _transform.Transform(session, description)
            self._transform, self._gpu = self._transforms[gpu], gpu
            self._transform.set_points(points, targets, place, counts)
            if targets:  # the adjoint needs them
                self._given = tuple([x.copy() for x in given] for given in (points, targets))

    def _place_of(self, x: Any, wait_for: Any) -> _transform.Place:
        """Returns the place of a call with an array, or an array on a device (_arrays.given)."""
        queue = self._queue
        if queue is None and _queues.on_cuda(x):
            queue = x.queue
        return _transform.Place(queue, wait_for)

    def _coordinates_of(
        self, names: str, given: tuple[Any, ...], axes: int, place: _transform.Place
    ) -> list[Any]:
        for name, extra in zip(names[axes:], given[axes:]):
            if extra is not None:
                each = ", ".join(names)
                raise _arrays.ArgumentError(f"{name} is given, but the plan needs {axes} of {each}")
        dtype = self._transform.description.coordinates
        return _arrays.coordinates(names, given[:axes], dtype, place.queue)

    @array_method
    def execute(self, data: Any, out: Any = None, *, wait_for: Any = None) -> Any:
        """Returns the transform of `data`: strengths, or modes for type 2.

        - `data`: an array of shape (points,), or `n_modes` for type 2. With `n_trans` above 1 it
          has another axis of that length before these. With `points_per_member`, numbers at points
          always have the shape (points,), for the sum of all points; strengths may also be a list
          of host arrays, one for each vector;
        - `out`: the array for the result, with its shape and type. Default: a new array;
        - `wait_for`: events to wait for in addition to those of the arrays, on a device.

        On a device it enqueues and returns. Raises ArgumentError for wrong shapes and before
        `setpts`, and TypeError for another type than the plan's.
        """
        return self._computed(lambda: (self._transform, self._type), data, out, wait_for)

    @array_method
    def execute_adjoint(self, data: Any, out: Any = None, *, wait_for: Any = None) -> Any:
        """Returns the adjoint transform: for type 1 it is type 2 with the other sign, and reverse.

        For type 3, points and frequencies are exchanged; its first call prepares another plan.
        Arguments and exceptions are those of `execute`, with the shapes of input and result
        exchanged. Type 3 with `real` raises NotImplementedError.
        """
        return self._computed(self._adjoint_of, data, out, wait_for)

    def _adjoint_of(self) -> tuple[_transform.Transform, int]:
        if self._type != _TYPE_3:
            return self._transform, 3 - self._type
        if self._transform.description.real:
            raise NotImplementedError(
                "execute_adjoint of type 3 with real=True: make a plan without it, and use the real "
                "part of its result"
            )
        if self._adjoint is None and self._transform.count is not None:
            description = self._transform.description
            description = dataclasses.replace(description, sign=-description.sign)
            points, targets = self._given
            place = self._place_of(points[0], None)
            session = self._session if place.queue is None else _queues.session_of(place.queue)
            adjoint = _transform.Transform(session, description)
            adjoint.set_points(targets, points, place)
            self._adjoint = adjoint
        return self._adjoint or self._transform, _TYPE_3

    def _computed(self, chosen: Any, data: Any, out: Any, wait_for: Any) -> Any:
        described = self._transform.description
        if described.points_per_member and isinstance(data, (list, tuple)):
            data = _arrays.joined(described.batch, (data,))[1][0]
        data = _arrays.given(data)
        place = self._place_of(data, wait_for)
        gpu = place.queue.gpu if _queues.is_stream(place.queue) else None
        with self._lock:
            if self._transform.count is not None and gpu != self._gpu:
                at, of = ("the host" if p is None else f"GPU {p}" for p in (gpu, self._gpu))
                raise TypeError(
                    f"data is on {at} and the points on {of}. Copy data there, or call setpts with "
                    f"points on {at}."
                )
            transform, nufft_type = chosen()
            dtype = transform.description.types_of(nufft_type)[0]
            data = _arrays.read(data, "data", dtype, place.queue)
            return computed(transform, nufft_type, data, out, place)


def described(
    nufft_type: int, n_modes_or_dim: Any, n_trans: int, eps: float | None, isign: int | None,
    dtype: np.dtype[Any], coordinates: Any, kwargs: Mapping[str, Any], points: int = 0,
) -> _transform.Description:  # fmt: skip
    """Returns the description of a plan with checked arguments."""
    if nufft_type not in (1, _TYPE_2, _TYPE_3):
        raise _arrays.ArgumentError(f"nufft_type is {nufft_type!r}; it must be 1, 2 or 3")
    if not isinstance(n_trans, numbers.Integral) or n_trans < 1:
        raise _arrays.ArgumentError(f"n_trans is {n_trans!r}; it must be a whole number above 0")
    if not isinstance(points, numbers.Integral) or points < 0:
        raise _arrays.ArgumentError(f"points is {points!r}; it must be a whole number from 0 on")
    if isign is None:
        isign = -1 if nufft_type == _TYPE_2 else 1
    sign = 1 if isign >= 0 else -1
    options = _transform.options_of(kwargs)
    if coordinates is None:
        coordinates = np.zeros(0, dtype).real.dtype
    description = _transform.Description(
        modes=() if nufft_type == _TYPE_3 else modes_of(n_modes_or_dim, "n_modes_or_dim"),
        tolerance=eps,
        dtype=dtype,
        batch=int(n_trans),
        sign=-sign if nufft_type == _TYPE_2 else sign,
        coordinates=coordinates_type(coordinates, nufft_type),
        centred=options.centred,
        types=_TYPE_3 if nufft_type == _TYPE_3 else 0,
        axes=_axes_of(n_modes_or_dim) if nufft_type == _TYPE_3 else 0,
        points=int(points),
        real=options.real,
        promise=options.promise,
        points_per_member=options.points_per_member,
    )
    return _transform.reachable(description, options)


def _axes_of(dim: Any) -> int:
    if not isinstance(dim, numbers.Integral) or not 1 <= dim <= 3:
        raise _arrays.ArgumentError(f"n_modes_or_dim is {dim!r}; type 3 needs 1, 2 or 3")
    return int(dim)


def coordinates_type(given: Any, nufft_type: int) -> np.dtype[Any]:
    """Returns a type of coordinates. Raises ArgumentError for other types."""
    allowed = [d for d in _arrays.COORDINATES if d.kind == "f" or nufft_type != _TYPE_3]
    try:
        dtype = np.dtype(given).newbyteorder("=")
    except TypeError:
        dtype = given
    if dtype not in allowed:
        names = ", ".join(map(str, allowed))
        raise _arrays.ArgumentError(f"coordinates have dtype {dtype}; it must be one of {names}")
    return dtype


def computed(
    transform: _transform.Transform, nufft_type: int, data: Any, out: Any, place: _transform.Place,
    name: str = "data",
) -> Any:  # fmt: skip
    """Computes a call whose data, the caller's argument `name`, has the right type.

    Raises ArgumentError for wrong shapes.
    """
    described, count = transform.description, transform.count
    if count is None:
        raise _arrays.ArgumentError("the plan has no points. Call setpts first.")
    from_shape, to_shape = (count,), described.modes or (transform.targets,)
    from_batch = to_batch = described.batch
    own = described.points_per_member  # numbers at points have no axis of vectors
    if own:
        from_batch = 1
    if nufft_type == _TYPE_2:
        from_shape, to_shape = to_shape, from_shape
        from_batch, to_batch = to_batch, from_batch
    _arrays.check_shape(name, data.shape, from_batch, from_shape)
    dtype = described.types_of(nufft_type)[1]
    if out is None:
        front = data.shape[: data.ndim - len(from_shape)]
        if own:
            front = () if nufft_type == _TYPE_2 else (to_batch,)
        out = _transform.empty((*front, *to_shape), dtype, data, place.queue)
    else:
        out = _arrays.written(out, dtype, place.queue)
        _arrays.check_shape("out", out.shape, to_batch, to_shape)
        _arrays.check_apart(data, out)
    return transform.compute(nufft_type, data, out, place)
