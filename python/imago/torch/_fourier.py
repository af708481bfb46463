"""The functions of torch.fft, with PyTorch's signatures and meaning, and the cosine and sine ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..fft import _arguments as arguments
from . import _operators

_ops = torch.ops.imago
_FLOATS = torch.float16, torch.float32, torch.float64
Size = int | Sequence[int] | None


def floats(x: torch.Tensor, complex: bool = False) -> torch.Tensor:
    """Returns x with floating-point numbers, as PyTorch promotes them, or complex ones."""
    if not x.is_floating_point() and not x.is_complex():
        x = x.to(torch.get_default_dtype())
    if _operators.real_type(x) not in _FLOATS:
        raise TypeError(f"x has dtype {x.dtype}; convert it with x.to(torch.float32)")
    return x.to(_operators.complex_type(x)) if complex else x


def norm_of(norm: str | None) -> str:
    if norm is None:
        return "backward"
    if norm not in _operators.OTHER_NORM:
        arguments.factor(norm, True, 1)  # raises
    return norm


def one_axis(x: torch.Tensor, dim: int) -> int:
    """Returns the axis, counted from the end."""
    if not -x.ndim <= dim < x.ndim:
        arguments.one_axis(x, dim)  # raises
    return dim if dim < 0 else dim - x.ndim


def axes_of(x: torch.Tensor, s: Size, dim: Size, half: bool) -> tuple[list[int], list[int]]:
    """Returns the lengths of a transform and its axes, counted from the end.

    `half`: x is half a spectrum; the default of the last length is 2 (m - 1), for m entries.
    """
    if isinstance(s, int):
        s = [s]
    if isinstance(dim, int):
        dim = [dim]
    if dim is None:
        axes = list(range(-(x.ndim if s is None else len(s)), 0))
        if s is not None and len(s) > x.ndim:
            raise ValueError(f"s has {len(s)} lengths; x has {x.ndim} dimensions")
    else:
        axes = [one_axis(x, axis) for axis in dim]
    if len(set(axes)) < len(axes):
        raise ValueError(f"dim is {dim}; each axis may come once")
    if s is not None and len(s) != len(axes):
        raise ValueError(f"s has {len(s)} lengths and dim {len(axes)} axes")
    lengths = [-1] * len(axes) if s is None else list(s)
    for at, axis in enumerate(axes):
        if lengths[at] == -1:
            last = half and at == len(axes) - 1
            lengths[at] = 2 * (x.shape[axis] - 1) if last else x.shape[axis]
        if lengths[at] < 1:
            raise ValueError(f"a transform has {lengths[at]} points; it must have at least 1")
    return lengths, axes


def given(result: torch.Tensor, out: torch.Tensor | None) -> torch.Tensor:
    """Returns the result, in `out` if it is given, which gets its shape."""
    if out is None:
        return result
    if out.shape != result.shape:
        out.resize_(result.shape)
    return out.copy_(result)


def _transformed(name: str, forward: bool, x: torch.Tensor, lengths: Any, axes: Any, norm: Any) -> Any:
    norm = norm_of(norm)
    if name == "c2c":
        x = floats(x)
        if not axes:
            return floats(x, complex=True).clone()
        return _ops.c2c(x, lengths, axes, forward, norm)
    if not axes:
        raise ValueError("at least one axis must be transformed")
    if name == "c2r":
        return _ops.c2r(floats(x, complex=True), lengths, axes, forward, norm)
    x = floats(x)
    if x.is_complex():
        raise TypeError(f"x has dtype {x.dtype}; it must be real. Use x.real, or fft")
    return _ops.r2c(x, lengths, axes, forward, norm)


def _functions(word: str, operator: str, forward: bool, meaning: str) -> list[Callable[..., Any]]:
    """Returns the functions of a family along one axis, two and several."""

    def one(
        input: torch.Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        lengths, axes = axes_of(input, None if n is None else [n], dim, operator == "c2r")
        return given(_transformed(operator, forward, input, lengths, axes, norm), out)

    def two(
        input: torch.Tensor, s: Size = None, dim: Size = (-2, -1), norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        lengths, axes = axes_of(input, s, dim, operator == "c2r")
        return given(_transformed(operator, forward, input, lengths, axes, norm), out)

    def many(
        input: torch.Tensor, s: Size = None, dim: Size = None, norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        lengths, axes = axes_of(input, s, dim, operator == "c2r")
        return given(_transformed(operator, forward, input, lengths, axes, norm), out)

    for function, suffix in ((one, ""), (two, "2"), (many, "n")):
        function.__name__ = function.__qualname__ = word + suffix
        where = {"": "an axis", "2": "two axes", "n": "several axes"}[suffix]
        function.__doc__ = f"{meaning} along {where}, as torch.fft.{word}{suffix}."
    return [one, two, many]


fft, fft2, fftn = _functions("fft", "c2c", True, "The discrete Fourier transform")
ifft, ifft2, ifftn = _functions("ifft", "c2c", False, "The inverse Fourier transform")
rfft, rfft2, rfftn = _functions("rfft", "r2c", True, "Half of the Fourier transform of real numbers")
irfft, irfft2, irfftn = _functions("irfft", "c2r", False, "The inverse of rfft: real numbers")
hfft, hfft2, hfftn = _functions("hfft", "c2r", True, "The real spectrum of half a Hermitian signal")
ihfft, ihfft2, ihfftn = _functions("ihfft", "r2c", False, "The inverse of hfft: half a Hermitian signal")


def _cosine_functions(word: str, sine: bool, forward: bool) -> list[Callable[..., Any]]:
    def call(x: Any, type: int, lengths: Any, axes: Any, norm: Any, orthogonalize: bool | None) -> Any:
        x, norm = floats(x), norm_of(norm)
        if type not in (1, 2, 3, 4):
            raise ValueError(f"type is {type!r}; it must be 1, 2, 3 or 4")
        if not axes:
            return x.clone()
        if type == 1 and not sine and min(lengths) < 2:
            raise ValueError("a DCT of type 1 has at least 2 points")
        if orthogonalize is None:
            orthogonalize = norm == "ortho"
        return _ops.r2r(x, lengths, axes, type, sine, forward, norm, orthogonalize)

    def one(
        input: torch.Tensor, type: int = 2, n: int | None = None, dim: int = -1,
        norm: str | None = None, orthogonalize: bool | None = None, *, out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        lengths, axes = axes_of(input, None if n is None else [n], dim, False)
        return given(call(input, type, lengths, axes, norm, orthogonalize), out)

    def many(
        input: torch.Tensor, type: int = 2, s: Size = None, dim: Size = None,
        norm: str | None = None, orthogonalize: bool | None = None, *, out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        lengths, axes = axes_of(input, s, dim, False)
        return given(call(input, type, lengths, axes, norm, orthogonalize), out)

    family = "sine" if sine else "cosine"
    for function, suffix in ((one, ""), (many, "n")):
        function.__name__ = function.__qualname__ = word + suffix
        meaning = f"The discrete {family} transform" if forward else f"The inverse {family} transform"
        function.__doc__ = f"{meaning} of type 1 to 4, as scipy.fft.{word}{suffix}; `dim` is its axis."
    return [one, many]


dct, dctn = _cosine_functions("dct", False, True)
idct, idctn = _cosine_functions("idct", False, False)
dst, dstn = _cosine_functions("dst", True, True)
idst, idstn = _cosine_functions("idst", True, False)
