"""Computes with arrays of CuPy, PyTorch and JAX on a machine without a GPU.

It runs with the stub of CUDA's driver (tests/cuda/stub.cpp) before OpenCL's library, for which
CUDA's memory is the host's. Small modules stand for the libraries, with what imago uses of them.
This shows nothing about a GPU: bench/cuda_arrays.py and bench/cuda_suites.py do, with the libraries
themselves.
"""

import ctypes
import sys
import types

import numpy as np

THREADS_STREAM = 2
LENT_STREAM = 1
COPIES = []
"""Names of the copies that imago let the libraries make."""


class _Device:
    """The GPU of an array of CuPy or JAX. Its number in CUDA can be wrong."""

    def __init__(self, number=0):
        self.id = self.local_hardware_id = number

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None

    def __str__(self):
        return f"GPU {self.id}"

    def get_stream_for_external_ready_events(self):
        return LENT_STREAM


class _Arithmetic:
    """Arithmetic of results, as far as imago needs it."""

    def _other(self, other):
        return getattr(other, "host", other)

    def __abs__(self):
        return type(self)(abs(self.host))

    def __pow__(self, power):
        return type(self)(self.host**power)

    def __mul__(self, other):
        return type(self)(self.host * self._other(other))

    def __truediv__(self, other):
        return type(self)(self.host / self._other(other))

    def __getitem__(self, parts):
        return type(self)(self.host[parts])

    def conj(self):
        return type(self)(self.host.conj())

    @property
    def real(self):
        return type(self)(self.host.real)

    @property
    def ndim(self):
        return self.host.ndim


class FakeCuPy(_Arithmetic):
    """An array of CuPy, in NumPy's memory."""

    __module__ = "cupy._core"
    __cuda_array_interface__ = {}

    def __init__(self, host, gpu=0):
        self.host, self.device = host, _Device(gpu)
        self.shape, self.dtype, self.strides = host.shape, host.dtype, host.strides
        self.data = types.SimpleNamespace(ptr=host.ctypes.data, device_id=gpu)

    def __array_namespace__(self, api_version=None):
        raise AssertionError

    def astype(self, dtype):
        COPIES.append("astype")
        return FakeCuPy(self.host.astype(dtype))

    def copy(self, order):
        COPIES.append("copy")
        return FakeCuPy(self.host.copy(order=order))

    def fill(self, value):
        self.host.fill(value)


class FakeJax(_Arithmetic):
    """An array of JAX on a GPU, in NumPy's memory."""

    __module__ = "jaxlib._jax"
    __cuda_array_interface__ = {}
    _device = _Device()

    def __init__(self, host, platform="gpu"):
        self.host, self._platform, self.device = host, platform, self._device
        self.shape, self.dtype = host.shape, host.dtype

    def platform(self):
        return self._platform

    def __array__(self, dtype=None, copy=None):
        assert self._platform == "cpu"
        return self.host

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream):
        assert stream == LENT_STREAM
        return self.host.__dlpack__()

    def astype(self, dtype):
        COPIES.append("astype")
        return FakeJax(self.host.astype(dtype))

    def copy(self):
        COPIES.append("copy")
        return FakeJax(self.host.copy())


def imported(exported):
    """Stands for jax.dlpack.from_dlpack."""

    assert exported.__dlpack_device__() == (2, 0)
    exported.__dlpack__(stream=LENT_STREAM)
    return FakeJax(exported._made.owner.host)  # NumPy would import memory that cannot be written


class FakeTensor(_Arithmetic):
    """A tensor of PyTorch, in NumPy's memory."""

    __module__ = "torch"
    __cuda_array_interface__ = {}
    is_cuda, requires_grad = True, False

    def __init__(self, host, conjugated=False):
        self.host, self._conjugated = host, conjugated
        self.shape, self.dtype = tuple(host.shape), host.dtype.name
        self.device = types.SimpleNamespace(index=0)

    def stride(self):
        return tuple(s // self.host.itemsize for s in self.host.strides)

    def get_device(self):
        return 0

    def data_ptr(self):
        return self.host.ctypes.data

    def is_conj(self):
        return self._conjugated

    def is_neg(self):
        return False

    def new_empty(self, shape, dtype):
        return FakeTensor(np.full(shape, 7, dtype))

    def new_zeros(self, shape):
        return FakeTensor(np.zeros(shape, self.host.dtype))

    def narrow(self, axis, first, count):
        return FakeTensor(np.moveaxis(np.moveaxis(self.host, axis, 0)[first : first + count], 0, axis))

    def copy_(self, x):
        self.host[...] = x.host

    def clone(self, memory_format):
        COPIES.append("copy")
        return FakeTensor(self.host.copy(order="C"))

    def resolve_conj(self):
        return FakeTensor(self.host.conj()) if self._conjugated else self

    def resolve_neg(self):
        return self

    def to(self, place):
        if not isinstance(place, str):  # a device
            return self
        COPIES.append("astype")
        return FakeTensor(self.host.astype(place))

    def zero_(self):
        self.host.fill(0)


def install():
    cupy = types.ModuleType("cupy")
    stream = types.SimpleNamespace(ptr=THREADS_STREAM)
    cupy.cuda = types.SimpleNamespace(get_current_stream=lambda gpu: stream)
    cupy.empty = lambda shape, dtype: FakeCuPy(np.full(shape, 7, dtype))
    cupy.pad = lambda x, pads: FakeCuPy(np.pad(x.host, pads))
    cupy.asarray = FakeCuPy
    torch = types.ModuleType("torch")
    for name in ("float16", "float32", "float64", "complex64", "complex128", "int32", "int64", "bool"):
        setattr(torch, name, name)
    core = types.ModuleType("torch._C")
    core._cuda_getCurrentRawStream = lambda gpu: 0
    torch.contiguous_format = None
    torch.from_numpy = FakeTensor
    jax = types.ModuleType("jax")
    jax.jit = lambda function, out_shardings: function
    jax.device_put = lambda values, device: FakeJax(values)
    jax.numpy = types.SimpleNamespace(
        zeros=lambda shape, dtype: FakeJax(np.zeros(shape, dtype)),
        pad=lambda x, pads: FakeJax(np.pad(x.host, pads)),
    )
    jax.sharding = types.SimpleNamespace(SingleDeviceSharding=lambda device: device)
    jax.dlpack = types.SimpleNamespace(from_dlpack=imported)
    cupy.ndarray = torch.Tensor = jax.Array = types.SimpleNamespace  # SciPy asks for them
    sys.modules["cupy"], sys.modules["torch"], sys.modules["jax"] = cupy, torch, jax
    sys.modules["torch._C"] = core


def refused(call, error, words):
    try:
        call()
    except error as found:
        assert words in str(found), found
    else:
        raise AssertionError(f"no {error.__name__}")


def close(found, expected, make, single=True):
    assert type(found) is make, type(found)
    assert found.host.dtype == expected.dtype, (found.host.dtype, expected.dtype)
    assert found.host.shape == expected.shape, (found.host.shape, expected.shape)
    error = np.linalg.norm(found.host - expected) / np.linalg.norm(expected)
    assert error < (2e-6 if single else 1e-10), error


def transforms(make, x, z):
    """imago.fft, and SciPy's backend."""
    import scipy.fft

    import imago

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
        expected = getattr(scipy.fft, name)(array, **arguments)
        given = np.ascontiguousarray(array) if make is FakeJax else array
        close(getattr(imago.fft, name)(make(given), **arguments), expected, make)
        with scipy.fft.set_backend(imago):
            close(getattr(scipy.fft, name)(make(given), **arguments), expected, make)
    assert type(imago.fft.fft(x=make(z))) is make
    counts = make(np.arange(12).reshape(3, 4))
    refused(lambda: imago.fft.fft(counts), TypeError, "dtype int64")
    refused(lambda: imago.fft.fft(make(z), norm="best"), ValueError, "norm")
    refused(lambda: imago.fft.rfft(make(z)), TypeError, "complex")
    refused(lambda: imago.fft.fft(make(z), out=x), TypeError, "as x is")
    if make is FakeJax:
        refused(lambda: imago.fft.fft(make(z), out=make(z)), TypeError, "cannot be written")
        return
    refused(lambda: imago.fft.fft(make(z), out=make(x)), ValueError, "out has shape")
    out = make(np.zeros((6, 21), np.complex64))
    assert imago.fft.rfft(make(x), out=out) is out
    close(out, scipy.fft.rfft(x), make)
    data = make(z.copy())
    assert imago.fft.fft(data, out=data) is data
    close(data, scipy.fft.fft(z), make, single=False)


def plans(make, x, z):
    """Plan, Filter and Convolution."""
    import scipy.fft
    import scipy.signal

    import imago

    plan = imago.Plan(40, kind="real", batch=6)
    spectrum = plan.forward(make(x))
    close(spectrum, scipy.fft.rfft(x), make)
    close(plan.inverse(spectrum), x, make)
    refused(lambda: plan.forward(make(z)), TypeError, "dtype complex128")
    refused(lambda: plan.forward(make(x[:2])), ValueError, "shape")
    refused(lambda: plan.forward(make(x), wait_for=[]), ValueError, "wait_for")
    refused(lambda: plan.forward(make(x), out=np.zeros((6, 21), np.complex64)), TypeError, "as x is")
    weights = np.linspace(0, 1, 40).astype(np.float32)
    hooked = imago.Plan(
        40, kind="real", batch=6, directions="forward",
        on_forward=imago.hooks.Hooks(load=[imago.hooks.multiply("weights", axes=[0], real=True)]),
    )  # fmt: skip
    close(hooked.forward(make(x), weights=make(weights)), scipy.fft.rfft(x * weights), make)
    refused(lambda: hooked.forward(make(x), weights=weights), TypeError, "not on the device")
    low = imago.Filter(40, kind="real", batch=6, spectrum=[imago.hooks.zero_outside(0, 0, 5)])
    bins = scipy.fft.rfft(x)
    bins[:, 5:] = 0
    close(low(make(x)), scipy.fft.irfft(bins, 40).astype(np.float32), make)
    kernel = np.linspace(-1, 1, 7)
    expected = np.array([np.convolve(row, kernel) for row in z.real])
    for given in (kernel, make(kernel)):
        convolution = imago.Convolution(given, 40, batch=6)
        close(convolution(make(z.real.copy())), expected, make, single=False)
        refused(lambda: convolution(make(z)), TypeError, "complex")
    refused(lambda: convolution(z.real), ValueError, "x is on the host")
    if make is FakeJax:
        in_place = imago.Plan(40, batch=6, in_place=True)
        refused(lambda: in_place.forward(make(z.astype("c8"))), TypeError, "cannot be written")
        return
    out = make(np.zeros((6, 46)))
    assert convolution(make(z.real.copy()), out=out) is out
    close(out, expected, make, single=False)
    refused(lambda: plan.forward(make(x), out=make(x)), TypeError, "out has dtype")
    memory = np.zeros(500, np.complex64)
    signal = make(memory[:120].view(np.float32).reshape(6, 40))
    refused(lambda: plan.forward(signal, out=make(memory[100:226].reshape(6, 21))), ValueError, "overlap")
    COPIES.clear()
    close(plan.forward(make(np.asfortranarray(x))), scipy.fft.rfft(x), make)
    assert COPIES == ["copy"], COPIES  # on the device, because the plan reads contiguous arrays
    in_place = imago.Plan(40, batch=6, in_place=True)
    data = make(z.astype(np.complex64))
    assert in_place.forward(data) is data
    close(data, scipy.fft.fft(z).astype(np.complex64), make)


def signals(make, x, z):
    """imago.signal."""
    import scipy.signal

    import imago

    long = np.random.default_rng(2).standard_normal((2, 900)).astype(np.float32)
    for name, arguments in (
        ("stft", {"nperseg": 64}),
        ("stft", {"nperseg": 64, "detrend": "constant"}),
        ("spectrogram", {"nperseg": 60}),
        ("spectrogram", {"nperseg": 60, "mode": "magnitude"}),
        ("welch", {"nperseg": 128}),
        ("welch", {"nperseg": 128, "detrend": "linear"}),
    ):
        *_, found = getattr(imago.signal, name)(make(long), **arguments)
        *_, expected = getattr(scipy.signal, name)(long, **arguments)
        close(found, expected, make)
    for name in ("csd", "coherence"):
        found = getattr(imago.signal, name)(make(long), make(long[::-1].copy()), nperseg=100)[1]
        close(found, getattr(scipy.signal, name)(long, long[::-1], nperseg=100)[1], make)
    spectra = scipy.signal.stft(long, nperseg=64)[2]
    close(imago.signal.istft(make(spectra), nperseg=64)[1], scipy.signal.istft(spectra, nperseg=64)[1], make)
    zoomed = scipy.signal.zoom_fft(x, [0.1, 0.3], 9).astype(np.complex64)
    close(imago.signal.zoom_fft(make(x), [0.1, 0.3], 9), zoomed, make)
    close(imago.signal.czt(make(z), 50), scipy.signal.czt(z, 50), make, single=False)
    adjoint = imago.signal.ZoomFFT(40, 0.5).adjoint(make(z))
    assert type(adjoint) is make and adjoint.host.shape == (6, 40)
    ours = imago.signal.ShortTimeFFT(np.hanning(50), hop=10, fs=1)
    scipys = scipy.signal.ShortTimeFFT(np.hanning(50), hop=10, fs=1)
    close(ours.stft(make(long)), scipys.stft(long).astype(np.complex64), make)
    part = {"p0": 8, "p1": 20}  # frames of a part of the signal, which is not copied
    COPIES.clear()
    close(ours.stft(make(long), **part), scipys.stft(long, **part).astype(np.complex64), make)
    assert not COPIES
    close(ours.istft(make(scipys.stft(long).astype("c8")), k1=900), long, make)
    close(ours.spectrogram(make(long)), scipys.spectrogram(long).astype(np.float32), make)
    refused(lambda: imago.signal.welch(make(long), average="median"), ValueError, "Convert x with ")
    refused(lambda: imago.signal.czt(make(z), queue=7), ValueError, "queue is for arrays of pyopencl")
    refused(lambda: imago.signal.csd(make(long), long), TypeError, "x or y")
    if make is FakeJax:
        refused(lambda: imago.signal.czt(make(z), out=make(z)), TypeError, "cannot be written")
        return
    reversed_ = make(x[:, ::-1])
    close(imago.signal.czt(reversed_), scipy.signal.czt(x[:, ::-1]).astype(np.complex64), make)
    out = make(np.zeros((40, 6), np.complex128).T)
    assert imago.signal.czt(make(z), out=out) is out
    close(out, scipy.signal.czt(z), make, single=False)


def streams(make, x, z):
    """imago.signal.Stream."""
    import imago

    long = np.random.default_rng(2).standard_normal((900, 2)).astype(np.float32)
    whole = imago.signal.Stream.stft(np.hanning(64), 16, channels=(2,))
    expected = np.concatenate([whole.push(long), whole.finish()])
    stream = imago.signal.Stream.stft(np.hanning(64), 16, channels=(2,))
    for _ in range(2):
        found = [stream.push(make(long[:333])), stream.push(make(long[333:])), stream.finish()]
        assert {type(one) for one in found} == {make}
        np.testing.assert_allclose(np.concatenate([one.host for one in found]), expected, atol=1e-5)
    stream.push(make(long))
    refused(lambda: stream.push(long), TypeError, "the stream has begun")
    refused(lambda: whole.push(make(long.astype(np.float64))), TypeError, "dtype")


def nonuniform(make, x, z):
    """imago.nufft."""
    import imago

    random = np.random.default_rng(3)
    points = [random.uniform(-3, 3, 200) for _ in "xy"]
    frequencies = [random.uniform(-20, 20, 90) for _ in "xy"]
    c = random.standard_normal(200) + 1j * random.standard_normal(200)
    modes = random.standard_normal((9, 12)) + 1j
    for given, arguments in (
        ((points[0], c, 30), {}),
        ((points[0], np.array([c, -c]), 30), {"isign": -1}),
        ((*points, c, (9, 12)), {"eps": 1e-9}),
    ):
        name = f"nufft{len(given) - 2}d1"
        ours = [make(each) if isinstance(each, np.ndarray) else each for each in given]
        close(getattr(imago.nufft, name)(*ours, **arguments), getattr(imago.nufft, name)(*given, **arguments), make, single=False)
    type2, type3 = (*points, modes), (*points, c, *frequencies)
    close(imago.nufft.nufft2d2(*map(make, type2)), imago.nufft.nufft2d2(*type2), make, single=False)
    close(imago.nufft.nufft2d3(*map(make, type3)), imago.nufft.nufft2d3(*type3), make, single=False)
    plan, own = imago.nufft.Plan(1, (9, 12)), imago.nufft.Plan(1, (9, 12))
    refused(lambda: plan.execute(make(c)), imago.nufft.ArgumentError, "setpts")
    plan.setpts(*map(make, points)), own.setpts(*points)
    close(plan.execute(make(c)), own.execute(c), make, single=False)
    close(plan.execute_adjoint(make(modes)), own.execute_adjoint(modes), make, single=False)
    refused(lambda: plan.execute(c), TypeError, "data is on the host and the points on GPU 0")
    refused(lambda: own.execute(make(c)), TypeError, "data is on GPU 0 and the points on the host")
    refused(lambda: plan.execute(make(c.astype("c8"))), TypeError, "dtype complex64")
    refused(lambda: imago.nufft.nufft1d1(make(points[0]), c, 30), TypeError, "as the points are")
    plan.setpts(*points)  # the host again
    np.testing.assert_allclose(plan.execute(c), own.execute(c), rtol=1e-12)
    third = imago.nufft.Plan(3, 2)
    third.setpts(*map(make, points), None, *map(make, frequencies))
    values = third.execute(make(c))
    close(values, imago.nufft.nufft2d3(*type3), make, single=False)
    assert third.execute_adjoint(values).host.shape == (200,)


def captured():
    """Calls in the capture of a graph, which computes later, on new data."""
    import scipy.signal

    import imago

    stub = ctypes.CDLL(None)
    begin, end, launch = (
        getattr(stub, f"_ZN5imago9cuda_stub{name}")
        for name in ("13begin_captureEP11CUstream_st", "11end_captureEP11CUstream_st", "12launch_graphEP10CUgraph_st")
    )  # fmt: skip
    begin.argtypes = end.argtypes = launch.argtypes = [ctypes.c_void_p]
    end.restype = ctypes.c_void_p
    random = np.random.default_rng(5)
    x = random.standard_normal((2, 500)).astype(np.float32)
    plan, nufft = imago.Plan(500, kind="real", batch=2), imago.nufft.Plan(2, 500)
    nufft.setpts(FakeCuPy(random.uniform(-3, 3, 80)))
    short = imago.signal.ShortTimeFFT(np.hanning(50), hop=10, fs=1, fft_mode="onesided2X", scale_to="psd")
    c = random.standard_normal(500) + 0j
    plans = len(imago.signal._arrays._of_graphs)
    for call, given in (
        (plan.forward, x), (short.stft, x), (imago.fft.rfft, x), (nufft.execute, c),
        (lambda x, out: imago.signal.zoom_fft(x, 0.5, out=out), x),
    ):  # fmt: skip
        data = FakeCuPy(given.copy())
        out = FakeCuPy(np.zeros_like(call(data, out=None).host))
        call(data, out=out)
        out.host[...] = 0
        begin(THREADS_STREAM)
        try:
            call(data, out=out)
        finally:
            graph = end(THREADS_STREAM)
        assert not out.host.any()
        data.host[...] = given[..., ::-1]
        imago.release_memory()  # the graph's plans stay
        launch(graph)
        close(out, call(FakeCuPy(given[..., ::-1].copy()), out=None).host, FakeCuPy)
    assert len(imago.signal._arrays._of_graphs) >= plans + 2  # graphs have plans of their own
    begin(THREADS_STREAM)
    try:
        refused(lambda: nufft.setpts(FakeCuPy(c.real.copy())), ValueError, "call setpts before the capture")
    finally:
        end(THREADS_STREAM)


def warm():
    """Later calls of an outline need no view of the arrays."""
    import imago
    from imago import _cuda_arrays

    z = np.ones((6, 40), np.complex64)
    for make, library in ((FakeCuPy, _cuda_arrays._CuPy), (FakeTensor, _cuda_arrays.PyTorch)):
        x, out = make(z), make(np.zeros_like(z))
        calls = (
            lambda: imago.fft.fft(x), lambda: imago.fft.fft(x, out=out), lambda: imago.fft.fft(x, 40, -1),
            lambda: imago.fft.fftn(x, axes=[0, 1]), lambda: imago.fft.dct(x, 2, norm="ortho"),
        )  # fmt: skip
        expected = [call().host.copy() for call in calls]
        view, library.view = library.view, None
        try:
            for call, first in zip(calls, expected):
                close(call(), first, make)
        finally:
            library.view = view
        refused(lambda: imago.fft.fft(x, 40.0), TypeError, "integer")  # although 40 is known


def main():
    install()
    import imago
    import imago.cuda

    random = np.random.default_rng(1)
    x = random.standard_normal((6, 40)).astype(np.float32)
    z = (random.standard_normal((6, 40)) + 1j * random.standard_normal((6, 40))).astype(np.complex128)
    computed = imago.cuda.statistics()["computed"]
    for make in (FakeCuPy, FakeTensor, FakeJax):
        for suite in (transforms, plans, signals, streams, nonuniform):
            COPIES.clear()
            suite(make, x, z)
    captured()
    warm()
    conjugated = imago.fft.fft(FakeTensor(z, conjugated=True))
    close(conjugated, np.fft.fft(z.conj()), FakeTensor, single=False)
    grown = FakeTensor(z)
    grown.requires_grad = True
    refused(lambda: imago.fft.fft(grown), NotImplementedError, "detach")
    refused(lambda: imago.cuda.fft(x), TypeError, "imago.fft")
    elsewhere = FakeCuPy(np.zeros((6, 21), np.complex64), gpu=1)
    refused(lambda: imago.fft.rfft(FakeCuPy(x), out=elsewhere), ValueError, "out is on GPU 1")
    assert type(imago.fft.fft(FakeJax(z, platform="cpu"))) is np.ndarray
    assert imago.cuda.statistics()["computed"] >= computed + 30
    print("arrays of CuPy, PyTorch and JAX: right")


if __name__ == "__main__":
    main()
