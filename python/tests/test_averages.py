"""Averaged spectra, and trends of frames, compared with SciPy's, which computes in NumPy.

SciPy's own tests: signal_plugin.py.
"""

import numpy as np
import pytest
import scipy.signal
from support import random_array

import imago
from imago import signal

BOUNDS = {"f4": 1e-6, "c8": 1e-6, "f8": 1e-14, "c16": 1e-14}
TRENDS = (False, "constant", "linear")


def close(result, expected, dtype):
    assert result.shape == expected.shape
    assert result.dtype.char in ("fF" if dtype in ("f4", "c8") else "dD")
    assert np.linalg.norm(result - expected) <= BOUNDS[dtype] * np.linalg.norm(expected)


def signals(dtype, shape=(3, 2000, 2), other=(1, 2000, 2)):
    """Returns two signals with trends, which have something in common."""
    x = random_array(shape, dtype) + np.linspace(1, 4, shape[1], dtype="f4")[:, None]
    y = random_array(other, dtype, seed=1) + x[:1, : other[1]] - 2
    return x.astype(dtype), y.astype(dtype)


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


@pytest.mark.parametrize("detrend", TRENDS)
@pytest.mark.parametrize("dtype", BOUNDS)
def test_averages(dtype, detrend):
    x, y = signals(dtype)
    given = {"fs": 3.0, "nperseg": 100, "nfft": 120, "detrend": detrend, "axis": 1}
    onesided = {"return_onesided": dtype.startswith("f")}
    for name, arrays in (("welch", (x,)), ("csd", (x, y)), ("coherence", (x[:1], y))):
        more = {} if name == "coherence" else onesided
        ours = getattr(signal, name)(*arrays, **given, **more)
        theirs = getattr(scipy.signal, name)(*map(wide, arrays), **given, **more)
        np.testing.assert_allclose(ours[0], theirs[0])
        close(ours[1], theirs[1], dtype)


@pytest.mark.parametrize("length", [96, 97, 1000])
@pytest.mark.parametrize("detrend", TRENDS[1:])
def test_trends_are_exact_enough(detrend, length):
    # A trend that is 10^4 times the rest: its last bits, not its size, are in the result.
    line = 0 if detrend == "constant" else np.arange(8000) / 100
    x = (random_array(8000, "f8") + 1e4 + line).astype("f4")
    given = {"nperseg": length, "detrend": detrend}
    ours, theirs = signal.welch(x, **given)[1], scipy.signal.welch(wide(x), **given)[1]
    np.testing.assert_allclose(ours, theirs, atol=0.01 * np.median(theirs), rtol=0.01)
    spectra = scipy.signal.spectrogram(wide(x), mode="complex", **given)[2]
    ours = signal.spectrogram(x, mode="complex", **given)[2]
    assert np.linalg.norm(ours - spectra) <= 0.01 * np.linalg.norm(spectra)


@pytest.mark.long
def test_many_frames_are_added_in_groups():
    x = random_array(100_000, "f4") + 2
    given = {"nperseg": 64, "noverlap": 62, "detrend": "constant"}
    close(signal.welch(x, **given)[1], scipy.signal.welch(wide(x), **given)[1], "f4")
    theirs = scipy.signal.csd(wide(x), wide(x[::-1]), **given)[1]
    close(signal.csd(x, x[::-1], **given)[1], theirs, "f4")


@pytest.mark.long
def test_shorter_and_broadcast_signals():
    x, y = random_array((2, 500), "f4"), random_array((2, 300), "c16", seed=1)
    given = {"nperseg": 64, "return_onesided": False}
    close(signal.csd(x, y, **given)[1], scipy.signal.csd(wide(x), y, **given)[1], "c16")
    rows, columns = random_array((3, 1, 200), "f8"), random_array((4, 200), "f8", seed=1)
    close(
        signal.csd(rows, columns, nperseg=50)[1],
        scipy.signal.csd(rows, columns, nperseg=50)[1],
        "f8",
    )


@pytest.mark.long
def test_functions_and_medians_remain_on_the_host():
    x, y = signals("f8")
    for given in ({"detrend": lambda frames: frames - 1}, {"average": "median"}):
        given |= {"nperseg": 100, "axis": 1}
        close(signal.csd(x, y, **given)[1], scipy.signal.csd(x, y, **given)[1], "f8")


def test_complex_windows_have_the_sum_of_their_squared_moduli():
    window = np.hanning(64) * np.exp(0.3j * np.arange(64))
    x, given = random_array(2000, "c16") * np.sqrt(1.5), {"window": window, "noverlap": 48}
    f, density = signal.welch(x, return_onesided=False, **given)
    assert 0.9 < density.mean() < 1.1  # the noise has the variance 1
    one, both = np.ones(64) + 0j, {"return_onesided": False, "noverlap": 48}
    for scaling in ("density", "spectrum"):
        both["scaling"], given["scaling"] = scaling, scaling
        if scaling == "spectrum":  # the sum of the other window is almost 0
            given["window"] = np.hanning(64) * np.exp(0.02j * np.arange(64))
        same = signal.welch(x, window=one, **both)[1]
        np.testing.assert_allclose(signal.welch(x, window=1j * one, **both)[1], same, rtol=1e-12)
        for name, arrays in (("welch", (x,)), ("csd", (x, x[::-1].copy()))):
            ours = getattr(signal, name)(*arrays, return_onesided=False, **given)[1]
            theirs = getattr(scipy.signal, name)(*arrays, return_onesided=False, **given)[1]
            close(ours, theirs, "c16")


def test_windows_that_no_scale_fits():
    x = np.ones(100)
    for function in (signal.welch, signal.spectrogram, signal.stft):
        with pytest.raises(ValueError, match="the sum of the window's elements is 0.0; it must"):
            function(x, window=[1.0, -1.0] * 8, nperseg=16, scaling="spectrum")
        for fs in (0, -1, np.nan, np.inf):
            with pytest.raises(ValueError, match=f"fs is {fs}; it must be above 0 and finite"):
                function(x, fs, nperseg=50)
    for function in (signal.welch, signal.stft, signal.spectrogram):
        with pytest.raises(ValueError, match="window is complex; .* Pass return_onesided=False"):
            function(x, window=np.ones(16) + 1j, nperseg=16)
    with pytest.raises(ValueError, match="window is complex; .* Pass input_onesided=False"):
        signal.istft(np.ones((9, 5), complex), window=np.ones(16) + 1j)
    with pytest.raises(ValueError, match="the sum of the window's squares is 0.0; it must not be 0"):
        signal.welch(x, window=np.zeros(16))
    with pytest.raises(ValueError, match="noverlap is 8; it must be less than 8, the samples"):
        signal.welch(x, nperseg=8, noverlap=8)
    with pytest.raises(ValueError, match="nfft is 7; it must be at least 8"):
        signal.welch(x, nperseg=8, nfft=7)


def old_window(window, length, fftbins=True, get_window=scipy.signal.get_window):
    if "_" in (window if isinstance(window, str) else window[0]):
        raise ValueError("Unknown window type.")
    return get_window(window, length, fftbins)


def test_no_trend_and_the_names_of_windows(monkeypatch):
    x = random_array(200, "f8") + 1
    plain = signal.welch(x, nperseg=50, detrend=False)[1]
    for none in (0, None, "", np.False_):
        assert np.array_equal(signal.welch(x, nperseg=50, detrend=none)[1], plain)
    for name in ("hann_periodic", ("tukey_symmetric", 0.25), ("kaiser", 8.0), "hamming_symmetric"):
        window = scipy.signal.get_window(name, 50)
        same = signal.welch(x, window=window)[1]
        with monkeypatch.context() as before:  # SciPy before 1.17 lacks the endings
            before.setattr(scipy.signal, "get_window", old_window)
            assert np.array_equal(signal.welch(x, window=name, nperseg=50)[1], same)


def test_averages_need_no_memory_for_frames_and_plans_are_released():
    from imago.signal._averages import _cached_plan
    from imago.signal._trends import _cached_plan as _cached_trends

    imago.release_memory()
    for _ in range(3):
        signal.welch(random_array(5000, "f4"))
    for cache in (_cached_plan, _cached_trends):
        assert cache.cache_info().currsize == 1
    imago.release_memory()
    for cache in (_cached_plan, _cached_trends):
        assert cache.cache_info().currsize == 0


cl = pytest.importorskip("pyopencl")
import pyopencl.array  # noqa: E402


@pytest.mark.parametrize("detrend", TRENDS)
@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.long
def test_device_arrays(queue, dtype, detrend):
    x, y = signals(dtype, other=(3, 2000, 2))
    given = {"nperseg": 100, "detrend": detrend, "axis": 1}
    onesided = {"return_onesided": dtype.startswith("f")}
    for name, arrays in (
        ("welch", (x,)), ("csd", (x, y)), ("coherence", (x, y)), ("spectrogram", (x,)),
    ):  # fmt: skip
        more = {} if name == "coherence" else onesided
        on_device = [cl.array.to_device(queue, z) for z in arrays]
        ours = getattr(signal, name)(*on_device, **given, **more)
        assert isinstance(ours[-1], cl.array.Array)
        theirs = getattr(scipy.signal, name)(*map(wide, arrays), **given, **more)
        close(ours[-1].get(), theirs[-1], dtype)
    # Views, a shorter signal, and one that repeats.
    x, y = cl.array.to_device(queue, x), cl.array.to_device(queue, y[0])
    parts = x[1:, 300:1900], y[5:1500].copy()
    axes = {**given, "axis": -2, **onesided}
    ours = signal.csd(*parts, **axes)[1]
    there = [wide(z.get()) for z in (x, y)]
    there = there[0][1:, 300:1900], np.pad(there[1][5:1500], ((0, 105), (0, 0)))
    close(ours.get(), scipy.signal.csd(*there, **axes)[1], dtype)


@pytest.mark.long
def test_spectrograms_of_device_arrays(queue):
    x = random_array((2, 500), "f8") + 1
    on_device = cl.array.to_device(queue, x)
    for mode in ("complex", "magnitude"):
        ours = signal.spectrogram(on_device, nperseg=64, mode=mode)[2]
        close(ours.get(), scipy.signal.spectrogram(x, nperseg=64, mode=mode)[2], "f8")
    transform = signal.ShortTimeFFT(np.hanning(20), 5, 1)
    theirs = scipy.signal.ShortTimeFFT(np.hanning(20), 5, 1)
    for frames in ({}, {"p0": 3}, {"p0": -1, "p1": 4}):
        ours = transform.stft_detrend(on_device, "linear", **frames)
        close(ours.get(), theirs.stft_detrend(x, "linear", **frames), "f8")


def test_signals_that_are_not_computed_yet(queue):
    if not queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        pytest.skip("the test holds commands back that others would wait for")
    x = random_array(500, "f4")
    later = cl.array.zeros(queue, 500, np.float32)
    signal.welch(later, nperseg=64)  # plans are made with commands that would wait, too
    queue.finish()
    gate, whole = cl.UserEvent(queue.context), cl.array.to_device(queue, x)
    later.events.append(cl.enqueue_copy(queue, later.base_data, whole.base_data, wait_for=[gate]))
    result = signal.welch(later, nperseg=64)[1]
    gate.set_status(cl.command_execution_status.COMPLETE)
    close(result.get(), scipy.signal.welch(wide(x), nperseg=64)[1], "f4")


@pytest.mark.long
def test_mistakes_with_device_arrays(queue):
    x = cl.array.to_device(queue, random_array((2, 500), "f4"))
    with pytest.raises(ValueError, match="average 'median' is for arrays on the host"):
        signal.welch(x, average="median")
    with pytest.raises(ValueError, match="mode 'phase' is for arrays on the host"):
        signal.spectrogram(x, mode="phase")
    with pytest.raises(ValueError, match="needs a trend of 'constant' or 'linear'"):
        signal.welch(x, detrend=lambda frames: frames)
    with pytest.raises(TypeError, match="Convert one of them"):
        signal.csd(x, x.get())
    with pytest.raises(ValueError, match="arrays of pyopencl need one shape"):
        signal.coherence(x, x[0])
    with pytest.raises(ValueError, match="padding 'even' with a trend is for arrays on the host"):
        signal.ShortTimeFFT(np.ones(20), 5, 1).stft_detrend(x, "constant", padding="even")
    with pytest.raises(ValueError, match="x is not C-contiguous"):
        signal.stft(x[:, ::2], detrend="constant", nperseg=50)
