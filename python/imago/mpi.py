"""Transforms over the ranks of an MPI program: mpi4py-fft moves the data, imago computes.

mpi4py-fft (`mpi4py_fft.PFFT`) divides an array into slabs or pencils. Its argument `transforms` is
the list of functions that transform a rank's part. `transforms()` in this module creates this
argument, and `share_devices()` distributes the devices of a node over its ranks:

    from mpi4py import MPI
    from mpi4py_fft import PFFT, newDistArray
    import imago.mpi

    imago.mpi.share_devices(MPI.COMM_WORLD)
    shape = (512, 512, 512)
    fft = PFFT(MPI.COMM_WORLD, shape, dtype="f", transforms=imago.mpi.transforms(shape, dtype="f"))
    spectrum = fft.forward(signal)

Start such programs with `mpirun -n 4 python -m mpi4py program.py`. Then an exception on one rank
ends all ranks; without `-m mpi4py` the others would wait forever.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _devices, _words
from .fft._host import compute_into
from .fft._work import COMPLEX, IDENTITY, INVERSE, REAL, Request, points_of

__all__ = ["share_devices", "transforms"]


def __dir__() -> list[str]:
    return [*__all__]

_DTYPES = "fdFD"


class _Planned:
    """A transform from one array to another, with the interface of FFTW's plans in mpi4py-fft.

    It does not scale the result unless it is called with `normalize`.
    """

    def __init__(
        self,
        compute: Callable[[NDArray[Any], NDArray[Any], float], None],
        arrays: tuple[NDArray[Any], NDArray[Any]],
        normalization: float,
    ) -> None:
        self._compute, self._normalization = compute, normalization
        self.input_array, self.output_array = arrays

    def get_normalization(self) -> float:
        """Returns the factor that makes an inverse transform undo a forward one."""
        return self._normalization

    def __call__(
        self,
        input_array: NDArray[Any] | None = None,
        output_array: NDArray[Any] | None = None,
        implicit: bool = True,
        normalize: bool = False,
        **others: Any,
    ) -> NDArray[Any]:
        x = self.input_array if input_array is None else input_array
        out = self.output_array if output_array is None else output_array
        self._compute(x, out, self._normalization if normalize else 1.0)
        return out


class _Group:
    """The transform along axes that are transformed together, in one direction.

    mpi4py-fft calls it in two ways. Its default backend, "fftw", requests a plan and passes FFTW's
    `flags`. The other backends request an array, as from NumPy's and SciPy's functions, whose
    inverse is scaled. If there is no `output_array`, `real` selects whether an inverse returns real
    numbers.
    """

    def __init__(self, kinds: Sequence[int], inverse: bool, real: bool) -> None:
        self._kinds, self._inverse, self._real = tuple(kinds), inverse, real

    def __call__(
        self,
        x: NDArray[Any],
        s: Sequence[int] | None = None,
        axes: Sequence[int] = (),
        *,
        shape: Sequence[int] | None = None,
        output_array: NDArray[Any] | None = None,
        flags: Any = None,
        **others: Any,
    ) -> Any:
        signal = list(x.shape)
        for axis, length in zip(axes, s if s is not None else shape or ()):
            signal[axis] = length
        real = self._real if output_array is None else output_array.dtype.kind == "f"
        kinds = self._kinds_of(real if self._inverse else x.dtype.kind == "f", axes)
        out = self._result(x, signal, kinds, axes) if output_array is None else output_array
        factor = 1 / self._points(signal, kinds, axes)
        compute = functools.partial(self._compute, signal, self._by_dimension(kinds, axes, x.ndim))
        if flags is not None:
            return _Planned(compute, (x, out), factor)
        compute(x, out, factor if self._inverse else 1.0)
        return out

    def _kinds_of(self, real: bool, axes: Sequence[int]) -> list[int]:
        """Returns the kinds of the axes; for a real signal the last complex axis becomes real."""
        kinds = list(self._kinds)
        if real and COMPLEX in kinds:
            if kinds[-1] != COMPLEX:
                raise ValueError(
                    f"axes {tuple(axes)} are transformed together, and the real one must be the "
                    "last of them, because mpi4py-fft expects the half spectrum there. Pass "
                    "collapse=False to keep groups of axes apart."
                )
            kinds[-1] = REAL
        return kinds

    def _result(
        self, x: NDArray[Any], signal: list[int], kinds: list[int], axes: Sequence[int]
    ) -> NDArray[Any]:
        if REAL not in kinds:
            return np.empty(x.shape, x.dtype)
        if self._inverse:
            return np.empty(signal, x.dtype.char.lower())
        spectrum = list(signal)
        spectrum[axes[-1]] = signal[axes[-1]] // 2 + 1
        return np.empty(spectrum, x.dtype.char.upper())

    @staticmethod
    def _by_dimension(kinds: list[int], axes: Sequence[int], dimensions: int) -> bytes:
        of = bytearray([IDENTITY]) * dimensions
        for axis, kind in zip(axes, kinds):
            of[axis] = kind
        return bytes(of)

    @staticmethod
    def _points(signal: list[int], kinds: list[int], axes: Sequence[int]) -> int:
        """Returns the product of the lengths of the equivalent Fourier transforms."""
        fourier = (COMPLEX, REAL)
        lengths = [signal[axis] for axis in axes]
        return math.prod(n if kind in fourier else points_of(kind, n) for kind, n in zip(kinds, lengths))

    def _compute(
        self, signal: list[int], kinds: bytes, x: NDArray[Any], out: NDArray[Any], factor: float
    ) -> None:
        flags = INVERSE if self._inverse else 0
        request = Request(x.shape, kinds, signal, out.shape, out.dtype.type, flags, factor)
        try:
            compute_into(x, out, request)
        except _devices.Unserved as unserved:
            raise NotImplementedError(f"imago.mpi: {unserved}") from None


def _groups_of(dimensions: int, axes: Any) -> list[tuple[int, ...]]:
    """Returns the groups of axes of PFFT's argument `axes`, counted from 0."""
    if axes is None:
        axes = range(dimensions)
    elif isinstance(axes, (int, np.integer)):
        axes = [axes]
    named = [(a,) if isinstance(a, (int, np.integer)) else tuple(a) for a in axes]
    for axis in (axis for group in named for axis in group):
        if not -dimensions <= axis < dimensions:
            raise ValueError(
                f"axes has {axis}; it must be from {-dimensions} to {dimensions - 1}, because the "
                f"shape has {dimensions} dimensions"
            )
    groups = [tuple(int(axis) % dimensions for axis in group) for group in named]
    counted = [axis for group in groups for axis in group]
    if len(set(counted)) < len(counted):
        raise ValueError(f"axes is {axes!r}; an axis must come once. Leave out the second one.")
    return groups


def _kinds_of(kinds: str | Sequence[str], dimensions: int) -> list[int]:
    """Returns the kind of each dimension."""
    words = [kinds] * dimensions if isinstance(kinds, str) else list(kinds)
    if len(words) != dimensions:
        raise ValueError(
            f"kinds has {len(words)} entries; give one, or one for each of the {dimensions} axes"
        )
    allowed = tuple(word for word in _words.KINDS if word not in ("real", "identity"))
    for word in words:
        _words.number("kinds", word, allowed)
    return [_words.KINDS.index(word) for word in words]


def _real_group(groups: list[tuple[int, ...]], kinds: list[int]) -> set[int]:
    """Returns the axes of the first transformed group with a complex axis.

    For real data this group computes the half spectrum.
    """
    for group in reversed(groups):
        if COMPLEX in (kinds[axis] for axis in group):
            return set(group)
    return set()


def transforms(
    shape: Sequence[int],
    axes: Any = None,
    dtype: DTypeLike = float,
    kinds: str | Sequence[str] = "complex",
) -> dict[tuple[int, ...], tuple[Any, Any]]:
    """Returns the argument `transforms` of `mpi4py_fft.PFFT` for arrays of this shape and type.

    `shape`, `axes` and `dtype` are PFFT's; dtype is float32, float64, complex64 or complex128.
    `kinds` is the transform along each dimension, or one for all of them: "complex", or "dct1" to
    "dst4" (see `imago.Plan`). For real data "complex" computes a half spectrum along the axis that
    is transformed first, as PFFT does by default. The dictionary has all groups of axes that PFFT's
    `collapse` and `grid` may produce. With cosine or sine transforms keep PFFT's default `backend`:
    its other backends treat all results as complex.

    Raises ValueError for axes that the shape does not have, and for other kinds or types. The
    transforms raise NotImplementedError if a rank's device cannot compute this type.

    >>> import numpy as np, imago.mpi
    >>> by_axes = imago.mpi.transforms((4, 6), dtype=np.float32)
    >>> sorted(by_axes)
    [(0,), (0, 1), (1,)]
    >>> forward, inverse = by_axes[1,]
    >>> forward(np.ones((4, 6), np.float32), s=(6,), axes=(1,)).shape
    (4, 4)
    """
    dtype = np.dtype(dtype)
    if dtype.char not in _DTYPES or not dtype.isnative:
        raise ValueError(
            f"dtype is {dtype}; it must be float32, float64, complex64 or complex128 in native "
            "byte order"
        )
    groups = _groups_of(len(shape), axes)
    kind = _kinds_of(kinds, len(shape))
    real = _real_group(groups, kind) if dtype.kind == "f" else set()
    filled = {}
    for first in range(len(groups)):
        for end in range(first + 1, len(groups) + 1):
            together = tuple(axis for group in groups[first:end] for axis in group)
            its, has_real = [kind[axis] for axis in together], not real.isdisjoint(together)
            filled[together] = (_Group(its, False, has_real), _Group(its, True, has_real))
    return filled


def share_devices(comm: Any) -> _devices.Device:
    """Selects this rank's device: the ranks of a node get its devices in turn. Returns the device.

    `comm` is an `mpi4py.MPI.Comm`; all its ranks must call this function. It uses the devices with
    the type and driver of imago's default device (GPUs, if there are any). If `IMAGO_DEVICE` is
    set, all ranks use that device. Raises `imago.Error` if a rank has no device.
    """
    from mpi4py import MPI

    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    rank = node.Get_rank()
    node.Free()
    if os.environ.get("IMAGO_DEVICE"):
        return _devices.device()
    own = _devices.device()
    alike = [
        number
        for number, one in enumerate(_devices.devices())
        if (one.type, one.driver) == (own.type, own.driver)
    ]
    return _devices.set_device(alike[rank % len(alike)])
