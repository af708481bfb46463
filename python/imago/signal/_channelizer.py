"""Polyphase channelizers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._planned import Layout
from .._types import array_method
from ..fft import _arguments as arguments
from . import _arrays, _short_time
from ._streams import Stream
from ._trends import packed


class Channelizer:
    """A polyphase filter bank: it divides signals into `branches` channels of equal width.

    Frame i of channel k is the sum over j of x[i hop + j] conj(taps[j]) exp(-2 pi i j k / branches):
    a short-time Fourier transform whose window is longer than the transform. Channel k has the
    frequency k / branches of the sampling rate. Each tap costs one multiplication, because frames
    are folded to `branches` samples as they are loaded; then one transform computes all channels.

    - `taps`: the impulse response of the low-pass of each channel, usually 4 to 16 times `branches`
      numbers;
    - `branches`: the number of channels;
    - `hop`: the samples from frame to frame. Default: `branches` (critically sampled).

    Real signals with real taps have the channels 0 to branches // 2. Call the object with signals.
    For a signal that arrives in blocks, use `Stream.stft` with `mfft=branches`. `inverse` restores
    signals if `hop` is small enough.

    Raises ValueError for numbers that are not allowed.

    >>> import numpy as np, imago.signal
    >>> bank = imago.signal.Channelizer(np.hanning(32), branches=8)
    >>> x = np.exp(2j * np.pi * 3 / 8 * np.arange(800))  # the middle of channel 3
    >>> y = bank(x)
    >>> y.shape
    (97, 8)
    >>> print(np.argmax(abs(y[0])))
    3
    """

    def __init__(self, taps: ArrayLike, branches: int, hop: int | None = None):
        self.taps = np.asarray(taps)
        self.branches, self.hop = int(branches), int(branches if hop is None else hop)
        if self.taps.ndim != 1 or self.taps.size == 0 or self.taps.dtype.kind not in "biufc":
            raise ValueError(
                f"taps has shape {self.taps.shape} and dtype {self.taps.dtype}; it must have one axis "
                "of numbers. Give a list of numbers."
            )
        for name, number in (("branches", self.branches), ("hop", self.hop)):
            if number < 1:
                raise ValueError(f"{name} is {number}; it must be at least 1")
        whole = -(-self.taps.size // self.branches) * self.branches
        self._window = np.zeros(whole, np.complex128)
        self._window[: self.taps.size] = self.taps

    def __repr__(self) -> str:
        return (
            f"imago.signal.Channelizer(<{self.taps.size} taps, {self.taps.dtype}>, "
            f"branches={self.branches}, hop={self.hop})"
        )

    @array_method
    def __call__(
        self, x: Any, axis: int = -1, *, out: Any = None, queue: Any = None, wait_for: Any = None
    ) -> Any:
        """Returns the channels: an array in which frames replace the samples of x along `axis`, with
        a last axis of channels. All frames are inside of the signal.

        Raises ValueError for a signal that is shorter than the taps.
        """
        x = _arrays.array(x)
        axis = arguments.one_axis(x, axis)
        n = x.shape[axis]
        if n < self.taps.size:
            raise ValueError(
                f"x has {n} samples along axis {axis}; it must have at least as many as the taps, "
                f"{self.taps.size}"
            )
        real = x.dtype.kind != "c" and self.taps.dtype.kind != "c"
        frames = (n - self.taps.size) // self.hop + 1
        bins = self.branches // 2 + 1 if real else self.branches
        shape = [*x.shape[:axis], frames, *x.shape[axis + 1 :], bins]
        framing = {
            "real": real, "axis": axis, "points": self.branches, "hop": self.hop, "before": 0,
            "frames": frames, "roll": 0, "border": 0, "inverse": False,
        }  # fmt: skip

        def plan_of(session: _core.Session, x: Any, strides: Any) -> _core.ShortTime:
            signal, spectra = (packed(x.shape), packed(shape)) if strides is None else strides
            converts = x.dtype.kind == "f" and not real
            return _short_time._cached_plan(
                session, tuple(framing.items()), (self._window.tobytes(), b""), ((), ()),
                tuple(x.shape),
                (Layout(signal, storage="real") if converts else Layout(signal), Layout(spectra)),
                x.dtype.char in "dD",
            )  # fmt: skip

        request = _arrays.Request(
            shape, plan_of, complex_only=x.dtype.kind != "c" and self.taps.dtype.kind == "c"
        )
        return _arrays.compute(x, request, _arrays.Call(out, queue, wait_for))

    def dual_taps(self) -> NDArray[Any]:
        """Returns the taps of `inverse`: of those that restore every signal, the ones with the least
        energy (J. Wexler and S. Raz, "Discrete Gabor expansions", Signal Processing 21, 1990).

        They are as many as the taps, up to a multiple of `branches`. Raises ValueError if there are
        none, as in general for a `hop` above half of the branches.
        """
        folds, window = self._window.size // self.branches, self._window
        padded = np.concatenate([np.zeros(self._window.size), window, np.zeros(self._window.size)])
        shifts = self.branches * np.arange(1 - folds, folds)
        wanted = (shifts == 0).astype(float)
        dual = np.zeros(window.size, window.dtype)
        for first in range(min(self.hop, window.size)):
            own = np.arange(first, window.size, self.hop)
            sums = padded[window.size + own + shifts[:, np.newaxis]].conj()
            dual[own] = np.linalg.lstsq(sums, wanted, rcond=None)[0]
            if not np.allclose(sums @ dual[own], wanted, atol=1e-9):
                raise ValueError(
                    f"no taps restore signals from hop={self.hop} and {self.branches} branches. Use a "
                    "hop of half of the branches or less, or other taps."
                )
        return dual if self.taps.dtype.kind == "c" else dual.real

    def inverse(self, y: ArrayLike, axis: int = -1) -> NDArray[Any]:
        """Returns the signal with the channels y, the result of a call with this `axis`.

        Each part of `branches` numbers of `dual_taps()` is the window of an inverse short-time
        transform; these are added. Channels with branches // 2 + 1 entries of real taps give a real
        signal. Samples that are in fewer frames than others, len(dual_taps()) - hop at both ends, are
        not restored: put as many zeros around the signal before. For arrays on the host.

        Raises ValueError as `dual_taps`, and for another number of channels.

        >>> import numpy as np, scipy.signal, imago.signal
        >>> bank = imago.signal.Channelizer(scipy.signal.firwin(64, 1 / 8), branches=8, hop=4)
        >>> x = np.sin(np.arange(1000) / 3)
        >>> bool(np.allclose(bank.inverse(bank(x))[60:900], x[60:900]))
        True
        """
        y = np.asarray(y)
        axis = arguments.one_axis(y[..., 0], axis)
        bins, half = y.shape[-1], self.branches // 2 + 1
        real = bins != self.branches and self.taps.dtype.kind != "c"
        if bins not in (self.branches, half) or (bins == half and not real and bins != self.branches):
            raise ValueError(f"y has {bins} channels; it must have {self.branches}, or {half} of real taps")
        y = np.moveaxis(y, axis, 0)
        dtype = np.dtype(np.complex64 if y.dtype == np.complex64 else np.complex128)
        if real:
            dtype = np.zeros(0, dtype).real.dtype
        dual, n = self.dual_taps(), self.branches
        x = np.zeros(((len(y) - 1) * self.hop + dual.size, *y.shape[1:-1]), dtype)
        for begin in range(0, dual.size, n):
            back = Stream.istft(
                np.ones(n), self.hop, dual_win=dual[begin : begin + n], dtype=dtype,
                channels=y.shape[1:-1], before=0,
            )  # fmt: skip
            part = np.concatenate([back.push(y), back.finish()])
            x[begin : begin + len(part)] += part
        return np.moveaxis(x, 0, axis)
