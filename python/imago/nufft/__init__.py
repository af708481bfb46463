"""finufft's functions and plans for nonuniform Fourier transforms, computed on the device.

Type 1 sums strengths at points anywhere into the modes of a grid of frequencies. Type 2 evaluates
modes at such points. Type 3 sums strengths at points into any frequencies. Names, arguments and
their order are finufft's, so that most programs only change the import. docs/nufft.md lists the
differences.

- Arrays are NumPy's, or `pyopencl.array.Array`, or those of CuPy, PyTorch and JAX in CUDA's memory,
  in C order. Results are arrays of the same kind.
- Modes are complex64 or complex128, which is also the precision of the computation. Axis 0 belongs
  to the coordinate x.
- Coordinates of types 1 and 2 are radians with the period 2 pi, float32 or float64, in either
  precision; any finite number is allowed. Or they are fractions of a period: uint32 or int32
  arrays, in which 2^32 is the period, and uint64 or int64 arrays, in which it is 2^64. Those of
  type 3 are float32 or float64, without a period.
- With `real=True`, strengths of types 1 and 3 and values of type 2 are float32 or float64, and type
  2 computes the real part of its sum.
- A tolerance `eps` that the precision cannot reach becomes the smallest that it can reach, with a
  `RuntimeWarning`. The default is 1e-6, or that smallest one without a warning.

The first calls of a transform run on generic kernels. The last bits of results can change when its
own kernels follow, as for `imago.fft` (docs/questions.md, Reproducible results).

In addition to finufft's arguments, calls accept

- `queue`: for arrays on the device, the queue. Default: the queue of the coordinates;
- `wait_for`: for arrays on the device, events to wait for in addition to those of the arrays.

>>> import numpy as np, imago.nufft
>>> x = np.array([0.0, np.pi / 2])                # two points
>>> c = np.array([1.0 + 0j, 2.0])                 # their strengths
>>> modes = imago.nufft.nufft1d1(x, c, 4)         # frequencies -2 ... 1
>>> modes.round(4) + 0.0
array([-1.+0.j,  1.-2.j,  3.+0.j,  1.+2.j])
"""

from ._arrays import ArgumentError
from ._functions import (
    nufft1d1,
    nufft1d2,
    nufft1d3,
    nufft2d1,
    nufft2d2,
    nufft2d3,
    nufft3d1,
    nufft3d2,
    nufft3d3,
)
from ._operators import NormalOperator, density_compensation
from ._plan import Estimate, Plan, Step

__all__ = [
    "ArgumentError",
    "Estimate",
    "NormalOperator",
    "Plan",
    "Step",
    "density_compensation",
    "nufft1d1",
    "nufft1d2",
    "nufft1d3",
    "nufft2d1",
    "nufft2d2",
    "nufft2d3",
    "nufft3d1",
    "nufft3d2",
    "nufft3d3",
]


def __dir__() -> list[str]:
    return [*__all__]
