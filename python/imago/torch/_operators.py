"""PyTorch's operators of Fourier, cosine and sine transforms, with their derivatives.

`torch.ops.imago` has c2c, r2c, c2r and r2r. Axes count from the end, so that they are those of a
batched tensor, too (vmap). `forward` selects the sign of the exponent, as in imago.fft._work: r2c
with the inverse's sign is ihfft, c2r with the forward sign is hfft.

**Derivatives.** PyTorch's gradient of a real function L by a complex x is dL/d(re x) + i dL/d(im x);
that of y = A x by x is then A* times the gradient g by y, with the conjugate transpose A*. Write
F(x)[k] = sum of x[j] exp(-2 pi i j k / n) over j, and let P pad or crop to n points.

- c2c, y = F P x: the gradient is P* F* g. F* is the transform with the other sign and the same
  factor, which `norm` then names with "forward" and "backward" exchanged; P* crops or pads. For a
  real x, take the real part.
- r2c, y = the entries 0 ... n/2 of F P x: the gradient is the real part of the sum of
  g[k] exp(2 pi i j k / n) over these entries. c2r sums entries 0 and n/2 once, and the others twice,
  namely with their conjugates at n - k. So the gradient is P* c2r(w g) with w = 1 for entries 0 and
  n/2 (even n) and 1/2 for the others.
- c2r, y[j] = the real part of the sum of u[k] x[k] exp(2 pi i j k / n), u = 1 for the entries 0 and
  n/2 and 2 for the others: the gradient is u r2c(g), and w u = 1. With several axes, only the last
  of them is halved, and the others are c2c.
- r2r: the matrices of types 1 and 4 are symmetric, those of types 2 and 3 are transposes of each
  other, up to factors of end points (`_ENDS`), which `orthogonalize` removes.

Each gradient is a call of these operators, and so has derivatives of any order. The formulas follow
from the definitions of scipy.fft; those of r2c and c2r are also the formulas for rfft and irfft in
JAX (jax/_src/lax/fft.py, _fft_transpose_rule) and PyTorch (FunctionsManual.cpp, fft_r2c_backward and
fft_c2r_backward, which uses a full complex transform for r2c).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .. import hooks
from ..fft import _arguments as arguments
from ..fft import _work as work
from . import _compute
from ._direct import define, is_plain

REAL = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}
COMPLEX = {real: pair for pair, real in REAL.items()}
OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def real_type(x: torch.Tensor) -> torch.dtype:
    return REAL.get(x.dtype, x.dtype)


def complex_type(x: torch.Tensor) -> torch.dtype:
    return COMPLEX.get(x.dtype, x.dtype)


def resized(x: torch.Tensor, axes: Sequence[int], lengths: Sequence[int]) -> torch.Tensor:
    """Returns x cropped or padded with zeros to the lengths along the axes."""
    pads = [0] * (2 * max((-axis for axis in axes), default=0))
    for axis, n in zip(axes, lengths):
        if x.shape[axis] > n:
            x = x.narrow(axis, 0, n)
        elif x.shape[axis] < n:
            pads[2 * (-axis - 1) + 1] = n - x.shape[axis]
    return torch.nn.functional.pad(x, pads) if any(pads) else x


def weighted(x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Returns x times real weights; also where PyTorch multiplies no complex halves."""
    if x.dtype == torch.complex32:
        return torch.view_as_complex(torch.view_as_real(x) * weights[..., None])
    return x * weights


_MOST_CACHED_WEIGHTS = 1 << 14


def ends(x: torch.Tensor, axis: int, n: int, inner: float, first: float, last: float) -> torch.Tensor:
    """Returns n weights along an axis: `inner`, and those of the first and of the last point."""
    make = _made_ends
    if n <= _MOST_CACHED_WEIGHTS and is_plain(x):
        # A graph needs weights of its own, because the cache releases its.
        if not (x.is_cuda and torch.cuda.is_current_stream_capturing()):
            make = _cached_ends
    # Complex weights of complex numbers need no conversion in each product.
    dtype = torch.float16 if x.dtype == torch.complex32 else x.dtype
    return make(dtype, x.device, axis, n, inner, first, last)


def _made_ends(
    dtype: torch.dtype, device: torch.device, axis: int, n: int, inner: float, first: float, last: float
) -> torch.Tensor:
    weights = torch.full((n,), inner, dtype=dtype, device=device)
    weights[:1] = first
    weights[n - 1 :] = last
    return weights.reshape(-1, *[1] * (-axis - 1))


@functools.lru_cache(maxsize=64)
def _cached_ends(dtype: torch.dtype, device: torch.device, *others: Any) -> torch.Tensor:
    with torch.inference_mode(False):
        # Copied from the host, which waits for the copy: other streams may read it.
        return _made_ends(dtype, torch.device("cpu"), *others).to(device)


def _half(x: torch.Tensor, axis: int, n: int, inner: float) -> torch.Tensor:
    """Returns the weights of the n/2+1 entries of a half spectrum."""
    return ends(x, axis, n // 2 + 1, inner, 1, 1 if n == 1 or n % 2 == 0 else inner)


def _shape(shape: Any, axes: Sequence[int], lengths: Sequence[Any], half: bool) -> list[Any]:
    """Returns the result's shape."""
    shape = list(shape)
    for axis, n in zip(axes, lengths):
        shape[axis] = n
    if half:
        shape[axes[-1]] = lengths[-1] // 2 + 1
    return shape


def factor(norm: str, forward: bool, lengths: Sequence[int]) -> float:
    return float(arguments.factor(norm, forward, math.prod(lengths)))


def _planned(
    x: torch.Tensor, out: torch.Tensor, axes: Sequence[int], lengths: Sequence[int], kind: str,
    last: str, inverse: bool, scale: float, load: Any = (), store: Any = (),
) -> torch.Tensor:  # fmt: skip
    """Computes numbers of half precision, which imago.fft does not have, by a plan."""
    kinds = ["identity"] * x.ndim
    for axis in axes:
        kinds[axis] = kind
    kinds[axes[-1]] = last
    entries = list(lengths)
    if last == "real" and inverse:
        entries[-1] = lengths[-1] // 2 + 1
    x = resized(x, axes, entries).contiguous()
    if out.numel():
        _compute.planned(kinds, inverse, scale, x, out, load=load, store=store)
    return out


# The names of the functions of imago.fft, and the result's shape and type.
_NAMES: dict[str, Callable[..., str]] = {
    "c2c": lambda forward, *_: "fft" if forward else "ifft",
    "r2c": lambda forward, *_: "rfft" if forward else "ihfft",
    "c2r": lambda forward, *_: "hfft" if forward else "irfft",
    "r2r": lambda type, sine, forward, *_: ("" if forward else "i") + ("dst" if sine else "dct"),
}
_RESULTS = {"c2c": COMPLEX, "r2c": COMPLEX, "c2r": REAL, "r2r": {}}


def _result(operator: str, shape: Any, dtype: Any, lengths: Any, axes: Any) -> tuple[Any, torch.dtype]:
    return _shape(shape, axes, lengths, operator == "r2c"), _RESULTS[operator].get(dtype, dtype)


def _fake(operator: str) -> Callable[..., torch.Tensor]:
    def shape_of(x: Any, lengths: Any, axes: Any, *others: Any) -> torch.Tensor:
        shape, dtype = _result(operator, x.shape, x.dtype, lengths, axes)
        return torch.empty(shape, dtype=dtype, device=x.device)

    return shape_of


@functools.lru_cache(maxsize=1024)
def _call(
    operator: str, shape: Any, dtype: Any, lengths: tuple[int, ...], axes: tuple[int, ...], *others: Any
) -> _compute.Call:
    """Returns what a call of an operator needs."""
    to_shape, to_dtype = _result(operator, shape, dtype, lengths, axes)
    name, norm = _NAMES[operator](*others), others[-1]
    given: dict[str, Any] = {}
    if operator == "r2r":
        given = {"type": others[0], "orthogonalize": others[-1]}
        norm = others[-2]
    if len(axes) == 1:
        given |= {"n": lengths[0], "axis": axes[0], "norm": norm}
    else:
        name, given = name + "n", given | {"s": lengths, "axes": axes, "norm": norm}
    return _compute.Call(name, to_shape, to_dtype, 0 in shape, given)


def _computes(operator: str) -> Callable[..., torch.Tensor]:
    def compute(x: torch.Tensor, lengths: Any, axes: Any, *others: Any) -> torch.Tensor:
        if x.dtype in _compute.HALF:
            return _HALVES[operator](x, lengths, axes, *others)
        return _call(operator, x.shape, x.dtype, tuple(lengths), tuple(axes), *others).compute(x)

    return compute


def _c2c_of_halves(x: Any, lengths: Any, axes: Any, forward: bool, norm: str) -> torch.Tensor:
    out = _fake("c2c")(x, lengths, axes)
    scale, pairs = factor(norm, forward, lengths), x.to(torch.complex32)
    return _planned(pairs, out, axes, lengths, "complex", "complex", not forward, scale)


def _r2c_of_halves(x: Any, lengths: Any, axes: Any, forward: bool, norm: str) -> torch.Tensor:
    out, store = _fake("r2c")(x, lengths, axes), () if forward else (hooks.conjugate(),)
    scale = factor(norm, forward, lengths)
    return _planned(x, out, axes, lengths, "complex", "real", False, scale, store=store)


def _c2r_of_halves(x: Any, lengths: Any, axes: Any, forward: bool, norm: str) -> torch.Tensor:
    out, load = _fake("c2r")(x, lengths, axes), (hooks.conjugate(),) if forward else ()
    scale = factor(norm, forward, lengths)
    return _planned(x, out, axes, lengths, "complex", "real", True, scale, load=load)


def _r2r_of_halves(x: Any, *others: Any) -> torch.Tensor:
    return _computes("r2r")(x.to(torch.float32), *others).to(x.dtype)


_HALVES: dict[str, Callable[..., torch.Tensor]] = {
    "c2c": _c2c_of_halves, "r2c": _r2c_of_halves, "c2r": _c2r_of_halves, "r2r": _r2r_of_halves,
}  # fmt: skip


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    """Keeps what the derivative needs: no tensor, because the operators are linear."""
    x, ctx.lengths, ctx.axes, *ctx.others = inputs
    ctx.shape, ctx.is_complex = x.shape, x.is_complex()


def _given_shape(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    return x if x.shape == ctx.shape else resized(x, ctx.axes, [ctx.shape[axis] for axis in ctx.axes])


def _c2c_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    forward, norm = ctx.others
    x = _given_shape(ctx, c2c(g, ctx.lengths, ctx.axes, not forward, OTHER_NORM[norm]))
    return x if ctx.is_complex else _real_part(x), None, None, None, None


def _real_part(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(x)[..., 0] if x.dtype == torch.complex32 else x.real


def adjoint_of_half(g: Any, lengths: Any, axes: Any, forward: bool, norm: str) -> torch.Tensor:
    """Returns the gradient of r2c by its input of these lengths."""
    g = weighted(g, _half(g, axes[-1], lengths[-1], 0.5))
    return c2r(g, lengths, axes, not forward, OTHER_NORM[norm])


def _r2c_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    return _given_shape(ctx, adjoint_of_half(g, ctx.lengths, ctx.axes, *ctx.others)), *[None] * 4


def _c2r_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    forward, norm = ctx.others
    x = r2c(g, ctx.lengths, ctx.axes, not forward, OTHER_NORM[norm])
    x = weighted(x, _half(x, ctx.axes[-1], ctx.lengths[-1], 2))
    return _given_shape(ctx, x), None, None, None, None


_TRANSPOSED = {1: 1, 2: 3, 3: 2, 4: 4}
# The transpose of the matrix of (sine, type) is the matrix of the transposed type after weights of
# the gradient, and before weights of the result: a triple (inner, first, last) each.
_ENDS: dict[tuple[bool, int], tuple[Any, Any]] = {
    (False, 1): ((1, 2, 2), (1, 0.5, 0.5)),
    (False, 2): ((1, 2, 1), None),
    (False, 3): (None, (1, 0.5, 1)),
    (True, 2): ((1, 1, 2), None),
    (True, 3): (None, (1, 1, 0.5)),
}


def _with_ends(
    x: torch.Tensor, axes: Sequence[int], lengths: Sequence[int], triple: Any
) -> torch.Tensor:
    if triple:
        for axis, n in zip(axes, lengths):
            if n == 1:  # the point is the first and the last
                x = x * (triple[1] * triple[2])
            else:
                x = weighted(x, ends(x, axis, n, *triple))
    return x


def _r2r_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    type, sine, forward, norm, orthogonalize = ctx.others
    of_matrix = type if forward else _TRANSPOSED[type]
    before, after = (None, None) if orthogonalize else _ENDS.get((sine, of_matrix), (None, None))
    x = _with_ends(g, ctx.axes, ctx.lengths, before)
    x = r2r(x, ctx.lengths, ctx.axes, _TRANSPOSED[type], sine, forward, norm, orthogonalize)
    x = _with_ends(x, ctx.axes, ctx.lengths, after)
    return _given_shape(ctx, x), *[None] * 7


def _defined(operator: str, others: str, gradient: Any) -> Callable[..., torch.Tensor]:
    signature = f"(Tensor x, SymInt[] lengths, int[] axes, {others}) -> Tensor"
    return define(operator, signature, _computes(operator), _fake(operator), _keep, gradient)


c2c = _defined("c2c", "bool forward, str norm", _c2c_gradient)
r2c = _defined("r2c", "bool forward, str norm", _r2c_gradient)
c2r = _defined("c2r", "bool forward, str norm", _c2r_gradient)
r2r = _defined(
    "r2r", "int type, bool sine, bool forward, str norm, bool orthogonalize", _r2r_gradient
)


def _batched(operator: Any) -> Any:
    def call(info: Any, dims: Any, x: torch.Tensor, *others: Any) -> Any:
        return operator(x.movedim(dims[0], 0), *others), 0

    return call


for _name in _NAMES:
    torch.library.register_vmap(f"imago::{_name}", _batched(getattr(torch.ops.imago, _name)))


def points_of(type: int, sine: bool, n: int) -> int:
    """Returns the length of the Fourier transform that a cosine or sine transform is equivalent to."""
    return work.points_of((work.DST if sine else work.DCT)[type - 1], n)
