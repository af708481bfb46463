"""scipy.signal's names and signatures for transforms of signals, computed on the device.

- Zooms are the Fourier transform at equally spaced frequencies of a range, and chirp z-transforms
  evaluate at the points of a spiral in the complex plane. Both are one filter between two chirps
  (Bluestein's algorithm), in one kernel if a row fits into one.
- Short-time Fourier transforms are computed in one kernel, and inverted without memory for frames.
- `Channelizer` is a polyphase filter bank: a short-time transform of frames that are longer than it.
- `Stream` transforms and filters signals that arrive in blocks. SciPy has no such class.
- `lombscargle` and astropy's `LombScargle` are periodograms of samples at any times.
- `fftconvolve`, `oaconvolve` and `resample` are SciPy's code with imago's transforms, for arrays on
  the host. `resample_poly` is a `Stream` of a whole signal.

Signals are NumPy arrays, or whatever NumPy converts to one, or `pyopencl.array.Array`, or arrays of
CuPy, PyTorch and JAX in CUDA's memory. Results are arrays of the same kind. float32 and complex64 are computed in single precision and give results in
single precision; all others give double precision, as do points off the unit circle.

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

import importlib
import sys
from typing import TYPE_CHECKING, Any

from ._streams import Stream
from ._zoom import CZT, ZoomFFT, czt, czt_points, zoom_fft

if TYPE_CHECKING:
    from ._channelizer import Channelizer
    from ._filtering import fftconvolve, hilbert, oaconvolve, resample, resample_poly
    from ._periodograms import LombScargle, lombscargle
    from ._plots import plot_spectrogram
    from ._short_time import ShortTimeFFT
    from ._spectra import coherence, csd, istft, periodogram, spectrogram, stft, welch

__all__ = [
    "CZT",
    "Channelizer",
    "LombScargle",
    "ShortTimeFFT",
    "Stream",
    "ZoomFFT",
    "coherence",
    "csd",
    "czt",
    "czt_points",
    "fftconvolve",
    "hilbert",
    "istft",
    "lombscargle",
    "oaconvolve",
    "periodogram",
    "plot_spectrogram",
    "resample",
    "resample_poly",
    "spectrogram",
    "stft",
    "welch",
    "zoom_fft",
]

_LATER = {
    "Channelizer": "_channelizer",
    "ShortTimeFFT": "_short_time",
    "plot_spectrogram": "_plots",
    **dict.fromkeys(
        ("coherence", "csd", "istft", "periodogram", "spectrogram", "stft", "welch"), "_spectra"
    ),
    **dict.fromkeys(
        ("fftconvolve", "hilbert", "oaconvolve", "resample", "resample_poly"), "_filtering"
    ),
    **dict.fromkeys(("LombScargle", "lombscargle"), "_periodograms"),
}
"""Names of modules that import scipy.signal, which takes a second, or Matplotlib."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        return object.__getattribute__(sys.modules[__name__], name)  # raises
    value = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__]
