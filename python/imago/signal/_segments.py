"""Segments of a signal, their windows, and the scale of their spectra."""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any

import numpy as np
import scipy.signal


@dataclasses.dataclass(frozen=True)
class Segments:
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


def segments_of(
    n: int, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None,
    eighth: bool = False,
) -> Segments:  # fmt: skip
    """Returns the segments of n samples; `eighth`: they overlap by an eighth, else by a half."""
    if nperseg is not None and int(nperseg) < 1:
        raise ValueError(f"Parameter {nperseg=}: nperseg must be a positive integer")
    if isinstance(window, (str, tuple)):
        length = 256 if nperseg is None else int(nperseg)
        if length > n:
            message = f"nperseg is {length}, greater than the {n} samples; {n} is used instead"
            warnings.warn(message, UserWarning, stacklevel=5)
            length = n
        win = _window(window, length)
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
        raise ValueError(
            f"nfft is {nfft}; it must be at least {length}, the samples of a segment. Leave it out "
            "for no zeros behind a segment."
        )
    overlap = length // (8 if eighth else 2) if noverlap is None else int(noverlap)
    if overlap >= length:
        raise ValueError(
            f"noverlap is {noverlap}; it must be less than {length}, the samples of a segment. Leave "
            "it out for the default."
        )
    return Segments(win, overlap, points)


def _window(window: Any, length: int) -> Any:
    """Returns a window that has a name, with SciPy 1.17's endings of names in older versions, too."""
    name, *numbers = (window,) if isinstance(window, str) else window
    for ending in ("_periodic", "_symmetric"):
        if isinstance(name, str) and name.endswith(ending):
            window = (name.removesuffix(ending), *numbers)
            return scipy.signal.get_window(window, length, fftbins=ending == "_periodic")
    return scipy.signal.get_window(window, length)


def scale_of(win: Any, fs: float, scaling: str) -> float:
    """Returns the factor of squares of spectra."""
    if not 0 < fs < math.inf:
        raise ValueError(f"fs is {fs}; it must be above 0 and finite. Give the sampling rate.")
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"scaling is {scaling!r}; it must be 'density' or 'spectrum'")
    density = scaling == "density"
    total = float((np.abs(win) ** 2).sum() if density else abs(win.sum()))
    if not 0 < total < math.inf:
        of, remedy = ("squares", "") if density else ("elements", ", or another scaling")
        raise ValueError(
            f"the sum of the window's {of} is {total}; it must not be 0, and finite. Give another "
            f"window{remedy}."
        )
    return 1 / (fs * total) if density else 1 / total**2
