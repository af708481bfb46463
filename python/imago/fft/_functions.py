"""The Fourier, cosine and sine transforms of imago.fft, with SciPy's signatures and meaning.

A family has the functions that differ only in their axes. Their texts are templates for the words
of a family.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _work as work
from .._types import OfArray, OnHost, P
from ._host import host
from ._served import served

Norm = Literal["backward", "ortho", "forward"] | None

_IMPORT = ">>> import imago\n>>> imago.fft."
_TWICE = " An axis that comes twice is transformed twice, as in NumPy."


class _Family:
    """The common part of families."""

    name: str

    def _made(
        self,
        suffix: str,
        function: Callable[Concatenate[ArrayLike, P], OnHost],
        template: str | None,
    ) -> OfArray[P, OnHost]:
        """Returns the function with its name and text."""
        function.__name__ = function.__qualname__ = self.name + suffix
        function.__doc__ = inspect.cleandoc(template or "").format(**self._words(suffix))
        return cast(OfArray[P, OnHost], served(function))

    def _words(self, suffix: str) -> dict[str, str]:
        """Returns the words for the template of a function's text."""
        raise NotImplementedError


class Fourier(_Family, Generic[OnHost]):
    """Fourier transforms of one kind in one direction: `one`, `two` and `many` axes."""

    def __init__(
        self,
        name: str,
        along_one: Callable[..., OnHost],
        along_many: Callable[..., OnHost],
        forward: bool,
        one: str,
        many: str,
    ) -> None:
        """`one` and `many`: a summary and an example of the functions along one axis, and several."""
        self.name, self.forward = name, forward
        self.along_one, self.along_many = along_one, along_many
        self._texts = one, many
        self._add_one(along_one, forward)
        self._add_several(along_many, forward)

    def _words(self, suffix: str) -> dict[str, str]:
        two, real, hermitian = suffix == "2", self.along_one is work.r2c, "h" in self.name
        axes, text = "two" if two else "several", self._texts[bool(suffix)].strip()
        summary, example = text.format(axes=axes, n=suffix).split("\n\n>>> imago.fft.")
        return {
            "summary": summary,
            "points": "n/2+1 entries" if self.along_one is work.c2r else "`n` points",
            "default": "the last two" if two else "all",
            "keeps": "-1 keeps" if hermitian else "-1 and None keep",
            "twice": "" if hermitian else _TWICE,
            "once": " or that come twice" if hermitian else "",
            "and": "" if real else " and",
            "complex": ", and TypeError for complex `x`" if real else "",
            "example": _IMPORT + example,
        }

    def _add_one(self, along: Callable[..., OnHost], forward: bool) -> None:
        def one(
            x: ArrayLike,
            n: int | None = None,
            axis: int = -1,
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            *,
            plan: object = None,
            out: NDArray[Any] | None = None,
        ) -> OnHost:
            """{summary}

            Crops `x` or pads it with zeros to {points} along `axis`. `norm` selects where the
            factor 1/n is applied: "backward" (the default) in inverse transforms, "forward" in
            forward transforms, "ortho" as its square root in both. With `overwrite_x` a large
            result may reuse the memory of `x`, if shape and type are the same. `workers` is checked
            but not used: the OpenCL driver sets the number of threads. `plan` must be None. If
            `out` is given, the result is written to it, as in NumPy, and returned.

            Raises ValueError for n below 1, an unknown norm or invalid workers,{and} AxisError for
            an axis that `x` does not have{complex}.

            {example}
            """
            return along(host(overwrite_x, out), forward, x, n, axis, norm, workers, plan)

        self.one = self._made("", one, one.__doc__)

    def _add_several(self, along: Callable[..., OnHost], forward: bool) -> None:
        def two(
            x: ArrayLike,
            s: int | Sequence[int | None] | None = None,
            axes: int | Sequence[int | None] | None = (-2, -1),
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            *,
            plan: object = None,
            out: NDArray[Any] | None = None,
        ) -> OnHost:
            return along(host(overwrite_x, out), forward, x, s, axes, norm, workers, plan)

        def many(
            x: ArrayLike,
            s: int | Sequence[int | None] | None = None,
            axes: int | Sequence[int | None] | None = None,
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            *,
            plan: object = None,
            out: NDArray[Any] | None = None,
        ) -> OnHost:
            """{summary}

            Crops `x` or pads it with zeros to `s` points along `axes` (default: {default});
            {keeps} a length.{twice}
            `norm` selects where the factor, 1 / (product of the lengths), is applied: "backward"
            (the default) in inverse transforms, "forward" in forward transforms, "ortho" as its
            square root in both. For `overwrite_x`, `workers`, `plan` and `out` see `fft`.

            Raises ValueError for lengths below 1, axes that `x` does not have{once}, `s` and
            `axes` of different lengths, an unknown norm or invalid workers{complex}.

            {example}
            """
            return along(host(overwrite_x, out), forward, x, s, axes, norm, workers, plan)

        self.two = self._made("2", two, many.__doc__)
        self.many = self._made("n", many, many.__doc__)


class Cosine(_Family):
    """Cosine or sine transforms in one direction: `one` and `many` axes."""

    def __init__(self, name: str, kinds: tuple[int, ...], forward: bool) -> None:
        self.name, self.kinds, self.forward = name, kinds, forward
        self._add_one(kinds, forward)
        self._add_many(kinds, forward)

    def _words(self, suffix: str) -> dict[str, str]:
        name, is_cosine = self.name + suffix, self.kinds is work.DCT
        family, axes = "cosine" if is_cosine else "sine", "several axes" if suffix else "an axis"
        forward = f"The discrete {family} transform of type 1, 2, 3 or 4 along {axes}."
        ones = "[[1.0, 0.0], [0.0, 0.0]]" if suffix else "[1.0, 0.0]"
        result = "array([[0.5, 0.5],\n       [0.5, 0.5]])" if suffix else "array([0.707, 0.707])"
        return {
            "summary": forward if self.forward else f"The inverse of `{name[1:]}` of the same type.",
            "sign": "-" if is_cosine else "+",
            "least": " (type 1: below 2)" if is_cosine else "",
            "along_one": self.name,
            "example": f'{_IMPORT}{name}({ones}, norm="ortho").round(3)\n{result}',
        }

    def _add_one(self, kinds: tuple[int, ...], forward: bool) -> None:
        def one(
            x: ArrayLike,
            type: int = 2,
            n: int | None = None,
            axis: int = -1,
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            orthogonalize: bool | None = None,
            *,
            out: NDArray[Any] | None = None,
        ) -> NDArray[Any]:
            """{summary}

            Crops `x` or pads it with zeros to `n` points along `axis`. The real and imaginary parts
            of complex `x` are transformed separately. `norm` selects where the factor 1/N is
            applied, with N = 2n (type 1: 2(n{sign}1)): "backward" (the default) in inverse
            transforms, "forward" in forward transforms, "ortho" as its square root in both.
            `orthogonalize` (default: True if norm is "ortho") rescales the first or last points, so
            that the matrix of the transform is orthogonal up to a factor. For `overwrite_x`,
            `workers` and `out` see `fft`.

            Raises ValueError for n below 1{least}, an unknown type or norm, or invalid workers, and
            AxisError for an axis that `x` does not have.

            {example}
            """
            others = type, n, axis, norm, workers, orthogonalize
            return work.r2r_one(host(overwrite_x, out), kinds, forward, x, *others)

        self.one = self._made("", one, one.__doc__)

    def _add_many(self, kinds: tuple[int, ...], forward: bool) -> None:
        def many(
            x: ArrayLike,
            type: int = 2,
            s: int | Sequence[int | None] | None = None,
            axes: int | Sequence[int | None] | None = None,
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            orthogonalize: bool | None = None,
            *,
            out: NDArray[Any] | None = None,
        ) -> NDArray[Any]:
            """{summary}

            Crops `x` or pads it with zeros to `s` points along `axes` (default: all); -1 keeps a
            length. The other arguments and the exceptions are those of `{along_one}`. Axes that `x`
            does not have or that come twice raise ValueError, too.

            {example}
            """
            others = type, s, axes, norm, workers, orthogonalize
            return work.r2r_many(host(overwrite_x, out), kinds, forward, x, *others)

        def many_dct(
            x: ArrayLike,
            type: int = 2,
            s: int | Sequence[int | None] | None = None,
            axes: int | Sequence[int | None] | None = None,
            norm: Norm = None,
            overwrite_x: bool = False,
            workers: int | None = None,
            *,
            orthogonalize: bool | None = None,
            out: NDArray[Any] | None = None,
        ) -> NDArray[Any]:
            # Only SciPy's dctn has no position for `orthogonalize`.
            others = type, s, axes, norm, workers, orthogonalize
            return work.r2r_many(host(overwrite_x, out), kinds, forward, x, *others)

        template = many.__doc__
        self.many_dct = self._made("n", many_dct, template)
        self.many = self._made("n", many, template)


_fft = Fourier("fft", work.c2c, work.c2cn, True, one="""
The discrete Fourier transform along an axis: sums of x[j] exp(-2 pi i j k / n).

>>> imago.fft.fft([1.0, 0.0, 0.0]).real
array([1., 1., 1.])
""", many="""
The discrete Fourier transform along {axes} axes.

>>> imago.fft.fft{n}([[1.0, 1.0], [1.0, 1.0]])
array([[4.+0.j, 0.+0.j],
       [0.+0.j, 0.+0.j]])
""")  # fmt: skip
_ifft = Fourier("ifft", work.c2c, work.c2cn, False, one="""
The inverse of `fft`: sums of x[k] exp(2 pi i j k / n), over n.

>>> imago.fft.ifft([3.0, 0.0, 0.0]).real
array([1., 1., 1.])
""", many="""
The inverse of `fft{n}`, along {axes} axes.

>>> imago.fft.ifft{n}([[4.0, 0.0], [0.0, 0.0]])
array([[1.+0.j, 1.+0.j],
       [1.+0.j, 1.+0.j]])
""")  # fmt: skip
_rfft = Fourier("rfft", work.r2c, work.r2cn, True, one="""
The first n/2+1 entries of the discrete Fourier transform of real numbers.

>>> imago.fft.rfft([1.0, 1.0, 1.0, 1.0])
array([4.+0.j, 0.+0.j, 0.+0.j])
""", many="""
The discrete Fourier transform of real numbers along {axes} axes.

The result has the first n/2+1 entries along the last of the axes.

>>> imago.fft.rfft{n}([[1.0, 1.0], [1.0, 1.0]])
array([[4.+0.j, 0.+0.j],
       [0.+0.j, 0.+0.j]])
""")  # fmt: skip
_irfft = Fourier("irfft", work.c2r, work.c2rn, False, one="""
The inverse of `rfft`: n real numbers (default: 2 (m - 1), for m entries of `x`).

>>> imago.fft.irfft([4.0, 0.0, 0.0])
array([1., 1., 1., 1.])
""", many="""
The inverse of `rfft{n}`: real numbers, from n/2+1 entries along the last of the axes.

>>> imago.fft.irfft{n}([[4.0, 0.0], [0.0, 0.0]])
array([[1., 1.],
       [1., 1.]])
""")  # fmt: skip
_hfft = Fourier("hfft", work.c2r, work.c2rn, True, one="""
The real spectrum of a signal with Hermitian symmetry, from half of the signal.

The result has n real numbers (default: 2 (m - 1), for m entries of `x`).

>>> imago.fft.hfft([1.0, 0.0, 0.0])
array([1., 1., 1., 1.])
""", many="""
The real spectrum of a signal with Hermitian symmetry, along {axes} axes.

`x` has n/2+1 entries along the last of the axes.

>>> imago.fft.hfft{n}([[1.0, 0.0], [0.0, 0.0]])
array([[1., 1.],
       [1., 1.]])
""")  # fmt: skip
_ihfft = Fourier("ihfft", work.r2c, work.r2cn, False, one="""
The inverse of `hfft`: the first n/2+1 entries of a signal whose spectrum is real.

>>> imago.fft.ihfft([4.0, 0.0, 0.0, 0.0]).real
array([1., 1., 1.])
""", many="""
The inverse of `hfft{n}`: the first n/2+1 entries along the last of the axes.

>>> imago.fft.ihfft{n}([[4.0, 0.0], [0.0, 0.0]]).real
array([[1., 1.],
       [1., 1.]])
""")  # fmt: skip
_dct, _idct = Cosine("dct", work.DCT, True), Cosine("idct", work.DCT, False)
_dst, _idst = Cosine("dst", work.DST, True), Cosine("idst", work.DST, False)

FOURIER = (_fft, _ifft, _rfft, _irfft, _hfft, _ihfft)
COSINES = (_dct, _idct, _dst, _idst)

fft, fft2, fftn = _fft.one, _fft.two, _fft.many
ifft, ifft2, ifftn = _ifft.one, _ifft.two, _ifft.many
rfft, rfft2, rfftn = _rfft.one, _rfft.two, _rfft.many
irfft, irfft2, irfftn = _irfft.one, _irfft.two, _irfft.many
hfft, hfft2, hfftn = _hfft.one, _hfft.two, _hfft.many
ihfft, ihfft2, ihfftn = _ihfft.one, _ihfft.two, _ihfft.many
dct, dctn = _dct.one, _dct.many_dct
idct, idctn = _idct.one, _idct.many
dst, dstn = _dst.one, _dst.many
idst, idstn = _idst.one, _idst.many
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: value for name, value in globals().items() if hasattr(value, "__wrapped__")
}
"""The functions by their names."""
