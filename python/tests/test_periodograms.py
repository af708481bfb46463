"""Periodograms, analytic signals, convolutions and averages beside SciPy's and astropy's."""

import numpy as np
import pytest
import scipy.signal
from support import assert_close, random_array

from imago import signal

RANDOM = np.random.default_rng(7)
TIMES = np.sort(RANDOM.uniform(0, 100, 300))
VALUES = np.sin(1.3 * TIMES) + RANDOM.standard_normal(300) + 2
WEIGHTS = RANDOM.uniform(0.5, 2, 300)
GRIDS = {
    "steps": np.linspace(0.01, 10, 1000),
    "any": np.sort(RANDOM.uniform(0.01, 10, 777)),
    "one": np.array([1.3]),
    "zero": np.array([0.0, 1.3]),
}


@pytest.mark.parametrize("grid", ["steps", "any", "one"])
def test_lombscargle_is_scipys(grid):
    for mean in (False, True):
        for normalize in (False, True, "power", "normalize", "amplitude"):
            for weights in (None, WEIGHTS):
                given = {"normalize": normalize, "weights": weights, "floating_mean": mean}
                exact = scipy.signal.lombscargle(TIMES, VALUES, GRIDS[grid], **given)
                found = signal.lombscargle(TIMES, VALUES, GRIDS[grid], **given)
                assert found.shape == exact.shape and found.dtype == exact.dtype
                assert abs(found - exact).max() < 1e-10 * abs(exact).max()


def test_lombscargle_of_frequency_zero_and_of_even_samples():
    # All sines are 0 there, and SciPy divides rounding errors by its smallest number.
    power = signal.lombscargle(TIMES, VALUES, GRIDS["zero"])
    assert_close(power, scipy.signal.lombscargle(TIMES, VALUES, GRIDS["zero"]), 1e-9)
    even = np.arange(64.0)
    amplitude = signal.lombscargle(even, (-1.0) ** even, [np.pi], normalize="amplitude")
    assert abs(amplitude - 1) < 1e-9


def test_lombscargle_refuses_what_scipy_refuses():
    for given in (
        {"y": VALUES[1:]},
        {"freqs": []},
        {"weights": -WEIGHTS},
        {"weights": 0 * WEIGHTS},
        {"normalize": "powr"},
        {"normalize": 1},
    ):
        for function in (signal.lombscargle, scipy.signal.lombscargle):
            with pytest.raises(ValueError):
                function(**{"x": TIMES, "y": VALUES, "freqs": [1.0], **given})
    with pytest.warns(DeprecationWarning, match="precenter"):
        centred = signal.lombscargle(TIMES, VALUES, [1.3], precenter=True)
    assert_close(centred, signal.lombscargle(TIMES, VALUES - VALUES.mean(), [1.3]))


@pytest.mark.parametrize("normalization", ["standard", "model", "log", "psd"])
def test_lomb_scargle_is_astropys(normalization):
    astropy = pytest.importorskip("astropy.timeseries")
    for dy in (None, 0.5, WEIGHTS):
        for given in ({}, {"fit_mean": False}, {"fit_mean": False, "center_data": False}):
            ours = signal.LombScargle(TIMES, VALUES, dy, normalization=normalization, **given)
            theirs = astropy.LombScargle(TIMES, VALUES, dy, normalization=normalization, **given)
            frequency, power = ours.autopower(maximum_frequency=2)
            np.testing.assert_allclose(frequency, theirs.autofrequency(maximum_frequency=2), 1e-14)
            exact = theirs.power(frequency, method="slow")
            assert abs(power - exact).max() < 1e-9 * abs(exact).max()
    limits = {"return_freq_limits": True, "samples_per_peak": 3, "nyquist_factor": 2}
    assert ours.autofrequency(**limits) == pytest.approx(theirs.autofrequency(**limits), rel=1e-14)
    some = np.array([[0.2, 0.21], [0.3, 0.9]])
    np.testing.assert_allclose(ours.power(some), theirs.power(some, method="slow"), 1e-8)


def test_lomb_scargle_finds_a_tone_and_refuses_others():
    ls = signal.LombScargle(TIMES, VALUES)
    frequency, power = ls.autopower()
    assert frequency[power.argmax()] == pytest.approx(1.3 / (2 * np.pi), abs=0.002)
    with pytest.raises(NotImplementedError, match="nterms is 2"):
        signal.LombScargle(TIMES, VALUES, nterms=2)
    with pytest.raises(ValueError, match="normalization is 'std'"):
        signal.LombScargle(TIMES, VALUES, normalization="std")
    with pytest.raises(ValueError, match="method is 'slow'"):
        ls.power([0.1], method="slow")
    with pytest.raises(ValueError, match="equal non-zero length"):
        signal.LombScargle([], [])


@pytest.mark.parametrize("points", [None, 60, 130])
def test_hilbert_is_scipys(points):
    for axis in (0, 1, -1):
        x = random_array((3, 100, 2), "f8")
        assert_close(signal.hilbert(x, points, axis), scipy.signal.hilbert(x, points, axis))
    x = random_array((99,), "f4")
    found = signal.hilbert(x, points)
    assert found.dtype == np.complex64
    assert_close(found, scipy.signal.hilbert(x, points))
    with pytest.raises(ValueError, match="x must be real"):
        signal.hilbert(x + 1j)
    with pytest.raises(ValueError, match="N must be positive"):
        signal.hilbert(x, 0)
    long = signal.hilbert(np.arange(8, dtype=np.longdouble))  # SciPy computes it
    assert_close(long.astype("c16"), scipy.signal.hilbert(np.arange(8.0)))


def test_hilbert_on_a_device(queue):
    cl_array = pytest.importorskip("pyopencl.array")
    x = random_array((4, 64), "f4")
    found = signal.hilbert(cl_array.to_device(queue, x)).get()
    assert_close(found, scipy.signal.hilbert(x))


def test_periodogram_is_scipys():
    x = random_array((3, 200, 2), "f8")
    cases = [{}, {"nfft": 150}, {"nfft": 300}, {"window": None}, {"window": np.hanning(200)}]
    cases += [{"window": "hann", "scaling": "spectrum"}, {"detrend": False, "return_onesided": False}]
    for given in cases:
        found = signal.periodogram(x, 5.0, axis=1, **given)
        for ours, theirs in zip(found, scipy.signal.periodogram(x, 5.0, axis=1, **given)):
            assert_close(ours, theirs)
    with pytest.raises(ValueError, match="size of the window"):
        signal.periodogram(x, window=np.ones(7))


def test_convolutions_and_resampling_are_scipys():
    a, b = random_array((40, 50), "f8"), random_array((5, 6), "f8", 1)
    for mode in ("full", "same", "valid"):
        for name in ("fftconvolve", "oaconvolve"):
            found = getattr(signal, name)(a, b, mode)
            assert_close(found, getattr(scipy.signal, name)(a, b, mode))
    assert_close(signal.fftconvolve(a, b[:1], axes=1), scipy.signal.fftconvolve(a, b[:1], axes=1))
    for window in (None, "hann"):
        found = signal.resample(a, 33, axis=1, window=window)
        assert_close(found, scipy.signal.resample(a, 33, axis=1, window=window))
    y, t = signal.resample(a, 80, np.arange(40.0))
    assert_close(t, scipy.signal.resample(a, 80, np.arange(40.0))[1])


def test_imago_computes_convolutions(computed):
    signal.fftconvolve(random_array((200,), "f8"), random_array((200,), "f8"))
    assert computed() >= 3


def test_convolutions_refuse_arrays_of_a_device(queue):
    cl_array = pytest.importorskip("pyopencl.array")
    x = cl_array.to_device(queue, random_array((8,), "f4"))
    with pytest.raises(TypeError, match=r"fftconvolve is for arrays on the host.*get\(\)"):
        signal.fftconvolve(x, x)


@pytest.mark.parametrize("average", ["nanmean", "nanmedian"])
def test_averages_leave_out_segments_with_nan(average):
    x = random_array((3, 4000), "f8")
    spoiled = x.copy()
    spoiled[1, 1000] = np.nan  # in the segments that begin at 896 and 768
    f, density = signal.welch(spoiled, nperseg=256, average=average)
    plain = average[3:]
    exact = scipy.signal.welch(x, nperseg=256, average=plain)[1]
    assert_close(density[[0, 2]], exact[[0, 2]])
    starts = [k for k in range(0, 4000 - 255, 128) if not k <= 1000 < k + 256]
    each = np.array(
        [scipy.signal.periodogram(x[1, k : k + 256], window="hann")[1] for k in starts]
    )
    if plain == "mean":
        assert_close(density[1], each.mean(axis=0))
    else:
        bias = 1 + sum(1 / (2 * k + 1) - 1 / (2 * k) for k in range(1, (len(each) - 1) // 2 + 1))
        assert_close(density[1], np.median(each, axis=0) / bias)
    cross = signal.csd(spoiled, x, nperseg=256, average=average)[1]
    assert not np.isnan(cross).any()
    spoiled[2] = np.nan
    with pytest.warns(RuntimeWarning, match="every segment of a signal has NaN"):
        density = signal.welch(spoiled, nperseg=256, average=average)[1]
    assert np.isnan(density[2]).all() and not np.isnan(density[:2]).any()
    with pytest.raises(ValueError, match="average is 'nanmode'"):
        signal.welch(x, average="nanmode")


def test_a_spectrogram_is_drawn(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    t = np.arange(4000) / 1000
    x = np.exp(2j * np.pi * -200 * t)
    figure, ax = plt.subplots()
    f, times, power = signal.spectrogram(x, 1000, nperseg=100, return_onesided=False)
    mesh = signal.plot_spectrogram(f, times, power, ax=ax, below=60)
    drawn = mesh.get_array()
    assert drawn.shape == power.shape and drawn.max() == 0 and drawn.min() == -60
    row = drawn[:, 5].argmax()
    assert mesh.get_coordinates()[row, 0, 1] < -200 < mesh.get_coordinates()[row + 1, 0, 1]
    assert ax.get_xlabel() == "Time"
    linear = signal.plot_spectrogram(f, times, abs(power) + 0j, ax=ax, decibels=False)
    assert linear.get_array().max() == pytest.approx(power.max() ** 2)
    with pytest.raises(ValueError, match="power has shape"):
        signal.plot_spectrogram(times, f, power)
    plt.close(figure)


def test_units_are_refused_not_lost():
    class Quantity(np.ndarray):
        unit = "d"

    t = np.linspace(0, 10, 50) ** 1.1
    with pytest.raises(TypeError, match="t has the unit d; it must be numbers without a unit"):
        signal.LombScargle(t.view(Quantity), np.sin(t))
    with pytest.raises(TypeError, match="frequency has the unit d"):
        signal.LombScargle(t, np.sin(t)).power(np.array([0.1, 0.2]).view(Quantity))
