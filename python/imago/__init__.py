"""Fourier, cosine and sine transforms on any OpenCL device.

`imago.fft` has the functions of `scipy.fft`. The module is also a backend of `scipy.fft`, so that
code written for SciPy runs on the device:

>>> import numpy as np, scipy.fft, imago
>>> with scipy.fft.set_backend(imago):
...     spectrum = scipy.fft.rfft(np.ones(4))
>>> spectrum
array([4.+0.j, 0.+0.j, 0.+0.j])

The environment variable `IMAGO_DEVICE` selects the device: an index or a part of a name. Without
it imago uses the first GPU, accelerator or CPU. `imago.devices()` lists the devices,
`imago.set_device()` selects another one.
"""

import atexit as _atexit
import functools as _functools
import importlib as _importlib
from importlib.util import find_spec as _find_spec
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import _loader

_loader.prepare()

from . import _core, _cuda_arrays, exact, fft, hooks, nufft, signal  # noqa: E402
from ._convolution import Convolution  # noqa: E402
from ._core import Error  # noqa: E402
from ._devices import Device, FallbackWarning, device, devices, release_memory, set_device  # noqa: E402
from ._filter import Filter  # noqa: E402
from ._plan import Plan  # noqa: E402
from ._planned import Layout  # noqa: E402
from ._prewarm import prewarm  # noqa: E402
from ._progress import set_progress  # noqa: E402
from ._ragged import Ragged, RowLayout  # noqa: E402
from ._sparse import SparseSpectrum, sparse_fft  # noqa: E402
from ._tune import TunedTransform, Tuning, tune  # noqa: E402
from .fft._backend import __ua_domain__, __ua_function__  # noqa: E402

if _TYPE_CHECKING:
    from . import cuda, mpi, numpy_fft, opencl, torch  # __getattr__ imports them

__version__ = "0.1.0"


@_functools.lru_cache(maxsize=None)
def _compute_on_cuda():
    from . import cuda  # programs without such arrays never import it

    return cuda.compute


def _on_cuda(x):
    """Returns the function for an array in CUDA's memory; None for other arrays of its library."""
    return _compute_on_cuda() if _cuda_arrays.library_of(x) else None


fft._served.elsewhere.update(dict.fromkeys(_cuda_arrays.NAMES, _on_cuda))

_atexit.register(_core.end_work)  # ends compilations that Ctrl-C left running

__all__ = [
    "Convolution",
    "Device",
    "Error",
    "FallbackWarning",
    "Filter",
    "Layout",
    "Plan",
    "Ragged",
    "RowLayout",
    "SparseSpectrum",
    "TunedTransform",
    "Tuning",
    "device",
    "devices",
    "exact",
    "fft",
    "hooks",
    "nufft",
    "prewarm",
    "release_memory",
    "set_device",
    "set_progress",
    "signal",
    "sparse_fft",
    "tune",
]

_LATER = {"cuda": "numpy", "mpi": "mpi4py", "numpy_fft": "numpy", "opencl": "pyopencl", "torch": "torch"}
"""Modules that are imported at their first use, and the packages that they need."""


def __getattr__(name: str) -> _ModuleType:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return _importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as missing:
        raise AttributeError(f"imago.{name} needs {missing.name}: pip install {missing.name}") from None


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name, needed in _LATER.items() if _find_spec(needed))])
