"""Convolutions of tensors as one filter, and layers of depthwise convolutions.

The operator `convolve` computes, for signals x (batch, channels, *n) and a kernel h (channels, *k),

    y[i] = sum of h[i + begin - m] x[m] over m, for 0 <= i < size,

by a Fourier transform of N points along each axis, where N is so large that no wanted sum wraps
around: N >= begin + size and N >= n + k - 1 - begin. The forward transform, the product with the
kernel's spectrum and the inverse are one filter (imago.Filter): it pads as it loads and crops as it
stores, so that no padded signal and no product is ever in memory.

**Derivatives.** y is linear in x and in h. With the gradient g by y:

- by x: sum of h[i + begin - m] g[i] over i, which is `convolve` of g with the reversed kernel
  h[k - 1 - j], with begin' = k - 1 - begin and size' = n;
- by h: sum of g[i] x[i + begin - j] over i and the batch, the operator `convolve_kernel_gradient`.
  It transforms x and g to N points; one inverse transform loads the sum of conj(X) G over the batch,
  shifts it by `begin` and stores k points.

The second is linear in x and in g, too: with the gradient u by its result, the gradient by x is the
gradient of `convolve` by x for the kernel u, and the gradient by g is convolve(x, u). So derivatives
of any order are calls of these two. The formulas follow from the sums; they are those of
torch.nn.functional.conv2d (torch.nn.grad.conv2d_input and conv2d_weight) for a reversed kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .. import fft, hooks
from . import _compute, _direct, _operators


def _points(n: Sequence[int], k: Sequence[int], begin: Sequence[int], size: Sequence[int]) -> list[int]:
    """Returns the lengths of the transforms."""
    least = (max(b + s, m + j - 1 - b, m, j) for m, j, b, s in zip(n, k, begin, size))
    return [fft.next_fast_len(each, real=True) for each in least]


def _box(first: int, lengths: Sequence[int]) -> list[hooks.Hook]:
    return [hooks.zero_outside(first + d, 0, n) for d, n in enumerate(lengths)]


def _rolls(first: int, by: Sequence[int]) -> list[hooks.Hook]:
    return [hooks.roll(first + d, n) for d, n in enumerate(by) if n]


def _kinds(identities: int, axes: int) -> list[str]:
    return ["identity"] * identities + ["complex"] * (axes - 1) + ["real"]


def _strides(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))


def _spectrum(x: torch.Tensor, points: Sequence[int]) -> torch.Tensor:
    axes = list(range(-len(points), 0))
    return _operators.r2c(x, list(points), axes, True, "backward")


def _convolve(
    x: torch.Tensor, kernel: torch.Tensor, begin: Sequence[int], size: Sequence[int]
) -> torch.Tensor:
    out = _convolve_fake(x, kernel, begin, size)
    if 0 in x.shape or 0 in out.shape:
        return out.zero_()
    axes = len(begin)
    points = _points(x.shape[2:], kernel.shape[1:], begin, size)
    spectrum = _spectrum(kernel.detach(), points)
    x = x.contiguous()
    filter = _compute.filter_of(
        (*x.shape[:2], *points),
        tuple(_kinds(2, axes)),
        np.dtype("f8" if x.dtype == torch.float64 else "f4"),
        (_strides(x.shape), _strides(out.shape)),
        (hooks.multiply("factors", tuple(range(1, 2 + axes))),),
        hooks.Hooks(
            tuple(_box(2, x.shape[2:])), (*_rolls(2, [-b for b in begin]), *_box(2, size))
        ),
        x.device.index if x.is_cuda else None,
    )
    filter(_compute.array(x), _compute.array(out), factors=_compute.array(spectrum))
    return out


def _convolve_fake(x: Any, kernel: Any, begin: Any, size: Any) -> torch.Tensor:
    return torch.empty([*x.shape[:2], *size], dtype=x.dtype, device=x.device)


def _kernel_gradient(
    x: torch.Tensor, g: torch.Tensor, begin: Sequence[int], size: Sequence[int]
) -> torch.Tensor:
    out = _kernel_gradient_fake(x, g, begin, size)
    if 0 in x.shape or 0 in g.shape:
        return out.zero_()
    axes = len(begin)
    points = _points(x.shape[2:], size, begin, g.shape[2:])
    xs, gs = _spectrum(x.detach(), points), _spectrum(g.detach(), points)
    total = hooks.weighted_sum("conjugated", x.shape[0], math.prod(xs.shape[1:]), conjugate=True)
    return _compute.planned(
        _kinds(1, axes),
        True,
        1 / math.prod(points),
        gs,
        out,
        strides=_strides(out.shape),
        lengths=(x.shape[1], *points),
        load=(total,),
        store=(*_rolls(1, begin), *_box(1, size)),
        conjugated=xs,
    )


def _kernel_gradient_fake(x: Any, g: Any, begin: Any, size: Any) -> torch.Tensor:
    return torch.empty([x.shape[1], *size], dtype=x.dtype, device=x.device)


def _by_signal(g: torch.Tensor, kernel: torch.Tensor, begin: Any, n: Any) -> torch.Tensor:
    """Returns the gradient of `convolve` by its signal, of n points."""
    reversed_ = kernel.flip(list(range(1, kernel.ndim)))
    return _convolved(g, reversed_, [k - 1 - b for k, b in zip(kernel.shape[1:], begin)], n)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs[:2])
    ctx.begin, ctx.size = inputs[2:]


def _convolve_gradient(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:
    x, kernel = ctx.saved_tensors
    needs, of_x, of_kernel = ctx.needs_input_grad, None, None
    if needs[0]:
        of_x = _by_signal(g, kernel, ctx.begin, x.shape[2:])
    if needs[1]:
        of_kernel = _correlated(x, g, ctx.begin, kernel.shape[1:])
    return of_x, of_kernel, None, None


def _kernel_gradient_gradient(ctx: Any, u: torch.Tensor) -> tuple[Any, ...]:
    x, g = ctx.saved_tensors
    needs, of_x, of_g = ctx.needs_input_grad, None, None
    if needs[0]:
        of_x = _by_signal(g, u, ctx.begin, x.shape[2:])
    if needs[1]:
        of_g = _convolved(x, u, ctx.begin, g.shape[2:])
    return of_x, of_g, None, None


_convolved = _direct.define(
    "convolve",
    "(Tensor x, Tensor kernel, SymInt[] begin, SymInt[] size) -> Tensor",
    _convolve,
    _convolve_fake,
    _keep,
    _convolve_gradient,
)
_correlated = _direct.define(
    "convolve_kernel_gradient",
    "(Tensor x, Tensor g, SymInt[] begin, SymInt[] size) -> Tensor",
    _kernel_gradient,
    _kernel_gradient_fake,
    _keep,
    _kernel_gradient_gradient,
)


def _computed_type(*tensors: torch.Tensor) -> torch.dtype:
    """Returns the type in which tensors are convolved: halves in single precision."""
    for x in tensors:
        if x.dtype not in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
            raise TypeError(f"a tensor has dtype {x.dtype}; it must be float16, float32 or float64")
    doubles = any(x.dtype == torch.float64 for x in tensors)
    return torch.float64 if doubles else torch.float32


def fftconvolve(x: torch.Tensor, kernel: torch.Tensor, mode: str = "full") -> torch.Tensor:
    """Returns the convolutions of signals with one kernel, along the kernel's axes.

    - `x`: real signals, (..., *lengths); `kernel`: real, with one to three axes;
    - `mode`: "full", "same" or "valid", as in scipy.signal.fftconvolve; for "valid" no axis of the
      kernel may be longer than that of the signal.
    """
    dtype = _computed_type(x, kernel)
    rank = kernel.ndim
    if not 1 <= rank <= min(3, x.ndim):
        raise ValueError(f"kernel has {rank} axes; it must have 1 to 3, and at most those of x")
    n, k = list(x.shape[x.ndim - rank :]), list(kernel.shape)
    begin, size = _part(mode, n, k)
    rows = x.to(dtype).reshape(-1, 1, *n)
    out = _convolved(rows, kernel.to(dtype)[None], begin, size)
    return out.reshape(*x.shape[: x.ndim - rank], *size).to(torch.result_type(x, kernel))


def _part(mode: str, n: list[int], k: list[int]) -> tuple[list[int], list[int]]:
    """Returns where a mode's part of the convolution begins, and its lengths."""
    if mode == "full":
        return [0] * len(n), [m + j - 1 for m, j in zip(n, k)]
    if mode == "same":
        return [(j - 1) // 2 for j in k], n
    if mode != "valid":
        raise ValueError(f'mode is {mode!r}; it must be "full", "same" or "valid"')
    if any(j > m for m, j in zip(n, k)):
        raise ValueError(f"kernel has shape {tuple(k)}, which is larger than that of the signals")
    return [j - 1 for j in k], [m - j + 1 for m, j in zip(n, k)]


Padding = str | int | Sequence[int]


def depthwise_conv(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, padding: Padding = 0
) -> torch.Tensor:
    """Returns what torch.nn.functional.conv1d, 2d or 3d do with one kernel for each channel.

    - `x`: (batch, channels, *lengths); `weight`: (channels, 1, *kernel); `bias`: (channels,);
    - `padding`: the zeros before and after the signal, a number for each axis or for all; "valid":
      none; "same": the result is as long as the signal; "full": kernel - 1; "causal": kernel - 1
      before the signal and none after it.

    As in these functions the kernel is not reversed. Numbers are float32 or float64; float16 and
    bfloat16 are computed in float32 and returned as they came.
    """
    dtype = _computed_type(x, weight)
    n, k = list(x.shape[2:]), list(weight.shape[2:])
    if not 1 <= len(k) <= 3 or len(n) != len(k):
        raise ValueError(f"x has {x.ndim} dimensions and weight {weight.ndim}; both need 3 to 5")
    if weight.shape[1] != 1 or weight.shape[0] != x.shape[1]:
        raise ValueError(f"weight has shape {tuple(weight.shape)}; x has {x.shape[1]} channels")
    before, after = _zeros(padding, k)
    size = [m + a + b - j + 1 for m, a, b, j in zip(n, before, after, k)]
    if min(size) < 1 or any(a > j - 1 for a, j in zip([*before, *after], [*k, *k])):
        raise ValueError(f"padding is {padding!r}; a kernel of shape {tuple(k)} does not allow it")
    kernel = weight.to(dtype).flatten(0, 1).flip(list(range(1, len(k) + 1)))
    begin = [j - 1 - a for a, j in zip(before, k)]
    out = _convolved(x.to(dtype), kernel, begin, size).to(x.dtype)
    return out if bias is None else out + bias.to(out.dtype).reshape(-1, *[1] * len(k))


def _zeros(padding: Padding, k: list[int]) -> tuple[list[int], list[int]]:
    """Returns the numbers of zeros before and after the signal along each axis."""
    if padding == "same":
        return [(j - 1) // 2 for j in k], [j // 2 for j in k]
    if padding == "full":
        return [j - 1 for j in k], [j - 1 for j in k]
    if padding == "causal":
        return [j - 1 for j in k], [0] * len(k)
    if padding == "valid":
        padding = 0
    if isinstance(padding, str):
        raise ValueError(f'padding is {padding!r}; the words are "same", "full", "causal", "valid"')
    zeros = [padding] * len(k) if isinstance(padding, int) else list(padding)
    if len(zeros) != len(k) or min(zeros) < 0:
        raise ValueError(f"padding is {padding!r}; it must have {len(k)} numbers of at least 0")
    return zeros, zeros


class _DepthwiseConv(torch.nn.Module):
    """One kernel for each channel. `padding` is that of `depthwise_conv`.

    The parameters have the names, shapes and first values of those of torch.nn.Conv1d, 2d or 3d with
    `groups=channels`, so that state dictionaries fit both.
    """

    rank = 0

    def __init__(
        self, channels: int, kernel_size: int | Sequence[int], padding: Padding = "same",
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        k = [kernel_size] * self.rank if isinstance(kernel_size, int) else list(kernel_size)
        if len(k) != self.rank or min(k) < 1:
            raise ValueError(f"kernel_size is {kernel_size!r}; it must have {self.rank} lengths")
        self.channels, self.kernel_size, self.padding = channels, tuple(k), padding
        made = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(channels, 1, *k, **made))
        self.bias = torch.nn.Parameter(torch.empty(channels, **made)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1 / math.sqrt(math.prod(self.kernel_size))
        torch.nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            torch.nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return depthwise_conv(x, self.weight, self.bias, self.padding)

    def extra_repr(self) -> str:
        return f"{self.channels}, kernel_size={self.kernel_size}, padding={self.padding!r}"


class DepthwiseConv1d(_DepthwiseConv):
    __doc__ = _DepthwiseConv.__doc__
    rank = 1


class DepthwiseConv2d(_DepthwiseConv):
    __doc__ = _DepthwiseConv.__doc__
    rank = 2


class DepthwiseConv3d(_DepthwiseConv):
    __doc__ = _DepthwiseConv.__doc__
    rank = 3
