"""Short-time Fourier transforms and their inverse."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.signal

from .. import _core, _queues, _words, hooks
from .._devices import Unserved
from .._planned import Layout
from .._types import array_method
from ..fft import _arguments as arguments
from ..fft._served import fallbacks
from . import _arrays
from ._trends import TERMS, Subtraction, Trends, packed


PADS: dict[str, dict[str, Any]] = {
    "zeros": {"mode": "constant"},
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}
"""Arguments of numpy.pad."""


@_arrays.plans
def _cached_plan(
    session: _core.Session,
    framing: tuple[tuple[str, Any], ...],
    windows: tuple[bytes, bytes],
    hooked: tuple[tuple[hooks.Hook, ...], tuple[hooks.Hook, ...]],
    lengths: tuple[int, ...],
    layouts: tuple[Layout, Layout],
    double: bool,
) -> _core.ShortTime:
    window, dual = (np.frombuffer(each, np.complex128).tolist() for each in windows)
    fields = {
        **dict(framing),
        "precision": _words.precision(double),
        "lengths": list(lengths),
        "window": window,
        "dual": dual,
        "on_samples": hooked[0],
        "on_bins": hooked[1],
        "signal": layouts[0],
        "spectrum": layouts[1],
        **_arrays.CHOICES,
    }
    return _core.ShortTime(session, fields)


class Axes:
    """Axes of a signal and of its spectra, which have one of bins instead, and one of frames."""

    def __init__(self, time: int, bins: int, frames: int):
        self.time, self.bins, self.frames = time, bins, frames

    def spectra_strides(self, strides: tuple[int, ...]) -> tuple[int, ...]:
        """Returns strides in the plan's order: the signal's axes, with frames as time, and bins."""
        others = [s for d, s in enumerate(strides) if d not in (self.bins, self.frames)]
        others.insert(self.time, strides[self.frames])
        return (*others, strides[self.bins])


@dataclasses.dataclass(frozen=True)
class Frames:
    """Frames of a signal, and how their spectra are computed."""

    win: Any
    dual: Any
    """Factors of the inverse; None without one."""
    hop: int
    points: int
    real: bool
    """Signal and windows are real: points // 2 + 1 bins."""
    centred: bool = False
    roll: int = 0
    doubled: float | None = None
    """Factor of bins that stand for negative frequencies, too."""

    @property
    def bins(self) -> int:
        return self.points // 2 + 1 if self.real else self.points

    def forward(
        self, x: Any, axis: int, start: int, count: int, call: _arrays.Call, *,
        power: bool = False, padding: str = "zeros", terms: int = 0,
    ) -> Any:  # fmt: skip
        """Returns the spectra of `count` frames, or their squares; the first begins at sample
        `start`. Bins are along `axis`, frames along a last axis. Samples of `padding` replace those
        outside of x; they continue the part that frames read, as SciPy's do. A device subtracts
        trends of so many terms; all frames must then lie in x."""
        if padding != "zeros" and not _arrays.on_device(x):
            x, start, padding = self._whole(x, axis, start, count, padding), 0, "zeros"
        first, last = self._part(x.shape[axis], start, count, padding)
        if last - first < x.shape[axis]:
            x = x[tuple(slice(first, last) if d == axis else slice(None) for d in range(x.ndim))]
        shape = [*x.shape, count]
        shape[axis] = self.bins
        axes = Axes(axis, axis, x.ndim)
        values, on_samples = self.factors(), []
        if terms:
            trends = Trends(axis, len(self.win), self.hop, count, terms)
            coefficients = trends.coefficients(x, call)
            rows = packed((*shape[:axis], count, *shape[axis + 1 : -1]))
            subtraction = Subtraction("signal", rows, x.dtype.char, terms)
            values |= subtraction.values(coefficients, len(self.win), self.points)
            on_samples.extend(subtraction.on_samples)
        plan_of = self._planner(
            x.shape, axes, max(0, -start), count, power=power, padding=padding,
            on_samples=tuple(on_samples),
        )  # fmt: skip
        request = _arrays.Request(shape, plan_of, real_result=power, values=values)
        return _arrays.compute(x, request, call)

    def _part(self, n: int, start: int, count: int, padding: str) -> tuple[int, int]:
        """Returns the samples that frames read, from the first to the one after the last."""
        first = min(n, max(0, start))
        last = max(first, min(n, start + count * self.hop + len(self.win)))
        if first == last and padding != "zeros":
            raise ValueError(f"no frame reads one of the {n} samples; padding must be 'zeros'")
        return first, last

    def extended(self, x: Any, axis: int, start: int, count: int, padding: str) -> tuple[Any, int]:
        """Returns x and `start`, or if frames read samples outside of x, an array with those of the
        padding, and the sample with which the first frame then begins."""
        beyond = start + (count - 1) * self.hop + len(self.win) - x.shape[axis]
        if start >= 0 and beyond <= 0:
            return x, start
        if not _arrays.on_device(x):
            return self._whole(x, axis, start, count, padding), 0
        if padding != "zeros":
            raise ValueError(
                f"padding {padding!r} with a trend is for arrays on the host. Use 'zeros', or "
                f"convert x with {_queues.to_host(x)}."
            )
        return _arrays.with_zeros(x, axis, max(0, -start), max(0, beyond)), max(0, start)

    def detrended(self, x: Any, axis: int, start: int, count: int, detr: Any, padding: str) -> Any:
        """Returns the frames without their trends, one after the other along the axis."""
        if isinstance(detr, str):
            detr = functools.partial(scipy.signal.detrend, type=detr)
        whole = np.moveaxis(self._whole(x, axis, start, count, padding), axis, -1)
        offsets = range(0, count * self.hop, self.hop)
        parts = [detr(whole[..., k : k + len(self.win)]) for k in offsets]
        return np.moveaxis(np.concatenate(parts, axis=-1), -1, axis)

    def _whole(self, x: Any, axis: int, start: int, count: int, padding: str) -> Any:
        """Returns the samples that frames read, with those of the padding."""
        end = start + count * self.hop + len(self.win)
        first, last = self._part(x.shape[axis], start, count, padding)
        along = [d == axis for d in range(x.ndim)]
        part = x[tuple(slice(first, last) if here else slice(None) for here in along)]
        pads = [(max(0, first - start), max(0, end - last)) if here else (0, 0) for here in along]
        return np.pad(part, pads, **PADS[padding])  # type: ignore[call-overload]

    def inverse(
        self, spectra: Any, shape: Sequence[int], axes: Axes, before: int, call: _arrays.Call
    ) -> Any:
        """Returns the signal; the first frame begins `before` samples before it."""
        plan_of = self._planner(
            tuple(shape), axes, before, spectra.shape[axes.frames], inverse=True
        )
        values = {name: 1 / value for name, value in self.factors().items()}
        request = _arrays.Request(
            shape, plan_of, True, real_result=self.real, complex_only=True, values=values
        )
        return _arrays.compute(spectra, request, call)

    def _planner(
        self, lengths: tuple[int, ...], axes: Axes, before: int, frames: int, *,
        inverse: bool = False, power: bool = False, padding: str = "zeros",
        on_samples: tuple[hooks.Hook, ...] = (),
    ) -> Callable[[Any, Any, Any], _core.ShortTime]:  # fmt: skip
        """Returns the function that plans calls with these frames (_arrays.Request.plan_of)."""
        framing = {
            "real": self.real,
            "axis": axes.time,
            "points": self.points,
            "hop": self.hop,
            "before": before,
            "frames": frames,
            "roll": self.roll,
            "border": _words.number("padding", padding, _words.BORDERS),
            "inverse": inverse,
        }
        win, dual = (
            np.asarray(w, np.complex128).tobytes() for w in (self.win, self.dual if inverse else ())
        )
        last = len(lengths)
        on_bins: list[hooks.Hook] = []
        if self.centred:
            on_bins.append(hooks.shift_back([last]) if inverse else hooks.shift([last]))
        if self.doubled is not None:
            on_bins.append(hooks.window(last, "bins"))
        if power:
            on_bins.append(hooks.power())
        spectra_shape = [*lengths, frames]
        if not inverse:
            spectra_shape[axes.bins] = self.bins

        def plan_of(session: _core.Session, x: Any, strides: Any) -> _core.ShortTime:
            if strides is None:
                shape = x.shape if inverse else tuple(spectra_shape)
                signal, spectra = packed(lengths), packed(shape)
            else:
                signal, spectra = strides[::-1] if inverse else strides
            real = x.dtype.kind == "f" and not inverse and not self.real
            layouts = (
                Layout(signal, storage="real" if real else "interleaved"),
                Layout(axes.spectra_strides(spectra)),
            )
            return _cached_plan(
                session, tuple(framing.items()), (win, dual), (on_samples, tuple(on_bins)),
                tuple(lengths), layouts, x.dtype.char in "dD",
            )  # fmt: skip

        return plan_of

    def factors(self) -> dict[str, Any]:
        """Returns the argument of the hook that multiplies bins."""
        if self.doubled is None:
            return {}
        factors = np.full(self.bins, self.doubled)
        factors[0] = 1
        if self.points % 2 == 0:
            factors[-1] = 1
        return {"bins": factors}


def terms_on_device(detr: Any, x: Any) -> int:
    """Returns the number of terms of a trend that a device subtracts; 0: the host does."""
    terms = TERMS.get(detr, 0) if isinstance(detr, str) else 0
    if _arrays.on_device(x):
        if not terms:
            raise ValueError(
                "an array of a device needs a trend of 'constant' or 'linear', or none. Convert x "
                f"with {_queues.to_host(x)}."
            )
    return terms


def computed(
    frames: Frames, x: Any, axis: int, start: int, count: int, detr: Any, padding: str,
    power: bool, call: _arrays.Call,
) -> Any:  # fmt: skip
    """Returns the spectra of frames without their trends; `detr` None: of the frames themselves."""
    if detr is None:
        return frames.forward(x, axis, start, count, call, power=power, padding=padding)
    if not _arrays.on_device(x):
        x = arguments.float_array(x)
    terms = terms_on_device(detr, x)
    if terms:
        x, start = frames.extended(x, axis, start, count, padding)
        return frames.forward(x, axis, start, count, call, power=power, terms=terms)
    x = frames.detrended(x, axis, start, count, detr, padding)
    apart = dataclasses.replace(frames, hop=len(frames.win))
    return apart.forward(x, axis, 0, count, call, power=power)


class ShortTimeFFT(scipy.signal.ShortTimeFFT):  # type: ignore[misc]
    """Short-time Fourier transform and its inverse, as in scipy.signal.

    All arguments, properties and methods are those of SciPy's class. `stft`, `stft_detrend`,
    `spectrogram` and `istft` also accept arrays of a device. Several threads may call them at once.

    Memory for the frames is not needed: one kernel reads overlapping frames, and the inverse adds
    frames to the signal as it stores them. A detrended transform copies the frames on the host.

    >>> import numpy as np, imago.signal
    >>> x = np.sin(np.arange(1000) / 5)
    >>> transform = imago.signal.ShortTimeFFT(np.hanning(64), hop=16, fs=1)
    >>> spectra = transform.stft(x)
    >>> spectra.shape
    (33, 66)
    >>> bool(np.allclose(transform.istft(spectra, k1=1000), x))
    True
    """

    @array_method
    def stft(
        self, x: Any, p0: int | None = None, p1: int | None = None, *, k_offset: int = 0,
        padding: _words.Padding = "zeros", axis: int = -1, out: Any = None, queue: Any = None,
        wait_for: Any = None,
    ) -> Any:  # fmt: skip
        """Returns the spectra of the frames p0 <= p < p1 of x: bins along `axis`, frames last.

        Raises ValueError for numbers that are not allowed.

        >>> import numpy as np, imago.signal
        >>> transform = imago.signal.ShortTimeFFT(np.ones(4), hop=4, fs=1)
        >>> transform.stft(np.arange(8.0)).shape
        (3, 3)
        """
        call = _arrays.Call(out, queue, wait_for)
        return self._stft(x, (p0, p1, k_offset), padding, axis, call)

    @array_method
    def stft_detrend(
        self, x: Any, detr: Any, p0: int | None = None, p1: int | None = None, *,
        k_offset: int = 0, padding: _words.Padding = "zeros", axis: int = -1, out: Any = None,
        queue: Any = None, wait_for: Any = None,
    ) -> Any:  # fmt: skip
        """Returns the spectra of frames from which `detr` removed a trend.

        `detr`: "constant", "linear", a function of an array whose last axis is a frame, or None. A
        device's arrays accept None only.

        Raises ValueError for another `detr`, and as `stft`.
        """
        call = _arrays.Call(out, queue, wait_for)
        return self._stft(x, (p0, p1, k_offset), padding, axis, call, detr)

    @array_method
    def spectrogram(
        self, x: Any, y: Any = None, detr: Any = None, *, p0: int | None = None,
        p1: int | None = None, k_offset: int = 0, padding: _words.Padding = "zeros",
        axis: int = -1, out: Any = None, queue: Any = None, wait_for: Any = None,
    ) -> Any:  # fmt: skip
        """Returns |X|^2 of the spectra X of x, or X conj(Y) with those of y. Raises as `stft`."""
        call, frames = _arrays.Call(out, queue, wait_for), (p0, p1, k_offset)
        if y is None or y is x:
            return self._stft(x, frames, padding, axis, call, detr, power=True)
        call = _arrays.Call(None, queue, wait_for)
        sx, sy = (self._stft(each, frames, padding, axis, call, detr) for each in (x, y))
        product = sx * sy.conj()
        if out is None:
            return product
        out[...] = product
        return out

    @array_method
    def istft(
        self, S: Any, k0: int = 0, k1: int | None = None, *, f_axis: int = -2, t_axis: int = -1,
        out: Any = None, queue: Any = None, wait_for: Any = None,
    ) -> Any:  # fmt: skip
        """Returns the samples k0 <= k < k1 of the signal whose frames have the spectra S.

        Raises ValueError if S does not fit, and for a window that cannot be inverted.
        """
        S = _arrays.array(S)
        f_axis = arguments.one_axis(S, f_axis, "f_axis")
        t_axis = arguments.one_axis(S, t_axis, "t_axis")
        if f_axis == t_axis:
            raise ValueError(f"{f_axis=} may not be equal to {t_axis=}!")
        if S.shape[f_axis] != self.f_pts:
            raise ValueError(f"{S.shape[f_axis]=} must be equal to {self.f_pts=}")
        least = self.m_num - self.m_num_mid
        if S.shape[t_axis] < self.p_num(least):
            raise ValueError(
                f"{S.shape[t_axis]=} needs to have at least {self.p_num(least)} slices"
            )
        first = self.p_min
        k_max = (S.shape[t_axis] + first - 1) * self.hop + least
        k1 = k_max if k1 is None else k1
        if not self.k_min <= k0 < k1 <= k_max:
            raise ValueError(f"({self.k_min=}) <= ({k0=}) < ({k1=}) <= ({k_max=}) is false!")
        if k1 - k0 < least:
            raise ValueError(
                f"({k1=}) - ({k0=}) = {k1 - k0} has to be at least half the window length {least}!"
            )
        # Frames p <= begin start before sample k0 or there.
        begin = (k0 + self.m_num_mid) // self.hop
        p0 = max(first, begin - -(-self.m_num // self.hop) + 1)
        p1 = max(p0 + 1, min(self.p_max(k1), S.shape[t_axis] + first))
        chosen = tuple(slice(p0 - first, p1 - first) if d == t_axis else slice(None)
                       for d in range(S.ndim))  # fmt: skip
        used = S if p1 - p0 == S.shape[t_axis] else S[chosen]
        shape = [n for d, n in enumerate(S.shape) if d not in (f_axis, t_axis)]
        time = f_axis if f_axis < S.ndim - 1 else t_axis
        shape.insert(time, k1 - k0)
        before = k0 - (p0 * self.hop - self.m_num_mid)
        call = _arrays.Call(out, queue, wait_for)
        try:
            axes = Axes(time, f_axis, t_axis)
            return self._described(self.dual_win).inverse(used, shape, axes, before, call)
        except Unserved as unserved:
            fallbacks.add(type(self).__name__, str(unserved))
            return call.placed(super().istft(S, k0, k1, f_axis=f_axis, t_axis=t_axis))

    def __repr__(self) -> str:
        win = f"<window of {self.m_num} samples, {self.win.dtype}>"
        given = f"hop={self.hop}, fs={self.fs}, fft_mode={self.fft_mode!r}, mfft={self.mfft}"
        return (
            f"imago.signal.ShortTimeFFT({win}, {given}, scale_to={self.scaling!r}, "
            f"phase_shift={self.phase_shift})"
        )

    def _described(self, dual: Any = None) -> Frames:
        doubled = math.sqrt(2) if self.scaling == "psd" else 2.0
        roll = 0
        if self.phase_shift is not None:
            roll = -((self.phase_shift + self.m_num_mid) % self.m_num)
        return Frames(
            self.win, dual, self.hop, self.mfft, self.onesided_fft,
            self.fft_mode == "centered", roll, doubled if self.fft_mode == "onesided2X" else None,
        )  # fmt: skip

    def _stft(
        self, x: Any, frames: tuple[Any, Any, int], padding: str, axis: int, call: _arrays.Call,
        detr: Any = None, power: bool = False,
    ) -> Any:  # fmt: skip
        x = _arrays.array(x)
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(
                f"Complex-valued `x` not allowed for {self.fft_mode=}: set fft_mode to 'twosided' "
                "or 'centered'"
            )
        if not (detr is None or isinstance(detr, str) or callable(detr)):
            raise ValueError(f"Parameter {detr=} is not a str, function or None!")
        _words.number("padding", padding, _words.BORDERS)
        axis = arguments.one_axis(x, axis)
        n, least = x.shape[axis], self.m_num - self.m_num_mid
        if n < least:
            what = f"len(x)={n}" if x.ndim == 1 else f"of {axis=} of {x.shape}"
            raise ValueError(f"{what} must be >= ceil(m_num/2) = {least}! Use a shorter window.")
        p0, p1 = self.p_range(n, *frames[:2])
        start = p0 * self.hop - self.m_num_mid + frames[2]  # the first frame begins here
        try:
            return computed(self._described(), x, axis, start, p1 - p0, detr, padding, power, call)
        except Unserved as unserved:
            fallbacks.add(type(self).__name__, str(unserved))
            result = super().stft_detrend(
                x, detr, frames[0], frames[1], k_offset=frames[2], padding=padding, axis=axis
            )
            return call.placed(result.real**2 + result.imag**2 if power else result)
