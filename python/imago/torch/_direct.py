"""Defines PyTorch's operators, and calls them without its dispatcher if only values are wanted.

The dispatcher, with its layers for operators in Python, takes longer than a short transform. It is
needed where something other than the device computes a call: tracing, compilation, vmap, fake
tensors, or a mode. For all other calls the functions that `define` returns call the operator's own
code, and record its derivative as a torch.autograd.Function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import _C
from torch.autograd import forward_ad

Key = _C.DispatchKey


def _bits(*keys: Any) -> int:
    found = _C.DispatchKeySet(keys[0])
    for key in keys[1:]:
        found = found | _C.DispatchKeySet(key)
    return int(found.raw_repr())


# The keys of tensors with values, and those of a thread that nothing watches.
_OTHER_THAN_VALUES = ~_bits(
    Key.CPU, Key.AutogradCPU, Key.AutocastCPU, Key.CUDA, Key.AutogradCUDA, Key.AutocastCUDA,
    Key.ADInplaceOrView,
)  # fmt: skip
_MODES = ~_bits(Key.BackendSelect, Key.ADInplaceOrView)
_TENSORS = torch.Tensor, torch.nn.Parameter


def is_plain(x: torch.Tensor) -> bool:
    """Returns True if a call with x is only computed: x has values, and nothing watches the call."""
    return (
        not torch.compiler.is_compiling()
        and type(x) in _TENSORS
        and not _C._dispatch_keys(x).raw_repr() & _OTHER_THAN_VALUES
        and not _C._dispatch_tls_local_include_set().raw_repr() & _MODES
        and not _C._is_torch_function_mode_enabled()
        and forward_ad._current_level < 0
    )


def _check_tangents(tensors: Any) -> None:
    """Raises for forward-mode derivatives, which the dispatcher would lose."""
    if not torch.compiler.is_compiling() and forward_ad._current_level >= 0:
        if any(forward_ad.unpack_dual(x).tangent is not None for x in tensors):
            raise NotImplementedError(
                "a tensor has a tangent, and imago.torch has no forward-mode derivatives. Use "
                "torch.autograd.grad, or x.detach()"
            )


class _Differentiable(torch.autograd.Function):
    """A call with its derivative. Its inputs are those of an operator: tensors, and all others."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> torch.Tensor:  # type: ignore[override]
        *tensors, (others, compute, keep, ctx.gradient) = inputs
        result = compute(*tensors, *others)
        keep(ctx, (*tensors, *others), result)
        return result

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:  # type: ignore[override]
        return *ctx.gradient(ctx, g)[: len(ctx.needs_input_grad) - 1], None


# torch.autograd.Function.apply without its look for torch.func, which is_plain excludes.
_record = _C._FunctionBase.__dict__["apply"].__get__(None, _Differentiable)


def _of_values(compute: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Returns a function for tensors that may have flags of conjugation and sign."""

    def resolved(*inputs: Any) -> torch.Tensor:
        return compute(
            *[x.resolve_conj().resolve_neg() if isinstance(x, torch.Tensor) else x for x in inputs]
        )

    return resolved


def define(
    name: str, signature: str, compute: Any, shape_of: Any, keep: Any, gradient: Any
) -> Callable[..., torch.Tensor]:
    """Defines an operator of torch.ops.imago, and returns the function that calls it.

    `compute` is for tensors with values, `shape_of` for those without. `keep` stores what the
    derivative `gradient` needs, as torch.library.register_autograd describes it.
    """
    qualified = f"imago::{name}"
    torch.library.define(qualified, signature, tags=(torch.Tag.needs_exact_strides,))
    torch.library.impl(qualified, ("cpu", "cuda"), _of_values(compute))
    torch.library.register_fake(qualified, shape_of)
    torch.library.register_autograd(qualified, gradient, setup_context=keep)
    operator = getattr(torch.ops.imago, name).default
    tensors = signature.count("Tensor ")

    def direct(*inputs: Any) -> torch.Tensor:
        if torch.is_grad_enabled() and _C._any_requires_grad(*inputs):
            last = inputs[tensors:], compute, keep, gradient
            return _record(*inputs[:tensors], last)
        return compute(*inputs)

    def call(*inputs: Any) -> torch.Tensor:
        if all(map(is_plain, inputs[:tensors])):
            return direct(*inputs)
        _check_tangents(inputs[:tensors])
        return operator(*inputs)

    call.direct = direct  # type: ignore[attr-defined]
    return call
