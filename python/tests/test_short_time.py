"""imago.signal's short-time transforms compared with SciPy's, which computes in NumPy.

SciPy's own tests: signal_plugin.py.
"""

import threading

import numpy as np
import pytest
import scipy.signal
from support import random_array

import imago
from imago import signal

MODES = ("onesided", "onesided2X", "twosided", "centered")
BOUNDS = {"f4": 2e-6, "c8": 2e-6, "f8": 1e-14, "c16": 1e-14}


def pair(win=None, hop=5, **arguments):
    """Returns imago's object and SciPy's."""
    win = np.hanning(22)[1:-1] + 0.05 if win is None else win
    arguments = {"fs": 4, "scale_to": "psd", **arguments}
    return tuple(c(win, hop, **arguments) for c in (signal.ShortTimeFFT, scipy.signal.ShortTimeFFT))


def close(result, expected, dtype):
    assert result.shape == expected.shape
    assert result.dtype.char in ("fF" if np.dtype(dtype).itemsize in (4, 8) and dtype != "f8" else "dD")
    assert np.linalg.norm(result - expected) <= BOUNDS[dtype] * np.linalg.norm(expected)


@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("mode", MODES)
def test_both_ways(mode, dtype):
    if dtype.startswith("c") and mode.startswith("onesided"):
        pytest.skip("SciPy rejects complex signals")
    x = random_array((3, 101), dtype)
    for arguments in ({"mfft": 27, "phase_shift": 4}, {"phase_shift": None}):
        ours, theirs = pair(fft_mode=mode, **arguments)
        spectra = ours.stft(x)
        close(spectra, theirs.stft(x), dtype)
        back = ours.istft(spectra, k1=101)
        close(back, x, dtype)
        assert back.dtype.kind == ("f" if mode.startswith("onesided") else "c")
        close(ours.spectrogram(x), theirs.spectrogram(x), dtype)


@pytest.mark.parametrize("padding", ["zeros", "edge", "even", "odd"])
@pytest.mark.long
def test_frames_borders_and_trends(padding):
    ours, theirs = pair()
    x = random_array((2, 60), "f8") + 3
    for frames in ({}, {"p0": 1, "p1": 6}, {"p0": 4}, {"k_offset": 3}, {"k_offset": -7, "p1": 9}):
        given = {**frames, "padding": padding}
        close(ours.stft(x, **given), theirs.stft(x, **given), "f8")
        for detr in ("constant", "linear", lambda frame: frame - frame[..., :1]):
            close(ours.stft_detrend(x, detr, **given), theirs.stft_detrend(x, detr, **given), "f8")
    expected = theirs.spectrogram(x, x[::-1], "constant", padding=padding)
    close(ours.spectrogram(x, x[::-1], "constant", padding=padding), expected, "f8")


@pytest.mark.parametrize("arguments", [{"hop": 7}, {"hop": 30, "dual_win": np.ones(20)}])
@pytest.mark.long
def test_parts_of_the_signal(arguments):
    ours, theirs = pair(**arguments)  # a hop longer than the window leaves gaps
    spectra = random_array((ours.f_pts, 12), "c16")
    # SciPy's istft adds frames that do not exist if k0 < 0, and fails at gaps.
    starts = ours.hop * np.arange(12)
    whole = np.zeros(starts[-1] + ours.m_num)
    for start, frame in zip(starts, theirs._ifft_func(spectra.T)):
        whole[start : start + ours.m_num] += frame * ours.dual_win
    for k0, k1 in ((0, None), (0, 60), (13, 60), (-5, 30), (ours.k_min, None), (30, 42), (21, 47)):
        part = whole[k0 - ours.k_min : None if k1 is None else k1 - ours.k_min]
        close(ours.istft(spectra, k0, k1), part, "f8")


@pytest.mark.long
def test_axes():
    ours, theirs = pair()
    x = random_array((4, 50, 3), "f8")
    for axis in (1, -2):
        close(ours.stft(x, axis=axis), theirs.stft(x, axis=axis), "f8")
    spectra = theirs.stft(x, axis=1)
    for order in ((0, 1, 2, 3), (3, 1, 2, 0), (0, 3, 2, 1), (2, 3, 1, 0), (1, 2, 3, 0)):
        moved = np.transpose(spectra, order)
        axes = {"f_axis": order.index(1), "t_axis": order.index(3) - 4}
        close(ours.istft(moved, k1=50, **axes), theirs.istft(moved, k1=50, **axes), "f8")


@pytest.mark.parametrize("scaling", ["psd", "spectrum"])
def test_complex_and_negative_windows_have_an_inverse(scaling):
    x = random_array(300, "c16")
    hann = np.hanning(34)[1:-1]
    for window in (-hann, hann * np.exp(0.3j * np.arange(32))):
        given = {"window": window, "noverlap": 24, "scaling": scaling}
        spectra = signal.stft(x, nperseg=32, return_onesided=False, **given)[2]
        back = signal.istft(spectra, nperseg=32, input_onesided=False, **given)[1]
        np.testing.assert_allclose(back[:300], x, atol=1e-13)
    own, theirs = ("density", "psd") if scaling == "psd" else (scaling, "magnitude")
    transform = scipy.signal.ShortTimeFFT(
        np.conj(window), 8, 1, fft_mode="twosided", scale_to=theirs, phase_shift=None
    )
    given |= {"scaling": own, "detrend": False, "return_onesided": False}
    ours = signal.spectrogram(x, **given)[2]
    expected = transform.spectrogram(x, p0=0, p1=ours.shape[1], k_offset=16)
    np.testing.assert_allclose(ours, expected, atol=1e-13)


def test_out_of_scipys_results():
    x = random_array(300, np.longdouble)
    expected = scipy.signal.stft(x, nperseg=32)[2]
    out = np.empty(expected.shape, complex)
    assert signal.stft(x, nperseg=32, out=out)[2] is out
    np.testing.assert_array_equal(out, expected.astype(complex))


def test_out():
    ours, theirs = pair()
    x = random_array((2, 50), "f8")
    expected = theirs.stft(x)
    out = np.zeros((2, ours.f_pts, 2 * expected.shape[-1]), "c16")
    assert ours.stft(x, out=out[..., ::2]).base is out
    close(out[..., ::2], expected, "f8")
    assert not out[..., 1::2].any()
    back = np.empty((2, 50))
    assert ours.istft(expected, k1=50, out=back) is back
    close(back, x, "f8")
    power = np.empty(expected.shape)
    assert ours.spectrogram(x, out=power) is power
    cross = np.empty(expected.shape, "c16")
    assert ours.spectrogram(x, x[::-1], out=cross) is cross
    close(cross, theirs.spectrogram(x, x[::-1]), "f8")
    with pytest.raises(ValueError, match="out has shape"):
        ours.stft(x, out=back)


def test_plans_are_cached_and_released():
    from imago.signal._short_time import _cached_plan

    imago.release_memory()
    ours, _ = pair()
    for _ in range(3):
        ours.stft(np.ones(50))
        pair()[0].stft(np.ones(50))
    assert _cached_plan.cache_info().currsize == 1
    ours.scale_to("magnitude")
    ours.stft(np.ones(50))
    assert _cached_plan.cache_info().currsize == 2
    imago.release_memory()
    assert _cached_plan.cache_info().currsize == 0


def test_threads(computed):
    ours, _ = pair()
    xs = [random_array(90, "f8", seed) for seed in range(8)]
    found = [None] * 8

    def work(i):
        found[i] = ours.istft(ours.stft(xs[i]), k1=90)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for x, y in zip(xs, found):
        close(y, x, "f8")
    assert computed() == 16


def test_long_doubles_are_computed_by_scipy(monkeypatch):
    ours, theirs = pair()
    x = random_array(50, np.longdouble)
    np.testing.assert_array_equal(ours.stft(x), theirs.stft(x))
    np.testing.assert_array_equal(ours.spectrogram(x), theirs.spectrogram(x))
    spectra = theirs.stft(x).astype(np.clongdouble)
    np.testing.assert_array_equal(ours.istft(spectra, k1=50), theirs.istft(spectra, k1=50))
    monkeypatch.setenv("IMAGO_FALLBACK", "0")
    with pytest.raises(NotImplementedError, match="IMAGO_FALLBACK is 0"):
        ours.stft(x)


def test_frames_beyond_the_signal():
    ours, theirs = pair()
    x = random_array((2, 60), "f8")
    for offset in (75, -75):
        given = {"p0": 0, "p1": 1, "k_offset": offset}
        np.testing.assert_array_equal(ours.stft(x, **given), np.zeros((2, ours.f_pts, 1)))
        assert not ours.stft_detrend(x, "constant", **given).any()
        with pytest.raises(ValueError, match="no frame reads one of the 60 samples"):
            ours.stft(x, padding="edge", **given)
    # SciPy's border continues the part that frames read.
    given = {"p0": -1, "p1": 0, "k_offset": -3, "padding": "odd"}
    close(ours.stft(x, **given), theirs.stft(x, **given), "f8")


def test_empty_and_mistakes():
    ours, _ = pair()
    assert ours.stft(np.ones((0, 50))).shape == (0, ours.f_pts, ours.p_num(50))
    with pytest.raises(ValueError, match="Use a shorter window"):
        ours.stft(np.ones(9))
    with pytest.raises(ValueError, match="padding is 'wrap'"):
        ours.stft(np.ones(50), padding="wrap")
    with pytest.raises(ValueError, match="queue and wait_for are for"):
        ours.stft(np.ones(50), queue=1)


@pytest.mark.parametrize("dtype", BOUNDS)
def test_spectra_of_segments(dtype):
    x, y = random_array((2, 500), dtype), random_array((2, 450), dtype, seed=1)
    given = {"fs": 9.0, "nperseg": 64, "return_onesided": not dtype.startswith("c")}
    for ours, theirs in (
        (signal.stft(x, **given), scipy.signal.stft(x, **given)),
        (signal.spectrogram(x, **given), scipy.signal.spectrogram(x, **given)),
        (signal.welch(x, **given), scipy.signal.welch(x, **given)),
        (signal.csd(x, y, average="median", **given),
         scipy.signal.csd(x, y, average="median", **given)),
    ):  # fmt: skip
        for a, b in zip(ours[:-1], theirs[:-1]):
            np.testing.assert_allclose(a, b)
        # Detrended segments of SciPy are in double precision.
        close(ours[-1], theirs[-1], dtype)
    t, back = signal.istft(signal.stft(x, **given)[2], 9.0, nperseg=64,
                           input_onesided=given["return_onesided"])  # fmt: skip
    close(back[:, :500], x, dtype)
    assert len(t) == back.shape[1]


def test_spectra_of_long_doubles_are_computed_by_scipy():
    x = random_array(500, np.longdouble)
    for function in (signal.stft, signal.spectrogram, signal.welch):
        theirs = getattr(scipy.signal, function.__name__)
        np.testing.assert_allclose(function(x)[-1], theirs(x)[-1], rtol=1e-12)


cl = pytest.importorskip("pyopencl")
import pyopencl.array  # noqa: E402


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.long
def test_device_arrays(queue, mode):
    for dtype in BOUNDS:
        if dtype.startswith("c") and mode.startswith("onesided"):
            continue
        ours, theirs = pair(fft_mode=mode)
        x = random_array((3, 70), dtype)
        for padding in ("zeros", "odd"):
            on_device = cl.array.to_device(queue, x)
            spectra = ours.stft(on_device, padding=padding)
            assert isinstance(spectra, cl.array.Array)
            back = ours.istft(spectra, k1=70)
            power = ours.spectrogram(on_device)
            close(spectra.get(), theirs.stft(x, padding=padding), dtype)
            close(back.get(), x, dtype)
            close(power.get(), theirs.spectrogram(x), dtype)
            other = x[::-1].copy()
            cross = ours.spectrogram(on_device, cl.array.to_device(queue, other))
            close(cross.get(), theirs.spectrogram(x, other), dtype)


def test_device_arrays_with_strides_and_offsets(queue):
    ours, theirs = pair()
    x = random_array((6, 80, 2), "f8")
    on_device = cl.array.to_device(queue, x)[1::2, 5:75]
    part = x[1::2, 5:75]
    spectra = ours.stft(on_device, axis=1, p0=1)
    close(spectra.get(), theirs.stft(part, axis=1, p0=1), "f8")
    whole = cl.array.to_device(queue, np.ascontiguousarray(theirs.stft(part, axis=1)))
    back = cl.array.zeros(queue, (3, 70, 4), np.float64)
    ours.istft(whole, k1=70, f_axis=1, out=back[:, :, ::2])
    close(back.get()[:, :, ::2], part, "f8")
    assert not back.get()[:, :, 1::2].any()


def test_stft_of_device_arrays(queue):
    x = random_array((2, 300), "f4")
    f, t, spectra = signal.stft(cl.array.to_device(queue, x), nperseg=50)
    ours = signal.stft(x, nperseg=50)
    np.testing.assert_array_equal(spectra.get(), ours[2])
    with pytest.raises(ValueError, match="boundary 'even' is for arrays on the host"):
        signal.stft(cl.array.to_device(queue, x), nperseg=50, boundary="even")
    expected = scipy.signal.stft(x, nperseg=50, detrend="linear", scaling="psd")[2]
    shifted = cl.array.to_device(queue, np.concatenate([x[:1] * np.nan, x]))[1:]
    part = signal.stft(shifted, nperseg=50, detrend="linear", scaling="psd")[2]
    close(part.get(), expected, "f4")
    t, back = signal.istft(spectra, nperseg=50)
    close(back.get(), x, "f4")
