"""Computes transforms of NumPy arrays on the device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._devices import Unserved, sessions
from . import _small
from ._arguments import check_numpy, float_array
from ._work import IN_PLACE, Arrays, Request, repeated_axes

# Starting at this many elements, a plan that reads the array's strides, or pads, costs less than a
# packed copy. Smaller arrays are always packed, so that their results do not depend on the layout.
_READ_WHERE_IT_LIES = 1 << 16


def _padded(x: NDArray[Any], extents: Sequence[int]) -> NDArray[Any]:
    """Returns x padded with zeros to the extents, or cropped where it is longer."""
    padded = np.zeros(extents, x.dtype)
    inside = tuple(slice(min(n, m)) for n, m in zip(x.shape, extents))
    padded[inside] = x[inside]
    return padded


def _takes(x: NDArray[Any], shape: Sequence[int], dtype: type) -> bool:
    """Returns True if x can hold a result of this shape and type, and is large enough to gain."""
    fits = x.dtype == dtype and list(x.shape) == list(shape) and x.size >= _READ_WHERE_IT_LIES
    return fits and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned


def _readable(x: NDArray[Any], out: NDArray[Any], extents: Sequence[int]) -> NDArray[Any]:
    """Returns the array that kernels read: x if it is large, else a packed copy."""
    if out.size < _READ_WHERE_IT_LIES or x.size == 0:
        if list(x.shape) != list(extents):
            return _padded(x, extents)
        if not x.flags.c_contiguous:
            return x.copy()
    return x


def compute_into(x: NDArray[Any], out: NDArray[Any], request: Request) -> None:
    """Writes the transform of x to `out`, C-contiguous. Raises Unserved if no device can."""
    extents, kinds, lengths, _, _, flags, scale = request
    x = _readable(x, out, extents)
    if _small.computes(x, out, request):
        return
    session = sessions.get(out.dtype.char in "dD")
    if out.size == 0:
        return
    try:
        if not session.transform(x, out, kinds, lengths, flags, scale):
            session.transform(x.copy(), out, kinds, lengths, flags, scale)
    except NotImplementedError as error:
        raise Unserved(str(error)) from error


class _Host:
    """NumPy arrays. With `overwrite` a result may reuse the memory of its input."""

    conjugated_by_hook = 1 << 16
    array = staticmethod(float_array)

    def __init__(self, overwrite: bool) -> None:
        self._overwrite = overwrite

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """Returns a new array, or x. Raises Unserved if no device can compute it."""
        if self._overwrite and _takes(x, request.shape, request.dtype):
            compute_into(x, x, request._replace(flags=request.flags | IN_PLACE))
            return x
        out = np.empty(request.shape, request.dtype)
        compute_into(x, out, request)
        return out

    @staticmethod
    def apart() -> Arrays:
        return _host


class _Into:
    """NumPy arrays. Results are written to `out`, and converted if it has another type."""

    conjugated_by_hook = _Host.conjugated_by_hook
    array = staticmethod(float_array)
    apart = staticmethod(_Host.apart)

    def __init__(self, out: NDArray[Any]) -> None:
        self._out = out

    def compute(self, x: NDArray[Any], request: Request) -> NDArray[Any]:
        """Returns `out`. Raises ValueError for another shape, TypeError for an unsuitable type."""
        out = self._out
        if list(out.shape) != list(request.shape):
            raise ValueError(f"out has shape {out.shape}; the result has {tuple(request.shape)}")
        flags = out.flags
        plain = flags.c_contiguous and flags.writeable and flags.aligned
        if out.dtype == request.dtype and plain and not np.may_share_memory(x, out):
            compute_into(x, out, request)
        else:
            np.copyto(out, _host.compute(x, request), casting="same_kind")
        return out


class _Plans:
    """NumPy arrays that are not transformed: instead of results there are descriptions of plans."""

    conjugated_by_hook = 0
    array = staticmethod(float_array)

    def compute(self, x: NDArray[Any], request: Request) -> str:
        out = np.empty(request.shape, request.dtype)
        extents, kinds, lengths, _, _, flags, scale = request
        x = _readable(x, out, extents)
        if _small.accepts(x, out, request):
            return _small.description()
        session = sessions.get(out.dtype.char in "dD")
        if out.size == 0:
            return "The result is empty.\n"
        try:
            return session.describe(x, out, kinds, lengths, flags, scale)
        except NotImplementedError as error:
            raise Unserved(str(error)) from error

    apart = staticmethod(repeated_axes)


_host, _overwriting, plans = _Host(False), _Host(True), _Plans()


def host(overwrite: bool, out: NDArray[Any] | None = None) -> Arrays:
    """Returns the object that computes transforms of host arrays."""
    if out is None:
        return _overwriting if overwrite else _host
    if out is plans:
        return plans
    check_numpy(out)
    return _Into(out)
