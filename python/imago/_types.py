"""The types of arrays in signatures. A result is an array of the input's kind: on the host, NumPy's.

The decorators return their functions; they only tell type checkers the kinds of results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


class DeviceArray(Protocol):
    """An array on a device, of pyopencl, CuPy, PyTorch or JAX."""

    @property
    def shape(self) -> Any: ...

    @property
    def dtype(self) -> Any: ...

    def __getitem__(self, key: Any, /) -> Any: ...


OnDevice = TypeVar("OnDevice", bound=DeviceArray)
P = ParamSpec("P")
Host = np.ndarray[tuple[Any, ...], Any]
"""An array on the host. Pyright does not know members such as `real` of an NDArray[Any]."""
OnHost = TypeVar("OnHost", bound=Host)
Axis = NDArray[np.float64]
"""Frequencies or times."""


class OfArray(Protocol[P, OnHost]):
    """A function or bound method from an array to an array."""

    @overload
    def __call__(self, x: NDArray[Any], /, *args: P.args, **kwargs: P.kwargs) -> OnHost: ...
    @overload
    def __call__(self, x: OnDevice, /, *args: P.args, **kwargs: P.kwargs) -> OnDevice: ...
    @overload
    def __call__(self, x: ArrayLike, /, *args: P.args, **kwargs: P.kwargs) -> OnHost: ...
    @overload
    def __call__(self, *, x: ArrayLike, **kwargs: Any) -> OnHost: ...
    @overload
    def __call__(self, *, a: ArrayLike, **kwargs: Any) -> OnHost: ...


class WithAxis(Protocol[P]):
    """A function from an array to frequencies, or times, and an array."""

    @overload
    def __call__(
        self, x: NDArray[Any], /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, Host]: ...
    @overload
    def __call__(
        self, x: OnDevice, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, OnDevice]: ...
    @overload
    def __call__(
        self, x: ArrayLike, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, Host]: ...


class WithAxes(Protocol[P]):
    """A function from an array to frequencies, times and an array."""

    @overload
    def __call__(
        self, x: NDArray[Any], /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, Axis, Host]: ...
    @overload
    def __call__(
        self, x: OnDevice, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, Axis, OnDevice]: ...
    @overload
    def __call__(
        self, x: ArrayLike, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Axis, Axis, Host]: ...


class Method(Protocol[P]):
    """A method from an array to an array."""

    def __get__(self, instance: Any, owner: Any = None, /) -> OfArray[P, Host]: ...


def array_function(function: Callable[Concatenate[Any, P], Any]) -> OfArray[P, Host]:
    return cast(OfArray[P, Host], function)


def with_axis(function: Callable[Concatenate[Any, P], Any]) -> WithAxis[P]:
    return cast(WithAxis[P], function)


def with_axes(function: Callable[Concatenate[Any, P], Any]) -> WithAxes[P]:
    return cast(WithAxes[P], function)


def array_method(method: Callable[Concatenate[Any, Any, P], Any]) -> Method[P]:
    return cast(Method[P], method)
