"""Small arrays, which functions of the processor compute, without a launch."""

import inspect
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.fft
from support import assert_close, random_array

import imago
from imago import _core
from imago.fft import _small
from imago.fft._backend import FUNCTIONS

TRANSFORMS = sorted(set(FUNCTIONS) - {"fht", "ifht"})

pytestmark = pytest.mark.skipif(
    not _core.small_instruction_set(), reason="imago was built without the functions"
)


@pytest.fixture(autouse=True)
def allowed(monkeypatch):
    """Lets the functions compute, whatever the environment says."""
    for name in ("IMAGO_SMALL", "IMAGO_DEVICE", "IMAGO_FIRST_CALL"):
        monkeypatch.delenv(name, raising=False)
    _core.small_clear()
    yield
    monkeypatch.undo()
    _core.small_clear()


@pytest.fixture
def small():
    """Returns the number of transforms that the functions have computed since the test began."""
    before = imago.fft.statistics()["small"]
    return lambda: imago.fft.statistics()["small"] - before


def arguments_of(name, shape=(12, 16)):
    complex_input = name.strip("2n") in ("fft", "ifft", "irfft", "hfft")
    return shape, np.complex64 if complex_input else np.float32


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_results_are_scipys(name, double):
    shape, dtype = arguments_of(name)
    x = random_array(shape, np.result_type(dtype, np.float64) if double else dtype)
    ours, theirs = getattr(imago.fft, name), getattr(scipy.fft, name)
    axis = "axes" if "axes" in inspect.signature(theirs).parameters else "axis"
    for arguments in ({}, {"norm": "ortho"}, {"norm": "forward"}, {axis: [0] if axis == "axes" else 0}):
        expected = theirs(x, **arguments)
        result = ours(x, **arguments)
        assert result.dtype == expected.dtype and result.shape == expected.shape
        assert_close(result, expected)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "fft2", "irfftn", "dct", "idct"])
def test_no_device_computes_them(name, small, computed):
    shape, dtype = arguments_of(name)
    function = getattr(imago.fft, name)
    x = random_array(shape, dtype)
    function(x)
    function(x, norm="ortho")
    function(x.tolist())
    function(x.T)
    function(np.asfortranarray(x), workers=2)
    assert small() == 5
    assert computed() == 0


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 11, 17, 30, 49, 121, 360, 1009, 2048])
def test_lengths(n, computed):
    for dtype in (np.complex64, np.complex128):
        x = random_array((3, n) if n < 1000 else (n,), dtype)
        assert_close(imago.fft.fft(x), scipy.fft.fft(x))
    assert computed() == 0


def test_integers_and_halves_are_converted(small):
    assert imago.fft.rfft(np.arange(8, dtype=np.int16)).dtype == np.complex128
    assert imago.fft.rfft(np.arange(8, dtype=np.float16)).dtype == np.complex64
    assert imago.fft.fft(np.arange(8, dtype=">f4")).dtype == np.complex64
    assert small() == 3


def test_the_input_is_not_changed():
    x = random_array((64,), np.complex64)
    before = x.copy()
    imago.fft.fft(x)
    imago.fft.ifft(x)
    assert (x == before).all()
    x.flags.writeable = False
    assert_close(imago.fft.fft(x), scipy.fft.fft(before))


def test_padding_and_out(small, computed):
    x = random_array((20,), np.complex64)
    assert_close(imago.fft.fft(x, 32), scipy.fft.fft(x, 32))
    assert_close(imago.fft.fft(x, 7), scipy.fft.fft(x, 7))
    out = np.empty(20, np.complex64)
    assert imago.fft.fft(x, out=out) is out
    assert_close(out, scipy.fft.fft(x))
    assert imago.fft.fft(x, out=x) is x
    assert_close(x, out)
    assert small() == 4 and computed() == 0


def test_large_arrays_stay_on_the_device(small, computed):
    x = random_array((96, 512), np.float32)
    assert_close(imago.fft.rfft2(x), scipy.fft.rfft2(x))
    assert (small(), computed()) == (1, 0)
    imago.fft.fft(np.ones((257, 4096), np.complex64))  # more than 2^20
    assert (small(), computed()) == (1, 1)


@pytest.mark.parametrize("switch", ["IMAGO_SMALL=0", "IMAGO_FIRST_CALL=generic", "IMAGO_DEVICE=0"])
def test_switches(small, computed, monkeypatch, switch):
    monkeypatch.setenv(*switch.split("="))
    assert_close(imago.fft.fft(np.ones(8, np.complex64)), scipy.fft.fft(np.ones(8, np.complex64)))
    assert (small(), computed()) == (0, 1)


def test_a_device_that_the_user_selected_computes(small, computed):
    x = np.ones(8, np.complex64)
    imago.fft.fft(x)
    assert small() == 1
    try:
        imago.set_device(0)
        imago.fft.fft(x)
        assert small() == 1
    finally:
        imago.set_device()
    imago.fft.fft(x)
    assert small() == 2


def test_errors_are_those_of_other_arrays():
    with pytest.raises(ValueError, match="number of data points"):
        imago.fft.fft(np.ones(0))
    with pytest.raises(TypeError, match="real sequence"):
        imago.fft.rfft(np.ones(4, np.complex64))
    with pytest.raises(ValueError, match="number of data points"):
        imago.fft.irfft(np.ones(1, np.complex64))
    with pytest.raises(IndexError):
        imago.fft.fft(np.float32(1))


def test_nan_stays_in_its_row():
    x = np.ones((5, 40), np.float32)
    x[2, 3] = np.nan
    for result in (imago.fft.rfft(x), imago.fft.dct(x), imago.fft.fft(x.astype(np.complex64))):
        bad = np.isnan(result).any(axis=1)
        assert bad.tolist() == [False, False, True, False, False]


def test_threads():
    arrays = [random_array((n,), np.complex64) for n in (64, 100, 1009, 4096)]
    expected = [scipy.fft.fft(x) for x in arrays]
    failures = []

    def work():
        for _ in range(50):
            for x, y in zip(arrays, expected):
                if np.linalg.norm(imago.fft.fft(x) - y) > 1e-5 * np.linalg.norm(y):
                    failures.append(x.size)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_of_many_shapes_share_the_functions():
    """Entries replace each other while other threads read them. Without a GIL they really do."""
    arrays = [random_array((n,), "c8", n) for n in range(2, 130)]
    expected = [scipy.fft.fft(x) for x in arrays]
    wrong, begin = [], threading.Barrier(5)

    def transform(seed):
        begin.wait()
        for i in np.random.default_rng(seed).integers(len(arrays), size=2000):
            result = imago.fft.fft(arrays[i])
            if result.shape != expected[i].shape:  # the array of another entry
                wrong.append((result.shape, expected[i].shape))
            elif np.linalg.norm(result - expected[i]) > 1e-5 * len(arrays[i]):
                wrong.append(i)

    def clear():
        begin.wait()
        for _ in range(200):
            _core.small_clear()

    threads = [threading.Thread(target=transform, args=(seed,)) for seed in range(4)]
    threads.append(threading.Thread(target=clear))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_computes():
    imago.fft.fft(np.ones((257, 4096), np.complex64))  # uses the driver
    imago.fft.fft(np.ones(16, np.complex64))
    imago.fft.fft(np.ones((512, 256), np.complex64))  # in several threads
    child = os.fork()
    if child == 0:
        ok = imago.fft.fft(np.ones(16, np.complex64))[0] == 16
        ok = ok and (imago.fft.fft(np.ones((512, 256), np.complex64))[:, 0] == 256).all()
        ok = ok and imago.fft.rfft(np.ones((3, 48), np.float32))[2, 0] == 48
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_explain_and_the_device_is_not_opened():
    text = imago.fft.explain(imago.fft.fft, np.ones(64, np.complex64))
    assert text.startswith("Functions of the processor")
    code = (
        "import numpy, imago; imago.fft.fft(numpy.ones(64)); imago.fft.rfft(numpy.ones((4, 6)))\n"
        "from imago._devices import sessions; assert not sessions._open"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("instructions", ["x86-64-v2", "x86-64-v3"])
def test_other_instruction_sets(instructions):
    if instructions > _core.small_instruction_set():
        pytest.skip("this processor has no such instructions")
    code = (
        "import numpy as np, scipy.fft, imago\n"
        "x = np.random.default_rng(0).standard_normal(240)\n"
        "assert np.allclose(imago.fft.rfft(x), scipy.fft.rfft(x))\n"
        f"assert imago._core.small_instruction_set() == {instructions!r}"
    )
    environment = {**os.environ, "IMAGO_SMALL": instructions}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_the_cache_is_released():
    imago.fft.fft(np.ones(12, np.complex64))
    imago.release_memory()
    assert_close(imago.fft.fft(np.ones(12, np.complex64)), scipy.fft.fft(np.ones(12, np.complex64)))


def test_kinds_of_the_direct_functions_are_those_of_the_words():
    for name, (kind, inverse) in _small._KINDS.items():
        assert hasattr(imago.fft, name) and isinstance(kind, int) and isinstance(inverse, bool)
