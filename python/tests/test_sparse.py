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


def test_real_signals_have_half_spectra():
    found = imago.sparse_fft(tones({17: 1.0, 4000: 0.5}, "f4"), 2, method="phase", seed=5)
    assert list(found.indices) == [17, 4000]
    assert np.allclose(found.values / N, [0.5, 0.25], atol=1e-3)


def test_the_whole_signal_is_read_where_that_is_asked_for():
    found = imago.sparse_fft(tones({17: 1.0}, "c8"), 1, assurance="verified")
    assert found.verdict == "verified" and found.unseen == 0


def test_noise_is_not_sparse():
    found = imago.sparse_fft(random_array((N,), "c8"), 3, method="phase", allow_dense=False, seed=1)
    assert found.verdict in ("noise_floor", "unverified")


def test_errors():
    with pytest.raises(ValueError, match="dimensions"):
        imago.sparse_fft(np.ones((2, 2)))
    with pytest.raises(ValueError, match="method is 'slow': automatic"):
        imago.sparse_fft(np.ones(8), method="slow")
    with pytest.raises(ValueError, match="sparsity"):
        imago.sparse_fft(np.ones(8), 9)
    with pytest.raises(NotImplementedError, match="long double"):
        imago.sparse_fft(np.ones(8, np.longdouble))
