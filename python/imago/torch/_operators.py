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

import math
from collections.abc import Sequence
from typing import Any

import torch

from .. import hooks
from ..fft import _arguments as arguments
from ..fft import _work as work
from . import _compute

_ops = torch.ops.imago
_REAL = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}
_COMPLEX = {real: pair for pair, real in _REAL.items()}
OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def real_type(x: torch.Tensor) -> torch.dtype:
    return _REAL.get(x.dtype, x.dtype)


def complex_type(x: torch.Tensor) -> torch.dtype:
    return _COMPLEX.get(x.dtype, x.dtype)


def define(name: str, signature: str, compute: Any, shape_of: Any) -> None:
    """Defines an operator: `compute` for tensors with values, `shape_of` for those without."""
    torch.library.define(f"imago::{name}", signature, tags=(torch.Tag.needs_exact_strides,))
    torch.library.impl(f"imago::{name}", ("cpu", "cuda"), compute)
    torch.library.register_fake(f"imago::{name}", shape_of)


def resized(x: torch.Tensor, axes: Sequence[int], lengths: Sequence[int]) -> torch.Tensor:
    """Returns x cropped or padded with zeros to the lengths along the axes."""
    pads = [0] * (2 * max((-axis for axis in axes), default=0))
    for axis, n in zip(axes, lengths):
        if x.shape[axis] > n:
            x = x.narrow(axis, 0, n)
        elif x.shape[axis] < n:
            pads[2 * (-axis - 1) + 1] = n - x.shape[axis]
    return torch.nn.functional.pad(x, pads) if any(pads) else x


def weighted(x: torch.Tensor, axis: int, weights: torch.Tensor) -> torch.Tensor:
    """Returns x times real weights along an axis; also where PyTorch multiplies no complex halves."""
    weights = weights.reshape(-1, *[1] * (-axis - 1))
    if x.dtype == torch.complex32:
        return torch.view_as_complex(torch.view_as_real(x) * weights[..., None])
    return x * weights


def ends(x: torch.Tensor, n: int, inner: float, first: float, last: float) -> torch.Tensor:
    """Returns n weights: `inner`, and those of the first and of the last point."""
    weights = torch.full((n,), inner, dtype=real_type(x), device=x.device)
    weights[:1] = first
    weights[n - 1 :] = last
    return weights


def _half(x: torch.Tensor, n: int, inner: float) -> torch.Tensor:
    """Returns the weights of the n/2+1 entries of a half spectrum."""
    return ends(x, n // 2 + 1, inner, 1, 1 if n == 1 or n % 2 == 0 else inner)


def _shape(x: torch.Tensor, axes: Sequence[int], lengths: Sequence[Any], half: bool) -> list[Any]:
    shape = list(x.shape)
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


def _c2c(
    x: torch.Tensor, lengths: Sequence[int], axes: Sequence[int], forward: bool, norm: str
) -> torch.Tensor:
    out = _c2c_fake(x, lengths, axes, forward, norm)
    if x.dtype in _compute.HALF:
        scale, pairs = factor(norm, forward, lengths), x.to(torch.complex32)
        return _planned(pairs, out, axes, lengths, "complex", "complex", not forward, scale)
    return _compute.computed("fftn" if forward else "ifftn", x, out, s=lengths, axes=axes, norm=norm)


def _c2c_fake(x: Any, lengths: Any, axes: Any, forward: Any, norm: Any) -> torch.Tensor:
    return torch.empty(_shape(x, axes, lengths, False), dtype=complex_type(x), device=x.device)


def _r2c(
    x: torch.Tensor, lengths: Sequence[int], axes: Sequence[int], forward: bool, norm: str
) -> torch.Tensor:
    out = _r2c_fake(x, lengths, axes, forward, norm)
    if x.dtype in _compute.HALF:
        store = () if forward else (hooks.conjugate(),)
        scale = factor(norm, forward, lengths)
        return _planned(x, out, axes, lengths, "complex", "real", False, scale, store=store)
    return _compute.computed("rfftn" if forward else "ihfftn", x, out, s=lengths, axes=axes, norm=norm)


def _r2c_fake(x: Any, lengths: Any, axes: Any, forward: Any, norm: Any) -> torch.Tensor:
    return torch.empty(_shape(x, axes, lengths, True), dtype=complex_type(x), device=x.device)


def _c2r(
    x: torch.Tensor, lengths: Sequence[int], axes: Sequence[int], forward: bool, norm: str
) -> torch.Tensor:
    out = _c2r_fake(x, lengths, axes, forward, norm)
    if x.dtype in _compute.HALF:
        load = (hooks.conjugate(),) if forward else ()
        scale = factor(norm, forward, lengths)
        return _planned(x, out, axes, lengths, "complex", "real", True, scale, load=load)
    return _compute.computed("hfftn" if forward else "irfftn", x, out, s=lengths, axes=axes, norm=norm)


def _c2r_fake(x: Any, lengths: Any, axes: Any, forward: Any, norm: Any) -> torch.Tensor:
    return torch.empty(_shape(x, axes, lengths, False), dtype=real_type(x), device=x.device)


def _r2r(
    x: torch.Tensor, lengths: Sequence[int], axes: Sequence[int], type: int, sine: bool, forward: bool,
    norm: str, orthogonalize: bool,
) -> torch.Tensor:  # fmt: skip
    out = _r2r_fake(x, lengths, axes, type, sine, forward, norm, orthogonalize)
    if x.dtype in _compute.HALF:
        single = x.to(torch.float32)
        return out.copy_(_r2r(single, lengths, axes, type, sine, forward, norm, orthogonalize))
    name = ("dstn" if sine else "dctn") if forward else ("idstn" if sine else "idctn")
    return _compute.computed(
        name, x, out, type=type, s=lengths, axes=axes, norm=norm, orthogonalize=orthogonalize
    )


def _r2r_fake(
    x: Any, lengths: Any, axes: Any, type: Any, sine: Any, forward: Any, norm: Any, orthogonalize: Any
) -> torch.Tensor:
    return torch.empty(_shape(x, axes, lengths, False), dtype=x.dtype, device=x.device)


_SIGNATURE = "(Tensor x, SymInt[] lengths, int[] axes, bool forward, str norm) -> Tensor"
define("c2c", _SIGNATURE, _c2c, _c2c_fake)
define("r2c", _SIGNATURE, _r2c, _r2c_fake)
define("c2r", _SIGNATURE, _c2r, _c2r_fake)
define(
    "r2r",
    "(Tensor x, SymInt[] lengths, int[] axes, int type, bool sine, bool forward, str norm, "
    "bool orthogonalize) -> Tensor",
    _r2r,
    _r2r_fake,
)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    """Keeps what the derivative needs: no tensor, because the operators are linear."""
    x, ctx.lengths, ctx.axes, *ctx.others = inputs
    ctx.shape, ctx.is_complex = x.shape, x.is_complex()


def _given_shape(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    return resized(x, ctx.axes, [ctx.shape[axis] for axis in ctx.axes])


def _c2c_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    forward, norm = ctx.others
    x = _given_shape(ctx, _ops.c2c(g, ctx.lengths, ctx.axes, not forward, OTHER_NORM[norm]))
    return x if ctx.is_complex else _real_part(x), None, None, None, None


def _real_part(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(x)[..., 0] if x.dtype == torch.complex32 else x.real


def adjoint_of_half(g: Any, lengths: Any, axes: Any, forward: bool, norm: str) -> torch.Tensor:
    """Returns the gradient of r2c by its input of these lengths."""
    g = weighted(g, axes[-1], _half(g, lengths[-1], 0.5))
    return _ops.c2r(g, lengths, axes, not forward, OTHER_NORM[norm])


def _r2c_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    return _given_shape(ctx, adjoint_of_half(g, ctx.lengths, ctx.axes, *ctx.others)), *[None] * 4


def _c2r_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    forward, norm = ctx.others
    x = _ops.r2c(g, ctx.lengths, ctx.axes, not forward, OTHER_NORM[norm])
    x = weighted(x, ctx.axes[-1], _half(x, ctx.lengths[-1], 2))
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
                x = weighted(x, axis, ends(x, n, *triple))
    return x


def _r2r_gradient(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    type, sine, forward, norm, orthogonalize = ctx.others
    of_matrix = type if forward else _TRANSPOSED[type]
    before, after = (None, None) if orthogonalize else _ENDS.get((sine, of_matrix), (None, None))
    x = _with_ends(g, ctx.axes, ctx.lengths, before)
    x = _ops.r2r(x, ctx.lengths, ctx.axes, _TRANSPOSED[type], sine, forward, norm, orthogonalize)
    x = _with_ends(x, ctx.axes, ctx.lengths, after)
    return _given_shape(ctx, x), *[None] * 7


_GRADIENTS = {"c2c": _c2c_gradient, "r2c": _r2c_gradient, "c2r": _c2r_gradient, "r2r": _r2r_gradient}
for _name, _gradient in _GRADIENTS.items():
    torch.library.register_autograd(f"imago::{_name}", _gradient, setup_context=_keep)


def _batched(operator: Any) -> Any:
    def call(info: Any, dims: Any, x: torch.Tensor, *others: Any) -> Any:
        return operator(x.movedim(dims[0], 0), *others), 0

    return call


for _name in _GRADIENTS:
    torch.library.register_vmap(f"imago::{_name}", _batched(getattr(_ops, _name)))


def points_of(type: int, sine: bool, n: int) -> int:
    """Returns the length of the Fourier transform that a cosine or sine transform is equivalent to."""
    return work.points_of((work.DST if sine else work.DCT)[type - 1], n)
