"""Checks and times imago.torch on a machine with a GPU: one call, at most three minutes.

    python bench/cuda_torch.py            # --device cpu: the checks alone, on a machine without one

Parts: derivatives against differences, PyTorch's own inputs of torch.fft, CUDA graphs, torch.compile,
and the depthwise convolution layer beside torch.fft in steps. `cuda_arrays.py` times the host. A part that fails
prints the end of its traceback, and the others follow. Ratios are PyTorch's time over imago's.
"""

import argparse
import os
import sys
import time
import traceback
import types

import torch

import imago
import imago.cuda
import imago.torch as ours

START = time.perf_counter()
SECONDS = 170
parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
DEVICE = parser.parse_args().device
ON_GPU = DEVICE == "cuda"
PARTS = []


def part(function):
    PARTS.append(function)
    return function


def left():
    return SECONDS - (time.perf_counter() - START)


def wait():
    if ON_GPU:
        torch.cuda.synchronize()


def random(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, device=DEVICE).requires_grad_()


def positive(n):
    return (torch.rand(n, dtype=torch.float64, device=DEVICE) + 0.5).requires_grad_()


def attempt(name, call):
    """Returns 1 if a call ends without an exception, and prints the end of a traceback."""
    try:
        call()
        return 1
    except Exception:
        lines = traceback.format_exc().strip().splitlines()
        print(f"  FAILED {name}: " + "\n    ".join(line[:300] for line in lines[-6:]))
        return 0


def differentiable():
    """Returns operators by name: a function and its arguments."""
    real, pairs = random(2, 5), random(2, 5, dtype=torch.complex128)
    calls = {}
    for family in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        x = real if family in ("rfft", "ihfft") else pairs
        for suffix in ("", "2", "n"):
            lengths = {"n": 6} if not suffix else {"s": (3, 4)}
            function = getattr(ours, family + suffix)
            calls[family + suffix] = (lambda x, f=function, a=lengths: f(x, norm="ortho", **a)), (x,)
    for name in ("dct", "idct", "dst", "idst"):
        for kind in (1, 2, 3, 4):
            function = getattr(ours, name)
            calls[f"{name} {kind}"] = (lambda x, f=function, k=kind: f(x, k, n=4)), (real,)
    signal, window = random(1, 16), positive(8)
    calls["stft"] = (lambda x, w: ours.stft(x, 8, window=w)), (signal, window)
    spectra = random(1, 5, 6, dtype=torch.complex128)
    calls["istft"] = (lambda y, w: ours.istft(y, 8, window=w)), (spectra, window)
    points, values = random(2, 4), random(4, dtype=torch.complex128)
    modes, exact = random(3, 2, dtype=torch.complex128), {"eps": 1e-12}
    calls["nufft 1"] = (lambda p, c: ours.nufft_type1(p, c, (3, 2), **exact)), (points, values)
    calls["nufft 2"] = (lambda p, f: ours.nufft_type2(p, f, **exact)), (points, modes)
    frequencies = random(2, 3)
    type3 = lambda p, c, q: ours.nufft_type3(p, c, q, **exact)  # noqa: E731
    calls["nufft 3"] = type3, (points, values, frequencies)
    for rank, n, k in ((1, (6,), (3,)), (2, (3, 4), (2, 3)), (3, (2, 3, 2), (2, 2, 2))):
        tensors = random(2, 2, *n), random(2, 1, *k)
        call = lambda x, w: ours.depthwise_conv(x, w, None, "same")  # noqa: E731
        calls[f"depthwise_conv {rank}"] = call, tensors
    return calls


@part
def derivatives():
    calls, right, second = differentiable(), 0, 0
    check = {"nondet_tol": 1e-7, "atol": 1e-4}
    for name, (function, tensors) in calls.items():
        if left() < 60:
            print("  no time is left for", name)
            break
        right += attempt(name, lambda: torch.autograd.gradcheck(function, tensors, **check))
        second += attempt(
            f"{name}, second derivative",
            lambda: torch.autograd.gradgradcheck(function, tensors, **check),
        )
    print(f"  gradcheck {right} of {len(calls)}, gradgradcheck {second} of {len(calls)}")


def definitions():
    try:
        import expecttest  # noqa: F401
    except ImportError:  # which PyTorch's module of tests imports and these inputs do not need
        sys.modules["expecttest"] = types.ModuleType("expecttest")
        sys.modules["expecttest"].TestCase = object
        sys.modules["expecttest"].assert_expected_inline = None
    from torch.testing._internal.opinfo.definitions import fft

    return fft.op_db


@part
def pytorchs_inputs():
    right = count = 0
    worst = {}
    for operator in definitions():
        name = operator.name.removeprefix("fft.")
        for dtype in sorted(operator.supported_dtypes(DEVICE), key=str):
            if dtype == torch.bfloat16:
                continue
            for sample in operator.sample_inputs(DEVICE, dtype):
                count += 1
                given = sample.input, *sample.args

                def compare():
                    result = getattr(ours, name)(*given, **sample.kwargs)
                    expected = operator.op(*given, **sample.kwargs)
                    assert result.dtype == expected.dtype, (result.dtype, expected.dtype)
                    assert result.shape == expected.shape, (result.shape, expected.shape)
                    wide = [x.to(torch.complex128) for x in (result, expected)]
                    error = float((wide[0] - wide[1]).norm() / wide[1].norm().clamp_min(1e-30))
                    if wide[1].numel():
                        worst[expected.dtype] = max(worst.get(expected.dtype, 0), error)
                    half = expected.dtype in (torch.float16, torch.complex32)
                    double = expected.dtype in (torch.float64, torch.complex128)
                    bound = 5e-3 if half else 1e-13 if double else 2e-6
                    assert error <= bound or not wide[1].numel(), f"error {error}"

                if count - right < 12:
                    right += attempt(f"{name} {dtype} {tuple(given[0].shape)} {sample.kwargs}", compare)
    print(f"  {right} of {count} inputs; largest errors beside torch.fft, relative in L2:")
    print("  ", {str(dtype): f"{error:.1e}" for dtype, error in worst.items()})


def graphed(call, *tensors):
    """Returns a replay of a call, and its result."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call(*tensors)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = call(*tensors)
    return graph, result


def gradients_of(function, tensors):
    def call(*_):
        result = function(*tensors)
        return torch.autograd.grad(result.abs().square().sum(), tensors)

    return call


@part
def graphs():
    if not ON_GPU:
        return
    calls, right = differentiable(), 0
    for name, (function, tensors) in calls.items():

        def compare(backward):
            call = gradients_of(function, tensors) if backward else function
            graph, result = graphed(call, *tensors)
            with torch.no_grad():
                for x in tensors:
                    x.mul_(0.5)
            graph.replay()
            wait()
            results = result if backward else (result,)
            expected = call(*tensors)
            for made, right in zip(results, expected if backward else (expected,)):
                torch.testing.assert_close(made, right, rtol=1e-6, atol=1e-6)

        right += attempt(name, lambda: compare(False))
        right += attempt(f"{name}, forward and backward", lambda: compare(True))
        if left() < 40:
            break
    print(f"  {right} of {2 * len(calls)} graphs, forward, and forward with backward")
    print("  counts of imago:", imago.cuda.statistics())


@part
def compiled():
    window = torch.hann_window(64, device=DEVICE)
    layer = ours.DepthwiseConv1d(4, 9).to(DEVICE)

    def whole(x):
        y = ours.irfft(ours.rfft(x) * 2, n=256) + ours.dct(x) + ours.fft2(x).real + layer(x[None])[0]
        return ours.istft(ours.stft(y, 64, window=window), 64, window=window).square().sum()

    x = random(4, 256, dtype=torch.float32)
    expected, gradient = whole(x), torch.autograd.grad(whole(x), x)[0]
    for backend in ("aot_eager", "inductor"):

        def compare():
            function = torch.compile(whole, fullgraph=True, backend=backend)
            result = function(x)
            torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-3)
            made = torch.autograd.grad(result, x)[0]
            assert float((made - gradient).norm() / gradient.norm()) < 1e-4

        if attempt(backend, compare):
            print(f"  {backend}: fullgraph, forward and backward right")


def milliseconds(call, seconds=0.5):
    """Returns the median of the times of a call on the GPU, and the memory that it needs, in MB."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    base = torch.cuda.memory_allocated()
    times, start = [], time.perf_counter()
    while time.perf_counter() - start < seconds or len(times) < 5:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return sorted(times)[len(times) // 2], (torch.cuda.max_memory_allocated() - base) / 1e6


@part
def layer():
    if not ON_GPU:
        return
    os.environ["IMAGO_FIRST_CALL"] = "compile"
    batch, channels, n = 8, 768, 64
    x = torch.randn(batch, channels, n, n, device="cuda", requires_grad=True)
    weight = torch.randn(channels, 1, n, n, device="cuda", requires_grad=True)

    def in_steps(points, first, size):
        # The layer computes a correlation, which is a convolution with the reversed kernel.
        def call(x, weight):
            s = (points, points)
            kernel = torch.fft.rfft2(weight[:, 0].flip(1, 2), s=s)
            y = torch.fft.irfft2(torch.fft.rfft2(x, s=s) * kernel, s=s)
            return y[..., first : first + size, first : first + size]

        return call

    print(f"  f32, batch {batch}, {channels} channels, {n}x{n} images and kernels; MB beside x, w")
    columns = "result", "by", "forward ms", "MB", "both ms", "MB", "ratio", "ratio both"
    print("  {:12} {:26} {:>10} {:>7} {:>9} {:>7} {:>7} {:>10}".format(*columns))
    for padding, first, size in (("full", 0, 2 * n - 1), ("same", n // 2, n)):
        rows = {
            "imago.torch": lambda x, w, p=padding: ours.depthwise_conv(x, w, None, p),
            "torch.fft, 128 points": in_steps(128, first, size),
        }
        if padding == "same":
            rows["torch.fft, 96 points"] = in_steps(96, first, size)
            begin = n - 1 - (n - 1) // 2
            assert begin == first, (begin, first)
        given = torch.randn(batch, channels, size, size, device="cuda")
        found, expected = {}, None
        for name, call in rows.items():

            def measure():
                nonlocal expected
                free = torch.cuda.mem_get_info()[0]
                result = call(x, weight)
                gradients = torch.autograd.grad(result, (x, weight), given)
                if name == "imago.torch":
                    expected = result.detach(), *gradients
                elif expected:
                    for made, right in zip((result, *gradients), expected):
                        error = float((made - right).norm() / right.norm())
                        assert error < 1e-5, f"error beside imago {error}"
                del result, gradients

                def forward():
                    with torch.no_grad():
                        return call(x, weight)

                def both():
                    torch.autograd.grad(call(x, weight), (x, weight), given)

                found[name] = *milliseconds(forward), *milliseconds(both)
                used = (free - torch.cuda.mem_get_info()[0]) / 1e6
                first = found["imago.torch"]
                ratios = [found[name][at] / first[at] for at in (0, 2)]
                print(
                    "  {:12} {:26} {:10.3f} {:7.0f} {:9.3f} {:7.0f} {:7.2f} {:10.2f}".format(
                        padding, name, *found[name], *ratios
                    ),
                    f"  (device memory {used:.0f} MB more)",
                )

            attempt(f"{padding}, {name}", measure)

    def replayed(call):
        def both(x, w):
            return torch.autograd.grad(call(x, w), (x, w), given)

        graph, _ = graphed(both, x, weight)
        return milliseconds(graph.replay)[0]

    given = torch.randn(batch, channels, n, n, device="cuda")
    attempt("graph", lambda: print("  forward and backward in a graph, same: {:.3f} ms, {:.3f}".format(
        replayed(lambda x, w: ours.depthwise_conv(x, w, None, "same")),
        replayed(in_steps(128, n // 2, n)),
    )))  # fmt: skip
    print("  bars: ratio 2.5 forward, 1.8 forward and backward")


def main():
    name = torch.cuda.get_device_name() if ON_GPU else "CPU"
    print("torch", torch.__version__, "python", sys.version.split()[0], name)
    torch.manual_seed(1)
    # The layer first: its bars count most. Then what takes the longest.
    for function in sorted(PARTS, key=lambda p: p is not layer):
        begin = time.perf_counter()
        print(function.__name__, flush=True)
        if left() < 10:
            print("  no time is left")
            continue
        attempt(function.__name__, function)
        os.environ.pop("IMAGO_FIRST_CALL", None)
        print(f"  {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
