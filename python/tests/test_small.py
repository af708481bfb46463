"""Small arrays, which SciPy computes if the device is a CPU."""

import inspect
import os
import threading
import time
import types
import warnings

import numpy as np
import pytest
import scipy.fft
from support import assert_close, random_array, reference

import imago
from imago import _core, _stored
from imago.fft import _small
from imago.fft._backend import FUNCTIONS

LIMITS = _small.Limits(4e-5, 2e6, 1e7)
TRANSFORMS = sorted(set(FUNCTIONS) - {"fht", "ifht"})

pytestmark = pytest.mark.skipif(imago.device().type != "cpu", reason="needs a CPU device")


def scipys():
    return imago.fft.statistics()["small"]


def call_often(dtype=np.complex64, calls=_small._CALLS_BEFORE + 1):
    for _ in range(calls):
        imago.fft.fft(np.ones(8, dtype))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Returns an empty folder for the limits. A call begins without limits; none is small yet."""
    for name in ("IMAGO_FALLBACK", "IMAGO_DEVICE", "IMAGO_FIRST_CALL"):
        monkeypatch.delenv(name, raising=False)
    file_of = _stored.file_of
    monkeypatch.setattr(_stored, "file_of", lambda *key: tmp_path / file_of(*key).name)
    _small.reset()
    yield tmp_path
    _small.reset()


@pytest.fixture
def measured(folder, monkeypatch):
    """Counts the measurements, which all find LIMITS. One process measures."""
    runs = []
    monkeypatch.setattr(_small, "_PROCESSES", 1)
    monkeypatch.setattr(_small, "_measure", lambda double: runs.append(double) or LIMITS)
    return runs


@pytest.fixture
def decided(measured):
    call_often(np.complex64)
    call_often(np.complex128)


def test_scipy_computes_small_arrays_after_some_calls(measured, computed):
    call_often(calls=_small._CALLS_BEFORE)
    assert (computed(), measured) == (_small._CALLS_BEFORE, [])
    call_often(calls=3)
    assert (computed(), measured) == (_small._CALLS_BEFORE, [False])
    call_often(np.complex128)  # a precision for itself
    assert (computed(), measured) == (2 * _small._CALLS_BEFORE, [False, True])
    call_often(np.complex128)
    assert computed() == 2 * _small._CALLS_BEFORE


def test_other_calls_do_not_count(measured):
    for x in np.ones(1 << 14, "D"), np.ones(8, np.float16), np.ones(8, np.longdouble), [1.0, 2.0]:
        for _ in range(2 * _small._CALLS_BEFORE):
            imago.fft.fft(x)
    assert (_small.current.pending, measured) == ({False: 0, True: 0}, [])


def test_large_arrays_stay_on_the_device(decided, computed):
    small = scipys()
    for x in np.ones(1 << 16, "F"), np.ones((64, 4096)), np.ones((1 << 16, 2), "f"):
        imago.fft.fft(x)
    imago.fft.fft(np.ones(8), 1 << 17)
    imago.fft.fftn(np.ones((8, 8), "f"), [512, 512])
    imago.fft.irfft(np.ones((2, 60000), "F"))
    assert (computed(), scipys()) == (6, small)


def test_long_operations_count(decided):
    small = scipys()
    imago.fft.fft(np.ones(4096, "F"))
    assert scipys() == small + 1
    imago.fft.fft(np.ones(4099, "F"))  # a prime number
    imago.fft.fft(np.ones((8192, 2), "D"))  # many short rows
    assert scipys() == small + 1


def work(name, shape, dtype, **arguments):
    bound = inspect.signature(getattr(imago.fft, name)).bind(np.ones(shape, dtype), **arguments)
    bound.apply_defaults()
    return _small._work_of(name, bound.arguments, np.dtype(dtype).char in "dD")


def test_the_work_of_a_call():
    real, several = work("rfft", 1024, "f")
    assert not several
    for half in (
        work("irfft", 513, "F"),
        work("hfft", 513, "F"),
        work("irfft", 9, "F", n=1024),
        work("ihfft", 1024, "f"),
        work("dct", 1024, "f"),
        work("idst", 1000, "f", n=1024),
        work("fft", 1024, "f"),
    ):
        assert half == (real, False)
    for twice in work("fft", 1024, "F"), work("dct", 1024, "F"), work("rfft", 1024, "d"):
        assert twice == (2 * real, False)
    assert work("dct", 513, "f", type=1)[0] == pytest.approx(real, rel=0.01)
    assert work("dst", 511, "f", type=1)[0] == pytest.approx(real, rel=0.01)
    assert work("fft2", (64, 64), "f") == work("rfftn", (64, 64), "f")
    assert work("irfft2", (64, 33), "F") == work("rfftn", (64, 64), "f")
    assert work("rfft", (2, 1024), "f")[1]
    assert work("fft", (2, 1024), "F", axis=0)[0] > work("fft", (2, 1024), "F")[0]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i2", "?"])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_results_are_those_of_the_device(decided, computed, name, dtype):
    function = getattr(imago.fft, name)
    if np.dtype(dtype).kind == "c" and name.rstrip("2n") in ("rfft", "ihfft"):
        pytest.skip("needs real numbers")
    x = np.asarray(random_array((3, 6, 10), "f8") * 2).astype(dtype)
    before = scipys()
    for arguments in ({}, {"norm": "ortho"}, {"n": 13, "axis": 1} if name[-1] not in "2n" else {"s": [5, 4]}):
        result, device = function(x, **arguments), function.__wrapped__(x, **arguments)
        assert_close(result, device)
    assert scipys() == before + 3
    assert computed() == 3 if name[0] != "d" else computed() >= 3


def test_scipys_backend_reaches_it(decided, computed):
    with scipy.fft.set_backend(imago, only=True):
        result = scipy.fft.rfft(np.arange(8.0))
    assert computed() == 0
    assert np.array_equal(result, reference.rfft(np.arange(8.0)))


def test_nothing_is_reported_as_a_failure(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call_often(calls=40)


ERRORS = [
    ("irfft", "invalid number of data points", dict(n=0)),
    ("fft", "invalid number of data points", dict(n=-3)),
    ("dct", "invalid type 5; it must be", dict(type=5)),
    ("dct", "DCT-I needs >= 2", dict(type=1, n=1)),
    ("fft", "use imago.Plan", dict(plan=object())),
    ("fft", "should be", dict(norm="both")),
    ("dctn", "all axes must be unique", dict(axes=[0, 0])),
    ("fft", "it must be a numpy.ndarray", dict(out=[])),
    ("fft", "out has shape", dict(out=np.empty(5, complex))),
    ("fft", "Cannot cast", dict(out=np.empty(8))),
]


@pytest.mark.parametrize("name, text, arguments", ERRORS)
def test_errors_are_imagos(decided, name, text, arguments):
    for _ in range(2):
        with pytest.raises((ValueError, TypeError, NotImplementedError), match=text):
            getattr(imago.fft, name)(np.ones(8), **arguments)


def test_calls_that_scipy_computes_otherwise_stay_on_the_device(decided, computed):
    small = scipys()
    imago.fft.dct(np.ones(8, "F"), norm="ortho", orthogonalize=False)
    imago.fft.fft(np.ones(8, np.float16))
    imago.fft.fft(np.ones(8, ">f4"))
    imago.fft.fft([1.0, 2.0])
    imago.fft.fft(np.ma.ones(8))
    assert (computed(), scipys()) == (5, small)
    with pytest.raises(TypeError, match="x must be a real sequence, but it is complex. Give"):
        imago.fft.rfft(np.ones(8, "F"))
    assert imago.fft.fft(np.ones((0, 8))).shape == (0, 8)


def test_out(decided, computed):
    out = np.empty(8, np.complex64)
    assert imago.fft.fft(np.ones(8), out=out) is out  # converted
    assert out[0] == 8 and computed() == 0


@pytest.mark.parametrize(
    "switch",
    ["IMAGO_FALLBACK=0", "IMAGO_FALLBACK=failure", "IMAGO_FIRST_CALL=generic"]
    + ["IMAGO_FIRST_CALL=compile", "IMAGO_DEVICE=0"],
)
def test_switches(measured, computed, monkeypatch, switch):
    monkeypatch.setenv(*switch.split("="))
    call_often(calls=40)
    assert (computed(), measured) == (40, [])


def test_a_device_that_the_user_selected_computes(measured, computed):
    try:
        imago.set_device(0)
        call_often(calls=40)
        assert (computed(), measured) == (40, [])
        imago.set_device()  # the default device: begins again
        call_often(calls=40)
        assert measured == [False]
    finally:
        imago.set_device()


def test_other_devices_compute(measured, computed, monkeypatch):
    facts = _core.facts
    monkeypatch.setattr(_core, "facts", lambda session: {**facts(session), "type": "gpu"})
    call_often(calls=40)
    assert (computed(), measured) == (40, [])


def test_later_processes_read_the_limits(measured, computed, folder, monkeypatch):
    call_often()
    _small.reset()
    call_often(calls=5)
    assert computed() == _small._CALLS_BEFORE
    facts = _core.facts
    monkeypatch.setattr(_core, "facts", lambda session: {**facts(session), "driver": "new"})
    _small.reset()
    call_often()
    assert measured == [False, False]
    assert len(list(folder.iterdir())) == 2


def test_three_processes_measure_and_the_medians_count(folder, computed, monkeypatch):
    found = [(4e-5, 3e6, 2e7), (6e-5, 2e6, 4e7), (5e-5, 5e6, 3e7), (1e-5, 1e6, 1e7)]
    monkeypatch.setattr(_small, "_measure", lambda double: _small.Limits(*found.pop(0)))
    for left in (3, 2, 1, 1):
        _small.reset()
        call_often()
        assert len(found) == left
    assert computed() == _small._CALLS_BEFORE  # in the first process
    assert _small.current.limits == {False: _small.Limits(5e-5, 3e6, 3e7)}


WRONG = ["", "{", "[1]", "[" * 60000, "{}", "\0\xff", "null", '{"measured": 1}', '{"measured": []}']
WRONG += ['{"measured": [%s]}' % each for each in ("1", "null", "[1e-5, 1e6]", "[1e-5, 1e6, 1e6, 1.0]")]
WRONG += ['{"measured": [[1e-5, %s, 1e6]]}' % row for row in ("NaN", "Infinity", "-1.0", '"x"', "1")]
WRONG += ['{"measured": [[1.0, 1e6, 1e6]]}', '{"measured": [[1e-5, 1e6, 1e6], [1e-5, 1e6, 0.0]]}']


@pytest.mark.parametrize("text", WRONG)
def test_damaged_limits_are_measured_again(measured, folder, text):
    call_often()
    (file,) = folder.iterdir()
    file.write_text(text, encoding="latin1")
    found = _stored.read(file)
    assert found is None or type(found) is dict
    _small.reset()
    call_often()
    assert measured == [False, False]
    _small.reset()
    call_often()
    assert measured == [False, False]  # replaced


@pytest.mark.parametrize("obstacle", ["folder", "FIFO", "no folder"])
def test_a_cache_that_cannot_be_used(measured, folder, monkeypatch, obstacle):
    call_often()
    (file,) = folder.iterdir()
    file.unlink()
    if obstacle == "folder":
        file.mkdir()
    elif obstacle == "FIFO":
        os.mkfifo(file)
    else:
        monkeypatch.setattr(_stored, "file_of", lambda *key: __file__ / _stored.pathlib.Path("x/y"))
    _small.reset()
    began = scipys()
    call_often(calls=40)
    assert measured == [False, False] and scipys() > began
    assert not list(folder.glob(f"*.{os.getpid()}"))


class Clock:
    """Replaces the clock and takes calls through, each of which takes a planned time of it."""

    def __init__(self, monkeypatch):
        self.now, self.devices = 0.0, 0
        monkeypatch.setattr(_small.time, "perf_counter", lambda: self.now)
        c2c, fftn = _small._work.c2c, _small.own_code.fftn

        def on_device(host, forward, x, *rest):
            self.now += 2e-5 + 1e-12 * x.nbytes * _small._cost(x.shape, x.ndim > 1)
            self.devices += 1
            return c2c(host, forward, x, *rest)

        def by_scipy(x):
            self.now += 3e-6 + 4e-12 * x.nbytes * _small._cost(x.shape, x.ndim > 1)
            return fftn(x)

        monkeypatch.setattr(_small._work, "c2c", on_device)
        monkeypatch.setattr(_small, "own_code", types.SimpleNamespace(fftn=by_scipy))


def test_the_measurement(folder, monkeypatch):
    clock = Clock(monkeypatch)
    call_often()
    limits = _small.current.limits[False]
    assert limits.credible() and clock.devices > 2 * _small._REPETITIONS
    assert limits.launch == pytest.approx(2e-5)
    least, most = 17e-6 / 4e-12, 17e-6 / 3e-12  # lines through both measured arrays
    assert [limits.row, limits.rows] == pytest.approx([(least * most) ** 0.5] * 2)
    assert imago.fft.explain(imago.fft.fft, np.ones(8, "F")).startswith("SciPy computes this call")


@pytest.mark.parametrize("outcome", [None, _small.Limits(float("inf"), 1.0, 1.0), _small.Limits(1.0, 1.0, 1.0)])
def test_a_disturbed_measurement_decides_nothing(folder, computed, monkeypatch, outcome):
    runs = []
    monkeypatch.setattr(_small, "_measure", lambda double: runs.append(double) or outcome)
    call_often(calls=60)
    assert (computed(), runs, _small.current.pending) == (60, [False], {True: 0})
    assert not list(folder.iterdir())


def test_a_measurement_that_takes_long_is_given_up(folder, monkeypatch):
    monkeypatch.setattr(_small, "_PATIENCE", 0.0)
    assert not _small._measure(False).credible()


def test_a_measurement_that_fails_decides_nothing(folder, computed, monkeypatch):
    monkeypatch.setattr(_small, "_lower_quartile", lambda call: 1e-5)  # divides by a difference
    call_often(calls=40)
    assert (computed(), _small.current.pending) == (40, {True: 0})


def test_many_threads_measure_once(measured, monkeypatch):
    monkeypatch.setattr(_small, "_measure", lambda double: (measured.append(1), time.sleep(0.05), LIMITS)[2])
    results = []
    threads = [
        threading.Thread(target=lambda: results.extend(imago.fft.fft(np.ones(8, "F"))[0] for _ in range(40)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert measured == [1] and results == [8] * 320


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_computes_while_its_parent_decides(decided):
    with _small.current.lock:
        child = os.fork()
        if child == 0:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                right = imago.fft.fft(np.ones(8))[0] == 8
            os._exit(0 if right and _small.current.lock.acquire(blocking=False) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_explain(decided, computed):
    x = np.ones(8, np.float32)
    text = imago.fft.explain(imago.fft.rfft, x)
    assert text.startswith("SciPy computes this call, because the array is small: the shortest call of ")
    assert "takes 40.0 us. Set IMAGO_FALLBACK=failure" in text
    assert "real-65536-f32" in imago.fft.explain(imago.fft.rfft, np.ones(65536, "f"))
    assert "complex-65536-f64" in imago.fft.explain(imago.fft.ifft, x, 65536) or computed() == 0
    assert "dct2-300x500-f64" in imago.fft.explain(imago.fft.dctn, np.ones((300, 500)), out=None)
    assert "real-300x500-f64" in imago.fft.explain(imago.fft.ihfft2, np.ones((300, 500)))
    assert "long doubles" in imago.fft.explain(imago.fft.fft, np.ones(4, "g"))
    assert "empty" in imago.fft.explain(imago.fft.fft, np.ones((0, 4)))
    assert computed() == 0
    for function in ("fft", np.fft.fft, imago.fft.fht, imago.fft.fftshift):
        with pytest.raises(ValueError, match="it must be a Fourier, cosine or sine function"):
            imago.fft.explain(function, x)


def test_the_log(measured, monkeypatch, capsys):
    monkeypatch.setenv("IMAGO_LOG", "warning")
    call_often()
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("IMAGO_LOG", "info")
    _small.reset()
    call_often()
    line = capsys.readouterr().err
    assert line.startswith("imago: info: SciPy computes small arrays in single precision, such as ")
    assert "up to 8192 points" in line


def test_prewarm_compiles_small_transforms(decided, computed):
    imago.prewarm([("fft", (8,), "F"), ("dct", (8,), "d")])
    assert computed() == 2
