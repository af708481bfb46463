"""The calls of `first_calls.py composed`: what imago.signal, imago.nufft and imago's filters compute.

Each function of ROWS returns a Row. Its arrays are made before the measurement.
"""

import dataclasses
import importlib.util
from collections.abc import Callable
from typing import Any

import finufft
import numpy as np
import scipy.fft
import scipy.signal

import imago
import imago.hooks
import imago.nufft
import imago.signal

RATE = 48_000  # samples of a second of sound
FRAME, HOP = 1024, 256
FRAMES = {"nperseg": FRAME, "noverlap": FRAME - HOP}
WINDOW = scipy.signal.get_window("hann", FRAME)
TOLERANCE = {"f": 1e-5, "d": 1e-6}  # for nonuniform transforms


@dataclasses.dataclass
class Row:
    ours: Callable[[], Any]
    own: Callable[[], Any]
    """SciPy's or finufft's call."""
    check: Callable[[Any, Any], float] | None = None
    """Returns the relative error of our result and theirs. Default: the norm of the difference."""
    limit: float = 0
    """The largest error; 0: of the precision."""
    librosa: Callable[[], Any] | None = None


def drawn(shape, dtype):
    dtype, random = np.dtype(dtype), np.random.default_rng(0)
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if dtype.kind == "c" else x).astype(dtype)


def spectral(name, dtype, n, **arguments):
    """A function of imago.signal with SciPy's name and arguments."""

    def row():
        x = [drawn(n, dtype)] + ([drawn(n + 1, dtype)[1:]] if name == "csd" else [])
        ours, own = getattr(imago.signal, name), getattr(scipy.signal, name)
        return Row(
            lambda: ours(*x, fs=RATE, **arguments)[-1], lambda: own(*x, fs=RATE, **arguments)[-1]
        )

    return row


def with_librosa(call):
    """Returns a call of librosa, or None if it is not installed."""
    if importlib.util.find_spec("librosa") is None:
        return None
    import librosa

    return lambda: call(librosa)


def stft(dtype):
    def row():
        found = spectral("stft", dtype, RATE, **FRAMES)()
        x = drawn(RATE, dtype)
        found.librosa = with_librosa(lambda librosa: librosa.stft(x, n_fft=FRAME, hop_length=HOP))
        return found

    return row


def istft(dtype):
    def row():
        spectra = scipy.signal.stft(drawn(RATE, dtype), **FRAMES)[2]
        return Row(
            lambda: imago.signal.istft(spectra, **FRAMES)[1],
            lambda: scipy.signal.istft(spectra, **FRAMES)[1],
            librosa=with_librosa(
                lambda librosa: librosa.istft(spectra, n_fft=FRAME, hop_length=HOP)
            ),
        )

    return row


def zoom(dtype, n, points):
    def row():
        x = drawn(n, dtype)
        arguments = ([990, 1010], points)
        return Row(
            lambda: imago.signal.zoom_fft(x, *arguments, fs=RATE),
            lambda: scipy.signal.zoom_fft(x, *arguments, fs=RATE),
        )

    return row


def czt(dtype, n, points):
    def row():
        x, w = drawn(n, dtype), np.exp(-0.25j * np.pi / points)
        return Row(
            lambda: imago.signal.czt(x, points, w), lambda: scipy.signal.czt(x, points, w),
            limit=1e-5 if dtype in "fF" else 1e-8,  # SciPy's powers of w lose digits
        )  # fmt: skip

    return row


def lowpass(dtype):
    """A filter that keeps the lower quarter of the bins."""

    def row():
        x, kept = drawn(RATE, dtype), RATE // 8

        def ours():
            low = imago.Filter(
                RATE, kind="real", dtype=dtype,
                spectrum=[imago.hooks.zero_outside(0, 0, kept)],
            )  # fmt: skip
            return low(x)

        def own():
            spectrum = scipy.fft.rfft(x)
            spectrum[kept:] = 0
            return scipy.fft.irfft(spectrum, RATE)

        return Row(ours, own)

    return row


def convolution(dtype, kernel_shape, shape, extent):
    def row():
        x, kernel = drawn(shape, dtype), drawn(kernel_shape, dtype)
        return Row(
            lambda: imago.Convolution(kernel, shape, extent=extent)(x),
            lambda: scipy.signal.fftconvolve(x, kernel, extent),
        )

    return row


def streamed(make, x):
    stream = make()
    return np.concatenate([stream.push(x), stream.finish()])


def stream_fir(dtype, taps):
    def row():
        x, h = drawn(RATE, dtype), scipy.signal.firwin(taps, 0.25)
        return Row(
            lambda: streamed(lambda: imago.signal.Stream.fir(h, dtype=dtype), x),
            lambda: scipy.signal.oaconvolve(x, h.astype(dtype)),
        )

    return row


def stream_stft(dtype):
    def row():
        x, short = drawn(RATE, dtype), scipy.signal.ShortTimeFFT(WINDOW, HOP, RATE, phase_shift=None)
        return Row(
            lambda: streamed(lambda: imago.signal.Stream.stft(WINDOW, HOP, dtype=dtype), x).T,
            lambda: short.stft(x),
        )

    return row


def stream_istft(dtype):
    def row():
        short = scipy.signal.ShortTimeFFT(WINDOW, HOP, RATE, phase_shift=None)
        x = drawn(RATE, dtype)
        spectra = short.stft(x).astype(np.result_type(dtype, np.complex64))
        frames = np.ascontiguousarray(spectra.T)

        def ours():
            return streamed(lambda: imago.signal.Stream.istft(WINDOW, HOP, dtype=dtype), frames)[
                :RATE
            ]

        return Row(ours, lambda: short.istft(spectra, k1=RATE))

    return row


def direct(points, targets, numbers):
    """Returns the sums of numbers times exp(i target point) in double precision."""
    angles = np.stack(targets, -1).astype(float) @ np.stack(points).astype(float)
    return np.exp(1j * angles) @ numbers


def nonuniform(kind, axes, real):
    """Points of type 1 and 2 are in one period. Those of type 3 are, and as many frequencies."""
    count, modes = 100_000, {1: 50_000, 2: 256, 3: 48}[axes]

    def row():
        random = np.random.default_rng(axes)
        eps = TOLERANCE[real]
        points = [random.uniform(-np.pi, np.pi, count).astype(real) for _ in range(axes)]
        shape = (modes,) * axes if kind == 2 else (count,)
        numbers = drawn(shape, real.upper())
        arguments = [*points, numbers]
        if kind == 1:
            arguments.append((modes,) * axes)
        if kind == 3:
            targets = [random.uniform(-modes / 2, modes / 2, count).astype(real) for _ in range(axes)]
            arguments += targets
        name = f"nufft{axes}d{kind}"
        ours, own = getattr(imago.nufft, name), getattr(finufft, name)

        def check(found, _):
            """Compares 100 values with sums."""
            found = found.ravel()
            some = random.integers(found.size, size=100)
            grid = np.unravel_index(some, (modes,) * axes) if kind == 1 else None
            if kind == 1:
                expected = direct(points, [k - modes // 2 for k in grid], numbers)
            elif kind == 3:
                expected = direct(points, [s[some] for s in targets], numbers)
            else:
                waves = [
                    np.exp(-1j * np.outer(x[some].astype(float), np.arange(modes) - modes // 2))
                    for x in points
                ]
                names = "abc"[:axes]
                path = f"{names},{','.join('z' + each for each in names)}->z"
                expected = np.einsum(path, numbers.astype(complex), *waves, optimize=True)
            return relative(found[some], expected)

        return Row(lambda: ours(*arguments, eps=eps), lambda: own(*arguments, eps=eps), check, 2 * eps)

    return row


def relative(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


IQ = 25_000  # samples of a short recording
ROWS = {
    "stft, 1 s of sound, f32": stft("f"),
    "stft, 1 s of sound, f64": stft("d"),
    "stft, defaults, f64": spectral("stft", "d", RATE),
    "istft, 1 s of sound, f32": istft("f"),
    "istft, 1 s of sound, f64": istft("d"),
    "spectrogram, real, f32": spectral("spectrogram", "f", RATE, **FRAMES),
    "spectrogram, real, defaults, f64": spectral("spectrogram", "d", RATE),
    "spectrogram, 25 000 IQ samples, f32": spectral(
        "spectrogram", "F", IQ, nperseg=256, noverlap=128, return_onesided=False
    ),
    "welch, f32": spectral("welch", "f", RATE, nperseg=FRAME),
    "welch, defaults, f64": spectral("welch", "d", RATE),
    "csd, f32": spectral("csd", "f", RATE, nperseg=FRAME),
    "csd, f64": spectral("csd", "d", RATE, nperseg=FRAME),
    "zoom_fft, 4096 to 1000, f32": zoom("f", 4096, 1000),
    "zoom_fft, 25 000 IQ samples, f64": zoom("D", IQ, 1000),
    "czt, 1000 to 500, f32": czt("F", 1000, 500),
    "czt, 10 000 to 4000, f64": czt("D", 10_000, 4000),
    "Filter, lowpass of sound, f32": lowpass("f"),
    "Filter, lowpass of sound, f64": lowpass("d"),
    "Convolution, sound, 4800 taps, f32": convolution("f", 4800, RATE, "full"),
    "Convolution, sound, 4800 taps, f64": convolution("d", 4800, RATE, "full"),
    "Convolution, 1080x1920, 15x15, f32": convolution("f", (15, 15), (1080, 1920), "same"),
    "Stream.fir, 255 taps, f32": stream_fir("f", 255),
    "Stream.fir, 255 taps, f64": stream_fir("d", 255),
    "Stream.stft, f32": stream_stft("f"),
    "Stream.istft, f32": stream_istft("f"),
    "Stream.istft, f64": stream_istft("d"),
    **{
        f"nufft{axes}d{kind}, 100 000 points, {name}": nonuniform(kind, axes, real)
        for real, name in (("f", "f32"), ("d", "f64"))
        for kind in (1, 2, 3)
        for axes in (1, 2, 3)
    },
}
