"""Zoom and chirp z-transforms: scipy.signal's names and signatures, computed on the device.

A zoom is the Fourier transform of a signal at equally spaced frequencies of a range. A chirp
z-transform evaluates at the points of a spiral in the complex plane. Both are one filter between
two chirps (Bluestein's algorithm), in one kernel if a row fits into one.

Signals are NumPy arrays, or whatever NumPy converts to one, or `pyopencl.array.Array`. Results are
arrays of the same kind. float32 and complex64 are computed in single precision and give complex64;
all others give complex128, as do points off the unit circle.

In addition to SciPy's arguments, calls accept

- `out`: the array for the result, with its shape and type. Default: a new array;
- `queue`: for arrays on the device, the queue. Default: the queue of the array;
- `wait_for`: for arrays on the device, events to wait for in addition to those of the arrays.

>>> import numpy as np, imago.signal
>>> t = np.arange(4096) / 48000
>>> x = np.sin(2 * np.pi * 1000.25 * t)
>>> spectrum = imago.signal.zoom_fft(x, [990, 1010], 80, fs=48000)
>>> print(990 + np.argmax(abs(spectrum)) * 20 / 80)
1000.25
"""

from __future__ import annotations

import cmath
import functools
import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core, _words
from ._devices import Unserved, sessions
from ._planned import Layout
from .fft import _arguments as arguments
from .fft._compute import fallbacks

__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]

_SAME_CIRCLE = 2.0**-50
"""Moduli that differ less from 1 are 1; the library uses the same bound."""


def _sizes(n: Any, m: Any) -> int:
    """Returns the number of points. Raises ValueError for numbers that are not allowed."""
    for name, count, what in (("n", n, "data"), ("m", n if m is None else m, "output")):
        if not isinstance(count, numbers.Integral) or count < 1:
            raise ValueError(
                f"Invalid number of CZT {what} points ({count}) specified; {name} must be an "
                "integer, at least 1"
            )
    return n if m is None else m


def czt_points(m: int, w: complex | None = None, a: complex = 1 + 0j) -> Any:
    """Returns the points a w^-k, for k = 0 ... m-1, at which a chirp z-transform evaluates.

    - `m`: the number of points;
    - `w`: a point divided by the next one. Default: the points divide the unit circle;
    - `a`: the first point.

    Raises ValueError if m is not an integer or below 1.

    >>> import imago.signal
    >>> imago.signal.czt_points(4).round(3) + 0.0
    array([ 1.+0.j,  0.+1.j, -1.+0.j,  0.-1.j])
    """
    k = np.arange(_sizes(1, m))
    if w is None:
        return 1.0 * a * np.exp(2j * np.pi * k / m)
    return 1.0 * a * (1.0 * w) ** -k


def _strides(x: Any, name: str) -> tuple[int, ...]:
    """Returns the strides in elements."""
    unit = x.dtype.itemsize
    if any(stride < 0 or stride % unit for stride in x.strides):
        raise ValueError(
            f"{name} has strides {x.strides} in bytes; they must be multiples of {unit} and not "
            "negative. Copy it into a contiguous array."
        )
    return tuple(stride // unit for stride in x.strides)


@functools.lru_cache(maxsize=32)
def _cached_plan(
    session: _core.Session,
    points: tuple[tuple[str, Any], ...],
    adjoint: bool,
    shape: tuple[int, ...],
    axis: int,
    strides: tuple[tuple[int, ...], tuple[int, ...]] | None,
    real: bool,
    double: bool,
) -> _core.Zoom:
    """Returns the plan for signals of this shape; strides None: contiguous."""
    before, n, behind = math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])
    storage = "real" if real else "interleaved"
    signal, spectrum = strides or ((), ())
    fields = {
        **dict(points),
        "precision": _words.number("dtype", "float64" if double else "float32", _words.PRECISIONS),
        "lengths": list(shape) if strides else [n, behind],
        "axis": axis if strides else 0,
        "batch": 1 if strides else before,
        "adjoint": adjoint,
        "signal": Layout(signal, storage=storage),
        "spectrum": Layout(spectrum),
        "deterministic": False,
        "f64": 0,
        "recipe": None,
    }
    return _core.Zoom(session, fields)


sessions.also_clear(_cached_plan.cache_clear)


class CZT:
    """Chirp z-transform of signals of n samples, at m points of a spiral, as in scipy.signal.

    - `n`: the number of samples;
    - `m`: the number of points. Default: n;
    - `w`: a point divided by the next one. Default: the points divide the unit circle;
    - `a`: the first point.

    Call the object with signals. Several threads may call it at once. Points off the unit circle
    are computed in double precision. The points are exact: rounding errors of w do not grow with n.

    Raises ValueError for numbers that are not allowed.

    >>> import numpy as np, imago.signal
    >>> transform = imago.signal.CZT(n=4)
    >>> transform([1, 2, 3, 4]).round(6) + 0.0
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """

    def __init__(self, n: int, m: int | None = None, w: complex | None = None, a: complex = 1 + 0j):
        self.n, self.m = n, _sizes(n, m)
        self.w: Any = cmath.exp(-2j * math.pi / self.m) if w is None else w
        self.a: Any = 1.0 * a
        start, ratio = complex(self.a), None if w is None else complex(w)
        self._set_points(spiral=(start, ratio))
        self._default = w is None
        self._spiral = any(abs(abs(z) - 1) > _SAME_CIRCLE for z in (start, ratio or 1))

    def _set_points(self, **given: Any) -> None:
        defaults = {"from": 0.0, "to": 1.0, "rate": 1.0, "endpoint": False, "spiral": None}
        self._points = tuple({**defaults, **given, "points": int(self.m)}.items())

    def points(self) -> Any:
        """Returns the points of the complex plane at which the transform evaluates."""
        return czt_points(self.m, self.w, self.a)

    def __call__(
        self, x: Any, *, axis: int = -1, out: Any = None, queue: Any = None, wait_for: Any = None
    ) -> Any:
        """Returns the transform of x along the axis, whose length becomes m.

        Raises ValueError if that axis has not n samples, and for another shape or type of `out`.
        """
        return self._computed(x, axis, False, out, queue, wait_for)

    def adjoint(
        self, y: Any, *, axis: int = -1, out: Any = None, queue: Any = None, wait_for: Any = None
    ) -> Any:
        """Returns the adjoint (the conjugate transpose) applied to y along an axis of m points.

        SciPy has no such method. For real signals, use the real part. Raises as a call.
        """
        return self._computed(y, axis, True, out, queue, wait_for)

    def _computed(self, x: Any, axis: int, adjoint: bool, *others: Any) -> Any:
        out, queue, wait_for = others
        on_device = type(x).__module__.startswith("pyopencl")
        x = x if on_device else np.asarray(x)
        samples, results = (self.m, self.n) if adjoint else (self.n, self.m)
        if x.shape[axis] != samples:
            raise ValueError(
                f"CZT defined for length {samples}, not {x.shape[axis]}. Make another object, or "
                "call imago.signal.czt or zoom_fft, which use the length of the array."
            )
        axis = arguments.one_axis(x, axis)
        shape = (*x.shape[:axis], results, *x.shape[axis + 1 :])
        if on_device:
            return self._on_device(x, axis, adjoint, shape, *others)
        if queue is not None or wait_for is not None:
            raise ValueError("queue and wait_for are for pyopencl arrays. Leave them out.")
        try:
            result = self._on_host(x, axis, adjoint, shape, out)
        except Unserved as unserved:
            fallbacks.add(type(self).__name__, str(unserved))
            result = self._by_scipy(x, axis, adjoint)
        if out is None or result is out:
            return result
        np.copyto(out, result, casting="same_kind")
        return out

    def _plan(
        self, session: _core.Session, x: Any, axis: int, adjoint: bool, strides: Any, shape: Any
    ) -> _core.Zoom:
        """Returns the plan for signals of this shape; x is the array that it reads."""
        real = x.dtype.kind == "f" and not adjoint
        double = x.dtype.char in "dD"
        signal = tuple(shape)
        return _cached_plan(session, self._points, adjoint, signal, axis, strides, real, double)

    def _on_host(self, x: Any, axis: int, adjoint: bool, shape: tuple[int, ...], out: Any) -> Any:
        x = arguments.float_array(x)
        if adjoint and x.dtype.kind == "f":
            x = x.astype(arguments.complex_type(x))
        if self._spiral and x.dtype.char in "fF":
            x = x.astype(np.float64 if x.dtype.char == "f" else np.complex128)
        dtype = np.dtype(arguments.complex_type(x))
        if out is not None:
            if not isinstance(out, np.ndarray):
                raise TypeError(f"out has type {type(out).__name__}; it must be a numpy.ndarray")
            _check_out(out, shape, dtype)
        x = np.ascontiguousarray(x)
        direct = out is not None and out.flags.c_contiguous and not np.may_share_memory(x, out)
        result = out if direct else np.empty(shape, dtype)
        session = sessions.get(dtype.char == "D")
        if x.size:
            signal = shape if adjoint else x.shape
            plan = self._plan(session, x, axis, adjoint, None, signal)
            plan.run(adjoint, x, result, {})
        return result

    def _on_device(
        self, x: Any, axis: int, adjoint: bool, shape: tuple[int, ...], out: Any, queue: Any,
        wait_for: Any,
    ) -> Any:  # fmt: skip
        import pyopencl as cl
        import pyopencl.array

        from . import opencl

        queue = queue or x.queue
        if queue is None:
            raise ValueError("x has no queue. Pass one with queue=.")
        if x.dtype.char not in "fdFD" or not x.dtype.isnative:
            raise TypeError(
                f"x has dtype {x.dtype}; it must be float32, float64, complex64 or complex128 in "
                "native byte order. Convert it with x.astype."
            )
        wanted = np.dtype(arguments.complex_type(x))
        if self._spiral and wanted.char == "F":
            raise TypeError(
                f"x has dtype {x.dtype}; points off the unit circle need float64 or complex128. "
                "Convert it with x.astype."
            )
        if adjoint and x.dtype.kind == "f":
            x = x.astype(wanted, queue=queue)
        if out is None:
            out = cl.array.empty(queue, shape, wanted, allocator=x.allocator)
        elif not isinstance(out, cl.array.Array):
            raise TypeError(f"out has type {type(out).__name__}; it must be a pyopencl.array.Array")
        _check_out(out, shape, wanted)
        if x.size == 0:
            return out
        packed = x.flags.c_contiguous and out.flags.c_contiguous
        strides = None if packed else (_strides(x, "x"), _strides(out, "out"))
        signal = shape if adjoint else x.shape
        if adjoint and strides:
            strides = strides[::-1]
        plan = self._plan(opencl._session_of(queue), x, axis, adjoint, strides, signal)
        waits = {event.int_ptr for event in (*x.events, *out.events, *(wait_for or ()))}
        places = opencl._place(x, "x"), opencl._place(out, "out")
        event = plan.enqueue(queue.int_ptr, adjoint, *places, {}, list(waits))
        out.events[:] = [cl.Event.from_int_ptr(event, retain=False)]
        return out

    def _by_scipy(self, x: Any, axis: int, adjoint: bool) -> Any:
        theirs = self._scipys()
        if not adjoint:
            return theirs(x, axis=axis)
        raise NotImplementedError(
            "adjoint: no device computes this array, and SciPy has no adjoint. Give float64 or "
            "complex128, and check imago.devices()."
        )

    def _scipys(self) -> Any:
        """Returns SciPy's object for the same points."""
        import scipy.signal

        return scipy.signal.CZT(self.n, self.m, None if self._default else self.w, self.a)


def _check_out(out: Any, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    if tuple(out.shape) != tuple(shape) or out.dtype != dtype:
        raise ValueError(
            f"out has shape {out.shape} and dtype {out.dtype}; the result has {tuple(shape)} and "
            f"{dtype}"
        )


class ZoomFFT(CZT):
    """Fourier transform of signals of n samples at m frequencies of a range, as in scipy.signal.

    - `n`: the number of samples;
    - `fn`: the range, a pair [f1, f2], or a number f2 for [0, f2];
    - `m`: the number of frequencies f1 + k (f2 - f1) / m. Default: n;
    - `fs`: the sampling rate, in the unit of f1 and f2;
    - `endpoint`: True: the last frequency is f2; then the step is (f2 - f1) / (m - 1).

    Call the object with signals. Several threads may call it at once. Frequencies are the exact
    quotients of f1, f2 and fs: f1=1, fs=3 is exactly a third of the sampling rate.

    Raises ValueError for numbers that are not allowed.

    >>> import numpy as np, imago.signal
    >>> transform = imago.signal.ZoomFFT(8, [1, 3], 4, fs=8)   # 1, 1.5, 2 and 2.5 cycles
    >>> x = np.cos(2 * np.pi * 2 * np.arange(8) / 8)
    >>> abs(transform(x)).round(3)
    array([0.   , 2.613, 4.   , 2.613])
    """

    def __init__(
        self, n: int, fn: Any, m: int | None = None, *, fs: float = 2, endpoint: bool = False
    ):
        self.n, self.m = n, _sizes(n, m)
        if np.size(fn) not in (1, 2):
            raise ValueError(f"fn is {fn!r}; it must be a scalar or a 2-length sequence")
        self.f1, self.f2 = fn if np.size(fn) == 2 else (0.0, fn)
        self.fs, self._endpoint, self._spiral = fs, endpoint, False
        first, last = (np.asarray(f, np.float64).item() for f in (self.f1, self.f2))
        given = {"from": first, "to": last, "rate": float(fs), "endpoint": bool(endpoint)}
        self._set_points(**given)
        steps = max(self.m - 1, 1) if endpoint else self.m
        self.w = cmath.exp(-2j * math.pi * (last - first) / (fs * steps))
        self.a = cmath.exp(2j * math.pi * first / fs)

    def _scipys(self) -> Any:
        import scipy.signal

        return scipy.signal.ZoomFFT(
            self.n, [self.f1, self.f2], self.m, fs=self.fs, endpoint=self._endpoint
        )


def _array(x: Any) -> Any:
    return x if type(x).__module__.startswith("pyopencl") else np.asarray(x)


def czt(
    x: ArrayLike | Any,
    m: int | None = None,
    w: complex | None = None,
    a: complex = 1 + 0j,
    *,
    axis: int = -1,
    out: Any = None,
    queue: Any = None,
    wait_for: Any = None,
) -> Any:
    """Returns the chirp z-transform of x along the axis, at the points a w^-k.

    `m`, `w` and `a` are those of `CZT`; m is the length of the axis by default. With the defaults
    it is the Fourier transform. Plans are cached, so repeated calls do not prepare again.

    Raises ValueError for numbers that are not allowed.

    >>> import imago.signal
    >>> imago.signal.czt([1, 1], 3, w=0.5, a=1).round(3)   # 1 + 1/z at z = 1, 2, 4
    array([2.  +0.j, 1.5 +0.j, 1.25+0.j])
    """
    x = _array(x)
    return CZT(x.shape[axis], m, w, a)._computed(x, axis, False, out, queue, wait_for)


def zoom_fft(
    x: ArrayLike | Any,
    fn: Any,
    m: int | None = None,
    *,
    fs: float = 2,
    endpoint: bool = False,
    axis: int = -1,
    out: Any = None,
    queue: Any = None,
    wait_for: Any = None,
) -> Any:
    """Returns the Fourier transform of x along the axis, at the frequencies of a range.

    `fn`, `m`, `fs` and `endpoint` are those of `ZoomFFT`; m is the length of the axis by default.
    Plans are cached, so repeated calls do not prepare again.

    Raises ValueError for numbers that are not allowed.

    >>> import imago.signal
    >>> abs(imago.signal.zoom_fft([1, 0, 0, 0], [0.2, 0.4], 2)).round(6)
    array([1., 1.])
    """
    x = _array(x)
    zoom = ZoomFFT(x.shape[axis], fn, m, fs=fs, endpoint=endpoint)
    return zoom._computed(x, axis, False, out, queue, wait_for)
