"""Polyphase channelizers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._planned import Layout
from .._types import array_method
from ..fft import _arguments as arguments
from . import _arrays, _short_time
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
    For a signal that arrives in blocks, use `Stream.stft` with `mfft=branches`.

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
