"""Decides which calls SciPy computes because the device is a CPU and the array is small.

The launch of a kernel takes a CPU's driver longer than SciPy needs for a whole small transform. After
some small calls imago measures the device's calls, and SciPy's rate for one row and for several. The
rate predicts SciPy's time for any shape. From then on SciPy computes the calls for which it is
faster. The result is stored in imago's cache folder. Three processes measure, because the first one
on a machine often compiles kernels meanwhile.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import os
import pathlib
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.fft import next_fast_len

from .. import _core, _stored
from .._devices import sessions
from . import _arguments as arguments
from . import _host, _work
from ._scipy import own_code

_CALLS_BEFORE = 4
"""Small calls of a process on the device before it measures, which takes some milliseconds."""
_CANDIDATE = 1 << 16
"""Calls count as small up to this many bytes."""
_PROCESSES = 3
"""Processes that measure. The medians of their limits count."""
_REPETITIONS = 24
_PATIENCE = 0.005
"""Seconds for all repetitions of one call. Only a process that is disturbed needs more."""
_MOST_VERDICTS = 4096
_TYPES = frozenset("fFdD?bBhHiIlLqQ")


@functools.lru_cache(maxsize=4096)
def _operations(n: int) -> float:
    """Returns SciPy's operations per point of a row of n points, as its own planner counts them."""

    def by_factors(n: int) -> float:
        cost, factor = 0.0, 2
        while factor * factor <= n:
            while n % factor == 0:
                cost += factor if factor <= 5 else 1.1 * factor
                n //= factor
            factor += 1 if factor == 2 else 2
        return cost if n == 1 else cost + (n if n <= 5 else 1.1 * n)

    if n < 50:
        return by_factors(n)
    padded = next_fast_len(2 * n - 1)
    return min(by_factors(n), 3 * padded / n * by_factors(padded))


def _cost(lengths: Iterable[int], several: bool) -> float:
    """Returns the cost per point of a transform along axes of these lengths.

    SciPy computes several rows in vectors, and copies them: on x86 a copy costs as much as 20
    operations per point, and 100 per row.
    """
    return sum(_operations(n) + (20 + 100 / n if several else 0) for n in lengths)


@dataclasses.dataclass(frozen=True)
class Limits:
    """A measurement: the device's shortest call, and the most work for which SciPy is faster.

    The unit of work is one byte of the signal times the cost per point.
    """

    launch: float
    """Seconds of the device's shortest call."""
    row: float
    """Work of a transform of one row."""
    rows: float
    """Work of a transform of several rows."""

    def credible(self) -> bool:
        values = dataclasses.astuple(self)
        numbers = all(type(value) is float and 0 < value < math.inf for value in values)
        return numbers and self.launch < 1e-3

    @staticmethod
    def median(measured: Iterable[Limits]) -> Limits:
        values = zip(*map(dataclasses.astuple, measured))
        return Limits(*(sorted(of_one)[(len(of_one) - 1) // 2] for of_one in values))


def _work_of(name: str, given: dict[str, Any], double: bool) -> tuple[float, bool]:
    """Returns the work of a call, and True if it has several rows. Raises what imago would raise."""
    x, kind, shape = given["x"], name.rstrip("2n"), list(given["x"].shape)
    if "axes" in given:
        lengths, axes = arguments.many_axes(x, given["s"], given["axes"])
    else:
        axes = [arguments.one_axis(x, given["axis"])]
        n = given["n"]
        lengths = [arguments.check_points(shape[axes[0]] if n is None else n)]
    if kind in ("irfft", "hfft") and given.get("n") is None and given.get("s") is None:
        lengths[-1] = max(1, 2 * (lengths[-1] - 1))
    for axis, length in zip(axes, lengths):
        shape[axis] = length
    points, several = math.prod(shape), math.prod(shape) > max(lengths)
    numbers = 2 if x.dtype.kind == "c" and kind not in ("irfft", "hfft") else 1
    width = numbers * (8 if double else 4)
    if given.get("type") == 1:  # a real transform of about twice the length
        change = -1 if kind.endswith("dct") else 1
        lengths, width = [2 * (n + change) for n in lengths], 2 * width
    return points * width * _cost(lengths, several), several


def _suits(name: str, given: dict[str, Any]) -> bool:
    """Returns False if SciPy would compute something else, or raise another error."""
    x = given["x"]
    if x.dtype.kind != "c":
        return x.size > 0
    if name.rstrip("2n") in ("rfft", "ihfft"):
        return False
    return x.size > 0 and given.get("orthogonalize") is None  # SciPy 1.17 ignores it


def _hashable(value: Any) -> Any:
    return tuple(value) if type(value) is list else value


def _lower_quartile(call: Callable[[], object]) -> float:
    """Returns the seconds of a call, from the faster ones; infinity if it is much too slow."""
    call()
    seconds: list[float] = []
    until = time.perf_counter() + _PATIENCE
    while len(seconds) < _REPETITIONS:
        began = time.perf_counter()
        call()
        ended = time.perf_counter()
        seconds.append(ended - began)
        if ended > until:
            return math.inf
    return sorted(seconds)[len(seconds) // 4]


@dataclasses.dataclass(frozen=True)
class _Line:
    """Seconds of a call as a function of its work."""

    least: float
    rate: float

    @classmethod
    def through(cls, call: Callable[[Any], object], *arrays: NDArray[Any]) -> _Line:
        """Measures the calls of a small and of a larger array."""
        work = [x.nbytes * _cost(x.shape, x.ndim > 1) for x in arrays]
        seconds = [_lower_quartile(lambda x=x: call(x)) for x in arrays]
        rate = (seconds[1] - seconds[0]) / (work[1] - work[0])
        return cls(seconds[0] - rate * work[0], rate)


def _limit(scipys: _Line, device: _Line) -> float:
    """Returns the work up to which SciPy is faster.

    A device whose calls all took the least time would be faster starting at `least`. Generic
    kernels, which compute here, are faster starting at `most`. Compiled ones are in between. Beyond
    twice `least` the rates are not known.
    """
    least = (device.least - scipys.least) / scipys.rate
    gained = scipys.rate - max(0, device.rate)
    most = (device.least - scipys.least) / gained if gained > 0 else math.inf
    return math.sqrt(least * min(most, 2 * least))


def _measure(double: bool) -> Limits:
    """Returns limits, which are not credible if other work disturbed the measurement."""
    def on_device(x: NDArray[Any]) -> object:
        return _work.c2c(_host.host(False), True, x, None, -1, None, None, None)

    def ones(*shape: int) -> NDArray[Any]:
        return np.ones(shape, np.complex128 if double else np.complex64)

    device = _Line.through(on_device, ones(64), ones(16384))
    row = _Line.through(own_code.fftn, ones(64), ones(4096))
    rows = _Line.through(own_code.fftn, ones(8, 8), ones(64, 64))
    return Limits(device.least, _limit(row, device), _limit(rows, device))


def _log(text: str) -> None:
    if os.environ.get("IMAGO_LOG") in ("info", "debug"):
        print(f"imago: info: {text}", file=sys.stderr)


class Decisions:
    """The limits for the selected device, in single and in double precision. Thread-safe."""

    def __init__(self, chosen: bool = False) -> None:
        """`chosen`: the user selected the device, so it computes calls of every size."""
        self._chosen = chosen
        self.lock = threading.Lock()
        self.pending = {False: 0, True: 0}
        """The precisions that are not decided, with their small calls so far."""
        self.limits: dict[bool, Limits] = {}
        self._verdicts: dict[Any, bool] = {}
        self.device = ""

    def consider(self, x: NDArray[Any], session_of: Callable[[bool], _core.Session]) -> None:
        """Counts a call if it is small. The first one reads the stored limits; a later one measures
        them."""
        double = x.dtype.char not in "fF"
        if double not in self.pending or x.nbytes > _CANDIDATE or x.dtype.char not in _TYPES:
            return
        if not self.lock.acquire(blocking=False):
            return
        try:
            calls = self.pending.get(double, 1)  # 1: another thread has decided
            if calls in (0, _CALLS_BEFORE):
                self._decide(session_of(double), double, calls > 0)
            if double in self.pending:
                self.pending[double] += 1
        except Exception:  # no device, which the call itself reports
            self.pending.pop(double, None)
        finally:
            self.lock.release()

    def _automatic(self, device: dict[str, Any]) -> bool:
        environment = os.environ.get
        return not (
            self._chosen
            or environment("IMAGO_DEVICE")
            or environment("IMAGO_FALLBACK") in ("0", "failure")
            or environment("IMAGO_FIRST_CALL") in ("compile", "generic")
            or device["type"] != "cpu"
        )

    def _decide(self, session: _core.Session, double: bool, measuring: bool) -> None:
        device = _core.facts(session)
        if not self._automatic(device):
            self.pending.pop(double)
            return
        names = ("name", "driver", "version", "compute_units")
        versions = (sys.modules["imago"].__version__, np.__version__, scipy.__version__)
        key = repr([double, [device[name] for name in names], versions, platform.python_version()])
        file = _stored.file_of("small", key)
        measured = _measured_before(file)
        if measuring:
            self.pending.pop(double)  # a process that disturbs the measurement does not repeat it
            limits = _measure(double)
            if not limits.credible():
                return
            measured.append(limits)
            _stored.write(file, {"measured": [dataclasses.astuple(each) for each in measured]})
        elif len(measured) >= _PROCESSES:
            self.pending.pop(double)
        if not measured:
            return
        limits = Limits.median(measured)
        self.device = device["name"]
        self.limits[double] = limits
        self._verdicts = {}  # another thread may still add to the old ones
        points = 1
        while 2 * points * (16 if double else 8) * _cost([2 * points], False) <= limits.row:
            points *= 2
        _log(
            f"SciPy computes small arrays in {'double' if double else 'single'} precision, "
            f"such as complex ones of up to {points} points: {self.reason(double)}"
        )

    def reason(self, double: bool) -> str:
        return (
            f"the shortest call of {self.device} takes {1e6 * self.limits[double].launch:.1f} us. "
            "Set IMAGO_FALLBACK=failure to compute on the device."
        )

    def allows(
        self, name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        """Returns True if SciPy computes the call. `args` begin with a NumPy array."""
        x = args[0]
        verdicts = self._verdicts
        key: Any = (name, x.dtype, x.shape, args[1:], *kwargs.items())
        try:
            verdict = verdicts.get(key)
        except TypeError:  # lists of lengths and axes, or arguments that cannot be keys
            lists = any(type(value) is list for value in (*args, *kwargs.values()))
            return lists and self.allows(
                name,
                signature,
                tuple(map(_hashable, args)),
                {word: _hashable(value) for word, value in kwargs.items()},
            )
        if verdict is None:
            verdict = self._verdict(name, signature, args, kwargs)
            if len(verdicts) >= _MOST_VERDICTS:
                verdicts.clear()
            verdicts[key] = verdict
        return verdict

    def _verdict(
        self, name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        dtype = args[0].dtype
        double = dtype.char not in "fF"
        limits = self.limits.get(double)
        if limits is None or not dtype.isnative or dtype.char not in _TYPES:
            return False
        try:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            if not _suits(name, bound.arguments):
                return False
            work, several = _work_of(name, bound.arguments, double)
        except Exception:  # the function itself raises it
            return False
        return work <= (limits.rows if several else limits.row)


def _measured_before(file: pathlib.Path) -> list[Limits]:
    """Returns the limits that other processes measured; none if the file is damaged."""
    try:
        measured = [Limits(*each) for each in (_stored.read(file) or {})["measured"]]
    except (KeyError, TypeError):
        return []
    return measured if all(each.credible() for each in measured) else []


current = Decisions()


def reset(chosen: bool = False) -> None:
    """Starts over, for another device."""
    global current
    current = Decisions(chosen)


sessions.on_choice(reset)


def _after_fork() -> None:
    """Gives a child process a new lock: another thread of its parent may have held this one."""
    current.lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
