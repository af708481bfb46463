"""Short-time and averaged spectra, as SciPy's functions have them."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from scipy.signal import _spectral_py

from .. import _queues, _words
from .._devices import Unserved
from .._types import with_axes, with_axis
from ..fft import _arguments as arguments
from ..fft._served import fallbacks
from . import _arrays
from ._averages import mean_product
from ._segments import Segments, scale_of, segments_of
from ._short_time import PADS, Axes, Frames, computed, terms_on_device

Scaling = Literal["density", "spectrum"]
Average = Literal["mean", "median", "nanmean", "nanmedian"]

_BOUNDARIES = {"zeros": "zeros", "constant": "edge", "even": "even", "odd": "odd", None: None}
"""The padding of short-time transforms for each boundary."""


def _frames(win: Any, segments: Segments, scale: float, real: bool, doubled: bool = False) -> Frames:
    """`win`: the window, by whose conjugate frames are multiplied."""
    _check_window(win, real, "return_onesided")
    win = win * math.sqrt(scale)
    factor = math.sqrt(2) if doubled and real else None
    return Frames(win, None, segments.hop, segments.points, real, doubled=factor)


def _check_window(win: Any, real: bool, argument: str) -> None:
    if real and np.iscomplexobj(win):
        raise ValueError(
            f"window is complex; one-sided spectra need a real one. Pass {argument}=False."
        )


def _scaling(given: str) -> str:
    """Returns the scaling of `scale_of` for that of short-time transforms."""
    if given not in ("spectrum", "psd"):
        raise ValueError(f"Parameter scaling={given!r} not in ['spectrum', 'psd']!")
    return "density" if given == "psd" else given


def _is_real(x: Any, return_onesided: bool) -> bool:
    if return_onesided and x.dtype.kind == "c":
        message = "Input data is complex, switching to return_onesided=False"
        warnings.warn(message, UserWarning, stacklevel=5)
    return return_onesided and x.dtype.kind != "c"


def _frequencies(points: int, fs: float, real: bool) -> Any:
    return (np.fft.rfftfreq if real else np.fft.fftfreq)(points, 1 / fs)


def _times(segments: Segments, n: int, fs: float) -> Any:
    return np.arange(segments.length / 2, n - segments.length / 2 + 1, segments.hop) / float(fs)


def _host_only(x: Any, what: str) -> None:
    if _arrays.on_device(x):
        raise ValueError(f"{what} is for arrays on the host. Convert x with {_queues.to_host(x)}.")


def _trend(detrend: Any) -> Any:
    return detrend if detrend else None


Function = TypeVar("Function", bound=Callable[..., Any])


def _else_by_scipy(function: Function) -> Function:
    """SciPy computes what no device does, such as long doubles."""

    @functools.wraps(function)
    def either(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except Unserved as unserved:
            fallbacks.add(function.__name__, str(unserved))
            call = _arrays.Call(*(named.pop(name, None) for name in ("out", "queue", "wait_for")))
            *others, result = getattr(_spectral_py, function.__name__)(*given, **named)
            return (*others, call.placed(result))

    return either  # type: ignore[return-value]


@with_axes
@_else_by_scipy
def stft(
    x: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = 256,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = False,
    return_onesided: bool = True, boundary: Literal["zeros", "constant", "even", "odd"] | None = "zeros", padded: bool = True,
    axis: int = -1, scaling: Literal["spectrum", "psd"] = "spectrum", *, out: Any = None, queue: Any = None,
    wait_for: Any = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Returns frequencies, times and the short-time Fourier transform of x: bins along `axis`.

    An array of a device needs `detrend` False, and `boundary` None or "zeros".

    Raises ValueError for numbers and words that are not allowed.

    >>> import numpy as np, imago.signal
    >>> f, t, spectra = imago.signal.stft(np.sin(np.arange(1000)), nperseg=100)
    >>> spectra.shape
    (51, 21)
    """
    scaling = _scaling(scaling)
    if boundary not in _BOUNDARIES:
        raise ValueError(f"Unknown boundary option {boundary!r}; known: {list(_BOUNDARIES)}")
    x, call = _arrays.array(x), _arrays.Call(out, queue, wait_for)
    axis = arguments.one_axis(x, axis)
    if x.size == 0:
        return np.empty(x.shape), np.empty(x.shape), np.empty(x.shape)
    n = x.shape[axis]
    segments = segments_of(n, window, nperseg, noverlap, nfft)
    half = segments.length // 2
    start, beyond = 0, n
    if boundary == "zeros":
        start, beyond = -half, n + half
    elif boundary is not None:
        if _arrays.on_device(x):
            raise ValueError(f"boundary {boundary!r} is for arrays on the host. Use ShortTimeFFT.")
        if boundary != "constant" and half >= n:
            raise ValueError(f"boundary {boundary!r} needs more than {half} samples, not {n}")
        pads = [(half, half) if d == axis else (0, 0) for d in range(x.ndim)]
        x = np.pad(x, pads, **PADS[str(_BOUNDARIES[boundary])])  # type: ignore[call-overload]
        beyond = x.shape[axis]
    if padded:
        beyond += (-(beyond - start - segments.length) % segments.hop) % segments.length
    real = _is_real(x, return_onesided)
    scale = scale_of(segments.win, fs, scaling)
    frames = _frames(np.conj(segments.win), segments, scale, real)
    times = _times(segments, beyond - start, fs)
    if boundary is not None:
        times -= segments.length / 2 / fs
    detr = _trend(detrend)
    result = computed(frames, x, axis, start, len(times), detr, "zeros", False, call)
    return _frequencies(segments.points, fs, real), times, result


@with_axes
@_else_by_scipy
def spectrogram(
    x: Any, fs: float = 1.0, window: Any = ("tukey", 0.25), nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: Scaling = "density", axis: int = -1, mode: Literal["psd", "complex", "magnitude", "angle", "phase"] = "psd",
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Returns frequencies, times and squares of short-time spectra of x: bins along `axis`.

    `mode`: "psd" for squares, or "complex", "magnitude", "angle" or "phase" of the spectra.

    Raises ValueError for numbers and words that are not allowed.

    >>> import numpy as np, imago.signal
    >>> f, t, power = imago.signal.spectrogram(np.sin(np.arange(1000)), nperseg=100)
    >>> power.shape
    (51, 11)
    """
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(
            f"unknown value for mode {mode!r}; use psd, complex, magnitude, angle or phase"
        )
    x = _arrays.array(x)
    if mode in ("angle", "phase"):
        _host_only(x, f"mode {mode!r}")
    axis = arguments.one_axis(x, axis)
    if x.size == 0:
        return np.empty(x.shape), np.empty(x.shape), np.empty(x.shape)
    n = x.shape[axis]
    segments = segments_of(n, window, nperseg, noverlap, nfft, eighth=True)
    real, power = _is_real(x, return_onesided), mode == "psd"
    scale = scale_of(segments.win, fs, scaling)
    frames = _frames(np.conj(segments.win), segments, scale, real, doubled=power)
    times = _times(segments, n, fs)
    result = computed(
        frames, x, axis, 0, len(times), _trend(detrend), "zeros", power, _arrays.Call()
    )
    if mode == "magnitude":
        result = abs(result)
    elif mode in ("angle", "phase"):
        result = np.angle(result)
        if mode == "phase":
            result = np.unwrap(result, axis=axis)
    return _frequencies(segments.points, fs, real), times, result


@with_axis
@_else_by_scipy
def istft(
    Zxx: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, input_onesided: bool = True,
    boundary: bool = True, time_axis: int = -1, freq_axis: int = -2, scaling: Literal["spectrum", "psd"] = "spectrum",
) -> tuple[Any, Any]:  # fmt: skip
    """Returns times and the signal whose short-time Fourier transform is Zxx, the inverse of `stft`.

    Raises ValueError for numbers and words that are not allowed.

    >>> import numpy as np, imago.signal
    >>> x = np.sin(np.arange(1000))
    >>> t, back = imago.signal.istft(imago.signal.stft(x, nperseg=100)[2], nperseg=100)
    >>> bool(np.allclose(back[:1000], x))
    True
    """
    spectra = _arrays.array(Zxx)
    if spectra.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    time = arguments.one_axis(spectra, time_axis, "time_axis")
    bins = arguments.one_axis(spectra, freq_axis, "freq_axis")
    if time == bins:
        raise ValueError(
            f"time_axis is {time_axis} and freq_axis {freq_axis}, which is the same axis. Must "
            "specify differing time and frequency axes!"
        )
    own = 2 * (spectra.shape[bins] - 1) if input_onesided else spectra.shape[bins]
    length = own if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = length if input_onesided and length == own + 1 else own
    if not isinstance(window, (str, tuple)) and np.ndim(window) == 1 and len(window) != length:
        raise ValueError(f"window must have length of {length}")
    segments = segments_of(max(length, 1), window, length, noverlap, nfft)
    win, count = segments.win, spectra.shape[time]
    _check_window(win, input_onesided, "input_onesided")
    factor = 1 / math.sqrt(scale_of(win, fs, _scaling(scaling)))
    n = length + (count - 1) * segments.hop
    norm = np.zeros(n)
    for i in range(count):
        norm[i * segments.hop :][:length] += np.abs(win) ** 2
    cut = slice(length // 2, n - length // 2) if boundary else slice(0, n)
    norm = norm[cut]
    if not np.all(norm > 1e-10):
        missing = "" if boundary else " Possibly due to missing boundary."
        message = f"NOLA condition failed, STFT may not be invertible.{missing}"
        warnings.warn(message, UserWarning, stacklevel=3)
    dual = np.conj(win) * factor
    frames = Frames(win, dual, segments.hop, segments.points, input_onesided)
    shape = [m for d, m in enumerate(spectra.shape) if d not in (time, bins)]
    along = time - (bins < time)
    shape.insert(along, len(norm))
    x = frames.inverse(spectra, shape, Axes(along, bins, time), cut.start, _arrays.Call())
    factors = 1 / np.where(norm > 1e-10, norm, 1.0)
    x *= _factors_of(x, np.expand_dims(factors, [d for d in range(len(shape)) if d != along]))
    times = np.arange(len(norm)) / float(fs)
    return times, x


def _factors_of(x: Any, factors: Any) -> Any:
    """Returns factors that multiply x, which pyopencl needs in its shape."""
    if not _arrays.on_device(x):
        return _queues.constant(x, factors)
    import pyopencl.array

    real = np.float64 if x.dtype.char in "dD" else np.float32
    whole = np.ascontiguousarray(np.broadcast_to(factors, x.shape), real)
    return pyopencl.array.to_device(x.queue, whole)


@with_axis
def welch(
    x: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: Scaling = "density", axis: int = -1, average: Average = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """Returns frequencies and the power spectral density of x, averaged over segments.

    `average`: "mean", or "median" with the correction of its bias. "nanmean" and "nanmedian" leave
    out segments that have NaN; they, and "median", are for arrays on the host.

    Raises ValueError for numbers and words that are not allowed.

    >>> import numpy as np, imago.signal
    >>> f, density = imago.signal.welch(np.sin(np.arange(4096)), nperseg=256)
    >>> round(float(f[np.argmax(density)]), 2)
    0.16
    """
    f, density = csd(
        x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )
    return f, density.real


@with_axis
@_else_by_scipy
def csd(
    x: Any, y: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: Scaling = "density", axis: int = -1, average: Average = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """Returns frequencies and the cross spectral density of x and y, averaged over segments.

    It is the mean of conj(X) Y over the spectra of segments; the shorter signal is padded with
    zeros. `average` is that of `welch`.

    Raises ValueError for numbers and words that are not allowed, and for shapes that NumPy cannot
    broadcast.

    >>> import numpy as np, imago.signal
    >>> x = np.sin(np.arange(4096))
    >>> f, density = imago.signal.csd(x, np.roll(x, 1), nperseg=256)
    >>> abs(density).argmax() == imago.signal.welch(x, nperseg=256)[1].argmax()
    np.True_
    """
    xs = [_arrays.array(x)] if y is x else [_arrays.array(x), _arrays.array(y)]
    places = [arguments.one_axis(z, axis) for z in xs]
    _words.number("average", average, get_args(Average))
    outer = [[n for d, n in enumerate(z.shape) if d != place] for z, place in zip(xs, places)]
    try:
        shape = list(np.broadcast_shapes(*outer))
    except ValueError:
        raise ValueError("x and y cannot be broadcast together.") from None
    if any(z.size == 0 for z in xs):
        shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, min(z.shape[axis] for z in xs))
        return np.empty(shape), np.empty(shape)
    n = max(z.shape[axis] for z in xs)
    segments = segments_of(n, window, nperseg, noverlap, nfft)
    xs = [_padded(z, place, n) for z, place in zip(_of_one_type(xs), places)]
    real = return_onesided and all(z.dtype.kind != "c" for z in xs)
    scale = scale_of(segments.win, fs, scaling)
    frames = _frames(segments.win, segments, scale, real, doubled=True)
    if average != "mean":
        for z in xs:
            _host_only(z, f"average {average!r}")
        mean = _robust(frames, segments.count(n), xs, axis, _trend(detrend), average)
    else:
        mean = _mean(frames, segments.count(n), xs, axis, _trend(detrend))
    return _frequencies(segments.points, fs, real), mean


def _of_one_type(xs: list[Any]) -> list[Any]:
    """Returns the arrays in one precision. Raises TypeError for arrays on the host and a device."""
    on_device = {_arrays.on_device(z) for z in xs}
    if len(on_device) == 2:
        raise TypeError("x or y is an array of a device, and the other is not. Convert one of them.")
    if True not in on_device:
        xs = [arguments.float_array(z) for z in xs]
    double = any(z.dtype.char in "dD" for z in xs)
    types = [np.dtype(("D" if double else "F") if z.dtype.kind == "c" else "d") for z in xs]
    types = [np.dtype("f") if t.char == "d" and not double else t for t in types]
    return [z if z.dtype == t else z.astype(t) for z, t in zip(xs, types)]


def _padded(x: Any, axis: int, n: int) -> Any:
    """Returns the array with zeros behind its samples, up to n, and on the host C-contiguous."""
    missing = n - x.shape[axis]
    if _arrays.on_device(x):
        return _arrays.with_zeros(x, axis, 0, missing) if missing else x
    pads = [(0, missing) if d == axis else (0, 0) for d in range(x.ndim)]
    return np.ascontiguousarray(np.pad(x, pads) if missing else x)


def _each(frames: Frames, count: int, xs: list[Any], axis: int, trend: Any) -> Any:
    """Returns the squares of all frames, or the products of two signals'. Frames are along the last
    axis, and bins along the one before."""
    spectra = [
        computed(frames, z, axis % z.ndim, 0, count, trend, "zeros", len(xs) == 1, _arrays.Call())
        for z in xs
    ]
    spectra = [np.moveaxis(z, axis % x.ndim, -2) for z, x in zip(spectra, xs)]
    return spectra[0] if len(xs) == 1 else spectra[0].conj() * spectra[1]


def _mean(frames: Frames, count: int, xs: list[Any], axis: int, trend: Any) -> Any:
    terms = 0 if trend is None else min(terms_on_device(trend, z) for z in xs)
    if trend is None or terms:
        return mean_product(frames, xs, axis, count, terms)
    each = _each(frames, count, xs, axis, trend)
    return np.moveaxis(each.mean(axis=-1), -1, axis).astype(each.dtype)


def _robust(
    frames: Frames, count: int, xs: list[Any], axis: int, trend: Any, average: str
) -> Any:
    """Returns the median of all frames, or the mean or median of those without NaN."""
    each = _each(frames, count, xs, axis, trend)
    counts = np.full(each.shape[:-1], count)
    if average.startswith("nan"):
        spoiled = np.isnan(each).any(axis=-2, keepdims=True)
        counts = np.broadcast_to((~spoiled).sum(axis=-1), counts.shape)
        each = np.where(spoiled, np.nan, each)
        if not counts.all():
            message = "every segment of a signal has NaN, and so has its average"
            warnings.warn(message, RuntimeWarning, stacklevel=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's about rows of NaN
        if average == "nanmean":
            mean = np.nanmean(each, axis=-1)
        else:
            median = np.median if average == "median" else np.nanmedian
            mean = median(each.real, axis=-1)
            if len(xs) == 2:
                mean = mean + 1j * median(each.imag, axis=-1)
            mean = mean / np.vectorize(_median_bias, otypes=[float])(counts)
    return np.moveaxis(mean, -1, axis).astype(each.dtype)


def _median_bias(count: int) -> float:
    """Returns the median of squares of Gaussian noise, relative to the mean (B. Allen et al.,
    "FINDCHIRP", Physical Review D 85, 2012, appendix B)."""
    return 1 + sum(1 / (2 * k + 1) - 1 / (2 * k) for k in range(1, (count - 1) // 2 + 1))


@with_axis
def periodogram(
    x: Any, fs: float = 1.0, window: Any = "boxcar", nfft: int | None = None,
    detrend: Any = "constant", return_onesided: bool = True, scaling: Scaling = "density",
    axis: int = -1,
) -> tuple[Any, Any]:  # fmt: skip
    """Returns frequencies and the power spectral density of x from one segment, all of x.

    - `nfft`: number of points; x is cropped, or padded with zeros behind the window. Default: all.

    The other arguments and the exceptions are those of `welch`.

    >>> import numpy as np, imago.signal
    >>> f, density = imago.signal.periodogram(np.sin(2 * np.pi * 0.125 * np.arange(64)))
    >>> float(f[density.argmax()])
    0.125
    """
    x = _arrays.array(x)
    axis = arguments.one_axis(x, axis)
    n = x.shape[axis]
    points = n if nfft is None else nfft
    if points < n:
        x = x[tuple(slice(points) if d == axis else slice(None) for d in range(x.ndim))]
    window = "boxcar" if window is None else window
    if n and not isinstance(window, (str, tuple)) and np.shape(window) != (min(n, points),):
        raise ValueError(
            f"window has shape {np.shape(window)}; the size of the window must be the same size of the "
            f"input on the specified axis, {min(n, points)}"
        )
    return welch(
        x, fs, window, min(n, points) or None, 0, points or None,
        detrend, return_onesided, scaling, axis,
    )  # fmt: skip


@with_axis
def coherence(
    x: Any, y: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    axis: int = -1,
) -> tuple[Any, Any]:  # fmt: skip
    """Returns frequencies and the magnitude squared coherence of x and y.

    It is |Pxy|^2 / (Pxx Pyy), with the densities of `csd` and `welch`. Raises as `csd`.

    >>> import numpy as np, imago.signal
    >>> x = np.random.default_rng(1).standard_normal(4096)
    >>> f, coherent = imago.signal.coherence(x, 2 * x)
    >>> bool(np.allclose(coherent, 1))
    True
    """
    given = {"fs": fs, "window": window, "nperseg": nperseg, "noverlap": noverlap, "nfft": nfft}
    given |= {"detrend": detrend, "axis": axis}
    f, pxx = welch(x, **given)
    pyy, pxy = welch(y, **given)[1], csd(x, y, **given)[1]
    if _arrays.on_device(pxx) and pxx.shape != pyy.shape:
        raise ValueError(
            f"x has shape {x.shape} and y {y.shape}; arrays of pyopencl need one shape, except "
            "for the number of samples."
        )
    return f, abs(pxy) ** 2 / pxx / pyy
