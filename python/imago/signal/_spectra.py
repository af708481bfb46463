"""Short-time and averaged spectra, as SciPy's functions have them."""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import scipy.signal
from scipy.signal import _spectral_py

from .._devices import Unserved
from ..fft._compute import fallbacks
from . import _arrays
from ._short_time import PADS, Axes, Frames, computed

_BOUNDARIES = {"zeros": "zeros", "constant": "edge", "even": "even", "odd": "odd", None: None}
"""The padding of short-time transforms for each boundary."""


@dataclasses.dataclass(frozen=True)
class _Segments:
    """Segments of a signal, with defaults filled in and checked."""

    win: Any
    overlap: int
    points: int

    @property
    def length(self) -> int:
        return len(self.win)

    @property
    def hop(self) -> int:
        return self.length - self.overlap

    def count(self, n: int) -> int:
        return (n - self.overlap) // self.hop


def _segments(
    n: int, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None,
    eighth: bool = False,
) -> _Segments:  # fmt: skip
    """Returns the segments of n samples; `eighth`: they overlap by an eighth, else by a half."""
    if nperseg is not None and int(nperseg) < 1:
        raise ValueError(f"Parameter {nperseg=}: nperseg must be a positive integer")
    if isinstance(window, (str, tuple)):
        length = 256 if nperseg is None else int(nperseg)
        if length > n:
            message = f"nperseg is {length}, greater than the {n} samples; {n} is used instead"
            warnings.warn(message, UserWarning, stacklevel=5)
            length = n
        win = scipy.signal.get_window(window, length)
    else:
        win = np.asarray(window)
        if win.ndim != 1:
            raise ValueError(f"window must be 1-D, not of shape {win.shape}")
        if len(win) > n:
            raise ValueError(f"window is longer than input signal: {len(win)} and {n} samples")
        if nperseg not in (None, len(win)):
            raise ValueError(
                f"value specified for nperseg is different from length of window: {nperseg} and "
                f"{len(win)}"
            )
    length = len(win)
    points = length if nfft is None else int(nfft)
    if points < length:
        raise ValueError(f"{nfft=}: nfft must be greater than or equal to nperseg. It is {length}")
    overlap = length // (8 if eighth else 2) if noverlap is None else int(noverlap)
    if overlap >= length:
        raise ValueError(f"{noverlap=}: noverlap must be less than nperseg. It is {length}")
    return _Segments(win, overlap, points)


def _scale(win: Any, fs: float, scaling: str) -> Any:
    """Returns the factor of squares of spectra."""
    if scaling == "density":
        return 1 / (fs * (win * win).sum())
    if scaling == "spectrum":
        return 1 / win.sum() ** 2
    raise ValueError(f"scaling is {scaling!r}; it must be 'density' or 'spectrum'")


def _frames(segments: _Segments, scale: Any, real: bool, doubled: bool = False) -> Frames:
    # These functions multiply by the window, short-time transforms by its conjugate.
    win = np.conj(segments.win * np.sqrt(scale))
    factor = math.sqrt(2) if doubled and real else None
    return Frames(win, None, segments.hop, segments.points, real, doubled=factor)


def _is_real(x: Any, return_onesided: bool) -> bool:
    if return_onesided and x.dtype.kind == "c":
        message = "Input data is complex, switching to return_onesided=False"
        warnings.warn(message, UserWarning, stacklevel=5)
    return return_onesided and x.dtype.kind != "c"


def _frequencies(points: int, fs: float, real: bool) -> Any:
    return (np.fft.rfftfreq if real else np.fft.fftfreq)(points, 1 / fs)


def _times(segments: _Segments, n: int, fs: float) -> Any:
    return np.arange(segments.length / 2, n - segments.length / 2 + 1, segments.hop) / float(fs)


def _host(x: Any) -> Any:
    if _arrays.on_device(x):
        raise TypeError(
            "x is an array of pyopencl. Convert it with x.get(), or use ShortTimeFFT, which "
            "computes on the device."
        )
    return np.asarray(x)


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
            return getattr(_spectral_py, function.__name__)(*given, **named)

    return either  # type: ignore[return-value]


@_else_by_scipy
def stft(
    x: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = 256,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = False,
    return_onesided: bool = True, boundary: str | None = "zeros", padded: bool = True,
    axis: int = -1, scaling: str = "spectrum", *, out: Any = None, queue: Any = None,
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
    given, scaling = scaling, {"psd": "density", "spectrum": "spectrum"}.get(scaling, "")
    if not scaling:
        raise ValueError(f"Parameter scaling={given!r} not in ['spectrum', 'psd']!")
    if boundary not in _BOUNDARIES:
        raise ValueError(f"Unknown boundary option {boundary!r}; known: {list(_BOUNDARIES)}")
    x, call = _arrays.array(x), _arrays.Call(out, queue, wait_for)
    if x.size == 0:
        return np.empty(x.shape), np.empty(x.shape), np.empty(x.shape)
    axis = operator.index(axis) % x.ndim
    n = x.shape[axis]
    segments = _segments(n, window, nperseg, noverlap, nfft)
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
    frames = _frames(segments, _scale(segments.win, fs, scaling), real)
    times = _times(segments, beyond - start, fs)
    if boundary is not None:
        times -= segments.length / 2 / fs
    detr = _trend(detrend)
    result = computed(frames, x, axis, start, len(times), detr, "zeros", False, call)
    return _frequencies(segments.points, fs, real), times, result


@_else_by_scipy
def spectrogram(
    x: Any, fs: float = 1.0, window: Any = ("tukey", 0.25), nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1, mode: str = "psd",
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
    x = _host(x)
    if x.size == 0:
        return np.empty(x.shape), np.empty(x.shape), np.empty(x.shape)
    axis = operator.index(axis) % x.ndim
    n = x.shape[axis]
    segments = _segments(n, window, nperseg, noverlap, nfft, eighth=True)
    real, power = _is_real(x, return_onesided), mode == "psd"
    frames = _frames(segments, _scale(segments.win, fs, scaling), real, doubled=power)
    times = _times(segments, n, fs)
    result = computed(
        frames, x, axis, 0, len(times), _trend(detrend), "zeros", power, _arrays.Call()
    )
    if mode == "magnitude":
        result = np.abs(result)
    elif mode in ("angle", "phase"):
        result = np.angle(result)
        if mode == "phase":
            result = np.unwrap(result, axis=axis)
    return _frequencies(segments.points, fs, real), times, result


@_else_by_scipy
def istft(
    Zxx: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, input_onesided: bool = True,
    boundary: bool = True, time_axis: int = -1, freq_axis: int = -2, scaling: str = "spectrum",
) -> tuple[Any, Any]:  # fmt: skip
    """Returns times and the signal whose short-time Fourier transform is Zxx, the inverse of `stft`.

    Raises ValueError for numbers and words that are not allowed.

    >>> import numpy as np, imago.signal
    >>> x = np.sin(np.arange(1000))
    >>> t, back = imago.signal.istft(imago.signal.stft(x, nperseg=100)[2], nperseg=100)
    >>> bool(np.allclose(back[:1000], x))
    True
    """
    spectra = _host(Zxx)
    if spectra.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    time, bins = (operator.index(axis) % spectra.ndim for axis in (time_axis, freq_axis))
    own = 2 * (spectra.shape[bins] - 1) if input_onesided else spectra.shape[bins]
    length = own if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = length if input_onesided and length == own + 1 else own
    if not isinstance(window, (str, tuple)) and np.ndim(window) == 1 and len(window) != length:
        raise ValueError(f"window must have length of {length}")
    segments = _segments(max(length, 1), window, length, noverlap, nfft)
    win, count = segments.win, spectra.shape[time]
    if scaling == "spectrum":
        factor = win.sum()
    elif scaling == "psd":
        factor = np.sqrt(fs * sum(win**2))
    else:
        raise ValueError(f"Parameter {scaling=} not in ['spectrum', 'psd']!")
    n = length + (count - 1) * segments.hop
    norm = np.zeros(n, win.dtype)
    for i in range(count):
        norm[i * segments.hop :][:length] += win**2
    cut = slice(length // 2, n - length // 2) if boundary else slice(0, n)
    norm = norm[cut]
    if not np.all(norm > 1e-10):
        missing = "" if boundary else " Possibly due to missing boundary."
        message = f"NOLA condition failed, STFT may not be invertible.{missing}"
        warnings.warn(message, UserWarning, stacklevel=3)
    frames = Frames(win, win * factor, segments.hop, segments.points, input_onesided)
    spectra = np.moveaxis(spectra, (bins, time), (-2, -1))
    shape, axes = (*spectra.shape[:-2], len(norm)), Axes(spectra.ndim - 2, spectra.ndim - 2, spectra.ndim - 1)
    x = frames.inverse(spectra, shape, axes, cut.start, _arrays.Call())
    x /= np.where(norm > 1e-10, norm, 1.0)
    times = np.arange(len(norm)) / float(fs)
    if x.ndim > 1 and time != spectra.ndim - 1:
        x = np.moveaxis(x, -1, time - (bins < time))
    return times, x


def welch(
    x: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """Returns frequencies and the power spectral density of x, averaged over segments.

    `average`: "mean", or "median" with the correction of its bias.

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


@_else_by_scipy
def csd(
    x: Any, y: Any, fs: float = 1.0, window: Any = "hann", nperseg: int | None = None,
    noverlap: int | None = None, nfft: int | None = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1, average: str = "mean",
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
    same, x, y = y is x, _host(x), _host(y)
    axis = int(axis)
    if average not in ("mean", "median"):
        raise ValueError(f"average is {average!r}; it must be 'mean' or 'median'")
    outer = [[n for d, n in enumerate(z.shape) if d != axis % z.ndim] for z in (x, y)]
    try:
        shape = list(np.broadcast_shapes(*outer))
    except ValueError:
        raise ValueError("x and y cannot be broadcast together.") from None
    if x.size == 0 or y.size == 0:
        shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, min(x.shape[axis], y.shape[axis]))
        return np.empty(shape), np.empty(shape)
    n = max(x.shape[axis], y.shape[axis])
    segments = _segments(n, window, nperseg, noverlap, nfft)
    complex_given = "c" in (x.dtype.kind, y.dtype.kind)
    real = return_onesided and not complex_given
    frames = _frames(segments, _scale(segments.win, fs, scaling), real, doubled=True)

    def of(z: Any, power: bool = False) -> Any:
        along = axis % z.ndim
        missing = [(0, n - z.shape[along]) if d == along else (0, 0) for d in range(z.ndim)]
        z = np.pad(z, missing) if n > z.shape[along] else z
        count = segments.count(n)
        trend = _trend(detrend)
        result = computed(frames, z, along, 0, count, trend, "zeros", power, _arrays.Call())
        return np.moveaxis(result, along, -2)

    each = of(x, power=True) if same else of(x).conj() * of(y)
    if average == "mean":
        mean = each.mean(axis=-1)
    else:
        mean = np.median(each.real, axis=-1)
        if not same:
            mean = mean + 1j * np.median(each.imag, axis=-1)
        mean = mean / _median_bias(each.shape[-1])
    mean = np.moveaxis(mean, -1, axis).astype(each.dtype)
    return _frequencies(segments.points, fs, real), mean


def _median_bias(count: int) -> float:
    """Returns the median of squares of Gaussian noise, relative to the mean (B. Allen et al.,
    "FINDCHIRP", Physical Review D 85, 2012, appendix B)."""
    return 1 + sum(1 / (2 * k + 1) - 1 / (2 * k) for k in range(1, (count - 1) // 2 + 1))


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
    return f, np.abs(pxy) ** 2 / pxx / pyy
