"""A picture of a spectrogram with Matplotlib, which is imported only here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _queues


def plot_spectrogram(
    f: ArrayLike, t: ArrayLike, power: Any, *, ax: Any = None, decibels: bool = True,
    below: float = 80.0, **kwargs: Any,
) -> Any:  # fmt: skip
    """Draws a spectrogram, such as `spectrogram` returns it, and returns Matplotlib's QuadMesh.

    - `f`, `t`: frequencies and times; `power`: squares of spectra, or complex spectra as of `stft`,
      of shape (frequencies, times), also on a device;
    - `ax`: the axes to draw in. Default: Matplotlib's current ones;
    - `decibels`: True draws levels relative to the largest one, from `-below` to 0;
    - `kwargs`: for `matplotlib.axes.Axes.pcolormesh`.

    Raises ImportError without Matplotlib, and ValueError for another shape.

    >>> import numpy as np, imago.signal
    >>> f, t, power = imago.signal.spectrogram(np.sin(np.arange(1000) ** 1.5), nperseg=100)
    >>> mesh = imago.signal.plot_spectrogram(f, t, power)       # doctest: +SKIP
    >>> mesh.figure.savefig("chirp.png")                        # doctest: +SKIP
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot_spectrogram needs Matplotlib: pip install matplotlib") from None
    found = _queues.device_array(power)
    if found is not None:
        raise TypeError(f"power is on a device. Pass {_queues.to_host(found).replace('x', 'power', 1)}.")
    levels, frequencies, times = np.asarray(power), np.asarray(f), np.asarray(t)
    if levels.shape != (len(frequencies), len(times)):
        raise ValueError(
            f"power has shape {levels.shape}; it must be {(len(frequencies), len(times))}, one row "
            "for each frequency"
        )
    if np.iscomplexobj(levels):
        levels = levels.real**2 + levels.imag**2
    order = np.argsort(frequencies)  # two-sided spectra begin with frequency 0
    levels = levels[order]
    if decibels:
        largest = np.nanmax(levels, initial=0.0)
        floor = 10 ** (-below / 10)
        scaled = levels / largest if largest > 0 else np.zeros_like(levels)
        levels = 10 * np.log10(np.maximum(scaled, floor))
        kwargs = {"vmin": -below, "vmax": 0.0, **kwargs}
    axes = plt.gca() if ax is None else ax
    mesh = axes.pcolormesh(times, frequencies[order], levels, **{"shading": "nearest", **kwargs})
    axes.set(xlabel="Time", ylabel="Frequency")
    return mesh
