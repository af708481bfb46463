"""Computes transforms of tensors: on CUDA as they lie, on the CPU as NumPy's arrays.

The operators call these functions with tensors that have values. They write to tensors that the
operator made with torch.empty, so that PyTorch owns the memory of all results.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .. import cuda, fft, hooks
from .._cuda_arrays import PyTorch
from .._filter import Filter
from .._plan import Plan
from .._planned import Layout

HALF = torch.float16, torch.complex32


def array(x: torch.Tensor) -> Any:
    """Returns what imago computes on: a tensor on CUDA, or NumPy's view of one on the CPU.

    NumPy has no complex numbers of half precision: of these, pairs of numbers.
    """
    x = x.detach()
    if x.is_conj() or x.is_neg():
        x = x.resolve_conj().resolve_neg()
    if x.dtype == torch.complex32:
        x = torch.view_as_real(x)
    return x if x.is_cuda else x.numpy()


class Call:
    """A call of a function of imago.fft on tensors of one shape and type."""

    def __init__(
        self, name: str, shape: list[int], dtype: torch.dtype, is_empty: bool, given: dict[str, Any]
    ) -> None:
        """`shape` and `dtype` are the result's; `is_empty`: the input has no numbers; `given`: the
        arguments."""
        self._name, self._given, self._is_empty = name, given, is_empty
        self._shape, self._dtype = tuple(shape), dtype
        order = "type", "n", "s", "axis", "axes", "norm", "orthogonalize"
        self._positions = tuple(given[word] for word in order if word in given)
        self._decide = cuda.decides[name]

    def compute(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the result for a tensor without flags of conjugation and sign."""
        if self._is_empty or 0 in self._shape:
            return x.new_zeros(self._shape, dtype=self._dtype)
        if x.is_cuda:
            x = x.detach() if x.requires_grad else x
            made = cuda.warm(PyTorch, self._decide, x, self._positions, None)
            return getattr(cuda, self._name)(x, *self._positions) if made is None else made
        out = x.new_empty(self._shape, dtype=self._dtype)
        getattr(fft, self._name)(x.numpy(force=True), **self._given, out=out.numpy())
        return out


def planned(
    kinds: Sequence[str],
    inverse: bool,
    scale: float,
    x: torch.Tensor,
    out: torch.Tensor,
    *,
    strides: Sequence[int] | None = None,
    load: Sequence[hooks.Hook] = (),
    store: Sequence[hooks.Hook] = (),
    lengths: Sequence[int] | None = None,
    **values: torch.Tensor,
) -> torch.Tensor:
    """Writes a transform with a kind for each dimension, by a plan.

    `lengths` are those of the real side (default: the shape there), `strides` its places in memory,
    `values` the arguments of the hooks.
    """
    real_side = out if inverse else x
    plan = _plan(
        tuple(lengths or real_side.shape),
        tuple(kinds),
        np.dtype(_NUMBERS[x.dtype]),
        inverse,
        scale,
        tuple(strides or ()),
        hooks.Hooks(tuple(load), tuple(store)),
        x.device.index if x.is_cuda else None,
    )
    call = plan.inverse if inverse else plan.forward
    call(array(x), array(out), **{name: array(value) for name, value in values.items()})
    return out


_NUMBERS = {
    torch.float16: "f2",
    torch.complex32: "f2",
    torch.float32: "f4",
    torch.complex64: "f4",
    torch.float64: "f8",
    torch.complex128: "f8",
}


@functools.lru_cache(maxsize=256)
def _plan(
    lengths: tuple[int, ...],
    kinds: tuple[str, ...],
    dtype: np.dtype[Any],
    inverse: bool,
    scale: float,
    strides: tuple[int, ...],
    on: hooks.Hooks,
    gpu: int | None,
) -> Plan:
    return Plan(
        lengths,
        kind=kinds,
        dtype=dtype,
        directions="inverse" if inverse else "forward",
        scale=(scale, scale),
        signal=Layout(strides),
        on_inverse=on if inverse else hooks.Hooks(),
        on_forward=hooks.Hooks() if inverse else on,
    )


@functools.lru_cache(maxsize=256)
def filter_of(
    lengths: tuple[int, ...],
    kinds: tuple[str, ...],
    dtype: np.dtype[Any],
    strides: tuple[tuple[int, ...], tuple[int, ...]],
    spectrum: tuple[hooks.Hook, ...],
    ends: hooks.Hooks,
    gpu: int | None,
) -> Filter:
    """Returns the filter for tensors of these strides, of signal and result, on a GPU."""
    return Filter(
        lengths,
        kind=kinds,
        dtype=dtype,
        signal=Layout(strides[0]),
        result=Layout(strides[1]),
        spectrum=spectrum,
        ends=ends,
    )
