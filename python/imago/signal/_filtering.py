"""Analytic signals, resampling by filters, and SciPy's code with imago's transforms."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import scipy.fft
import scipy.signal
from numpy.typing import ArrayLike
from scipy.signal import _signaltools

from .. import _core, _queues, _words, hooks
from .._devices import Unserved
from .._planned import Layout
from .._types import Host, array_function
from ..fft import _arguments as arguments
from ..fft._served import fallbacks
from . import _arrays
from ._streams import Stream
from ._trends import packed

Mode = Literal["full", "valid", "same"]

_BACKGROUNDS: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "median": np.median,
    "minimum": np.min,
    "maximum": np.max,
}
"""The levels of `resample_poly` outside of the samples."""


@_arrays.plans
def _cached_plan(
    session: _core.Session, shape: tuple[int, ...], axis: int, points: int,
    layouts: tuple[Layout, Layout], char: str,
) -> _core.Filter:  # fmt: skip
    lengths = [points if d == axis else n for d, n in enumerate(shape)]
    kinds = [_words.number("kind", "identity", _words.KINDS)] * len(shape)
    kinds[axis] = _words.number("kind", "complex", _words.KINDS)
    n = shape[axis]
    load = [hooks.zero_outside(axis, 0, n)] if points > n else []
    fields = {
        "axes": kinds,
        "precision": _words.precision(char in "dD"),
        "lengths": lengths,
        "batch": 1,
        "in_place": False,
        "scale": 1.0,
        "signal": layouts[0],
        "result": layouts[1],
        "ends": hooks.Hooks(load=load),
        "spectrum": [hooks.multiply("doubled", axes=(axis,), real=True)],
        "reproducible": False,
        **_arrays.CHOICES,
    }
    return _core.Filter(session, fields)


@array_function
def hilbert(
    x: Any, N: int | None = None, axis: int = -1, *, out: Any = None, queue: Any = None,
    wait_for: Any = None,
) -> Any:  # fmt: skip
    """Returns the analytic signal of real x along an axis: x + i times its Hilbert transform.

    - `N`: number of points of the transform; x is cropped or padded with zeros. Default: all.

    One filter computes it, in one kernel if a row fits into one.

    Raises ValueError for complex x and for N below 1.

    >>> import numpy as np, imago.signal
    >>> t = np.arange(64) / 64
    >>> envelope = abs(imago.signal.hilbert((1 + t) * np.cos(2 * np.pi * 20 * t)))
    >>> bool(np.allclose(envelope[20:40], (1 + t)[20:40], atol=0.05))
    True
    """
    x, call = _arrays.array(x), _arrays.Call(out, queue, wait_for)
    if x.dtype.kind == "c":
        raise ValueError("x must be real. Give x.real")
    axis = arguments.one_axis(x, axis)
    points = x.shape[axis] if N is None else N
    if points <= 0:
        raise ValueError("N must be positive.")
    half = np.zeros(points)
    half[0] = 1
    half[1 : (points + 1) // 2] = 2
    if points % 2 == 0:
        half[points // 2] = 1
    shape = [points if d == axis else n for d, n in enumerate(x.shape)]

    def plan_of(session: _core.Session, given: Any, strides: Any) -> _core.Filter:
        own, made = strides or (packed(given.shape), packed(shape))
        layouts = Layout(tuple(own), storage="real"), Layout(tuple(made))
        return _cached_plan(session, tuple(given.shape), axis, points, layouts, given.dtype.char)

    try:
        return _arrays.compute(x, _arrays.Request(shape, plan_of, values={"doubled": half}), call)
    except Unserved as unserved:
        fallbacks.add("hilbert", str(unserved))
        return call.placed(_signaltools.hilbert(x, N, axis))


def _check_host(name: str, x: Any) -> None:
    found = _queues.device_array(x)
    if found is not None:
        raise TypeError(f"{name} is for arrays on the host. Convert x with {_queues.to_host(found)}.")


def _by_scipy(name: str, arrays: tuple[Any, ...], *others: Any, **named: Any) -> Any:
    """Calls SciPy's function; imago computes its Fourier transforms."""
    for x in arrays:
        _check_host(name, x)
    function: Callable[..., Any] = getattr(_signaltools, name)
    with scipy.fft.set_backend(sys.modules["imago"]):
        return function(*arrays, *others, **named)


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Any = None) -> Host:
    """Returns the convolution of two arrays by Fourier transforms, as in scipy.signal.

    For many signals and one kernel use `imago.Convolution`, which is faster and takes arrays of
    devices.

    Raises ValueError for another mode, and for shapes that do not fit.

    >>> import imago.signal
    >>> imago.signal.fftconvolve([1.0, 2.0, 3.0], [1.0, 1.0]).round(6)
    array([1., 3., 5., 3.])
    """
    return _by_scipy("fftconvolve", (in1, in2), mode, axes)


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Any = None) -> Host:
    """Returns the convolution of two arrays of very different lengths, as in scipy.signal.

    The longer array is divided into blocks (overlap-add). Otherwise as `fftconvolve`.

    >>> import numpy as np, imago.signal
    >>> imago.signal.oaconvolve(np.ones(1000), [0.5, 0.5], mode="valid").round(6).min()
    np.float64(1.0)
    """
    return _by_scipy("oaconvolve", (in1, in2), mode, axes)


def resample(
    x: ArrayLike, num: int, t: ArrayLike | None = None, axis: int = 0, window: Any = None,
    domain: Literal["time", "freq"] = "time",
) -> Any:  # fmt: skip
    """Returns x with `num` samples along an axis, by its Fourier transform, as in scipy.signal.

    - `t`: the times of the samples of x; the result is then a pair with those of the new samples;
    - `window`: a window for the spectrum; `domain`: "freq" if x is a spectrum.

    Raises ValueError for another domain.

    >>> import numpy as np, imago.signal
    >>> imago.signal.resample(np.cos(np.pi * np.arange(4) / 2), 8).round(3) + 0.0
    array([ 1.   ,  0.707,  0.   , -0.707, -1.   , -0.707,  0.   ,  0.707])
    """
    return _by_scipy("resample", (x,), num, t, axis, window, domain)



def resample_poly(
    x: ArrayLike, up: int, down: int, axis: int = 0, window: Any = ("kaiser", 5.0),
    padtype: str = "constant", cval: float | None = None,
) -> Host:  # fmt: skip
    """Returns x at `up / down` times its rate along an axis, by a filter, as in scipy.signal.

    - `window`: that of the low-pass, or the taps of a filter for the rate of x times `up`, which has
      no common divisor with `down`;
    - `padtype`: what is outside of the samples: "constant" (`cval`, by default 0), "mean", "median",
      "minimum" or "maximum".

    It is a `Stream.fir(taps, decimation=down, interpolation=up)` of the whole signal, without its
    delay. float32 and complex64 are computed in single precision, others in double precision.

    Raises ValueError for numbers below 1, for another `padtype`, and for a ratio of numbers so large
    that the filter has more than 2^24 factors.

    >>> import numpy as np, imago.signal
    >>> x = np.sin(2 * np.pi * 440 / 48000 * np.arange(4800))
    >>> y = imago.signal.resample_poly(x, 44100, 48000)
    >>> wanted = np.sin(2 * np.pi * 440 / 44100 * np.arange(4410))
    >>> len(y), bool(abs(y - wanted)[100:-100].max() < 1e-3)
    (4410, True)
    """
    _check_host("resample_poly", x)
    x = np.asarray(x)
    for name, number in (("up", up), ("down", down)):
        if number != int(number) or number < 1:
            raise ValueError(f"{name} is {number}; it must be a whole number from 1 on")
    allowed = ["constant", *_BACKGROUNDS]
    if padtype not in allowed:
        listed = ", ".join(allowed[:-1])
        raise ValueError(f"padtype is {padtype!r}; it must be {listed} or {allowed[-1]}")
    if cval is not None and padtype != "constant":
        raise ValueError(f"cval is {cval}; it is for the padtype constant. Leave it out.")
    divisor = math.gcd(int(up), int(down))
    up, down = int(up) // divisor, int(down) // divisor
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    x = np.moveaxis(x, axis, 0)
    if up == down or x.size == 0:
        return np.moveaxis(x.copy() if up == down else np.repeat(x, up, 0)[::down], 0, axis)
    if isinstance(window, (list, np.ndarray)):
        taps = np.asarray(window)
    else:
        half = 10 * max(up, down)
        taps = scipy.signal.firwin(2 * half + 1, 1 / max(up, down), window=window)
    middle = (len(taps) - 1) // 2
    before = down - middle % down  # so that the middle is at a result
    dtype = np.result_type(x.dtype, np.complex64 if taps.dtype.kind == "c" else np.float32)
    level: Any = 0
    if padtype != "constant":
        level = _BACKGROUNDS[padtype](x, axis=0, keepdims=True)
    first, count = (middle + before) // down, -(-len(x) * up // down)
    if cval:
        outside = down * -(-len(taps) // (up * down))
        x = np.pad(x, [(outside, outside)] + [(0, 0)] * (x.ndim - 1), constant_values=cval)
        first += outside * up // down
    stream = Stream.fir(
        np.concatenate([np.zeros(before), up * taps]), dtype=dtype, channels=x.shape[1:],
        decimation=down, interpolation=up, block=min(len(x), 1 << 18),
    )  # fmt: skip
    y = np.concatenate([stream.push((x - level).astype(dtype)), stream.finish()])
    y = y[first : first + count]
    if len(y) < count:  # the filter ends before the last result
        y = np.concatenate([y, np.zeros((count - len(y), *y.shape[1:]), dtype)])
    return np.moveaxis(y + np.asarray(level, dtype), 0, axis)
