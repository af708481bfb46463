"""The functions of torch.fft, with PyTorch's signatures and meaning, and the cosine and sine ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from ..fft import _arguments as arguments
from . import _operators
from ._direct import is_plain

_FLOATS = torch.float16, torch.float32, torch.float64
Size = int | Sequence[int] | None


def float_type(dtype: torch.dtype, complex: bool = False) -> torch.dtype:
    """Returns the floating-point type to which PyTorch promotes a type, or the complex one."""
    if not dtype.is_floating_point and not dtype.is_complex:
        dtype = torch.get_default_dtype()
    if _operators.REAL.get(dtype, dtype) not in _FLOATS:
        raise TypeError(f"x has dtype {dtype}; convert it with x.to(torch.float32)")
    return _operators.COMPLEX.get(dtype, dtype) if complex else dtype


def floats(x: torch.Tensor, complex: bool = False) -> torch.Tensor:
    """Returns x with floating-point numbers, as PyTorch promotes them, or complex ones."""
    return x.to(float_type(x.dtype, complex))


def norm_of(norm: str | None) -> str:
    if norm is None:
        return "backward"
    if norm not in _operators.OTHER_NORM:
        arguments.factor(norm, True, 1)  # raises
    return norm


class Outline(NamedTuple):
    """The shape and type of a tensor, which determine its transform."""

    shape: Sequence[int]
    dtype: torch.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)


def one_axis(x: Any, dim: int) -> int:
    """Returns the axis, counted from the end."""
    if not -x.ndim <= dim < x.ndim:
        arguments.one_axis(x, dim)  # raises
    return dim if dim < 0 else dim - x.ndim


def axes_of(x: Any, s: Size, dim: Size, half: bool) -> tuple[list[int], list[int]]:
    """Returns the lengths of a transform of a tensor or outline, and its axes, counted from the end.

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


def _given(result: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    """Returns `out` with the result, whose shape it gets."""
    if out.shape != result.shape:
        out.resize_(result.shape)
    return out.copy_(result)


class _Request(NamedTuple):
    """The operator that computes a call, its arguments, and the type of its input."""

    operator: Callable[..., torch.Tensor]
    arguments: tuple[Any, ...]
    dtype: torch.dtype


def _none(x: torch.Tensor) -> torch.Tensor:
    """The transform along no axes."""
    return x.clone()


_none.direct = _none  # type: ignore[attr-defined]

# A function from an outline, its family, and the arguments of a call, to the request.
Decide = Callable[..., _Request]


@functools.lru_cache(maxsize=1024, typed=True)
def _cached(decide: Decide, family: Any, shape: Any, dtype: torch.dtype, *given: Any) -> _Request:
    return decide(Outline(shape, dtype), family, *given)


def _plain(value: Size) -> Any:
    """Returns lengths or axes that a cache can find."""
    return value if value is None or isinstance(value, int) else tuple(value)


def _computed(decide: Decide, family: Any, x: torch.Tensor, out: Any, *given: Any) -> torch.Tensor:
    dtype = x.dtype
    if is_plain(x) and (dtype.is_floating_point or dtype.is_complex):
        request = _cached(decide, family, x.shape, dtype, *given)
        operator = request.operator.direct
    else:  # such as shapes of symbols, and types whose meaning is a setting
        request = decide(Outline(x.shape, dtype), family, *given)
        operator = request.operator
    if dtype is not request.dtype:
        x = x.to(request.dtype)
    result = operator(x, *request.arguments)
    return result if out is None else _given(result, out)


def _fourier_request(x: Outline, family: Any, s: Any, dim: Any, norm: Any) -> _Request:
    name, forward = family
    lengths, axes = axes_of(x, s, dim, name == "c2r")
    norm, dtype = norm_of(norm), float_type(x.dtype)
    if name == "c2c" and not axes:
        return _Request(_none, (), float_type(x.dtype, complex=True))
    if not axes:
        raise ValueError("at least one axis must be transformed")
    if name == "c2r":
        dtype = float_type(x.dtype, complex=True)
    if name == "r2c" and dtype.is_complex:
        raise TypeError(f"x has dtype {x.dtype}; it must be real. Use x.real, or fft")
    operator = {"c2c": _operators.c2c, "r2c": _operators.r2c, "c2r": _operators.c2r}[name]
    return _Request(operator, (lengths, axes, forward, norm), dtype)


def _functions(word: str, operator: str, forward: bool, meaning: str) -> list[Callable[..., Any]]:
    """Returns the functions of a family along one axis, two and several."""

    family = operator, forward

    def one(
        input: torch.Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        return _computed(_fourier_request, family, input, out, n, dim, norm)

    def two(
        input: torch.Tensor, s: Size = None, dim: Size = (-2, -1), norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        return _computed(_fourier_request, family, input, out, _plain(s), _plain(dim), norm)

    def many(
        input: torch.Tensor, s: Size = None, dim: Size = None, norm: str | None = None, *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        return _computed(_fourier_request, family, input, out, _plain(s), _plain(dim), norm)

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


def _cosine_request(
    x: Outline, family: Any, s: Any, dim: Any, type: int, norm: Any, orthogonalize: bool | None
) -> _Request:
    sine, forward = family
    lengths, axes = axes_of(x, s, dim, False)
    norm, dtype = norm_of(norm), float_type(x.dtype)
    if type not in (1, 2, 3, 4):
        raise ValueError(f"type is {type!r}; it must be 1, 2, 3 or 4")
    if not axes:
        return _Request(_none, (), dtype)
    if type == 1 and not sine and min(lengths) < 2:
        raise ValueError("a DCT of type 1 has at least 2 points")
    if orthogonalize is None:
        orthogonalize = norm == "ortho"
    return _Request(
        _operators.r2r, (lengths, axes, type, sine, forward, norm, orthogonalize), dtype
    )


def _cosine_functions(word: str, sine: bool, forward: bool) -> list[Callable[..., Any]]:
    def one(
        input: torch.Tensor, type: int = 2, n: int | None = None, dim: int = -1,
        norm: str | None = None, orthogonalize: bool | None = None, *, out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        given = n, dim, type, norm, orthogonalize
        return _computed(_cosine_request, (sine, forward), input, out, *given)

    def many(
        input: torch.Tensor, type: int = 2, s: Size = None, dim: Size = None,
        norm: str | None = None, orthogonalize: bool | None = None, *, out: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        given = _plain(s), _plain(dim), type, norm, orthogonalize
        return _computed(_cosine_request, (sine, forward), input, out, *given)

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
