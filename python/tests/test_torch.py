"""imago.torch on CPU tensors: results are those of PyTorch, derivatives those of differences.

`bench/cuda_torch.py` checks the same on a GPU. Results of a shape's first call and of later ones can
differ in the last bits, because its own kernels replace the generic ones: `nondet_tol`.
"""

import pathlib
import re
import subprocess
import sys
import types

import numpy as np
import pytest
import scipy.fft
import scipy.signal

torch = pytest.importorskip("torch")

import imago.torch  # noqa: E402

IMAGO = imago.torch
CHECK = {"nondet_tol": 1e-8}
FAMILIES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SUFFIXES = ["", "2", "n"]
REAL_ONLY = {"rfft", "ihfft"}


def random(*shape, dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=dtype, generator=generator).requires_grad_()


def differentiable(function, *tensors, second=True):
    """Checks derivatives, also of the gradients, against differences."""
    assert torch.autograd.gradcheck(function, tensors, **CHECK)
    if second:
        assert torch.autograd.gradgradcheck(function, tensors, **CHECK, atol=1e-4)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("family", FAMILIES)
def test_fourier_transforms_and_their_derivatives(family, suffix):
    ours, theirs = (getattr(module, family + suffix) for module in (IMAGO, torch.fft))
    real, pairs = random(3, 6), random(3, 6, dtype=torch.complex128)
    lengths = "s" if suffix else "n"
    for x in [real] if family in REAL_ONLY else [real, pairs]:
        for arguments in (
            {},
            {"norm": "ortho"},
            {"norm": "forward", lengths: (4, 9) if suffix else 9},
            {lengths: (2, 5) if suffix else 5, "dim": (1, 0) if suffix else 0},
        ):
            torch.testing.assert_close(ours(x, **arguments), theirs(x, **arguments))
            differentiable(lambda x: ours(x, **arguments), x)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_cosine_and_sine_transforms_and_their_derivatives(name, kind):
    x = random(3, 5)
    for norm in (None, "ortho", "forward"):
        for orthogonalize in (None, True, False):
            arguments = {"type": kind, "norm": norm, "orthogonalize": orthogonalize}
            expected = getattr(scipy.fft, name)(x.detach().numpy(), **arguments)
            result = getattr(IMAGO, name)(x, **arguments)
            np.testing.assert_allclose(result.detach().numpy(), expected, atol=1e-12)
            differentiable(lambda x: getattr(IMAGO, name)(x, n=4, **arguments), x)
            many = getattr(IMAGO, name + "n")
            differentiable(lambda x: many(x, s=(4, 6), **arguments), x, second=False)
    if (name, kind) not in (("dct", 1), ("idct", 1)):
        differentiable(lambda x: getattr(IMAGO, name)(x[:, :1], kind), x)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"hop_length": 3},
        {"center": False},
        {"normalized": True, "onesided": False},
        {"pad_mode": "constant"},
    ],
)
def test_short_time_transforms_and_their_derivatives(arguments):
    x, window = random(2, 28), torch.hamming_window(8, dtype=torch.float64, periodic=False)
    window.requires_grad_()
    arguments = {**arguments, "return_complex": True}
    for signal in (x, x[0]):
        result = IMAGO.stft(signal, 8, window=window, **arguments)
        torch.testing.assert_close(result, torch.stft(signal, 8, window=window, **arguments))
    differentiable(lambda x, w: IMAGO.stft(x, 8, window=w, **arguments), x, window)
    short = {"win_length": 5, "window": window.detach()[:5]}
    result = IMAGO.stft(x, 8, **arguments, **short)
    torch.testing.assert_close(result, torch.stft(x, 8, **arguments, **short))

    spectra = torch.stft(x, 8, window=window, **arguments).detach().requires_grad_()
    arguments = {k: v for k, v in arguments.items() if k not in ("pad_mode", "return_complex")}
    for length in (None, 20, 35):
        if arguments.get("center", True) is False and length == 35:
            continue
        given = {"window": window, "length": length, **arguments}
        torch.testing.assert_close(IMAGO.istft(spectra, 8, **given), torch.istft(spectra, 8, **given))
    differentiable(lambda y, w: IMAGO.istft(y, 8, window=w, **arguments), spectra, window)


def test_short_time_transforms_of_complex_signals_go_there_and_back():
    x = random(2, 28, dtype=torch.complex128)
    window = torch.hann_window(8, dtype=torch.float64)
    spectra = IMAGO.stft(x, 8, window=window)
    torch.testing.assert_close(spectra, torch.stft(x, 8, window=window, return_complex=True))
    back = IMAGO.istft(spectra, 8, window=window, return_complex=True, length=28)
    torch.testing.assert_close(back, x)


def test_a_window_that_leaves_samples_without_weight():
    with pytest.raises(ValueError, match="samples without weight"):
        IMAGO.istft(random(5, 6, dtype=torch.complex64), 8, hop_length=8, window=torch.hann_window(8))


@pytest.mark.long
@pytest.mark.parametrize("modes", [(5,), (3, 2), (2, 1, 3)], ids=lambda modes: f"{len(modes)} axes")
def test_nonuniform_transforms_and_their_derivatives(modes):
    axes = len(modes)
    points, frequencies = random(axes, 3), random(axes, 2, seed=1)
    values = random(2, 3, dtype=torch.complex128)
    f = random(2, *modes, dtype=torch.complex128)
    exact = {"eps": 1e-13}
    k = np.meshgrid(*[np.arange(n) - n // 2 for n in modes], indexing="ij")
    phases = sum(np.multiply.outer(a, p) for a, p in zip(k, points.detach().numpy()))
    for sign in (1, -1):
        result = IMAGO.nufft_type1(points, values, modes, isign=sign, **exact)
        expected = np.tensordot(values.detach().numpy(), np.exp(1j * sign * phases), ([1], [axes]))
        np.testing.assert_allclose(result.detach().numpy(), expected, atol=1e-9)
    for order in (0, 1):
        options = {"modeord": order, **exact}
        second = order == 0
        type1 = lambda p, c: IMAGO.nufft_type1(p, c, modes, **options)  # noqa: E731
        differentiable(type1, points, values, second=second)
        differentiable(lambda p, f: IMAGO.nufft_type2(p, f, **options), points, f, second=second)
    call = lambda p, c, q: IMAGO.nufft_type3(p, c, q, **exact)  # noqa: E731
    differentiable(call, points, values, frequencies)


CONVOLUTIONS = [((9,), (4,)), ((5, 6), (3, 4)), ((3, 4, 3), (2, 3, 3)), ((4,), (7,))]


@pytest.mark.parametrize("n, k", CONVOLUTIONS)
@pytest.mark.parametrize("padding", ["same", "full", "causal", "valid", 1])
def test_depthwise_convolutions_and_their_derivatives(n, k, padding):
    if k == (7,) and padding in ("valid", 1):
        pytest.skip("the kernel is longer than the signal")
    x, weight, bias = random(2, 3, *n), random(3, 1, *k, seed=1), random(3, seed=2)
    theirs = getattr(torch.nn.functional, f"conv{len(n)}d")
    zeros = {
        "same": [((j - 1) // 2, j // 2) for j in k],
        "full": [(j - 1, j - 1) for j in k],
        "causal": [(j - 1, 0) for j in k],
        "valid": [(0, 0)] * len(k),
        1: [(1, 1)] * len(k),
    }[padding]
    padded = torch.nn.functional.pad(x, [zero for pair in zeros[::-1] for zero in pair])
    expected = theirs(padded, weight, bias, groups=3)
    torch.testing.assert_close(IMAGO.depthwise_conv(x, weight, bias, padding), expected)
    call = lambda x, w: IMAGO.depthwise_conv(x, w, None, padding)  # noqa: E731
    differentiable(call, x, weight, second=len(n) < 3)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolutions_with_one_kernel(mode):
    x, kernel = random(2, 3, 7, 8), random(3, 4, seed=1)
    result = IMAGO.fftconvolve(x, kernel, mode).detach().numpy()
    for at in np.ndindex(2, 3):
        expected = scipy.signal.fftconvolve(x.detach().numpy()[at], kernel.detach().numpy(), mode)
        np.testing.assert_allclose(result[at], expected, atol=1e-12)


def test_a_layer_has_the_parameters_of_pytorchs():
    layer = IMAGO.DepthwiseConv2d(4, (3, 5))
    theirs = torch.nn.Conv2d(4, 4, (3, 5), padding="same", groups=4)
    theirs.load_state_dict(layer.state_dict())
    x = random(2, 4, 9, 8, dtype=torch.float32)
    torch.testing.assert_close(layer(x), theirs(x))
    layer(x).square().sum().backward(), theirs(x).square().sum().backward()
    torch.testing.assert_close(layer.weight.grad, theirs.weight.grad)
    torch.testing.assert_close(layer.bias.grad, theirs.bias.grad)
    half = layer(x.to(torch.float16))
    assert half.dtype == torch.float16
    torch.testing.assert_close(half.float(), theirs(x), atol=1e-2, rtol=1e-2)


@pytest.mark.parametrize("family", FAMILIES)
def test_half_precision_is_stored_and_computed_in_single(family):
    real = family in REAL_ONLY
    x = random(3, 16, dtype=torch.float32 if real else torch.complex64).detach()
    stored = x.to(torch.float16 if real else torch.complex32).requires_grad_()
    for arguments in ({"n": 10}, {"norm": "ortho", "dim": 0}):
        result = getattr(IMAGO, family)(stored, **arguments)
        expected = getattr(torch.fft, family)(x, **arguments)
        assert result.dtype == (torch.complex32 if expected.is_complex() else torch.float16)
        wide = result.to(expected.dtype)
        assert (wide - expected).norm() < 2e-3 * expected.norm()
    (gradient,) = torch.autograd.grad(result, stored, torch.ones_like(result))
    assert gradient.dtype == stored.dtype and torch.view_as_real(wide.cfloat()).isfinite().all()


def test_compiled_without_graph_breaks():
    window = torch.hann_window(8)
    layer = IMAGO.DepthwiseConv1d(2, 5)
    points = random(2, 9, dtype=torch.float32)

    def whole(x):
        y = IMAGO.irfft(IMAGO.rfft(x, norm="ortho") * 2, n=x.shape[-1], norm="ortho")
        y = y + IMAGO.dct(x, n=x.shape[-1]) + IMAGO.fft2(x).real + layer(x[None])[0]
        y = y + IMAGO.istft(IMAGO.stft(y, 8, window=window), 8, window=window, length=x.shape[-1])
        modes = IMAGO.nufft_type1(points, IMAGO.fft(x, 9), (4, 3))
        return y.square().sum() + IMAGO.nufft_type2(points, modes).abs().sum()

    compiled = torch.compile(whole, fullgraph=True, backend="aot_eager")
    x = random(2, 32, dtype=torch.float32)
    torch.testing.assert_close(compiled(x), whole(x), rtol=1e-4, atol=1e-4)
    gradients = [torch.autograd.grad(function(x), x)[0] for function in (compiled, whole)]
    torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-3)


def test_compiled_for_any_length():
    function = torch.compile(
        lambda x: IMAGO.rfft(x).abs().sum(), fullgraph=True, backend="aot_eager", dynamic=True
    )
    for n in (8, 12, 15):
        x = random(3, n, dtype=torch.float32)
        torch.testing.assert_close(function(x), torch.fft.rfft(x).abs().sum())


def test_batched_by_vmap():
    x = random(3, 4, 6)
    for function in (IMAGO.fft, IMAGO.rfft2, IMAGO.irfft, IMAGO.dct):
        torch.testing.assert_close(torch.vmap(function, in_dims=1)(x), function(x.movedim(1, 0)))
    jacobian = torch.autograd.functional.jacobian(IMAGO.dct, x[0, 0].detach(), vectorize=True)
    torch.testing.assert_close(jacobian, IMAGO.dct(torch.eye(6, dtype=torch.float64)).T)


class Watching(torch.utils._python_dispatch.TorchDispatchMode):
    """Notes the operators of calls."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(str(function))
        return function(*args, **(kwargs or {}))


class WatchingFunctions(torch.overrides.TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.names.append(str(function))
        return function(*args, **(kwargs or {}))


def test_who_watches_calls_sees_the_operators():
    """Calls that are only computed do not pass PyTorch's dispatcher. All others must."""
    x = random(3, 8).detach()
    IMAGO.rfft(x)
    for mode in (Watching(), WatchingFunctions()):
        with mode:
            IMAGO.rfft(x)
        assert any("imago.r2c" in name for name in mode.names), mode.names
    graph = torch.fx.experimental.proxy_tensor.make_fx(lambda x: IMAGO.rfft(x))(x)
    assert "imago.r2c" in graph.code
    with pytest.raises(RuntimeError):  # it cannot trace lists of numbers; a constant would be wrong
        torch.jit.trace(lambda x: IMAGO.rfft(x), (x,), check_trace=False)
    with torch._subclasses.FakeTensorMode() as mode:
        assert type(IMAGO.rfft(mode.from_tensor(x))) is torch._subclasses.FakeTensor
    zeros = torch._efficientzerotensor((3, 8), dtype=torch.float64)  # has no memory
    torch.testing.assert_close(IMAGO.rfft(zeros), torch.zeros(3, 5, dtype=torch.complex128))
    with torch.inference_mode():
        torch.testing.assert_close(IMAGO.rfft(x), torch.fft.rfft(x))
    assert IMAGO.rfft(torch.empty(3, 8, device="meta")).shape == (3, 5)


def test_forward_mode_derivatives_are_refused():
    x = random(3, 8).detach()
    with torch.autograd.forward_ad.dual_level(), pytest.raises(NotImplementedError, match="tangent"):
        IMAGO.rfft(torch.autograd.forward_ad.make_dual(x, x))
    with pytest.raises(NotImplementedError, match="tangent"):
        torch.func.jvp(IMAGO.rfft, (x,), (x,))


def test_decisions_are_those_of_the_default_type():
    counts = torch.arange(4)
    assert IMAGO.fft(counts).dtype == torch.complex64
    torch.set_default_dtype(torch.float64)
    try:
        assert IMAGO.fft(counts).dtype == torch.complex128
    finally:
        torch.set_default_dtype(torch.float32)
    with pytest.raises(TypeError):
        IMAGO.fft(counts.double(), 4.0)  # an equal length is cached: 4


X, POINTS = (3, 8), (2, 5)
OPERATORS = {
    "c2c": (random(*X, dtype=torch.complex128), [6], [-1], True, "ortho"),
    "r2c": (random(*X), [4, 9], [-2, -1], False, "backward"),
    "c2r": (random(*X, dtype=torch.complex128), [15], [-1], True, "forward"),
    "r2r": (random(*X), [8], [-1], 2, True, False, "backward", False),
    "nufft1": (random(*POINTS), random(2, 5, dtype=torch.complex128), [3, 4], 1, 1e-9, 0),
    "nufft2": (random(*POINTS), random(3, 4, dtype=torch.complex128), -1, 1e-9, 1),
    "nufft3": (random(*POINTS), random(5, dtype=torch.complex128), random(2, 4), 1, 1e-9),
    "frame_spectra": (random(2, 20), random(8), 3, "ortho"),
    "convolve": (random(2, 3, 8), random(3, 4), [1], [9]),
    "convolve_kernel_gradient": (random(2, 3, 8), random(2, 3, 9), [1], [4]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_pass_pytorchs_own_check(name):
    torch.library.opcheck(getattr(torch.ops.imago, name).default, OPERATORS[name], atol=1e-6, rtol=1e-6)


def test_pytorchs_own_inputs_of_its_transforms():
    try:
        import expecttest  # noqa: F401
    except ImportError:  # which PyTorch's module of tests imports and these inputs do not need
        sys.modules["expecttest"] = types.ModuleType("expecttest")
        sys.modules["expecttest"].TestCase = object
        sys.modules["expecttest"].assert_expected_inline = None
    from torch.testing._internal.opinfo.definitions import fft as definitions

    count = 0
    for operator in definitions.op_db:
        name = operator.name.removeprefix("fft.")
        for dtype in {torch.float64, torch.complex64, torch.int16} & operator.dtypes:
            for sample in operator.sample_inputs("cpu", dtype):
                given = sample.input, *sample.args
                result = getattr(IMAGO, name)(*given, **sample.kwargs)
                expected = operator.op(*given, **sample.kwargs)
                assert result.dtype == expected.dtype and result.shape == expected.shape
                bound = 1e-14 if dtype == torch.float64 else 1e-6
                error = (result - expected).to(torch.complex128).norm()
                assert error <= bound * expected.to(torch.complex128).norm()
                count += 1
    assert count > 300


def test_out_has_the_result():
    x, out = random(3, 8).detach(), torch.empty(0, dtype=torch.complex128)
    assert IMAGO.rfft(x, out=out) is out
    torch.testing.assert_close(out, torch.fft.rfft(x))


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda x: IMAGO.fft(x, 0), ValueError),
        (lambda x: IMAGO.fft(x, norm="best"), ValueError),
        (lambda x: IMAGO.fft(x, dim=3), IndexError),
        (lambda x: IMAGO.fft2(x, dim=(1, 1)), ValueError),
        (lambda x: IMAGO.fftn(x, s=(2, 2, 2)), ValueError),
        (lambda x: IMAGO.rfft(x + 0j), TypeError),
        (lambda x: IMAGO.fft(x.to(torch.bfloat16)), TypeError),
        (lambda x: IMAGO.dct(x, 5), ValueError),
        (lambda x: IMAGO.stft(x, 8, win_length=9), ValueError),
        (lambda x: IMAGO.istft(x, 8), TypeError),
        (lambda x: IMAGO.nufft_type1(x, x[0] + 0j, (2, 2)), ValueError),
        (lambda x: IMAGO.depthwise_conv(x[None], x[:, None], padding="twice"), ValueError),
    ],
)
def test_wrong_arguments(call, error):
    with pytest.raises(error):
        call(random(3, 6))


PAGE = pathlib.Path(__file__).parents[2] / "docs" / "torch.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are not here")
def test_the_programs_of_the_page():
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 3
    torch.manual_seed(1)
    for block in blocks:
        exec(block, {})


def test_the_package_does_not_import_pytorch():
    program = "import sys, imago; assert not [m for m in sys.modules if m.split('.')[0] == 'torch']"
    subprocess.run([sys.executable, "-c", program], check=True)
