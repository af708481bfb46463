"""Streams in blocks of any size, beside SciPy on whole signals."""

import copy
import pickle
import threading

import numpy as np
import pytest
import scipy.signal

import imago
from imago import _core
from imago._devices import sessions
from imago.signal import Stream

RNG = np.random.default_rng(5)


def samples(n, dtype, channels=()):
    x = RNG.uniform(-1, 1, (n, *channels))
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.uniform(-1, 1, x.shape)
    return x.astype(dtype)


def through(stream, x, largest):
    """Returns all results of a stream in blocks of random sizes up to `largest`."""
    results, begin = [], 0
    while begin < len(x):
        count = int(RNG.integers(0, largest + 1))
        results.append(stream.push(x[begin : begin + count]))
        begin += count
    results.append(stream.finish())
    return np.concatenate(results)


def bound(dtype):
    return 1e-5 if np.dtype(dtype).char in "fF" else 1e-12


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("channels", [(), (3,)])
@pytest.mark.parametrize("kernels", ["compile", "generic"])
def test_blocks_give_the_bits_of_the_whole(dtype, channels, kernels, monkeypatch):
    monkeypatch.setenv("IMAGO_FIRST_CALL", kernels)  # between them, the last bits change
    x = samples(1200, dtype, channels)
    window = scipy.signal.windows.hann(64) + 0.1
    options = {"dtype": dtype, "channels": channels, "block": 200}
    there = Stream.stft(window, 16, **options)
    back = Stream.istft(window, 16, **options)
    taps = RNG.uniform(-1, 1, 21)
    fir = Stream.fir(taps, **options)
    spectra, filtered = through(there, x, 10**6), through(fir, x, 10**6)
    restored = through(back, spectra, 10**6)
    for largest in (1, 7, 300, 700):
        assert np.array_equal(through(there, x, largest), spectra)
        assert np.array_equal(through(back, spectra, max(1, largest // 16)), restored)
        assert np.array_equal(through(fir, x, largest), filtered)
    assert np.allclose(restored[:1200], x, atol=bound(dtype))
    assert restored.dtype == x.dtype
    expected = scipy.signal.oaconvolve(x, taps.reshape(-1, *(1,) * len(channels)), axes=0)
    assert np.allclose(filtered, expected, atol=bound(dtype))
    fewer = Stream.fir(taps, decimation=6, **options)
    filtered = through(fewer, x, 10**6)
    expected = scipy.signal.upfirdn(taps, x, 1, 6, axis=0)
    assert filtered.dtype == x.dtype and filtered.shape == expected.shape
    assert np.allclose(filtered, expected, atol=bound(dtype))
    assert np.array_equal(through(fewer, x, 50), filtered)
    other = Stream.fir(taps, decimation=5, interpolation=3, **options)
    filtered = through(other, x, 10**6)
    expected = scipy.signal.upfirdn(taps, x, 3, 5, axis=0)
    assert filtered.dtype == x.dtype and filtered.shape == expected.shape
    assert np.allclose(filtered, expected, atol=bound(dtype))
    assert np.array_equal(through(other, x, 50), filtered)
    transform = scipy.signal.ShortTimeFFT(
        window, 16, 1, phase_shift=None, fft_mode="onesided" if x.dtype.kind == "f" else "twosided"
    )
    expected = np.moveaxis(transform.stft(x, axis=0), (0, -1), (-1, 0))
    assert spectra.shape == expected.shape
    assert np.allclose(spectra, expected, atol=64 * bound(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int16"])
@pytest.mark.parametrize("ratio", [(147, 160), (160, 147), (3, 1), (1, 4), (10, 4), (2, 25), (7, 7)])
def test_resample_poly_is_that_of_scipy(dtype, ratio):
    x = samples(700, "float64") * 1000
    if np.dtype(dtype).kind == "c":
        x = x + 1j * x[::-1]
    x = x.astype(dtype)
    found = imago.signal.resample_poly(x, *ratio)
    # In double precision: SciPy rounds the taps and sums of float32.
    wanted = scipy.signal.resample_poly(x.astype(np.result_type(x, np.float64)), *ratio)
    assert found.shape == wanted.shape
    assert found.dtype == (np.float64 if dtype == "int16" else x.dtype)
    least = 1e-6 if np.dtype(dtype).char in "fF" else 1e-13
    assert np.abs(found - wanted).max() <= least * np.abs(wanted).max()


def test_resample_poly_with_other_arguments():
    x = samples(100, "float64", (3,)).T
    taps = scipy.signal.firwin(31, 0.2)
    for options in (
        {"axis": 1}, {"axis": -1, "window": "hann"}, {"axis": 1, "window": taps},
        {"axis": 1, "window": list(taps[:4])}, {"axis": 1, "cval": 2.5}, {"axis": 0},
        {"axis": 1, "padtype": "mean"}, {"axis": 1, "padtype": "maximum"},
    ):  # fmt: skip
        found = imago.signal.resample_poly(x + 3, 5, 3, **options)
        wanted = scipy.signal.resample_poly(x + 3, 5, 3, **options)
        assert found.shape == wanted.shape and np.allclose(found, wanted, atol=1e-12), options
    for arguments, text in (
        ((x, 0, 1), "up is 0; it must be a whole number from 1 on"),
        ((x, 1, 2.5), "down is 2.5"),
        ((x, 3, 2, 1, "hann", "line"), "padtype is 'line'; it must be constant, mean"),
        ((x, 3, 2, 1, "hann", "mean", 1), "cval is 1; it is for the padtype constant"),
        ((x, 44101, 66000, 1), "interpolation is 44101; with the decimation 66000"),
    ):
        with pytest.raises(ValueError, match=text):
            imago.signal.resample_poly(*arguments)


def test_queues_of_pyopencl(queue):
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    context = queue.context
    for properties in (0, cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE):
        queue = cl.CommandQueue(context, properties=properties)
        x = samples(1000, np.float32)
        on_host = Stream.stft(np.ones(32), 8, block=100)
        on_device = Stream.stft(np.ones(32), 8, block=100, queue=queue)
        device_x = cl.array.to_device(queue, x)
        wanted = through(on_host, x, 10**6)
        parts, begin = [], 0
        for count in (1, 0, 250, 99, 650):
            parts.append(on_device.push(device_x[begin : begin + count]))
            begin += count
        parts.append(on_device.finish())
        found = np.concatenate([part.get() for part in parts])
        assert np.array_equal(found, wanted)
        with pytest.raises(TypeError, match="pyopencl"):
            on_device.push(x)
        with pytest.raises(TypeError, match="the stream has a queue.* Make another one"):
            copy.copy(Stream.fir([1.0], queue=queue))


def test_blocks_of_lists_and_other_types():
    stream = Stream.fir([1.0], points=5)
    blocks = [stream.push([1, 2, 3]), stream.push(np.zeros((0,))), stream.push(np.arange(5.0))]
    assert [len(block) for block in blocks] == [0, 0, 5]
    y = np.concatenate([*blocks, stream.finish()])
    assert y.dtype == np.float32
    assert np.allclose(y, [1, 2, 3, 0, 1, 2, 3, 4])


def test_wrong_arguments():
    stream = Stream.fir([1.0, 2.0], channels=(2,))
    with pytest.raises(ValueError, match=r"shape \(4,\); it must be \(n, 2\)"):
        stream.push(np.zeros(4))
    with pytest.raises(TypeError, match="complex128"):
        stream.push(np.zeros((4, 2), complex))
    with pytest.raises(ValueError, match="wait_for"):
        stream.finish(wait_for=[])
    with pytest.raises(ValueError, match="dtype"):
        Stream.fir([1.0], dtype=np.int16)
    with pytest.raises(ValueError, match="taps"):
        Stream.fir([])
    with pytest.raises(ValueError, match="taps"):
        Stream.fir([[1.0]])
    for make in (
        lambda: Stream.fir([1j]), lambda: Stream.stft([1j, 1], 1),
        lambda: Stream.istft([1, 1], 1, dual_win=[1j, 1]),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="is complex; a stream of real samples needs real"):
            make()
    with pytest.raises(ValueError, match="points"):
        Stream.fir([1.0, 1.0], points=2)
    with pytest.raises(ValueError, match="points is 64; it must be a multiple of decimation, 3"):
        Stream.fir([1.0, 1.0], points=64, decimation=3)
    with pytest.raises(ValueError, match="hop"):
        Stream.stft(np.ones(8), 0)
    with pytest.raises(ValueError, match="before"):
        Stream.stft(np.ones(8), 4, before=8)
    with pytest.raises(ValueError, match="hop"):
        Stream.istft(np.ones(8), 9)


def test_reset_begins_a_new_stream():
    stream = Stream.fir([1.0, 1.0], points=3)
    first = stream.push([1, 2, 3, 4])
    stream.push([9, 9])
    stream.reset()
    assert np.array_equal(stream.push([1, 2, 3, 4]), first)
    stream.finish()
    assert np.array_equal(stream.push([1, 2, 3, 4]), first)
    assert "float32" in repr(stream)


def test_copies_before_the_first_block():
    x = samples(500, np.float32)
    streams = Stream.stft(np.hanning(32), 8, block=100), Stream.fir(np.ones(7), channels=(2,))
    for stream, given in zip(streams, (x, samples(500, np.float32, (2,)))):
        copies = copy.copy(stream), copy.deepcopy(stream), pickle.loads(pickle.dumps(stream))
        expected = stream.push(given)
        for other in copies:
            assert np.array_equal(other.push(given), expected)
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="the stream has begun.* Call finish"):
                copied(stream)
        end = stream.finish()
        again = pickle.loads(pickle.dumps(stream))
        assert np.array_equal(again.push(given), expected)
        assert np.array_equal(again.finish(), end)
        stream.push(given)
        stream.reset()
        copy.copy(stream)


def test_other_byte_orders():
    x = samples(300, np.float32)
    expected = through(Stream.fir([1.0, 2.0]), x, 10**6)
    other = Stream.fir(np.array([1.0, 2.0], ">f8"), dtype=">f4")
    assert np.array_equal(through(other, x.astype(">f4"), 10**6), expected)


def test_no_device_is_an_error(monkeypatch):
    monkeypatch.setattr(sessions, "_open", {})
    monkeypatch.setattr(_core, "Session", lambda *_: (_ for _ in ()).throw(imago.Error("no devices")))
    makers = [
        lambda: Stream.fir([1.0]), lambda: Stream.stft(np.ones(8), 4),
        lambda: Stream.istft(np.ones(8), 4), lambda: imago.Plan(8), imago.device,
        lambda: imago.Convolution(np.ones(3), 8), lambda: imago.nufft.Plan(1, (8,)),
        lambda: imago.nufft.nufft1d1([0.0], [1.0], 8),
    ]  # fmt: skip
    for make in makers:
        with pytest.raises(imago.Error, match="no devices"):
            make()


def test_calls_of_several_threads():
    stream = Stream.fir([1.0], points=2)
    counts = []

    def feed():
        for _ in range(50):
            counts.append(len(stream.push(np.ones(10))))

    threads = [threading.Thread(target=feed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) + len(stream.finish()) == 2000
