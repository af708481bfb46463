"""Zoom and chirp z-transforms."""

from __future__ import annotations

import cmath
import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, _words
from .._devices import Unserved
from .._planned import Layout
from .._types import array_function, array_method
from ..fft import _arguments as arguments
from ..fft._served import fallbacks
from . import _arrays

__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]

_SAME_CIRCLE = 2.0**-50
"""Moduli that differ less from 1 are 1; the library uses the same bound."""


_MOST_TURNS = 2.0**32
"""The largest number of periods between two samples."""

_WIDEST = 30.0
"""If the chirp of a spiral grows by exp of more than this, SciPy's result has no right digit."""


def _sizes(n: Any, m: Any) -> int:
    """Returns the number of points. Raises ValueError for numbers that are not allowed."""
    for name, count, what in (("n", n, "data"), ("m", n if m is None else m, "output")):
        if not isinstance(count, numbers.Integral) or count < 1:
            raise ValueError(
                f"Invalid number of CZT {what} points ({count}) specified; {name} must be an "
                "integer, at least 1"
            )
    return n if m is None else m


def _axis_of(x: Any, axis: int) -> int:
    """Returns the axis, counted from 0. Raises an IndexError that begins as SciPy's."""
    return arguments.one_axis(x, axis, "tuple index out of range")


def czt_points(m: int, w: complex | None = None, a: complex = 1 + 0j) -> NDArray[Any]:
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


@_arrays.plans
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
        "precision": _words.precision(double),
        "lengths": list(shape) if strides else [n, behind],
        "axis": axis if strides else 0,
        "batch": 1 if strides else before,
        "adjoint": adjoint,
        "signal": Layout(signal, storage=storage),
        "spectrum": Layout(spectrum),
        **_arrays.CHOICES,
    }
    return _core.Zoom(session, fields)


class CZT:
    """Chirp z-transform of signals of n samples, at m points of a spiral, as in scipy.signal.

    - `n`: the number of samples;
    - `m`: the number of points. Default: n;
    - `w`: a point divided by the next one. Default: the points divide the unit circle;
    - `a`: the first point.

    Call the object with signals. Several threads may call it at once. Points off the unit circle
    are computed in double precision. The points are exact: rounding errors of w do not grow with n.

    Raises ValueError for numbers that are not allowed. A call also raises it if the moduli of the
    points grow so much that rounding leaves no right digit of the results.

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
        for name, z in (("w", ratio), ("a", start)):
            if z is not None and not 0 < abs(z) < math.inf:
                raise ValueError(
                    f"{name} is {z}; it must be finite and not 0. Give a point of the complex plane."
                )
        self._set_points(spiral=(start, ratio))
        self._default = w is None
        self._spiral = any(abs(abs(z) - 1) > _SAME_CIRCLE for z in (start, ratio or 1))

    def _set_points(self, **given: Any) -> None:
        defaults = {"from": 0.0, "to": 1.0, "rate": 1.0, "endpoint": False, "spiral": None}
        self._points = tuple({**defaults, **given, "points": int(self.m)}.items())

    def __repr__(self) -> str:
        w = None if self._default else self.w
        return f"imago.signal.CZT({self.n}, {self.m}, w={w}, a={self.a})"

    def points(self) -> NDArray[Any]:
        """Returns the points of the complex plane at which the transform evaluates."""
        return czt_points(self.m, self.w, self.a)

    @array_method
    def __call__(
        self, x: Any, *, axis: int = -1, out: Any = None, queue: Any = None, wait_for: Any = None
    ) -> Any:
        """Returns the transform of x along the axis, whose length becomes m.

        Raises ValueError if that axis has not n samples, and for another shape or type of `out`.
        """
        return self._computed(x, axis, False, out, queue, wait_for)

    @array_method
    def adjoint(
        self, y: Any, *, axis: int = -1, out: Any = None, queue: Any = None, wait_for: Any = None
    ) -> Any:
        """Returns the adjoint (the conjugate transpose) applied to y along an axis of m points.

        SciPy has no such method. For real signals, use the real part. Raises as a call.
        """
        return self._computed(y, axis, True, out, queue, wait_for)

    def _computed(self, x: Any, axis: int, adjoint: bool, *others: Any) -> Any:
        call = _arrays.Call(*others)
        x = _arrays.array(x)
        samples, results = (self.m, self.n) if adjoint else (self.n, self.m)
        axis = _axis_of(x, axis)
        if x.shape[axis] != samples:
            raise ValueError(
                f"CZT defined for length {samples}, not {x.shape[axis]}. Make another object, or "
                "call imago.signal.czt or zoom_fft, which use the length of the array."
            )
        shape = (*x.shape[:axis], results, *x.shape[axis + 1 :])
        signal = shape if adjoint else x.shape

        def plan_of(session: _core.Session, x: Any, strides: Any) -> _core.Zoom:
            real = x.dtype.kind == "f"
            double = x.dtype.char in "dD"
            if adjoint and strides:
                strides = strides[::-1]
            return _cached_plan(session, self._points, adjoint, signal, axis, strides, real, double)

        request = _arrays.Request(
            shape, plan_of, adjoint, complex_only=adjoint, double_only=self._spiral
        )
        try:
            return _arrays.compute(x, request, call)
        except Unserved as unserved:
            fallbacks.add(type(self).__name__, str(unserved))
            return call.placed(self._by_scipy(x, axis, adjoint))

    def _by_scipy(self, x: Any, axis: int, adjoint: bool) -> Any:
        remedy = "Give float64 or complex128, and check imago.devices()."
        if adjoint:
            raise NotImplementedError(
                f"adjoint: no device computes this array, and SciPy has no adjoint. {remedy}"
            )
        if self._spiral and abs(math.log(abs(self.w))) * max(self.n, self.m) ** 2 / 2 > _WIDEST:
            raise NotImplementedError(
                f"czt: no device computes this array, and SciPy's result would be wrong. {remedy}"
            )
        return self._scipys()(x, axis=axis)

    def _scipys(self) -> Any:
        """Returns SciPy's object for the same points."""
        import scipy.signal

        return scipy.signal.CZT(self.n, self.m, None if self._default else self.w, self.a)


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
        if not 0 < fs < math.inf:
            raise ValueError(f"fs is {fs}; it must be above 0 and finite. Give the sampling rate.")
        first, last = (np.asarray(f, np.float64).item() for f in (self.f1, self.f2))
        if not all(abs(f) <= _MOST_TURNS * fs for f in (first, last)):
            raise ValueError(
                f"fn is {fn!r}; it must be finite, and at most 2^32 times fs in size. Give "
                "frequencies in the unit of fs."
            )
        given = {"from": first, "to": last, "rate": float(fs), "endpoint": bool(endpoint)}
        self._set_points(**given)
        steps = max(self.m - 1, 1) if endpoint else self.m
        self.w = cmath.exp(-2j * math.pi * (last - first) / (fs * steps))
        self.a = cmath.exp(2j * math.pi * first / fs)

    def __repr__(self) -> str:
        given = f"{self.n}, [{self.f1}, {self.f2}], {self.m}, fs={self.fs}"
        return f"imago.signal.ZoomFFT({given}, endpoint={self._endpoint})"

    def _scipys(self) -> Any:
        import scipy.signal

        return scipy.signal.ZoomFFT(
            self.n, [self.f1, self.f2], self.m, fs=self.fs, endpoint=self._endpoint
        )


@array_function
def czt(
    x: Any,
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
    x = _arrays.array(x)
    samples = x.shape[_axis_of(x, axis)]
    return CZT(samples, m, w, a)._computed(x, axis, False, out, queue, wait_for)


@array_function
def zoom_fft(
    x: Any,
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
    x = _arrays.array(x)
    zoom = ZoomFFT(x.shape[_axis_of(x, axis)], fn, m, fs=fs, endpoint=endpoint)
    return zoom._computed(x, axis, False, out, queue, wait_for)
