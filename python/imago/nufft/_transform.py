"""A plan of the library with its points, and a cache of such plans."""

from __future__ import annotations

import collections
import dataclasses
import difflib
import functools
import numbers
import os
import threading
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import DTypeLike

from .. import _core, _queues
from .._devices import sessions
from .._queues import place as _place
from . import _arrays

PROMISES = ("norm", "each_value")


class Ignored(TypedDict, total=False):
    """finufft's options that choose how it computes, but not the result."""

    debug: Any
    spread_debug: Any
    showwarn: Any
    nthreads: Any
    fftw: Any
    spread_sort: Any
    spread_kerevalmeth: Any
    spread_kerpad: Any
    upsampfac: Any
    spread_thread: Any
    maxbatchsize: Any
    spread_nthr_atomic: Any
    spread_max_sp_size: Any
    spread_kerformula: Any


class Keywords(Ignored, total=False):
    """The options of calls."""

    modeord: Literal[0, 1]
    spreadinterponly: Literal[0, False]
    allow_eps_too_small: bool
    real: bool
    coordinates: DTypeLike
    promise: Literal["norm", "each_value"]


class PlanKeywords(Ignored, total=False):
    """The options of plans."""

    modeord: Literal[0, 1]
    spreadinterponly: Literal[0, False]
    allow_eps_too_small: bool
    real: bool
    promise: Literal["norm", "each_value"]
    points_per_member: bool


OPTIONS = frozenset({**Keywords.__annotations__, **PlanKeywords.__annotations__})
ARGUMENTS = OPTIONS.union(
    "isign eps n_modes n_modes_or_dim n_trans dtype out queue wait_for points counts".split()
)
"""Names of arguments, for messages."""


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of finufft that have a meaning here."""

    centred: bool = True
    quiet: bool = False  # no warning for a tolerance that cannot be reached
    real: bool = False  # real strengths and values
    promise: int = 0  # index in PROMISES
    points_per_member: bool = False  # each vector has points of its own


def options_of(given: Mapping[str, Any]) -> Options:
    """Returns the options. Raises for values that are not allowed, and TypeError for names like
    those of arguments. Warns of other unknown names, as finufft does."""
    order = given.get("modeord", 0)
    if order not in (0, 1):
        raise _arrays.ArgumentError(f"modeord is {order!r}; it must be 0 or 1")
    if given.get("spreadinterponly"):
        raise NotImplementedError("spreadinterponly: imago computes only whole transforms")
    for name in given:
        if name in ("fftw_lock_fun", "fftw_unlock_fun", "fftw_lock_data"):
            raise TypeError(f"{name} is not an option: imago does not use FFTW")
        if name not in OPTIONS and not name.startswith("gpu_"):  # cufinufft's have no effect
            meant = difflib.get_close_matches(name, ARGUMENTS - {name}, 1)
            remedy = f"Did you mean {meant[0]}?" if meant else "Leave it out."
            if meant or name in ARGUMENTS:
                raise TypeError(f"{name} is not an argument of this function. {remedy}")
            warnings.warn(
                f"{name} is not an option and has no effect. Leave it out.",
                stacklevel=_arrays._outside(),
            )
    promise = given.get("promise", PROMISES[0])
    if promise not in PROMISES:
        raise _arrays.ArgumentError(f"promise is {promise!r}; it must be one of {PROMISES}")
    return Options(
        order == 0,
        bool(given.get("allow_eps_too_small")),
        bool(given.get("real")),
        PROMISES.index(promise),
        bool(given.get("points_per_member")),
    )


@dataclasses.dataclass(frozen=True)
class Description:
    """The fields of the library's NufftTransform, which enumerations enter as numbers."""

    modes: tuple[int, ...]
    tolerance: float | None
    """None: DEFAULT, or the smallest that the precision reaches."""
    dtype: np.dtype[Any]
    batch: int
    sign: int
    """The sign of the exponent of type 1; type 2 has the other sign."""
    coordinates: np.dtype[Any]
    centred: bool
    types: int = 0
    """0: types 1 and 2, or the number of the type."""
    axes: int = 0
    """The number of axes of type 3, which has no modes."""
    points: int = 0
    """The expected number of points, for the choice of the method; 0: as many as modes."""
    real: bool = False
    """Strengths of types 1 and 3, and values of type 2, are real."""
    promise: int = 0
    """The index in PROMISES of what the tolerance bounds."""
    points_per_member: bool = False
    """Each vector of the batch has points of its own."""

    def types_of(self, nufft_type: int) -> tuple[np.dtype[Any], np.dtype[Any]]:
        """Returns the types of the data and of the result of a type."""
        numbers = np.zeros(0, self.dtype).real.dtype if self.real else self.dtype
        return (self.dtype, numbers) if nufft_type == 2 else (numbers, self.dtype)

    def fields(self) -> dict[str, Any]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        fields["coordinates"] = _arrays.COORDINATES[self.coordinates]
        return {**fields, "precision": 1 + _arrays.COMPLEX.index(fields.pop("dtype"))}


DEFAULT = 1e-6


@functools.lru_cache(maxsize=256)
def _least_tolerance(
    modes: tuple[int, ...], axes: int, dtype: np.dtype[Any], promise: int
) -> float:
    types = 0 if modes else 3
    real = np.dtype(np.float32)
    described = Description(
        modes, DEFAULT, dtype, 1, 1, real, True, types=types, axes=axes, promise=promise
    )
    return _core.least_tolerance(described.fields())


def reachable(description: Description, options: Options) -> Description:
    """Returns the description with a tolerance that the precision can reach."""
    least = _least_tolerance(
        description.modes, description.axes, description.dtype, description.promise
    )
    eps = description.tolerance
    if eps is None:
        return dataclasses.replace(description, tolerance=max(DEFAULT, least))
    if not isinstance(eps, numbers.Real) or not 0 <= eps < 1:
        raise _arrays.ArgumentError(
            f"eps is {eps!r}; it must be above 0 and below 1. Leave it out for the default, {DEFAULT}."
        )
    if eps >= least:
        return dataclasses.replace(description, tolerance=float(eps))
    if not options.quiet:
        warnings.warn(
            f"eps is {eps:g}; the smallest tolerance of {description.dtype} is {least:.3g} here, "
            "which is used",
            RuntimeWarning,
            stacklevel=_arrays._outside(),
        )
    return dataclasses.replace(description, tolerance=least)


def session_for(description: Description, queue: Any) -> _core.Session:
    return _queues.session_for(description.dtype == np.complex128, queue)


@dataclasses.dataclass(frozen=True)
class Place:
    """The place of a call's arrays: None is the host."""

    queue: Any = None
    wait_for: Any = None

    def __post_init__(self) -> None:
        if self.queue is None and self.wait_for is not None:
            raise _arrays.ArgumentError("wait_for is for arrays of pyopencl. Leave it out.")

    def waits(self, *arrays: Any) -> list[int] | None:
        return _queues.waits(arrays, self.wait_for)


class Transform:
    """A plan of the library with its points. Its calls run one at a time."""

    def __init__(self, session: _core.Session, description: Description) -> None:
        self.core = _core.Nufft(session, description.fields())
        self.description = description
        self.count: int | None = None  # number of points; None before they are set
        self.targets = 0  # number of frequencies of type 3

    def set_points(
        self, points: Sequence[Any], targets: Sequence[Any], place: Place, counts: Sequence[int] = ()
    ) -> None:
        """Sets the points, and the frequencies of type 3, from checked arrays.

        `counts` has the number of points of each vector that has points of its own.
        """
        if _queues.is_captured(place.queue):
            raise ValueError(
                "a CUDA graph captures the call, and points are set while the host waits. Make a Plan, "
                "call setpts before the capture, and execute in it."
            )
        self.count = None
        count, self.targets = points[0].size, targets[0].size if targets else 0
        anything = count and (self.targets or not targets)
        if anything and place.queue is None:
            try:
                self.core.set_points(list(points), count, counts, list(targets), self.targets)
            except ValueError:
                _arrays.check_finite("xyz", points)
                _arrays.check_finite("stu", targets)
                raise
        elif anything:
            self.core.set_points_in(
                place.queue.int_ptr,
                [_place(x, name) for x, name in zip(points, "xyz")], count, counts,
                [_place(x, name) for x, name in zip(targets, "stu")], self.targets,
                place.waits(*points, *targets),
            )  # fmt: skip
        self.count = count

    def compute(self, nufft_type: int, data: Any, out: Any, place: Place) -> Any:
        """Computes a transform of checked arrays, and returns `out`."""
        if place.queue is None:
            if self.count and out.size:
                self.core.run(nufft_type, data, out)
            else:
                out[...] = 0
            return out
        if self.count and out.size:
            address = self.core.enqueue(
                place.queue.int_ptr, nufft_type, _place(data, "data"), _place(out, "out"),
                place.waits(data, out),
            )  # fmt: skip
            return _queues.finish(out, address)
        if out.size:
            out.fill(0, place.queue, wait_for=place.wait_for)
        return _queues.not_computed(out)


def empty(shape: Sequence[int], dtype: Any, like: Any, queue: Any) -> Any:
    """Returns a new array, in the memory of an array's kind."""
    if queue is None:
        return np.empty(tuple(shape), dtype)
    return _queues.new_or_given(None, tuple(shape), dtype, like, queue)


class _Entry:
    """A place of the cache. The thread that holds the lock makes and uses the transform."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.transform: Transform | None = None

    def bytes(self) -> int:
        return self.transform.core.workspace_bytes if self.transform else 0


class Cache:
    """The most recently used transforms, up to a number and a part of the device's memory."""

    MOST, SHARE = 32, 8

    def __init__(self) -> None:
        self.after_fork()

    def after_fork(self) -> None:
        self._lock = threading.Lock()
        self._entries: collections.OrderedDict[Any, _Entry] = collections.OrderedDict()

    def entry(self, key: Any) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            return entry

    def trim(self, session: _core.Session) -> None:
        """Releases the transforms that were not used for the longest time."""
        most = _core.facts(session)["memory"] // self.SHARE
        with self._lock:
            entries = self._entries
            while len(entries) > 1 and (
                len(entries) > self.MOST or sum(e.bytes() for e in entries.values()) > most
            ):
                entries.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)


cache = Cache()
sessions.also_clear(cache.clear)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=cache.after_fork)


def cached(description: Description, queue: Any) -> tuple[_Entry, _core.Session]:
    """Returns the entry of the cache for this description on the device of the call."""
    session = session_for(description, queue)
    return cache.entry((session, description)), session
