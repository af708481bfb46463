"""The program of test_processes: a parent that used a device, and children that run each case."""

import gc
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
import scipy.fft

import imago
import imago.mpi

try:
    import pyopencl as cl
    import pyopencl.array

    import imago.opencl
except ImportError:
    cl = None

PATIENCE = float(os.environ["IMAGO_TEST_PATIENCE"])
warnings.simplefilter("ignore")
X = np.arange(8.0)
S = np.exp(2j * np.pi * 5 * np.arange(4096) / 4096)
made = {}


def plan():
    made["plan"] = imago.Plan(8, dtype="f8")
    made["convolution"] = imago.Convolution(np.ones(3), 8)


def queue():
    context = cl.create_some_context(interactive=False)
    made["queue"] = cl.CommandQueue(context)
    made["array"] = cl.array.to_device(made["queue"], X + 0j)


def threads():
    barrier = threading.Barrier(4)
    def work(n):
        imago.fft.fft(X)
        barrier.wait()
        while True:
            imago.fft.fft(np.ones((n, 8)))
    for n in (1, 2, 3):
        threading.Thread(target=work, args=(n,), daemon=True).start()
    barrier.wait()


PARENTS = {
    "nothing": lambda: None,
    "devices": imago.devices,
    "transform": lambda: imago.fft.fft(X),
    "plan": plan,
    "threads": threads,
    "pyopencl": queue,
}


def close(a, b):
    assert np.allclose(a, b), a
    return True


def mpi():
    forward, _ = imago.mpi.transforms((8,), dtype=float)[0,]
    return close(forward(X, s=(8,), axes=(0,)), np.fft.rfft(X))


def backend():
    with scipy.fft.set_backend(imago):
        return close(scipy.fft.fft(X), np.fft.fft(X))


def on_device():
    if "queue" not in made and imago._core.use_driver() is None:  # pyopencl itself would hang
        queue()
    return close(imago.opencl.fft(made["array"]).get(), np.fft.fft(X))


def dropped():
    made.clear()
    imago.release_memory()
    return gc.collect() >= 0


def old(name, *arguments):
    if name not in made:
        plan()
    return made[name](*arguments) if name == "convolution" else made[name].forward(*arguments)


def described():
    if "plan" not in made:
        plan()
    return "8" in made["plan"].describe() and made["plan"].signal_bytes == 128


CASES = {
    "devices": lambda: len(imago.devices()) > 0,
    "device": lambda: bool(imago.device().name),
    "set_device": lambda: bool(imago.set_device(0).name),
    "fft": lambda: close(imago.fft.fft(X), np.fft.fft(X)),
    "scipy": backend,
    "new plan": lambda: close(imago.Plan(8, kind="real", dtype="f8").forward(X), np.fft.rfft(X)),
    "plan": lambda: close(old("plan", X + 0j), np.fft.fft(X)),
    "description": described,
    "new convolution": lambda: close(imago.Convolution(np.ones(2), 8)(X), np.convolve(np.ones(2), X)),
    "convolution": lambda: close(old("convolution", X), np.convolve(np.ones(3), X)),
    "sparse_fft": lambda: imago.sparse_fft(S, 1, seed=1).indices.tolist() == [5],
    "mpi": mpi,
    "stream": lambda: len(imago.signal.Stream.fir([1.0], points=2).push(X)) == 8,
    "nufft": lambda: close(imago.nufft.nufft1d1([0.0], [1.0], 4), np.ones(4)),
    "czt": lambda: close(imago.signal.czt(X), np.fft.fft(X)),
    "stft": lambda: imago.signal.stft(X, nperseg=4)[2].shape[0] == 3,
    "welch": lambda: imago.signal.welch(X, nperseg=4)[1].shape == (3,),
    "statistics": lambda: imago.fft.statistics()["computed"] >= 0,
    "dropped": dropped,
}
if cl:
    CASES["pyopencl"] = on_device


def outcome(case):
    try:
        return "computed" if CASES[case]() else "wrong"
    except (imago.Error, NotImplementedError) as error:
        return f"{type(error).__name__}: {error}"
    except BaseException as error:
        return f"unexpected {error!r}"


def forked(case):
    begin, end = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(end, outcome(case).encode())
        sys.exit(0)          # a normal exit, with exit handlers of Python and drivers
    os.close(end)
    until = time.monotonic() + PATIENCE
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.set_blocking(begin, False)
            try:
                return "hangs at its end, after " + os.read(begin, 1000).decode()
            except BlockingIOError:
                return "hangs"
        time.sleep(0.005)
    return os.read(begin, 1000).decode()


def all_of(cases):
    return {case: outcome(case) for case in cases}


def started(method):
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        return pool.apply_async(all_of, (list(CASES),)).get(PATIENCE * 3)


if __name__ == "__main__":
    PARENTS[sys.argv[1]]()
    results = {case: forked(case) for case in CASES} if sys.argv[2] == "fork" else started(sys.argv[2])
    print(json.dumps(results), flush=True)
    os._exit(0)
