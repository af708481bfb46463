"""Polyphase channelizers beside their definition, and beside a bank of filters."""

import numpy as np
import pytest
import scipy.signal

import imago.signal
from imago.signal import Channelizer, Stream

RNG = np.random.default_rng(3)


def defined(x, taps, branches, hop):
    """The sums of the definition, along the last axis."""
    j = np.arange(len(taps))
    frames = (x.shape[-1] - len(taps)) // hop + 1
    phases = np.exp(-2j * np.pi * np.outer(j, np.arange(branches)) / branches)
    parts = [x[..., i * hop : i * hop + len(taps)] * np.conj(taps) for i in range(frames)]
    return np.stack([part @ phases for part in parts], axis=-2)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "float64", "complex128"])
@pytest.mark.parametrize("complex_taps", [False, True])
def test_sums_of_the_definition(dtype, complex_taps):
    x = RNG.normal(size=(2, 150)) + 1j * RNG.normal(size=(2, 150))
    x = x.astype(dtype) if dtype[0] == "c" else x.real.astype(dtype)
    taps = RNG.normal(size=29) + (1j * RNG.normal(size=29) if complex_taps else 0)
    if not complex_taps:
        taps = taps.real
    bank = Channelizer(taps, 8, hop=5)
    found, wanted = bank(x), defined(x.astype(complex), taps, 8, 5)
    if not complex_taps and dtype[0] == "f":
        wanted = wanted[..., :5]
    assert found.shape == wanted.shape
    assert found.dtype == np.result_type(dtype, np.complex64)
    bound = (1e-6 if dtype in ("float32", "complex64") else 1e-13) * np.abs(wanted).max()
    assert np.allclose(found, wanted, atol=bound)
    assert np.allclose(bank(x.T, axis=0), np.moveaxis(wanted, 0, 1), atol=bound)


def test_channels_are_those_of_filters():
    x = RNG.normal(size=2000) + 1j * RNG.normal(size=2000)
    taps = scipy.signal.firwin(64, 1 / 16)
    y = Channelizer(taps, 16)(x)
    for k in (0, 3, 15):
        # The channel's filter, then one of 16 samples; both run over the signal backwards in j.
        filtered = np.correlate(x, taps * np.exp(2j * np.pi * k / 16 * np.arange(64)), "valid")
        assert np.allclose(y[:, k], filtered[::16])


def test_streams_fold_frames_in_blocks():
    x = RNG.normal(size=500).astype(np.float32)
    taps = np.hanning(24)
    stream = Stream.stft(taps, 8, mfft=8, before=0)
    blocks = [stream.push(part) for part in np.split(x, [3, 40, 41, 300])]
    assert np.allclose(np.concatenate(blocks), Channelizer(taps, 8)(x), atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("complex_taps", [False, True])
def test_inverse_restores_signals(dtype, complex_taps):
    taps = scipy.signal.firwin(61, 1 / 8)
    if complex_taps:
        taps = taps * np.exp(0.3j * np.arange(61))
    bank = Channelizer(taps, branches=8, hop=3)
    x = RNG.normal(size=(2, 500))
    if dtype == "complex128":
        x = x + 1j * RNG.normal(size=x.shape)
    x = x.astype(dtype)
    for signal, axis in ((x, -1), (x.T, 0)):
        y = bank(signal, axis)
        found = bank.inverse(y, axis)
        frames = y.shape[1 if axis else 0]
        kept = slice(64 - 3, frames * 3)
        assert found.shape[axis] == (frames - 1) * 3 + 64
        found, wanted = (np.moveaxis(a, axis, 0)[kept] for a in (found, signal))
        assert np.abs(found - wanted).max() < (2e-5 if dtype == "float32" else 1e-12)
        if not complex_taps:
            assert found.dtype == x.dtype


def test_inverses_that_do_not_exist():
    with pytest.raises(ValueError, match="no taps restore signals from hop=8 and 8 branches"):
        Channelizer(scipy.signal.firwin(64, 1 / 8), branches=8).dual_taps()
    with pytest.raises(ValueError, match="y has 7 channels; it must have 8, or 5 of real taps"):
        Channelizer(scipy.signal.firwin(64, 1 / 8), branches=8, hop=4).inverse(np.zeros((3, 7)))


def test_wrong_arguments():
    with pytest.raises(ValueError, match="taps has shape"):
        Channelizer([], 4)
    with pytest.raises(ValueError, match="branches is 0; it must be at least 1"):
        Channelizer([1.0], 0)
    with pytest.raises(ValueError, match="hop is -1"):
        Channelizer([1.0], 2, hop=-1)
    with pytest.raises(ValueError, match="x has 3 samples along axis 0; .* as the taps, 4"):
        Channelizer(np.ones(4), 2)(np.ones(3))
    with pytest.raises(ValueError, match="points is 5; below .* window, 24, it must divide it"):
        Stream.stft(np.ones(24), 8, mfft=5)
    with pytest.raises(ValueError, match="there is no inverse"):
        Stream.istft(np.ones(24), 8, mfft=8)


def test_names():
    assert "Channelizer" in dir(imago.signal)
    assert "branches=4" in repr(Channelizer(np.ones(9), 4))
