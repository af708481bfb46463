"""Nonuniform Fourier transforms of tensors, with derivatives by the numbers and by the points.

**Derivatives.** Type 1 sums f[k] = sum of c[j] exp(i s k x[j]) over j, with a sign s, and type 2
evaluates c[j] = sum of f[k] exp(i s k x[j]) over k. With gradients g by the result:

- by c of type 1: type 2 of g with the sign -s; by f of type 2: type 1 of g with -s;
- by the coordinate x_a[j] of type 1: re(i s c[j] conj(t[j])), t being type 2 of k_a g with -s,
  because df[k] = i s k_a c[j] exp(..) dx_a[j]; of type 2: re(i s conj(g[j]) u[j]), u being type 2 of
  k_a f with s.

Type 3 sums f[k] = sum of c[j] exp(i s t[k] x[j]); its gradients are types 3 with points and
frequencies exchanged. Each gradient is a call of these operators, and so has derivatives of any
order. The formulas are those of pytorch-finufft (github.com/flatironinstitute/pytorch-finufft) up
to the order of the axes, and follow by differentiation of the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import nufft
from . import _compute, _direct, _operators


def _rows(x: torch.Tensor, inner: int) -> torch.Tensor:
    """Returns x with one leading axis before the `inner` last ones, in C order."""
    return x.reshape(-1, *x.shape[x.ndim - inner :]).contiguous()


def _call(
    name: str, points: torch.Tensor, *data: Any, out: torch.Tensor, eps: Any, **options: Any
) -> None:
    function = getattr(nufft, f"nufft{points.shape[0]}d{name}")
    columns = [_compute.array(row) for row in points.contiguous()]
    function(*columns, *data, out=_compute.array(out), eps=eps, allow_eps_too_small=True, **options)


def _type1(
    points: torch.Tensor, values: torch.Tensor, modes: Sequence[int], sign: int, eps: float | None,
    order: int,
) -> torch.Tensor:  # fmt: skip
    out = _type1_fake(points, values, modes, sign, eps, order)
    if out.numel() == 0 or values.numel() == 0:
        return out.zero_()
    rows = _compute.array(_rows(values, 1))
    to = out.view(-1, *modes)
    _call("1", points, rows, tuple(modes), out=to, eps=eps, isign=sign, modeord=order)
    return out


def _type1_fake(points: Any, values: Any, modes: Any, sign: Any, eps: Any, order: Any) -> torch.Tensor:
    return torch.empty([*values.shape[:-1], *modes], dtype=values.dtype, device=values.device)


def _type2(
    points: torch.Tensor, modes: torch.Tensor, sign: int, eps: float | None, order: int
) -> torch.Tensor:
    out = _type2_fake(points, modes, sign, eps, order)
    if out.numel() == 0 or modes.numel() == 0:
        return out.zero_()
    rows = _compute.array(_rows(modes, points.shape[0]))
    to = out.view(-1, out.shape[-1])
    _call("2", points, rows, out=to, eps=eps, isign=sign, modeord=order)
    return out


def _type2_fake(points: Any, modes: Any, sign: Any, eps: Any, order: Any) -> torch.Tensor:
    shape = [*modes.shape[: modes.ndim - points.shape[0]], points.shape[1]]
    return torch.empty(shape, dtype=modes.dtype, device=modes.device)


def _type3(
    points: torch.Tensor, values: torch.Tensor, frequencies: torch.Tensor, sign: int, eps: float | None
) -> torch.Tensor:
    out = _type3_fake(points, values, frequencies, sign, eps)
    if out.numel() == 0 or values.numel() == 0:
        return out.zero_()
    rows = _compute.array(_rows(values, 1))
    targets = [_compute.array(row) for row in frequencies.contiguous()]
    _call("3", points, rows, *targets, out=out.view(-1, out.shape[-1]), eps=eps, isign=sign)
    return out


def _type3_fake(points: Any, values: Any, frequencies: Any, sign: Any, eps: Any) -> torch.Tensor:
    shape = [*values.shape[:-1], frequencies.shape[1]]
    return torch.empty(shape, dtype=values.dtype, device=values.device)


def _frequencies(like: torch.Tensor, modes: Sequence[int], axis: int, order: int) -> torch.Tensor:
    """Returns the frequencies along an axis of the modes, to multiply them with."""
    n = modes[axis]
    k = torch.arange(n, dtype=_operators.real_type(like), device=like.device) - n // 2
    if order == 1:
        k = torch.fft.ifftshift(k)
    return k.reshape(-1, *[1] * (len(modes) - axis - 1))


def _summed(x: torch.Tensor, kept: int) -> torch.Tensor:
    """Returns the sum over the transforms of a batch."""
    return x.sum(list(range(x.ndim - kept))) if x.ndim > kept else x


def _type1_gradient(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:
    points, values = ctx.saved_tensors
    modes, sign, eps, order = ctx.others
    of_points = of_values = None
    if ctx.needs_input_grad[1]:
        of_values = _nufft2(points, g, -sign, eps, order)
    if ctx.needs_input_grad[0]:
        rows = [
            _summed(-sign * (values * _nufft2(
                points, g * _frequencies(g, modes, axis, order), -sign, eps, order).conj()).imag, 1)
            for axis in range(len(modes))
        ]  # fmt: skip
        of_points = torch.stack(rows).to(points.dtype)
    return of_points, of_values, None, None, None, None


def _type2_gradient(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:
    points, f = ctx.saved_tensors
    sign, eps, order = ctx.others
    modes = f.shape[f.ndim - points.shape[0] :]
    of_points = of_modes = None
    if ctx.needs_input_grad[1]:
        of_modes = _nufft1(points, g, modes, -sign, eps, order)
    if ctx.needs_input_grad[0]:
        rows = [
            _summed(-sign * (g.conj() * _nufft2(
                points, f * _frequencies(f, modes, axis, order), sign, eps, order)).imag, 1)
            for axis in range(len(modes))
        ]  # fmt: skip
        of_points = torch.stack(rows).to(points.dtype)
    return of_points, of_modes, None, None, None


def _type3_gradient(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:
    points, values, frequencies = ctx.saved_tensors
    sign, eps = ctx.others
    of_points = of_values = of_frequencies = None
    if ctx.needs_input_grad[1]:
        of_values = _nufft3(frequencies, g, points, -sign, eps)
    if ctx.needs_input_grad[0]:
        sums = [_nufft3(frequencies, g * row, points, -sign, eps) for row in frequencies]
        of_points = torch.stack([_summed(-sign * (values * t.conj()).imag, 1) for t in sums])
    if ctx.needs_input_grad[2]:
        sums = [_nufft3(points, values * row, frequencies, sign, eps) for row in points]
        of_frequencies = torch.stack([_summed(-sign * (g.conj() * u).imag, 1) for u in sums])
    return of_points, of_values, of_frequencies, None, None


def _keep(tensors: int) -> Any:
    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs[:tensors])
        ctx.others = inputs[tensors:]

    return keep


_nufft1 = _direct.define(
    "nufft1",
    "(Tensor points, Tensor values, SymInt[] modes, int sign, float? eps, int order) -> Tensor",
    _type1,
    _type1_fake,
    _keep(2),
    _type1_gradient,
)
_nufft2 = _direct.define(
    "nufft2",
    "(Tensor points, Tensor modes, int sign, float? eps, int order) -> Tensor",
    _type2,
    _type2_fake,
    _keep(2),
    _type2_gradient,
)
_nufft3 = _direct.define(
    "nufft3",
    "(Tensor points, Tensor values, Tensor frequencies, int sign, float? eps) -> Tensor",
    _type3,
    _type3_fake,
    _keep(3),
    _type3_gradient,
)


def _checked(points: torch.Tensor, data: torch.Tensor, name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns points of shape (axes, points) in the precision of the complex data."""
    if points.ndim == 1:
        points = points[None]
    if points.ndim != 2 or not 1 <= points.shape[0] <= 3:
        raise ValueError(f"points has shape {tuple(points.shape)}; it must be (axes, points)")
    if data.dtype not in (torch.complex64, torch.complex128):
        raise TypeError(f"{name} has dtype {data.dtype}; it must be complex64 or complex128")
    return points.to(_operators.real_type(data)), data


def _sign(isign: int) -> int:
    return 1 if isign >= 0 else -1


def nufft_type1(
    points: torch.Tensor, values: torch.Tensor, output_shape: int | Sequence[int], *,
    eps: float | None = None, isign: int = 1, modeord: int = 0,
) -> torch.Tensor:  # fmt: skip
    """Returns modes from strengths at points: sums of values[j] exp(+/- i k points[j]) over j.

    - `points`: coordinates in radians, (axes, points), or (points,) for one axis;
    - `values`: complex strengths, (..., points);
    - `output_shape`: the numbers of modes along the axes; the result is (..., *output_shape);
    - `eps`, `isign`, `modeord`: as in imago.nufft.
    """
    points, values = _checked(points, values, "values")
    modes = [output_shape] if isinstance(output_shape, int) else list(output_shape)
    if len(modes) != points.shape[0]:
        raise ValueError(f"output_shape has {len(modes)} axes; points has {points.shape[0]}")
    if values.shape[-1] != points.shape[1]:
        raise ValueError(f"values has {values.shape[-1]} numbers for {points.shape[1]} points")
    return _nufft1(points, values, modes, _sign(isign), eps, modeord)


def nufft_type2(
    points: torch.Tensor, modes: torch.Tensor, *, eps: float | None = None, isign: int = -1,
    modeord: int = 0,
) -> torch.Tensor:  # fmt: skip
    """Returns values at points from modes (..., *lengths): sums of modes[k] exp(+/- i k points[j]).

    The arguments are those of `nufft_type1`; the result is (..., points).
    """
    points, modes = _checked(points, modes, "modes")
    if modes.ndim < points.shape[0]:
        raise ValueError(f"modes has {modes.ndim} dimensions; points has {points.shape[0]} axes")
    return _nufft2(points, modes, _sign(isign), eps, modeord)


def nufft_type3(
    points: torch.Tensor, values: torch.Tensor, frequencies: torch.Tensor, *,
    eps: float | None = None, isign: int = 1,
) -> torch.Tensor:  # fmt: skip
    """Returns sums of values[j] exp(+/- i frequencies[k] points[j]) over j, for any frequencies.

    `points` and `frequencies` are (axes, number); the result is (..., frequencies).
    """
    points, values = _checked(points, values, "values")
    frequencies, _ = _checked(frequencies, values, "values")
    if frequencies.shape[0] != points.shape[0]:
        raise ValueError(f"frequencies has {frequencies.shape[0]} axes; points has {points.shape[0]}")
    if values.shape[-1] != points.shape[1]:
        raise ValueError(f"values has {values.shape[-1]} numbers for {points.shape[1]} points")
    return _nufft3(points, values, frequencies, _sign(isign), eps)
