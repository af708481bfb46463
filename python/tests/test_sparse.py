"""imago.sparse_fft."""

import numpy as np
import pytest
from support import random_array

import imago

N = 1 << 16


def tones(places, dtype):
    t = np.arange(N)
    x = sum(a * np.exp(2j * np.pi * f * t / N) for f, a in places.items())
    return (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_tones_are_found(dtype):
    places = {17: 1.0, 4000: 0.5j, 65000: -0.25}
    found = imago.sparse_fft(tones(places, dtype), 3, method="phase", seed=5)
    assert found.sure and found.used == "phase"
    assert list(found.indices) == sorted(places)
    assert np.allclose(found.values / N, list(places.values()), atol=1e-3)
    assert found.samples < N and 0 < found.unseen < 1
    again = imago.sparse_fft(tones(places, dtype), 3, method="phase", seed=5)
    assert again.seed == found.seed and np.array_equal(again.indices, found.indices)


@pytest.mark.long
def test_real_signals_have_half_spectra():
    found = imago.sparse_fft(tones({17: 1.0, 4000: 0.5}, "f4"), 2, method="phase", seed=5)
    assert list(found.indices) == [17, 4000]
    assert np.allclose(found.values / N, [0.5, 0.25], atol=1e-3)


def test_the_whole_signal_is_read_where_that_is_asked_for():
    found = imago.sparse_fft(tones({17: 1.0}, "c8"), 1, assurance="verified")
    assert found.verdict == "verified" and found.unseen == 0


def test_noise_is_not_sparse():
    x = random_array((N,), "c8")
    found = imago.sparse_fft(x, 3, method="phase", allow_dense=False, seed=1)
    assert found.verdict in ("noise_floor", "unverified") and found.used == "phase"
    # The dense transform computes the answer if it is allowed.
    found = imago.sparse_fft(x, 3, method="phase", seed=1)
    assert found.used == "dense" and found.attempts < 100 < N < found.samples
    spectrum = np.fft.fft(x)[found.indices]
    assert np.linalg.norm(found.values - spectrum) < 1e-5 * np.linalg.norm(spectrum)


@pytest.mark.long
def test_a_method_is_the_one_that_is_asked_for():
    x = tones({17: 1.0, 4000: 0.5j}, "c16")
    for method in ("voting", "dense"):
        assert imago.sparse_fft(x, 2, method=method, seed=5).used == method


def noisy(noise):
    x = tones({17: 1.0, 4000: 0.5j, 65000: -0.25}, "c16")
    parts = np.random.default_rng(3).standard_normal((2, N)) * noise / 2**0.5
    return (x + parts[0] + 1j * parts[1]).astype("c8")


def test_the_verdict_depends_on_tolerance_and_noise():
    x = noisy(0.01)
    how = {"method": "phase", "seed": 5, "allow_dense": False}
    assert imago.sparse_fft(x, 3, **how).verdict == "noise_floor"
    assert imago.sparse_fft(x, 3, tolerance=0.05, **how).verdict == "consistent"
    assert imago.sparse_fft(x, 3, noise=0.01, **how).verdict == "consistent"


def test_the_numbers_of_the_verdict_say_what_is_left():
    x = noisy(0.01)
    how = {"method": "phase", "seed": 5, "tolerance": 0.05}
    found = imago.sparse_fft(x, 3, **how)
    left = x - sum(
        value / N * np.exp(2j * np.pi * int(f) * np.arange(N) / N)
        for f, value in zip(found.indices, found.values)
    )
    relative = np.sqrt(np.mean(abs(left) ** 2) / np.mean(abs(x) ** 2))
    assert abs(found.residual - relative) < 0.1 * relative
    # The worst checked sample is several times the mean; the worst of all samples is worse.
    assert 2 * np.sqrt(np.mean(abs(left) ** 2)) < found.difference < 1.001 * abs(left).max()
    assert 0 < found.checked < found.samples < N and found.attempts < 10
    assert found.unseen == pytest.approx(np.log(1e3) / found.checked, rel=0.5)
    others = np.delete(np.fft.fft(x), found.indices.astype(int))
    assert found.floor > 10 * found.residual and found.floor < 100 * abs(others).max()
    verified = imago.sparse_fft(x, 3, assurance="verified", **how)
    assert verified.verdict == "verified" and verified.samples >= N
    assert abs(others).max() <= verified.floor
    assert abs(verified.residual - relative) < 0.02 * relative


@pytest.mark.long
def test_how_many_are_expected_is_a_hint_for_what_is_drawn():
    x = tones({17: 1.0, 4000: 0.5j}, "c16")
    samples = [imago.sparse_fft(x, k, method="phase", seed=5).samples for k in (2, 200)]
    assert samples[0] < samples[1]


def test_errors():
    with pytest.raises(ValueError, match="dimensions"):
        imago.sparse_fft(np.ones((2, 2)))
    with pytest.raises(ValueError, match="method is 'slow'; it must be 'automatic'"):
        imago.sparse_fft(np.ones(8), method="slow")
    with pytest.raises(ValueError, match="sparsity"):
        imago.sparse_fft(np.ones(8), 9)
    for k in (2.5, "a"):
        with pytest.raises(TypeError, match=f"k is {k!r}; it must be a whole number"):
            imago.sparse_fft(np.ones(8), k)
    with pytest.raises(ValueError, match="k is -1; it must be a whole number"):
        imago.sparse_fft(np.ones(8), -1)
    with pytest.raises(ValueError, match="seed is -1; it must be a whole number"):
        imago.sparse_fft(np.ones(8), 1, seed=-1)
    with pytest.raises(TypeError, match="allow_dense is .yes.; it must be True or False"):
        imago.sparse_fft(np.ones(8), 1, allow_dense="yes")
    with pytest.raises(NotImplementedError, match="use method='dense'"):  # Python's names
        imago.sparse_fft(np.ones(64), method="phase")
    with pytest.raises(NotImplementedError, match="long double"):
        imago.sparse_fft(np.ones(8, np.longdouble))


@pytest.mark.parametrize("dtype", ["c16", "f8"])
def test_a_tone_between_bins_is_one(dtype):
    found = imago.sparse_fft(tones({1234.37: 1.0, 20000: 0.5}, dtype), 2, seed=5)
    assert len(found.indices) > 100
    first, second = found.tones[:2]
    half = 1 if dtype == "c16" else 0.5
    assert abs(first["frequency"] - 1234.37) < 1e-3 and abs(first["amplitude"] - half) < 1e-3
    assert second["frequency"] == 20000 and abs(second["amplitude"] - half / 2) < 1e-2
    assert len(found.tones) < 10 and found.tones["bins"].sum() == len(found.indices)
