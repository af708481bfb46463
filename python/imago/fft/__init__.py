"""The functions of scipy.fft, computed on an OpenCL device.

Signatures and meaning are SciPy's. Arguments are NumPy arrays with any strides, or objects that
`numpy.asarray` converts. Results are new arrays. float32, float64, complex64 and complex128 are
computed in their own precision, float16 in float32, all other types in float64. Functions of the
processor compute small arrays, without a device. SciPy computes long doubles, and also large float64
arrays if the device has no double precision; `IMAGO_FALLBACK=0` in the environment forbids that.
`statistics()` returns how many calls imago and SciPy computed, `explain()` how a call is
computed.

>>> import numpy as np, imago.fft
>>> imago.fft.rfft(np.array([1, 2, 3, 4], np.float32)).dtype
dtype('complex64')
"""

from scipy.fft import (
    fhtoffset,
    get_workers,
    next_fast_len,
    register_backend,
    set_backend,
    set_global_backend,
    set_workers,
    skip_backend,
)

from ._backend import __ua_domain__, __ua_function__
from ._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from ._functions import (
    dct, dctn, dst, dstn, fft, fft2, fftn, hfft, hfft2, hfftn, idct, idctn, idst, idstn, ifft, ifft2,
    ifftn, ihfft, ihfft2, ihfftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn,
)  # fmt: skip
from ._hankel import fht, ifht
from ._served import explain, limit_plans, statistics

try:
    from scipy.fft import prev_fast_len
except ImportError:  # SciPy before 1.14

    def prev_fast_len(target: int, real: bool = False) -> int:
        """The largest length from 1 to `target` that `next_fast_len` returns unchanged."""
        if target < 1:
            raise ValueError(f"target is {target}; it must be at least 1")
        return next(n for n in range(target, 0, -1) if next_fast_len(n, real) == n)


__all__ = [
    "dct", "dctn", "dst", "dstn", "explain", "fft", "fft2", "fftfreq", "fftn", "fftshift",
    "fht", "fhtoffset", "get_workers", "hfft", "hfft2", "hfftn", "idct", "idctn", "idst",
    "idstn", "ifft", "ifft2", "ifftn", "ifftshift", "ifht", "ihfft", "ihfft2", "ihfftn",
    "irfft", "irfft2", "irfftn", "limit_plans", "next_fast_len", "prev_fast_len",
    "register_backend", "rfft", "rfft2", "rfftfreq", "rfftn", "set_backend",
    "set_global_backend", "set_workers", "skip_backend", "statistics",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__]
