"""Checks and times imago on arrays of CuPy and PyTorch, on a machine with a GPU.

    python bench/cuda_arrays.py

The table has the host's time of one warm call, and the time of a call in a train of calls.
"""

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


def times(call, wait, calls=2000):
    for _ in range(20):
        call()
    wait()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    host = time.perf_counter() - begin
    wait()
    whole = time.perf_counter() - begin
    return 1e6 * host / calls, 1e6 * whole / calls


def row(name, call, wait):
    host, whole = times(call, wait)
    print(f"  {name:34} host {host:7.2f} us   train {whole:7.2f} us")


def with_cupy():
    import cupy

    check("CuPy:", cupy.asarray, cupy.asnumpy)
    wait = cupy.cuda.get_current_stream().synchronize
    for shape in ((1024,), (1000, 1000)):
        x = cupy.random.standard_normal(shape).astype(cupy.complex64)
        shorter = x[..., : shape[-1] - 1].copy()
        imago.fft.fft(x)
        wait()
        begin = time.perf_counter()
        imago.fft.fft(shorter)
        wait()
        print(f"  first call of a new shape: {1e3 * (time.perf_counter() - begin):.2f} ms")
        time.sleep(2)  # the shape's own kernels
        imago.fft.fft(x)
        imago.fft.fft(x)
        time.sleep(2)
        row(f"imago.fft.fft, CuPy, {shape}", lambda: imago.fft.fft(x), wait)
        out = cupy.empty_like(x)
        row("  with out=", lambda: imago.fft.fft(x, out=out), wait)
        row(f"cupy.fft.fft, {shape}", lambda: cupy.fft.fft(x), wait)


def with_torch():
    import torch

    check("PyTorch:", lambda a: torch.from_numpy(np.ascontiguousarray(a)).cuda(), lambda t: t.cpu().numpy())
    wait = torch.cuda.synchronize
    x = torch.randn(1024, dtype=torch.complex64, device="cuda")
    for _ in range(3):
        imago.fft.fft(x)
    time.sleep(2)
    row("imago.fft.fft, PyTorch, (1024,)", lambda: imago.fft.fft(x), wait)
    row("torch.fft.fft, (1024,)", lambda: torch.fft.fft(x), wait)
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
    with_cupy()
    with_torch()
    print(imago.cuda.statistics())
