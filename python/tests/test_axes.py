"""Axes that an array does not have, in every function with an argument for an axis."""

import numpy as np
import pytest

import imago
from imago import hooks, signal
from imago.fft._arguments import AxisError

X, SPECTRA = np.ones((30, 40)), np.ones((3, 5, 7), complex)
SCALAR = np.array(1.0)
TRANSFORM = signal.ShortTimeFFT(np.hanning(10)[1:-1], 4, 1)
ZOOM = signal.CZT(40)

ONE = {
    "stft": lambda x, axis: signal.stft(x, nperseg=8, axis=axis),
    "spectrogram": lambda x, axis: signal.spectrogram(x, nperseg=8, axis=axis),
    "welch": lambda x, axis: signal.welch(x, nperseg=8, axis=axis),
    "csd": lambda x, axis: signal.csd(X[0] if axis == -1 else x, x, nperseg=8, axis=axis),
    "coherence": lambda x, axis: signal.coherence(x, x + 1, nperseg=8, axis=axis),
    "ShortTimeFFT.stft": lambda x, axis: TRANSFORM.stft(x, axis=axis),
    "ShortTimeFFT.stft_detrend": lambda x, axis: TRANSFORM.stft_detrend(x, "constant", axis=axis),
    "ShortTimeFFT.spectrogram": lambda x, axis: TRANSFORM.spectrogram(x, axis=axis),
    "czt": lambda x, axis: signal.czt(x, axis=axis),
    "zoom_fft": lambda x, axis: signal.zoom_fft(x, 1, axis=axis),
    "CZT": lambda x, axis: ZOOM(x, axis=axis),
    "CZT.adjoint": lambda x, axis: ZOOM.adjoint(x, axis=axis),
    "fft": lambda x, axis: imago.fft.fft(x, axis=axis),
    "irfft": lambda x, axis: imago.fft.irfft(x, axis=axis),
    "dct": lambda x, axis: imago.fft.dct(x, axis=axis),
}


@pytest.mark.parametrize("x, axis", [(X, 2), (X, -3), (SCALAR, -1), (SCALAR, 0), (X[:0], 2)])
def test_an_axis_that_an_array_does_not_have(x, axis):
    for name, function in ONE.items():
        with pytest.raises(AxisError, match=f"axis {axis} is out of bounds"):
            function(x, axis)
            pytest.fail(name)


@pytest.mark.parametrize("axis", [3, -4])
def test_axes_of_inverse_short_time_transforms(axis):
    for wrong in ("time_axis", "freq_axis"):
        with pytest.raises(AxisError, match=f"{wrong}: axis {axis} is out of bounds"):
            signal.istft(SPECTRA, **{wrong: axis})
    for wrong in ("t_axis", "f_axis"):
        with pytest.raises(AxisError, match=f"{wrong}: axis {axis} is out of bounds"):
            TRANSFORM.istft(SPECTRA, **{wrong: axis})


@pytest.mark.parametrize("first, second", [(1, 1), (2, -1), (-3, 0)])
def test_an_axis_named_twice(first, second):
    with pytest.raises(ValueError, match="same axis. Must specify differing"):
        signal.istft(SPECTRA, time_axis=first, freq_axis=second)
    with pytest.raises(ValueError, match="may not be equal"):
        TRANSFORM.istft(SPECTRA, t_axis=first, f_axis=second)


def test_axes_are_whole_numbers():
    for name, function in ONE.items():
        with pytest.raises(TypeError):
            function(X, 1.0)
            pytest.fail(name)


def test_axes_of_hooks_and_kinds():
    for hook in (
        hooks.window(2, "w"), hooks.multiply("w", (0, 2)), hooks.zero_outside(2, 0, 1),
        hooks.shift([2]), hooks.roll(2, 1), hooks.modulate(2, 1, 3), hooks.frames(2, 1, 1, 0, 9),
        hooks.add("a", times="b", axis=2),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="2"):
            imago.Plan((4, 5), on_forward=hooks.Hooks(load=[hook]))
        with pytest.raises((TypeError, ValueError), match="-1"):
            negative = {
                field: -1 if field in ("axis", "frames") else (-1,)
                for field in ("axis", "axes", "frames")
                if getattr(hook, field, None) is not None
            }
            imago.Plan((4, 5), on_forward=hooks.Hooks(load=[type(hook)(**{**vars(hook), **negative})]))
    for kind in ("real real", "complex", "complex complex complex"):
        with pytest.raises(ValueError):
            imago.Plan((4, 5), kind=kind.split())
