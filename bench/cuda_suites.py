"""Checks and times imago on arrays of CuPy, PyTorch and JAX, on a machine with a GPU.

    python bench/cuda_suites.py [cupy torch jax]

Each function of `imago.fft`, `imago.signal` and `imago.nufft`, and `Plan`, `Filter`, `Convolution`
and `Stream`, computes an array of each library. A row has

- the error, relative to SciPy's result on the host in double precision (or imago's, if SciPy has no
  such function), which must be below a bound;
- the host's time of a warm call, and that of the library's own function, if it has one;
- the time until the answer of the first call of a shape, with kernels that the caches may hold;
- the copies, fills and synchronisations of a warm call, as CUPTI counts them (by PyTorch's profiler,
  less those of an empty profile).

Then follow streams, lifetimes, CUDA graphs and other GPUs. The last line counts failures.
"""

import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import numpy as np
import scipy.fft
import scipy.signal

import imago

FAILURES = []


class CuPy:
    def __init__(self):
        import cupy
        import cupyx.scipy.fft
        import cupyx.scipy.signal

        self.module, self.fft, self.signal = cupy, cupyx.scipy.fft, cupyx.scipy.signal
        self.make, self.get = cupy.asarray, cupy.asnumpy
        self.type = cupy.ndarray

    def wait(self, y=None):
        self.module.cuda.runtime.deviceSynchronize()


class PyTorch:
    def __init__(self):
        import torch

        self.module, self.fft, self.signal = torch, torch.fft, None
        self.type = torch.Tensor

    def make(self, x):
        return self.module.from_numpy(np.ascontiguousarray(x)).cuda()

    def get(self, x):
        return x.cpu().numpy()

    def wait(self, y=None):
        self.module.cuda.synchronize()


class Jax:
    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax, self.module, self.fft, self.signal = jax, jax.numpy, jax.numpy.fft, jax.scipy.signal
        self.make, self.get = jax.numpy.asarray, np.asarray
        self.type = jax.Array

    def wait(self, y=None):
        self.jax.block_until_ready(y)


LIBRARIES = {"cupy": CuPy, "torch": PyTorch, "jax": Jax}


def last(result):
    return result[-1] if isinstance(result, tuple) else result


def cases(n):
    """Returns rows: name, arrays, imago's call, the expected result, and the library's own call."""
    random = np.random.default_rng(n)
    x = random.standard_normal((16, n)).astype(np.float32)
    y = random.standard_normal((16, n)).astype(np.float32)
    z = (x + 1j * y).astype(np.complex64)
    d = z.astype(np.complex128)
    wide, window = x.astype(np.float64), np.hanning(256)
    rows = []

    def row(name, arrays, ours, expected, peer=None):
        rows.append((name, arrays, ours, expected, peer))

    for name, array in (
        ("fft", z), ("ifft", d), ("rfft", x), ("irfft", z), ("fft2", z), ("fftn", d), ("rfftn", x),
        ("hfft", z), ("dct", x), ("dstn", x),
    ):  # fmt: skip
        row(
            f"fft.{name}", (array,), getattr(imago.fft, name),
            lambda name=name, array=array: getattr(scipy.fft, name)(array.astype("D" if array.dtype.kind == "c" else "d")),
            lambda lib, name=name: getattr(lib.fft, name, None),
        )  # fmt: skip
    row("fft.fft, strides", (z[:, ::2],), imago.fft.fft, lambda: scipy.fft.fft(d[:, ::2]))
    row("fft.fftshift", (z,), imago.fft.fftshift, lambda: np.fft.fftshift(d))
    with_backend = scipy.fft.rfft

    def backend(a):
        with scipy.fft.set_backend(imago):
            return with_backend(a)

    row("scipy.fft.rfft, set_backend", (x,), backend, lambda: scipy.fft.rfft(wide))
    plan = imago.Plan(n, kind="real", batch=16)
    row("Plan.forward", (x,), plan.forward, lambda: scipy.fft.rfft(wide), lambda lib: lib.fft.rfft)
    spectra = scipy.fft.rfft(wide)
    row("Plan.inverse", (spectra.astype("F"),), plan.inverse, lambda: scipy.fft.irfft(spectra, n))
    low = imago.Filter(n, kind="real", batch=16, spectrum=[imago.hooks.zero_outside(0, 0, n // 8)])

    def filtered():
        kept = spectra.copy()
        kept[:, n // 8 :] = 0
        return scipy.fft.irfft(kept, n)

    row("Filter", (x,), low, filtered)
    weighted = imago.Plan(
        n, kind="real", batch=16, directions="forward",
        on_forward=imago.hooks.Hooks(load=[imago.hooks.multiply("weights", axes=[0], real=True)]),
    )  # fmt: skip
    row("Plan with a hook's array", (x, y[0]), lambda a, w: weighted.forward(a, weights=w), lambda: scipy.fft.rfft(wide * y[0]))
    taps = np.hanning(101).astype(np.float32)
    convolution = imago.Convolution(taps, n, batch=16)
    convolved = lambda: scipy.signal.fftconvolve(wide, taps[None].astype("d"), axes=1)  # noqa: E731
    row("Convolution", (x,), convolution, convolved)
    of_signal = lambda name: lambda lib: getattr(lib.signal, name, None)  # noqa: E731
    for name, more in (
        ("stft", {"nperseg": 256}), ("stft", {"nperseg": 256, "detrend": "linear"}),
        ("spectrogram", {"nperseg": 256}), ("welch", {"nperseg": 256}),
    ):  # fmt: skip
        row(
            f"signal.{name}" + (", linear" if "detrend" in more else ""), (x,),
            lambda a, name=name, more=more: last(getattr(imago.signal, name)(a, **more)),
            lambda name=name, more=more: last(getattr(scipy.signal, name)(wide, **more)),
            lambda lib, name=name, more=more: (lambda f: f and (lambda a: last(f(a, **more))))(of_signal(name)(lib)),
        )  # fmt: skip
    for name in ("csd", "coherence"):
        row(
            f"signal.{name}", (x, y), lambda a, b, name=name: getattr(imago.signal, name)(a, b, nperseg=256)[1],
            lambda name=name: getattr(scipy.signal, name)(wide, y.astype("d"), nperseg=256)[1],
            lambda lib, name=name: (lambda f: f and (lambda a, b: f(a, b, nperseg=256)[1]))(of_signal(name)(lib)),
        )  # fmt: skip
    frames = scipy.signal.stft(wide, nperseg=256)[2]
    row(
        "signal.istft", (frames.astype("F"),), lambda a: imago.signal.istft(a, nperseg=256)[1],
        lambda: scipy.signal.istft(frames, nperseg=256)[1],
        lambda lib: (lambda f: f and (lambda a: f(a, nperseg=256)[1]))(of_signal("istft")(lib)),
    )  # fmt: skip
    ours, theirs = (of(window, hop=64, fs=1) for of in (imago.signal.ShortTimeFFT, scipy.signal.ShortTimeFFT))
    row("ShortTimeFFT.stft", (x,), ours.stft, lambda: theirs.stft(wide))
    row("ShortTimeFFT.istft", (theirs.stft(wide).astype("F"),), lambda a: ours.istft(a, k1=n), lambda: wide)
    row(
        "signal.zoom_fft", (x,), lambda a: imago.signal.zoom_fft(a, [0.1, 0.2], 300),
        lambda: scipy.signal.zoom_fft(wide, [0.1, 0.2], 300),
        lambda lib: (lambda f: f and (lambda a: f(a, [0.1, 0.2], 300)))(of_signal("zoom_fft")(lib)),
    )  # fmt: skip
    row(
        "signal.czt", (d,), lambda a: imago.signal.czt(a, 500), lambda: scipy.signal.czt(d, 500),
        lambda lib: (lambda f: f and (lambda a: f(a, 500)))(of_signal("czt")(lib)),
    )  # fmt: skip
    stream = imago.signal.Stream.stft(window, 64, channels=(16,))
    samples = np.ascontiguousarray(x.T)

    def streamed(a):
        stream.reset()
        return stream.push(a)

    host = imago.signal.Stream.stft(window, 64, channels=(16,), dtype=np.float64)
    row("signal.Stream.push", (samples,), streamed, lambda: host.push(samples.astype("d")))
    points = [random.uniform(-np.pi, np.pi, 20 * n) for _ in "xy"]
    c = random.standard_normal(20 * n) + 1j * random.standard_normal(20 * n)
    nufft = imago.nufft.Plan(1, (200, 300), eps=1e-9)
    row(
        "nufft.nufft2d1", (*points, c), lambda a, b, c: imago.nufft.nufft2d1(a, b, c, (200, 300), eps=1e-9),
        lambda: imago.nufft.nufft2d1(*points, c, (200, 300), eps=1e-12),
    )  # fmt: skip
    modes = random.standard_normal((200, 300)) + 1j

    def executed(a, b, c):
        if nufft.kept is not a:
            nufft.setpts(a, b)
            nufft.kept = a
        return nufft.execute(c)

    nufft.kept = None
    row("nufft.Plan.execute", (*points, c), executed, lambda: imago.nufft.nufft2d1(*points, c, (200, 300), eps=1e-12))
    row(
        "nufft.nufft2d2", (*points, modes), lambda a, b, f: imago.nufft.nufft2d2(a, b, f, eps=1e-9),
        lambda: imago.nufft.nufft2d2(*points, modes, eps=1e-12),
    )  # fmt: skip
    return rows


def host_time(call, wait, calls=300):
    result = None
    for _ in range(20):
        result = call()
    wait(result)
    best = np.inf
    for _ in range(3):
        begin = time.perf_counter()
        for _ in range(calls // 3):
            result = call()
        best = min(best, (time.perf_counter() - begin) / (calls // 3))
        wait(result)
    return 1e6 * best


def events(call):
    """Returns the counts of a call's events in CUPTI: copies, fills and synchronisations."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as found:
        result = call()
        time.sleep(0.02)
    del result
    names = [event.name for event in found.events()]
    words = {
        "H2D": "Memcpy HtoD", "D2H": "Memcpy DtoH", "D2D": "Memcpy DtoD", "fill": "Memset",
        "sync": "Synchronize",
    }  # fmt: skip
    del torch
    return {key: sum(word in name for name in names) for key, word in words.items()}


def check(name, error, bound):
    if not error < bound:
        FAILURES.append(name)
    return "" if error < bound else "  <-- WRONG"


def suite(lib):
    print(f"\n{type(lib).__name__}: us of the host for a warm call, ms until a first answer, events")
    nothing = events(lambda: None)
    fresh = {row[0]: row for row in cases(3600)}
    for name, arrays, ours, expected, peer in cases(4000):
        try:
            given = [lib.make(array) for array in arrays]
            result = ours(*given)
            assert isinstance(result, lib.type), type(result)
            found, reference = lib.get(result), expected()
            error = np.linalg.norm(found - reference) / np.linalg.norm(reference)
            single = found.dtype.char in "fF"
            _, more, again, _, _ = fresh[name]
            more = [lib.make(array) for array in more]
            lib.wait(more)
            begin = time.perf_counter()
            lib.wait(again(*more))
            first = 1e3 * (time.perf_counter() - begin)
            for _ in range(3):
                ours(*given)
            time.sleep(0.5)  # the shape's own kernels
            host = host_time(lambda: ours(*given), lib.wait)
            counted = events(lambda: ours(*given))
            copies = " ".join(f"{k} {v - nothing[k]}" for k, v in counted.items() if v > nothing[k])
            own, theirs = None, peer and peer(lib)
            if theirs:
                try:
                    own = host_time(lambda: theirs(*given), lib.wait, 60)
                except Exception as failed:  # a function of the same name may be another one
                    copies += f" (own: {type(failed).__name__})"
            beside = "" if own is None else f"{own:8.1f}"
            wrong = check(f"{type(lib).__name__} {name}", error, 3e-6 if single else 1e-7)
            slow = "  <-- above 5 ms" if first > 5 else ""
            print(f"  {name:30} {error:8.1e} {host:8.1f} own {beside:8} first {first:7.2f}  {copies}{slow}{wrong}", flush=True)
        except Exception as failed:
            FAILURES.append(f"{type(lib).__name__} {name}")
            print(f"  {name:30} FAILED: {type(failed).__name__}: {failed}", flush=True)


def refusals(lib):
    """Errors must say what is wrong."""
    x = lib.make(np.ones((4, 64), np.float32))
    integers = lib.make(np.ones((4, 64), np.int32))
    plan = imago.Plan(64, batch=4, kind="real")
    for call in (
        lambda: imago.fft.fft(integers),
        lambda: plan.forward(integers),
        lambda: plan.forward(x, out=np.zeros((4, 33), np.complex64)),
        lambda: imago.signal.czt(x, out=np.zeros((4, 64), np.complex64)),
        lambda: imago.nufft.nufft1d1(x[0], np.ones(64, np.complex64), 10),
    ):
        try:
            call()
        except (TypeError, ValueError) as error:
            print(f"  refused: {error}")
        else:
            FAILURES.append(f"{type(lib).__name__} refusals")
            print("  NOT REFUSED")


def streams_of_cupy(lib):
    cupy = lib.module
    x = cupy.random.standard_normal((256, 4096)).astype(cupy.complex64)
    expected = cupy.fft.fft(x * 3)
    lib.wait()
    wrong = 0
    for stream in (cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream.ptds, cupy.cuda.Stream.null):
        with stream:
            for _ in range(50):
                y = imago.fft.fft(x * 3)  # the product is a temporary of the pool
                z = y - 0
                del y
            wrong += float(abs(z - expected).max()) > 1e-2
    print("  streams of CuPy:", "right" if not wrong else "WRONG")
    FAILURES.extend(["streams of CuPy"] * bool(wrong))


def graphs_of_torch(lib):
    torch = lib.module
    x = torch.randn(16, 4000, device="cuda")
    plan = imago.Plan(4000, kind="real", batch=16)
    taps = np.hanning(101).astype(np.float32)
    convolution = imago.Convolution(taps, 4000, batch=16)
    short = imago.signal.ShortTimeFFT(np.hanning(256), hop=64, fs=1)
    zoom = imago.signal.ZoomFFT(4000, [0.1, 0.2], 300)
    points = lib.make(np.random.default_rng(1).uniform(-3, 3, 5000))
    strengths = torch.randn(5000, dtype=torch.complex128, device="cuda")
    nufft = imago.nufft.Plan(1, 500)
    nufft.setpts(points)
    for name, call, given in (
        ("Plan", plan.forward, x), ("Convolution", convolution, x), ("ShortTimeFFT.stft", short.stft, x),
        ("ZoomFFT", zoom, x), ("nufft.Plan", nufft.execute, strengths), ("fft.rfft", imago.fft.rfft, x),
    ):  # fmt: skip
        try:
            given = given.clone()
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                out = torch.empty_like(call(given))
                call(given, out=out)
            side.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                call(given, out=out)
            given.copy_(torch.randn_like(given))
            graph.replay()
            torch.cuda.synchronize()
            again = out.clone()
            error = float((again - call(given)).norm() / again.norm())
            print(f"  {name} in torch.cuda.graph: {error:.1e}{check('graph ' + name, error, 1e-5)}")
        except Exception as failed:
            FAILURES.append("graph " + name)
            print(f"  {name} in torch.cuda.graph FAILED: {type(failed).__name__}: {failed}")


def lifetimes_of_jax(lib):
    """Arrays that JAX may free while imago's kernels run, and results that JAX uses at once."""
    jnp = lib.module
    x = lib.make(np.random.default_rng(1).standard_normal((512, 8192)).astype(np.complex64))
    expected = np.fft.fft(np.asarray(x)[:4] * 5)
    wrong = 0
    for _ in range(100):
        y = jnp.sin(imago.fft.fft(jnp.sin(x) * 0 + x * 5) * 1e-3)
        noise = [jnp.ones((512, 8192), jnp.complex64) * k for k in range(3)]  # uses freed memory
        wrong += float(abs(y[:4] - np.sin(expected * 1e-3)).max()) > 1e-3
        del y, noise
    print("  lifetimes of JAX:", "right" if not wrong else f"WRONG in {wrong} of 100")
    FAILURES.extend(["lifetimes of JAX"] * bool(wrong))
    try:
        lib.jax.jit(imago.fft.fft)(x)
    except Exception as refused:
        print(f"  in jax.jit: {type(refused).__name__}: {str(refused)[:120]}")


def other_gpus(lib):
    import torch

    if torch.cuda.device_count() < 2:
        return print("  one GPU: others are not tried")
    x = np.random.default_rng(1).standard_normal((16, 4000)).astype(np.float32)
    plan, convolution = imago.Plan(4000, kind="real", batch=16), imago.Convolution(np.ones(9), 4000, batch=16)
    for gpu in range(2):
        if isinstance(lib, CuPy):
            with lib.module.cuda.Device(gpu):
                given = lib.make(x)
        elif isinstance(lib, PyTorch):
            given = lib.make(x).to(f"cuda:{gpu}")
        else:
            given = lib.jax.device_put(x, lib.jax.devices()[gpu])
        for name, call, expected in (
            ("fft.rfft", imago.fft.rfft, scipy.fft.rfft(x)),
            ("Plan", plan.forward, scipy.fft.rfft(x)),
            ("Convolution", convolution, scipy.signal.fftconvolve(x, np.ones((1, 9)), axes=1)),
            ("zoom_fft", lambda a: imago.signal.zoom_fft(a, 0.5), scipy.signal.zoom_fft(x, 0.5)),
        ):
            result = call(given)
            error = np.linalg.norm(lib.get(result) - expected) / np.linalg.norm(expected)
            print(f"  GPU {gpu} {name}: {result.device} {error:.1e}{check(f'GPU {gpu} {name}', error, 3e-6)}")


def main():
    for name in sys.argv[1:] or LIBRARIES:
        lib = LIBRARIES[name]()
        suite(lib)
        for more in (refusals, other_gpus):
            try:
                more(lib)
            except Exception as failed:
                FAILURES.append(f"{name} {more.__name__}")
                print(f"  {more.__name__} FAILED: {type(failed).__name__}: {failed}")
        {"cupy": streams_of_cupy, "torch": graphs_of_torch, "jax": lifetimes_of_jax}[name](lib)
    print(f"\n{len(FAILURES)} failures: {FAILURES}")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
