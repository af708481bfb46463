"""finufft's functions of one call, with a cache of plans."""

from __future__ import annotations

import dataclasses
import functools
import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _queues
from .._types import array_function
from . import _arrays, _plan, _transform

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclasses.dataclass(frozen=True)
class _Call:
    """The arguments of a call of any type."""

    points: Sequence[Any]
    out: Any
    eps: float | None
    isign: int
    queue: Any
    wait_for: Any
    options: dict[str, Any]
    nufft_type: int
    targets: Sequence[Any] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", [_arrays.given(x) for x in self.points])

    @functools.cached_property
    def place(self) -> _transform.Place:
        x = self.points[0]
        queue = self.queue
        if _queues.on_cuda(x):
            queue = _queues.queue_of(x, queue)
        elif queue is None and _arrays.on_device(x):
            queue = x.queue
            if queue is None:
                raise _arrays.ArgumentError("x has no queue. Pass one with queue=.")
        return _transform.Place(queue, self.wait_for)

    def coordinates(self) -> np.dtype[Any]:
        given = self.options.get("coordinates")
        if given is None:
            floats = [x for x in self.points if not _arrays.whole_numbers(x)]
            given = _arrays.type_of(floats[0], np.float64) if floats else np.float64
        return _plan.coordinates_type(given, self.nufft_type)

    def precision(self, data: Any, name: str) -> np.dtype[Any]:
        """Returns the type of strengths and modes: that of the data, if it has one."""
        coordinates, dtype = self.coordinates(), _arrays.type_of(data)
        if dtype is None:
            return _arrays.COMPLEX[coordinates != np.float32]
        # finufft's type of exception depends on the coordinates.
        if dtype not in _arrays.COMPLEX and not _arrays.whole_numbers(self.points[0]):
            other = ", or pass real=True for real strengths" if name == "c" else ""
            raise TypeError(
                f"{name} has dtype {dtype}; it must be complex64 or complex128. Convert it with "
                f"{name}.astype('complex128'){other}."
            )
        return _arrays.precision(dtype, f"the dtype of {name}")

    def real_precision(self, c: Any) -> np.dtype[Any]:
        """Returns the type of real strengths."""
        dtype = _arrays.type_of(c, np.dtype("f4" if self.coordinates() == np.float32 else "f8"))
        if dtype not in (np.float32, np.float64):
            raise TypeError(f"c has dtype {dtype}; with real=True it must be float32 or float64")
        return dtype

    def strengths(self, c: Any) -> tuple[Any, int]:
        """Returns the strengths, and the number of their vectors."""
        dtype = self.real_precision(c) if self.options.get("real") else self.precision(c, "c")
        c = _arrays.read(c, "c", dtype, self.place.queue)
        if c.ndim not in (1, 2):
            raise _arrays.ArgumentError(f"c has shape {c.shape}; it must have 1 or 2 dimensions")
        return c, (c.shape[0] if c.ndim == 2 else 1)

    def result(self, modes: tuple[int, ...], batch: int, data: Any) -> Any:
        """Returns the transform of an array with the right type."""
        place, coordinates = self.place, self.coordinates()
        points = _arrays.coordinates("xyz", self.points, coordinates, place.queue)
        targets = _arrays.coordinates("stu", self.targets, coordinates, place.queue)
        description = _plan.described(
            self.nufft_type, modes or len(targets), 1, self.eps, self.isign,
            np.result_type(data.dtype, np.complex64), coordinates, self.options,
        )  # fmt: skip
        if description.points_per_member:
            raise _arrays.ArgumentError("points_per_member: make a Plan, whose setpts gets the points")
        description = dataclasses.replace(description, batch=batch, types=self.nufft_type)
        entry, session = _transform.cached(description, place.queue)
        with entry.lock:
            if entry.transform is None:
                entry.transform = _transform.Transform(session, description)
            entry.transform.set_points(points, targets, place)
            name = "f" if self.nufft_type == 2 else "c"
            result = _plan.computed(entry.transform, self.nufft_type, data, self.out, place, name)
        _transform.cache.trim(session)
        return result


def _modes_of(n_modes: Any, axes: int) -> tuple[int, ...]:
    if isinstance(n_modes, numbers.Integral):
        n_modes = (n_modes,) * axes
    modes = _plan.modes_of(n_modes)
    if len(modes) != axes:
        raise _arrays.ArgumentError(f"n_modes is {n_modes!r}; it must have {axes} elements")
    return modes


def _split(shape: Sequence[int], axes: int, name: str) -> tuple[int, tuple[int, ...]]:
    """Returns the batch and the modes of an array's shape."""
    shape = tuple(shape)
    if len(shape) not in (axes, axes + 1):
        raise _arrays.ArgumentError(
            f"{name} has shape {shape}; it must have {axes} dimensions, or {axes + 1} for several "
            "transforms"
        )
    return (shape[0] if len(shape) > axes else 1), shape[-axes:]


def _type1(call: _Call, c: Any, n_modes: Any) -> Any:
    axes, c = len(call.points), _arrays.given(c)
    call.coordinates()
    if n_modes is None and call.out is None:
        raise _arrays.ArgumentError("n_modes and out are None; one of them must give the modes")
    modes = None if n_modes is None else _modes_of(n_modes, axes)
    c, batch = call.strengths(c)
    if call.out is not None:
        out_batch, out_modes = _split(call.out.shape, axes, "out")
        if out_batch != batch or out_modes != (modes or out_modes):
            raise _arrays.ArgumentError(
                f"out has shape {tuple(call.out.shape)}; c has {batch} vectors and n_modes is "
                f"{n_modes}"
            )
        modes = _modes_of(out_modes, axes)
    return call.result(modes, batch, c)


def _type2(call: _Call, f: Any) -> Any:
    f = _arrays.given(f)
    f = _arrays.read(f, "f", call.precision(f, "f"), call.place.queue)
    batch, modes = _split(f.shape, len(call.points), "f")
    return call.result(_modes_of(modes, len(modes)), batch, f)


def _type3(call: _Call, c: Any) -> Any:
    c = _arrays.given(c)
    call.coordinates()
    c, batch = call.strengths(c)
    return call.result((), batch, c)


@array_function
def nufft1d1(
    x: Any, c: Any, n_modes: Any = None, out: Any = None, eps: float | None = None, isign: int = 1, *,
    queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns modes of one axis from points: f[k] = sum of c[j] exp(+/- i k x[j]) over j.

    - `x`: the coordinates of the points in radians, or with `coordinates` fractions of a period;
    - `c`: the strengths, complex64 or complex128: (points,), or (n, points) for n transforms;
    - `n_modes`: number of modes, or a tuple of one. Default: that of `out`;
    - `out`: the array for the result, of shape (N1,) or (n, N1). Default: a new array;
    - `eps`: the tolerance, as for `Plan`;
    - `isign`: the exponent's sign; 0 counts as positive;
    - `queue`, `wait_for`: for arrays on the device; `kwargs`: finufft's options, and `coordinates`
      and `real=True` as for `Plan`. Default of `coordinates`: radians of the type of `x`, and
      float64 for integers.

    The frequencies are -N1/2 <= k < N1/2, in increasing order (`modeord=0`).

    Raises ArgumentError for wrong shapes and values, TypeError for wrong types, and ValueError for
    coordinates that are NaN or infinite.

    >>> import numpy as np, imago.nufft
    >>> x = np.array([0, 2**30], np.uint32)       # 0 and a quarter of the period
    >>> c = np.array([1, 1j])
    >>> imago.nufft.nufft1d1(x, c, 4, modeord=1, coordinates=x.dtype).round(4) + 0.0
    array([1.+1.j, 0.+0.j, 1.-1.j, 2.+0.j])
    """
    return _type1(_Call((x,), out, eps, isign, queue, wait_for, kwargs, 1), c, n_modes)


@array_function
def nufft1d2(
    x: Any, f: Any, out: Any = None, eps: float | None = None, isign: int = -1, *,
    queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at points from modes of one axis: c[j] = sum of f[k] exp(+/- i k x[j]) over k.

    - `f`: the modes, complex64 or complex128: (N1,), or (n, N1) for n transforms;
    - `out`: the array for the result, of shape (points,) or (n, points). Default: a new array.

    The other arguments and the exceptions are those of `nufft1d1`.

    >>> import numpy as np, imago.nufft
    >>> imago.nufft.nufft1d2(np.array([0.0, np.pi]), np.array([0, 0, 1, 1j])).round(4)
    array([1.+1.j, 1.-1.j])
    """
    return _type2(_Call((x,), out, eps, isign, queue, wait_for, kwargs, 2), f)


@array_function
def nufft1d3(
    x: Any, c: Any, s: Any, out: Any = None,
    eps: float | None = None, isign: int = 1, *, queue: Any = None, wait_for: Any = None,
    **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at frequencies from points: f[k] = sum of c[j] exp(+/- i s[k] x[j]) over j.

    - `x`: the coordinates of the points, float32 or float64, without a period;
    - `c`: the strengths, as for `nufft1d1`;
    - `s`: the frequencies, of the type of `x`;
    - `out`: the array for the result: (frequencies,), or (n, frequencies) for n transforms.
      Default: a new array.

    The other arguments and the exceptions are those of `nufft1d1`. Memory grows with the extent of
    the points times that of the frequencies.

    >>> import numpy as np, imago.nufft
    >>> x, c, s = np.array([0.0, 1.0]), np.array([1, 1j]), np.array([0.0, np.pi / 2])
    >>> imago.nufft.nufft1d3(x, c, s).round(4) + 0.0
    array([1.+1.j, 0.+0.j])
    """
    call = _Call((x,), out, eps, isign, queue, wait_for, kwargs, 3, (s,))
    return _type3(call, c)


@array_function
def nufft2d1(
    x: Any, y: Any, c: Any, n_modes: Any = None, out: Any = None, eps: float | None = None,
    isign: int = 1, *, queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns modes of two axes from points: the exponent is +/- i (k1 x[j] + k2 y[j]).

    - `x`, `y`: the coordinates along axis 0 and along axis 1 of the modes;
    - `n_modes`: the numbers of modes (N1, N2), or one number for both.

    The other arguments and the exceptions are those of `nufft1d1`.

    >>> import numpy as np, imago.nufft
    >>> imago.nufft.nufft2d1([0.0], [np.pi], [2.0], (2, 3)).round(4).real + 0.0
    array([[-2.,  2., -2.],
           [-2.,  2., -2.]])
    """
    return _type1(_Call((x, y), out, eps, isign, queue, wait_for, kwargs, 1), c, n_modes)


@array_function
def nufft2d2(
    x: Any, y: Any, f: Any, out: Any = None, eps: float | None = None, isign: int = -1, *,
    queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at points from modes of two axes: the exponent is +/- i (k1 x[j] + k2 y[j]).

    - `x`, `y`: the coordinates along axis 0 and along axis 1 of the modes;
    - `f`: the modes, of shape (N1, N2), or (n, N1, N2) for n transforms.

    The other arguments and the exceptions are those of `nufft1d1`.
    """
    return _type2(_Call((x, y), out, eps, isign, queue, wait_for, kwargs, 2), f)


@array_function
def nufft2d3(
    x: Any, y: Any, c: Any, s: Any, t: Any, out: Any = None,
    eps: float | None = None, isign: int = 1, *, queue: Any = None, wait_for: Any = None,
    **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at frequencies from points, as `nufft1d3` and with two axes.

    - `x`, `y`: the coordinates of the points; `s`, `t`: the frequencies.

    The other arguments and the exceptions are those of `nufft1d3`.
    """
    call = _Call((x, y), out, eps, isign, queue, wait_for, kwargs, 3, (s, t))
    return _type3(call, c)


@array_function
def nufft3d1(
    x: Any, y: Any, z: Any, c: Any, n_modes: Any = None, out: Any = None, eps: float | None = None,
    isign: int = 1, *, queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns modes of three axes from points: the exponent is +/- i (k1 x[j] + k2 y[j] + k3 z[j]).

    - `x`, `y`, `z`: the coordinates along the axes 0, 1 and 2 of the modes;
    - `n_modes`: the numbers of modes (N1, N2, N3), or one number for all.

    The other arguments and the exceptions are those of `nufft1d1`.
    """
    return _type1(_Call((x, y, z), out, eps, isign, queue, wait_for, kwargs, 1), c, n_modes)


@array_function
def nufft3d2(
    x: Any, y: Any, z: Any, f: Any, out: Any = None, eps: float | None = None, isign: int = -1, *,
    queue: Any = None, wait_for: Any = None, **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at points from modes of three axes, with the exponent of `nufft3d1`.

    - `x`, `y`, `z`: the coordinates along the axes 0, 1 and 2 of the modes;
    - `f`: the modes, of shape (N1, N2, N3), or (n, N1, N2, N3) for n transforms.

    The other arguments and the exceptions are those of `nufft1d1`.
    """
    return _type2(_Call((x, y, z), out, eps, isign, queue, wait_for, kwargs, 2), f)


@array_function
def nufft3d3(
    x: Any, y: Any, z: Any, c: Any, s: Any, t: Any, u: Any, out: Any = None,
    eps: float | None = None, isign: int = 1, *, queue: Any = None, wait_for: Any = None,
    **kwargs: Unpack[_transform.Keywords],
) -> Any:  # fmt: skip
    """Returns values at frequencies from points, as `nufft1d3` and with three axes.

    - `x`, `y`, `z`: the coordinates of the points; `s`, `t`, `u`: the frequencies.

    The other arguments and the exceptions are those of `nufft1d3`.
    """
    call = _Call((x, y, z), out, eps, isign, queue, wait_for, kwargs, 3, (s, t, u))
    return _type3(call, c)
