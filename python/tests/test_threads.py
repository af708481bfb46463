"""Many threads, many calls, many processes."""

import concurrent.futures
import importlib
import multiprocessing
import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from support import assert_close, random_array, reference

import imago

CALLS = int(os.environ.get("IMAGO_TEST_CALLS", "20000"))
SHAPES = [(64,), (3, 100), (1024,), (32, 32), (17,)]


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_threads_share_plans_and_leak_nothing():
    inputs = [random_array(shape, np.complex128) for shape in SHAPES]
    imago.prewarm([("fft", shape, np.complex128) for shape in SHAPES])  # bits change no more
    expected = [imago.fft.fft(x) for x in inputs]

    def work(count):
        for i in range(count):
            which = i % len(inputs)
            if not np.array_equal(imago.fft.fft(inputs[which]), expected[which]):
                return False
        return True

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, [CALLS // 80] * 8))  # memory that grows once has grown
        before = resident_bytes()
        assert all(pool.map(work, [CALLS // 8] * 8))
    assert resident_bytes() - before < 16 << 20


def test_threads_that_want_one_plan_make_one():
    imago.release_memory()
    x = random_array(60, np.complex64)
    misses = imago.fft.statistics()["misses"]
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        return imago.fft.ifft(x)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert imago.fft.statistics()["misses"] == misses + 1
    for result in results:
        assert_close(result, reference.ifft(x))


def test_plans_are_bounded():
    limit = 512
    imago.release_memory()
    x = np.ones((limit + 100, 8))
    for rows in range(1, limit + 100):
        imago.fft.fft(x[:rows])
    assert imago.fft.statistics()["plans"] == limit
    imago.release_memory()
    assert imago.fft.statistics()["plans"] == 0


def _transform(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = imago.fft.fft(x)
    return result, [str(w.message) for w in caught], imago.fft.statistics()["scipy"]


def in_process(method, x):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.apply(_transform, (x,))


def test_a_spawned_process_computes():
    x = random_array(16, np.complex128)
    result, warned, scipy = in_process("spawn", x)
    assert_close(result, reference.fft(x))
    assert (warned, scipy) == ([], 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_leaves_it_to_scipy_and_says_so():
    x = random_array(16, np.complex128)
    imago.fft.fft(x)
    before = imago.fft.statistics()["scipy"]
    result, warned, scipy = in_process("fork", x)
    assert_close(result, reference.fft(x))
    assert scipy == before + 1
    assert len(warned) == 1 and "forked" in warned[0]


def test_a_process_forked_before_the_first_transform_computes():
    program = (
        "import os, sys, numpy, imago\n"
        "child = os.fork()\n"
        "imago.fft.fft(numpy.ones(16))\n"
        "assert imago.fft.statistics()['computed'] == 1\n"
        "sys.exit(os.waitpid(child, 0)[1] if child else 0)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


IN_A_SUBINTERPRETER = """
import importlib, sys
import numpy as np
import imago
interpreters = importlib.import_module(sys.argv[1])
other = interpreters.create()
text = '''
try:
    import imago
except ImportError as error:
    assert "subinterpreter" in str(error), error
else:
    raise AssertionError("imago was imported")
'''
text = f"import sys; sys.path[:] = {sys.path!r};" + text
if hasattr(interpreters, "exec"):
    failed = interpreters.exec(other, text)
    assert failed is None, failed
else:
    interpreters.run_string(other, text)
assert imago.fft.fft(np.ones(4, np.complex64))[0] == 4
assert imago.Plan(4).forward(np.ones(4, np.complex64))[0] == 4
"""


def test_a_subinterpreter_cannot_import_it():
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        words = [sys.executable, "-c", IN_A_SUBINTERPRETER, name]
        subprocess.run(words, check=True, timeout=120)
        return
    pytest.skip("this Python makes no subinterpreters")
