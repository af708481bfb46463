"""Computes transforms of arrays of CuPy and PyTorch on a machine without a GPU.

It runs with the stub of CUDA's driver (tests/cuda/stub.cpp) before OpenCL's library, for which
CUDA's memory is the host's. Two small modules stand for CuPy and PyTorch, with what imago uses of
them. This shows nothing about a GPU: bench/cuda_arrays.py does, with the libraries themselves.
"""

import sys
import types

import numpy as np

THREADS_STREAM = 2


class _Device:
    id = 0

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


class FakeCuPy:
    """An array of CuPy, in NumPy's memory."""

    __module__ = "cupy._core"
    __cuda_array_interface__ = {}

    def __init__(self, host):
        self.host, self.device = host, _Device()
        self.shape, self.dtype, self.strides = host.shape, host.dtype, host.strides
        self.data = types.SimpleNamespace(ptr=host.ctypes.data)

    def astype(self, dtype):
        return FakeCuPy(self.host.astype(dtype))

    def fill(self, value):
        self.host.fill(value)


class FakeTensor:
    """A tensor of PyTorch, in NumPy's memory."""

    __module__ = "torch"
    __cuda_array_interface__ = {}
    is_cuda, requires_grad = True, False

    def __init__(self, host, conjugated=False):
        self.host, self._conjugated = host, conjugated
        self.shape, self.dtype = list(host.shape), host.dtype.name
        self.device = types.SimpleNamespace(index=0)

    def stride(self):
        return tuple(s // self.host.itemsize for s in self.host.strides)

    def data_ptr(self):
        return self.host.ctypes.data

    def is_conj(self):
        return self._conjugated

    def is_neg(self):
        return False

    def new_empty(self, shape, dtype):
        return FakeTensor(np.full(shape, 7, dtype))

    def resolve_conj(self):
        return FakeTensor(self.host.conj()) if self._conjugated else self

    def resolve_neg(self):
        return self

    def to(self, dtype):
        return FakeTensor(self.host.astype(dtype))

    def zero_(self):
        self.host.fill(0)


def install():
    cupy = types.ModuleType("cupy")
    stream = types.SimpleNamespace(ptr=THREADS_STREAM)
    runtime = types.SimpleNamespace(getDevice=lambda: 0)
    cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: stream, runtime=runtime)
    cupy.empty = lambda shape, dtype: FakeCuPy(np.full(shape, 7, dtype))
    torch = types.ModuleType("torch")
    for name in ("float16", "float32", "float64", "complex64", "complex128", "int32", "int64", "bool"):
        setattr(torch, name, name)
    torch.cuda = types.SimpleNamespace(
        current_stream=lambda device: types.SimpleNamespace(cuda_stream=0)
    )
    sys.modules["cupy"], sys.modules["torch"] = cupy, torch


def refused(call, error, words):
    try:
        call()
    except error as found:
        assert words in str(found), found
    else:
        raise AssertionError(f"no {error.__name__}")


def main():
    install()
    import scipy.fft

    import imago
    import imago.cuda

    random = np.random.default_rng(1)
    x = random.standard_normal((6, 40)).astype(np.float32)
    z = (random.standard_normal((6, 40)) + 1j * random.standard_normal((6, 40))).astype(np.complex128)
    computed = imago.cuda.statistics()["computed"]
    for make in (FakeCuPy, FakeTensor):
        for name, array, arguments in (
            ("fft", z, {}),
            ("fft", x, {"n": 32, "axis": 0, "norm": "ortho"}),
            ("ifft2", z, {"s": (5, 48)}),
            ("rfftn", x, {}),
            ("irfft", z, {"n": 77}),
            ("dct", x, {"type": 2}),
            ("idstn", x, {"type": 3, "axes": (0,)}),
            ("fft", z.T, {}),
            ("fft", z[:, ::2], {}),
        ):
            result = getattr(imago.fft, name)(make(array), **arguments)
            assert type(result) is make
            expected = getattr(scipy.fft, name)(array, **arguments)
            assert result.host.dtype == expected.dtype and result.host.shape == expected.shape
            np.testing.assert_allclose(result.host, expected, atol=1e-4, rtol=1e-4)
        out = make(np.zeros((6, 21), np.complex64))
        assert imago.fft.rfft(make(x), out=out) is out
        np.testing.assert_allclose(out.host, scipy.fft.rfft(x), atol=1e-4, rtol=1e-4)
        data = make(z.copy())
        assert imago.fft.fft(data, out=data) is data
        np.testing.assert_allclose(data.host, scipy.fft.fft(z), atol=1e-9)
        assert type(imago.fft.fft(x=make(z))) is make
        counts = make(np.arange(12).reshape(3, 4))
        refused(lambda: imago.fft.fft(counts), TypeError, "dtype int64")
        refused(lambda: imago.fft.fft(make(z), norm="best"), ValueError, "norm")
        refused(lambda: imago.fft.rfft(make(z)), TypeError, "complex")
        refused(lambda: imago.fft.fft(make(z), out=make(x)), ValueError, "out has shape")
    conjugated = imago.fft.fft(FakeTensor(z, conjugated=True))
    np.testing.assert_allclose(conjugated.host, scipy.fft.fft(z.conj()), atol=1e-9)
    grown = FakeTensor(z)
    grown.requires_grad = True
    refused(lambda: imago.fft.fft(grown), NotImplementedError, "detach")
    refused(lambda: imago.cuda.fft(x), TypeError, "imago.fft")
    assert imago.cuda.statistics()["computed"] >= computed + 22
    print("transforms of arrays of CuPy and PyTorch: right")


if __name__ == "__main__":
    main()
