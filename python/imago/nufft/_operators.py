"""Operators of iterative reconstructions: weights of sampling patterns, and A^H W A."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _convolution, _queues
from .._types import Host, array_method
from . import _arrays, _plan


def _points(points: Any) -> tuple[list[NDArray[Any]], np.dtype[Any]]:
    """Returns the coordinates, in one precision, and the type of modes in it."""
    if any(_queues.device_array(x) is not None for x in points):
        raise TypeError("points are on a device, and these operators prepare on the host. Copy them.")
    given = [np.asarray(x) for x in points]
    single = all(x.dtype == np.float32 for x in given)
    return [x.astype("f4" if single else "f8") for x in given], np.dtype("c8" if single else "c16")


def density_compensation(
    points: Sequence[ArrayLike], n_modes: Sequence[int], *, iterations: int = 20,
    eps: float | None = None,
) -> Host:  # fmt: skip
    """Returns a weight for each point, which compensates the density of the points.

    With these weights, the adjoint (type 1) of the values of an image (type 2) is near the image.

    - `points`: a sequence of coordinate arrays in radians, one for each axis, on the host;
    - `n_modes`: the numbers of modes of the image;
    - `iterations`: each divides the weights by their sums around each point;
    - `eps`: the tolerance. Default: 1e-4.

    The method is that of J. G. Pipe and P. Menon, "Sampling density compensation in MRI", Magnetic
    Resonance in Medicine 41, 1999. The sums have the kernel whose modes fall linearly from 1 to 0
    at `n_modes`: it is not negative, and its extent is that of the image.

    Raises ArgumentError for wrong shapes and values.

    >>> import numpy as np, imago.nufft
    >>> x = np.concatenate([np.linspace(-3, 0, 40), np.linspace(0.1, 3, 10)])   # denser below 0
    >>> w = imago.nufft.density_compensation([x], [16])
    >>> bool(w[20] < w[45])
    True
    """
    coordinates, dtype = _points(points)
    modes = _plan.modes_of(n_modes, "n_modes")
    if len(modes) != len(coordinates):
        raise _arrays.ArgumentError(f"n_modes is {n_modes!r}; it must have {len(coordinates)} elements")
    if iterations < 1:
        raise _arrays.ArgumentError(f"iterations is {iterations}; it must be at least 1")
    plan = _plan.Plan(
        1, tuple(2 * n for n in modes), eps=1e-4 if eps is None else eps, dtype=dtype, real=True,
        points=coordinates[0].size,
    )  # fmt: skip
    plan.setpts(*coordinates)
    fall = [1 - np.abs(np.arange(-n, n)) / n for n in modes]
    taper = math.prod(np.ix_(*fall)).astype(dtype)
    weights = np.full(coordinates[0].size, 1 / coordinates[0].size, np.zeros(0, dtype).real.dtype)
    least = np.finfo(weights.dtype).tiny
    for _ in range(iterations):
        sums = plan.execute_adjoint(taper * plan.execute(weights))
        weights /= np.maximum(np.abs(sums), least)
    return weights


class NormalOperator:
    """The operator A^H W A of images, where A is type 2 at points, without the points.

    It is a convolution, because its matrix is a Toeplitz matrix: element (k, l) depends on k - l. So
    a call takes a convolution instead of two nonuniform transforms, as iterations of conjugate
    gradients need it.

    - `points`: a sequence of coordinate arrays in radians, one for each axis, on the host;
    - `n_modes`: the shape of the images, frequencies in increasing order (`modeord=0`);
    - `weights`: W, a number for each point. Default: 1;
    - `isign`: the sign of the exponent of A;
    - `batch`: number of images in a call; they are along the first axis;
    - `eps`: the tolerance. Default: as for `Plan`.

    float32 points give an operator in single precision, others in double precision. Calls accept
    arrays on the host and in CUDA's memory; several threads may call it at once.

    Raises ArgumentError for wrong shapes and values.

    >>> import numpy as np, imago.nufft
    >>> x, image = np.array([0.0, 0.5, 2.0]), np.arange(4) + 0j
    >>> normal = imago.nufft.NormalOperator([x], [4], eps=1e-9)
    >>> two = imago.nufft.nufft1d1(x, imago.nufft.nufft1d2(x, image, eps=1e-9), 4, eps=1e-9)
    >>> bool(np.allclose(normal(image), two))
    True
    """

    def __init__(
        self, points: Sequence[ArrayLike], n_modes: Sequence[int], weights: ArrayLike | None = None,
        *, isign: int = -1, batch: int = 1, eps: float | None = None,
    ) -> None:  # fmt: skip
        coordinates, dtype = _points(points)
        self._modes = _plan.modes_of(n_modes, "n_modes")
        if len(self._modes) != len(coordinates):
            raise _arrays.ArgumentError(
                f"n_modes is {n_modes!r}; it must have {len(coordinates)} elements"
            )
        strengths = np.ones(coordinates[0].size) if weights is None else np.asarray(weights)
        if strengths.shape != coordinates[0].shape:
            raise _arrays.ArgumentError(
                f"weights has shape {strengths.shape}; it must be {coordinates[0].shape}, a number "
                "for each point"
            )
        self._points, self._batch = coordinates[0].size, batch
        differences = tuple(2 * n - 1 for n in self._modes)
        plan = _plan.Plan(
            1, differences, eps=eps, isign=1 if isign < 0 else -1, dtype=dtype, points=self._points
        )
        plan.setpts(*coordinates)
        kernel = plan.execute(strengths.astype(dtype))
        self._convolution = _convolution.Convolution(kernel, self._modes, extent="same", batch=batch)

    def __repr__(self) -> str:
        return (
            f"<NormalOperator: {self._points} points, n_modes {self._modes}, batch {self._batch}>"
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a call's images."""
        return self._convolution.shape

    @array_method
    def __call__(self, images: Any, out: Any = None) -> Any:
        """Returns A^H W A of the images. Raises ValueError for another shape of images or `out`."""
        return self._convolution(images, out)
