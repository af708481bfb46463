"""The device that computes: one session of `_core` for each precision, opened at the first use."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from collections.abc import Callable

import numpy as np

from . import _core, _loader


class FallbackWarning(RuntimeWarning):
    """Warning that SciPy computes a call instead of imago, with the reason. Once per reason."""


class Unserved(Exception):
    """No device can compute the call; the text is the reason. It never leaves the package."""


@dataclasses.dataclass(frozen=True)
class Device:
    """An OpenCL device.

    `name`, `driver` and `version` are OpenCL's texts; `type` is "gpu", "cpu" or "accelerator";
    `memory` is in bytes; `float64` is True if the device computes in double precision.
    """

    name: str
    driver: str
    version: str
    type: str
    compute_units: int
    memory: int
    float64: bool


class _Sessions:
    """The open sessions. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wish = ""
        self._open: dict[bool, _core.Session] = {}
        self._closed = {"computed": 0, "generic": 0}  # counts of sessions that were closed
        self._most_plans: int | None = None
        self._caches: list[Callable[[], None]] = []  # functions that clear others' caches of plans
        self._resets: list[Callable[[bool], None]] = []

    def get(self, double: bool) -> _core.Session:
        """Returns the session that computes in single or double precision.

        Raises Unserved if there is none.
        """
        session = self._open.get(double)
        return session if session is not None else self._make(double)

    def require(self, double: bool) -> _core.Session:
        """Returns the session, for calls that SciPy cannot compute. Raises Error if there is none."""
        try:
            return self.get(double)
        except Unserved as reason:
            raise _core.Error(str(reason)) from None

    def _make(self, double: bool) -> _core.Session:
        with self._lock:
            if double in self._open:
                return self._open[double]
            if double and _loader.no_doubles:
                raise Unserved(_loader.no_doubles)
            other = self._open.get(not double)
            if other is not None and (not double or other.float64):
                session = other
            else:
                try:
                    session = _core.Session(self._wish, double)
                except _core.Error as error:
                    raise Unserved(_loader.no_device or str(error)) from error
                except ValueError as error:
                    if self._wish or os.environ.get("IMAGO_DEVICE"):
                        raise
                    raise Unserved(_loader.no_device or str(error)) from error
            self._limit(session)
            self._open[double] = session
            return session

    def _limit(self, session: _core.Session) -> None:
        if self._most_plans is not None:
            session.limit_plans(self._most_plans)

    def also_clear(self, cache: Callable[[], None]) -> None:
        """Calls `cache` when plans are released, and when another device is chosen."""
        self._caches.append(cache)

    def on_choice(self, reset: Callable[[bool], None]) -> None:
        """Calls `reset` when another device is chosen, with False if it is imago's default."""
        self._resets.append(reset)

    def limit_plans(self, plans: int) -> None:
        """Sets the size of the plan cache of each session, also of sessions opened later."""
        with self._lock:
            self._most_plans = plans
            for session in set(self._open.values()):
                self._limit(session)

    def choose(self, wish: str) -> None:
        with self._lock:
            session = _core.Session(wish, False)
            for old in set(self._open.values()):
                for name in self._closed:
                    self._closed[name] += old.statistics[name]
            self._open.clear()
            self._wish = wish
            self._limit(session)
            self._open[False] = session
            for reset in self._resets:
                reset(bool(wish))
        for cache in self._caches:
            cache()

    @property
    def wish(self) -> str:
        """The device that the user selected; empty: none."""
        return self._wish

    def statistics(self) -> dict[str, int]:
        with self._lock:
            totals = dict(self._closed)
            for session in set(self._open.values()):
                for name, value in session.statistics.items():
                    totals[name] = totals.get(name, 0) + value
            return totals

    def clear(self) -> None:
        with self._lock:
            for session in set(self._open.values()):
                session.clear()
        for cache in self._caches:
            cache()

    def after_fork(self) -> None:
        """Called in a forked child, which can use neither its parent's sessions nor locks that
        another thread held."""
        _core.after_fork("pyopencl" in sys.modules)
        self._lock = threading.Lock()
        self._open = {}


sessions = _Sessions()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=sessions.after_fork)


def devices() -> list[Device]:
    """Returns all OpenCL devices, in the order of their indices.

    Raises `imago.Error` if the drivers fail to list their devices.

    >>> import imago
    >>> [device.float64 for device in imago.devices()][:1]
    [True]
    """
    return [Device(**facts) for facts in _core.devices()]


def device(dtype: np.typing.DTypeLike = np.float32) -> Device:
    """Returns the device that computes transforms of this type.

    Raises `imago.Error` if there is none.

    >>> import imago
    >>> imago.device().type in ("gpu", "accelerator", "cpu")
    True
    """
    dtype = np.dtype(dtype)
    return Device(**_core.facts(sessions.require(dtype.itemsize > (8 if dtype.kind == "c" else 4))))


def release_memory() -> None:
    """Releases the caches for later calls: plans, their device memory, compiled kernels.

    Plans that you created keep theirs.

    >>> import imago
    >>> spectrum = imago.fft.fft([1, 2, 3])
    >>> imago.release_memory()
    >>> imago.fft.statistics()["plans"]
    0
    """
    sessions.clear()
    _core.release_memory()


def set_device(wish: str | int = "") -> Device:
    """Selects the device of this process: an index of `devices()` or a part of a name.

    An empty text selects imago's default device. Returns the device. Raises ValueError if no device
    has that name or index.

    >>> import imago
    >>> imago.set_device(0) == imago.devices()[0]
    True
    >>> chosen = imago.set_device()
    """
    sessions.choose(str(wish))
    return device()
