"""imago.Convolution compared with NumPy and SciPy."""

import pickle

import numpy as np
import pytest
import scipy.signal
from support import assert_close, random_array

import imago
from imago import hooks

ROUNDING = 1e-15


@pytest.mark.parametrize("extent", ["full", "same", "valid"])
@pytest.mark.parametrize("shape, kernel", [((100,), (7,)), ((12, 20), (3, 5)), ((6, 8, 10), (2, 3, 4))])
def test_beside_scipy(shape, kernel, extent):
    x, h = random_array(shape, "f8"), random_array(kernel, "f8", 1)
    result = imago.Convolution(h, shape, extent=extent)(x)
    assert_close(result, scipy.signal.convolve(x, h, extent, "direct"), ROUNDING)


def test_complex_singles_correlated():
    x, h = random_array((50,), "c8"), random_array((9,), "c8", 1)
    result = imago.Convolution(h, 50, extent="valid", correlate=True)(x)
    assert_close(result, np.correlate(x, h, "valid"), 1e-7)


def test_circular():
    x, h = random_array((16,), "f8"), random_array((5,), "f8", 1)
    expected = np.fft.ifft(np.fft.fft(x) * np.fft.fft(h, 16)).real
    assert_close(imago.Convolution(h, 16, extent="circular")(x), expected, ROUNDING)


def test_batches_and_kernels():
    x, h = random_array((3, 40), "f8"), random_array((2, 5), "f8", 1)
    each = random_array((3, 5), "f8", 2)
    shared = imago.Convolution(h[0], 40, batch=3)(x)
    assert_close(shared, np.array([np.convolve(row, h[0]) for row in x]), ROUNDING)
    own = imago.Convolution(each, 40, batch=3, of="each")(x)
    assert_close(own, np.array([np.convolve(a, b) for a, b in zip(x, each)]), ROUNDING)
    every = imago.Convolution(h, 40, batch=3, of="all")(x)
    assert_close(every, np.array([[np.convolve(a, b) for b in h] for a in x]), ROUNDING)


def test_channels_are_summed():
    x, h = random_array((3, 40), "f8"), random_array((3, 5), "f8", 1)
    result = imago.Convolution(h, 40, channels=3)(x)
    assert_close(result, sum(np.convolve(a, b) for a, b in zip(x, h)), ROUNDING)


@pytest.mark.long
def test_hooks_and_long_signals():
    x, h = random_array((100_000,), "f4"), random_array((31,), "f4", 1)
    convolution = imago.Convolution(h, x.size, extent="same")
    assert_close(convolution(x), np.convolve(x.astype("f8"), h, "same").astype("f4"), 1e-6)
    doubled = imago.Convolution(h, x.size, extent="same", store=[hooks.scale("by")])
    assert_close(doubled(x, by=2.0), 2 * convolution(x), 1e-6)


def test_hooks_of_each_place():
    """Hooks on the signal, on the spectrum after the product, and on the result."""
    x, h = random_array((16,), "f8"), random_array((5,), "f8", 1)
    w, v, s = random_array((16,), "f8", 2), random_array((16,), "f8", 3), random_array((9,), "f8", 4)
    both = np.concatenate([s, s[7:0:-1]])  # a hook sees every point
    convolution = imago.Convolution(
        h,
        16,
        extent="circular",
        load=[hooks.window(0, "w")],
        store=[hooks.window(0, "v")],
        spectrum=[hooks.multiply("s", real=True)],
    )
    assert convolution.points == (16,)
    expected = np.fft.irfft(np.fft.rfft(x * w) * np.fft.rfft(h, 16) * s) * v
    assert_close(convolution(x, w=w, v=v, s=both), expected, ROUNDING)


@pytest.mark.long
def test_blocks_are_forbidden():
    h = random_array((31,), "f4", 1)
    by_blocks, whole = (imago.Convolution(h, 100_000, blocks=blocks) for blocks in (True, False))
    assert by_blocks.points[0] < 100_030 <= whole.points[0]
    x = random_array((100_000,), "f4")
    assert_close(whole(x), by_blocks(x), 1e-6)


def test_a_complex_correlation_of_channels_with_each_kernel():
    x, h = random_array((2, 3, 20), "c16"), random_array((4, 3, 5), "c16", 1)
    result = imago.Convolution(
        h, 20, extent="valid", correlate=True, batch=2, of="all", channels=3
    )(x)
    expected = [[sum(map(np.correlate, a, b)) for b in h] for a in x]
    assert_close(result, np.array(expected), ROUNDING)


def test_out_is_the_result():
    x, h = random_array((20,), "f8"), random_array((5,), "f8", 1)
    convolution = imago.Convolution(h, 20)
    assert convolution.shape == (20,) and convolution.result_shape == (24,)
    out = np.empty(24)
    assert convolution(x, out) is out
    assert_close(out, np.convolve(x, h), ROUNDING)


@pytest.mark.long
def test_the_arithmetic_of_doubles_is_chosen():
    x, h = random_array((200,), "f8"), random_array((30,), "f8", 1)
    expected = np.convolve(x, h)
    convolution = imago.Convolution(h, 200, f64="pairs")
    assert "f64='pairs'" in repr(convolution)
    result = convolution(x)
    assert_close(result, expected, 1e-14)
    assert np.linalg.norm(result - expected) > 1e-15 * np.linalg.norm(expected)  # not doubles
    assert_close(pickle.loads(pickle.dumps(convolution))(x), result, 1e-16)


def test_errors():
    h = np.ones(3)
    with pytest.raises(ValueError, match="f64 is 'double'; it must be 'automatic'"):
        imago.Convolution(h, 8, f64="double")
    with pytest.raises(ValueError, match="extent is 'most'; it must be 'full'"):
        imago.Convolution(h, 8, extent="most")
    with pytest.raises(ValueError, match="dimensions"):
        imago.Convolution(h, (8, 8))
    with pytest.raises(ValueError, match=r"x has shape \(7,\); this convolution needs \(8,\)"):
        imago.Convolution(h, 8)(np.ones(7))
    with pytest.raises(TypeError, match="complex"):
        imago.Convolution(h, 8)(np.ones(8) * 1j)
    with pytest.raises(ValueError, match="out has shape"):
        imago.Convolution(h, 8)(np.ones(8), np.empty(8))
    with pytest.raises(ValueError):
        imago.Convolution(np.ones(9), 8, extent="valid")
    with pytest.raises(ValueError, match=r"signal\[0\] is -2; it must be a whole number"):
        imago.Convolution(h, -2)
    with pytest.raises(TypeError, match="signal is 8.5; it must be a whole number"):
        imago.Convolution(h, 8.5)
    with pytest.raises(ValueError, match="batch is -2; it must be a whole number"):
        imago.Convolution(h, 8, batch=-2)
    with pytest.raises(TypeError, match="channels is 'two'; it must be a whole number"):
        imago.Convolution(h, 8, channels="two")
    with pytest.raises(TypeError, match="blocks is 1; it must be True or False"):
        imago.Convolution(h, 8, blocks=1)


def test_lengths_may_be_whole_numbers_of_numpy():
    x, h = random_array((20,), "f8"), random_array((5,), "f8", 1)
    assert_close(imago.Convolution(h, np.int64(20))(x), np.convolve(x, h), ROUNDING)
