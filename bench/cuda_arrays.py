"""Checks imago on arrays of CuPy and PyTorch, and times the host in warm calls, on a machine with a GPU.

    python bench/cuda_arrays.py            # both libraries; or: cupy, torch

Programs take turns in one process. The columns are the host's time for a call (the median of seven
turns, and the least), and the time of a call in a train of calls. Rows in brackets are parts of calls.
"""

import statistics
import sys
import time

import numpy as np

import imago


def check(library, make, get):
    import scipy.fft

    random = np.random.default_rng(1)
    x = random.standard_normal((60, 400))
    for name, array in (
        ("fft", x.astype(np.float32)),
        ("fft", (x + 1j * x[::-1]).astype(np.complex64)),
        ("ifftn", x + 1j * x[::-1]),
        ("rfft2", x),
        ("irfft", x + 1j * x[::-1]),
        ("dctn", x),
        ("fft", (x + 1j * x[::-1])[:, ::2]),
    ):
        result = getattr(imago.fft, name)(make(array))
        assert type(result) is type(make(array)), type(result)
        expected = getattr(scipy.fft, name)(array)
        error = np.linalg.norm(get(result) - expected) / np.linalg.norm(expected)
        assert error < (1e-6 if expected.dtype.char in "fF" else 1e-14), (name, error)
    print(library, "transforms: right")


def table(rows, wait, turns=7, calls=300):
    """Prints the times of functions."""
    for call in rows.values():
        for _ in range(20):
            call()
        wait()
    hosts, trains = {name: [] for name in rows}, {name: [] for name in rows}
    for _ in range(turns):
        for name, call in rows.items():
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            hosts[name].append(1e6 * (time.perf_counter() - begin) / calls)
            wait()
            trains[name].append(1e6 * (time.perf_counter() - begin) / calls)
    for name in rows:
        host, train = statistics.median(hosts[name]), statistics.median(trains[name])
        print(f"  {name:42} host {host:7.2f} ({min(hosts[name]):7.2f}) us   train {train:7.2f} us")


def enqueued(call):
    """Returns a function that makes only the last step of a call: the launch, without Python's part."""
    gpu = imago._cuda_arrays.gpu_of(0)
    noted = []

    class Noting:
        def __getattr__(self, name):
            return getattr(gpu.core, name)

        def enqueue(self, *arguments):
            noted.append(arguments)
            gpu.core.enqueue(*arguments)

    imago._cuda_arrays._gpus[0] = gpu._replace(core=Noting())
    try:
        call()
    finally:
        imago._cuda_arrays._gpus[0] = gpu
    return lambda: gpu.core.enqueue(*noted[-1])


def own_kernels(*calls):
    """Waits until the shapes' own kernels have replaced the generic ones."""
    for _ in range(2):
        for call in calls:
            call()
        time.sleep(2)


def with_cupy():
    import cupy

    check("CuPy:", cupy.asarray, cupy.asnumpy)
    wait = cupy.cuda.get_current_stream().synchronize
    for shape in ((1024,), (1000, 1000)):
        x = cupy.random.standard_normal(shape).astype(cupy.complex64)
        out, shorter = cupy.empty_like(x), x[..., : shape[-1] - 1].copy()
        imago.fft.fft(x)
        wait()
        begin = time.perf_counter()
        imago.fft.fft(shorter)
        wait()
        print(f"  first call of a new shape: {1e3 * (time.perf_counter() - begin):.2f} ms")
        call = lambda: imago.fft.fft(x, out=out)  # noqa: E731
        own_kernels(call)
        rows = {
            f"imago.fft.fft, CuPy, {shape}": lambda: imago.fft.fft(x),
            "  with out=": call,
            "  (its launch alone)": enqueued(call),
            "  (cupy.empty alone)": lambda: cupy.empty(shape, cupy.complex64),
            "cupy.fft.fft": lambda: cupy.fft.fft(x),
        }
        table(rows, wait)


def with_torch():
    import torch

    import imago.torch

    check("PyTorch:", lambda a: torch.from_numpy(np.ascontiguousarray(a)).cuda(), lambda t: t.cpu().numpy())
    wait = torch.cuda.synchronize
    x = torch.randn(1024, dtype=torch.complex64, device="cuda")
    out, real = torch.empty_like(x), torch.randn(64, 1024, device="cuda")
    grown, g = real.clone().requires_grad_(), torch.randn(64, 513, dtype=torch.complex64, device="cuda")
    call = lambda: imago.fft.fft(x, out=out)  # noqa: E731
    gradient = lambda module: lambda: torch.autograd.grad(module.rfft(grown), grown, g)  # noqa: E731
    grown_sum = lambda module: lambda: module.rfft(grown).real.sum().backward()  # noqa: E731
    own_kernels(call, gradient(imago.torch))
    table({
        "imago.fft.fft, PyTorch, (1024,)": lambda: imago.fft.fft(x),
        "  with out=": call,
        "  (its launch alone)": enqueued(call),
        "  (new_empty alone)": lambda: x.new_empty((1024,), dtype=torch.complex64),
        "torch.fft.fft": lambda: torch.fft.fft(x),
        "imago.torch.rfft, (64, 1024)": lambda: imago.torch.rfft(real),
        "torch.fft.rfft": lambda: torch.fft.rfft(real),
        "imago.torch.rfft, recorded for a gradient": lambda: imago.torch.rfft(grown),
        "torch.fft.rfft, recorded": lambda: torch.fft.rfft(grown),
        "imago.torch.rfft and its gradient": gradient(imago.torch),
        "torch.fft.rfft and its gradient": gradient(torch.fft),
        "imago.torch.rfft, .real.sum().backward()": grown_sum(imago.torch),
        "torch.fft.rfft, .real.sum().backward()": grown_sum(torch.fft),
    }, wait)  # fmt: skip
    graph = torch.cuda.CUDAGraph()
    x = torch.randn(500, 1000, dtype=torch.complex64, device="cuda")
    out = torch.empty_like(x)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            imago.fft.fft(x, out=out)
    stream.synchronize()
    with torch.cuda.graph(graph):
        imago.fft.fft(x, out=out)
    x.copy_(torch.randn_like(x))
    graph.replay()
    torch.cuda.synchronize()
    error = float((out - torch.fft.fft(x)).norm() / out.norm())
    assert error < 1e-6, error
    print(f"PyTorch: a call in torch.cuda.graph is right ({error:.1e})")


if __name__ == "__main__":
    for name in sys.argv[1:] or ("cupy", "torch"):
        {"cupy": with_cupy, "torch": with_torch}[name]()
    print(imago.cuda.statistics())
