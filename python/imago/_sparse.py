"""imago.sparse_fft: finds the few large coefficients of a spectrum and checks them."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _words
from ._devices import Unserved, sessions
from .fft._arguments import float_array


@dataclasses.dataclass(frozen=True)
class SparseSpectrum:
    """The result of `sparse_fft`.

    `indices` ascend. `values` are the coefficients X[f] without normalisation, as in `fft`.
    `verdict` is one of:

    - "verified": every sample of the signal was read. The relative residual is `residual`, every
      |X[f]| above `floor` is listed, and the error of a listed value is at most `floor`;
    - "consistent": `checked` new random samples agree with the sum of the coefficients. `residual`
      is the relative root mean square of the differences, `difference` the largest one. A fraction
      `unseen` of the samples may differ by more;
    - "noise_floor": nothing new was found, and the rest looks like noise of size `residual`;
    - "unverified": none of these; the coefficients that were found are listed.

    `used` is the method. `samples` is the number of samples that all `attempts` read, and `seed`
    the seed of their randomness. `length` and `real` describe x. `tones` are the sinusoids that the
    coefficients represent, also between bins.
    """

    indices: NDArray[np.uint64]
    values: NDArray[np.complex128]
    verdict: _words.Verdict
    residual: float
    floor: float
    checked: int
    difference: float
    unseen: float
    seed: int
    used: _words.Method
    samples: int
    attempts: int
    length: int
    real: bool

    @functools.cached_property
    def tones(self) -> NDArray[np.void]:
        """The sinusoids that the coefficients represent, strongest first.

        A sinusoid between two bins has coefficients in many bins, and is one tone here. Fields:
        "frequency" in bins, interpolated; "amplitude" of exp(2 pi i frequency t / n) in the signal
        (for real x half the amplitude of the sinusoid); "bins", the number of coefficients that
        belong mostly to this tone.
        """
        return np.frombuffer(
            _core.sparse_tones(
                self.indices.tobytes(), self.values.tobytes(), self.floor, self.length, self.real
            ),
            _TONE,
        )

    @property
    def sure(self) -> bool:
        """True unless the verdict is "unverified"."""
        return self.verdict != "unverified"


_TONE = np.dtype([("frequency", np.float64), ("amplitude", np.complex128), ("bins", np.uint64)])


@functools.lru_cache(maxsize=8)
def _plan(session: _core.Session, fields: tuple[tuple[str, object], ...]) -> _core.SparsePlan:
    return _core.SparsePlan(session, dict(fields))


def sparse_fft(
    x: ArrayLike,
    k: int | None = None,
    *,
    tolerance: float = 0.0,
    noise: float = 0.0,
    seed: int | None = None,
    method: _words.Method = "automatic",
    allow_dense: bool = True,
    assurance: _words.Assurance = "consistent",
) -> SparseSpectrum:
    """Finds the few large coefficients of a signal's Fourier transform from few of its samples.

    - `x`: an array of one dimension; for real numbers the indices are 0 to n/2;
    - `k`: expected number of coefficients; a hint that may be wrong. None: not known;
    - `tolerance`: largest relative residual; 0: 1e-4 for single, 1e-7 for double precision;
    - `noise`: known noise level, relative to the signal (L2 norms); 0: imago estimates it;
    - `seed`: the same seed gives the same result; None: a random seed, which the result contains;
    - `method`: "automatic", "phase", "voting" or "dense";
    - `allow_dense`: True computes the whole transform if the sparse result is "unverified";
    - `assurance`: "consistent", or "verified", which reads the whole signal once.

    Raises ValueError for other shapes and for values out of range, NotImplementedError for a method
    that does not fit the length, and `imago.Error` if OpenCL fails. A signal that is not sparse is
    not an error: see `verdict`.

    >>> import numpy as np, imago
    >>> n = 1 << 16
    >>> t = np.arange(n)
    >>> x = np.exp(2j * np.pi * 1234 * t / n) + 0.5 * np.exp(2j * np.pi * 60000 * t / n)
    >>> found = imago.sparse_fft(x, 2, method="phase", seed=1)
    >>> found.indices, (abs(found.values) / n).round(6), found.sure
    (array([ 1234, 60000], dtype=uint64), array([1. , 0.5]), True)
    >>> found.tones["frequency"]
    array([ 1234., 60000.])
    """
    try:
        x = float_array(x)
        if x.ndim != 1:
            raise ValueError(f"x has {x.ndim} dimensions; it must have 1. Give one row per call.")
        if x.size == 0:
            raise ValueError("x is empty; it must have at least 1 element")
        double = x.real.dtype == np.float64
        session = sessions.get(bool(double))
    except Unserved as reason:
        raise NotImplementedError(f"sparse_fft: {reason}") from None
    fields = (
        ("length", x.size),
        ("k", 0 if k is None else k),
        ("real", x.dtype.kind == "f"),
        ("doubles", bool(double)),
        ("method", _words.number("method", method, _words.METHODS)),
        ("allow_dense", allow_dense),
        ("tolerance", float(tolerance)),
        ("noise", float(noise)),
        ("assurance", _words.number("assurance", assurance, _words.ASSURANCES)),
    )
    found = _plan(session, fields).run(np.ascontiguousarray(x), seed)
    found["indices"] = np.frombuffer(found["indices"], np.uint64)
    found["values"] = np.frombuffer(found["values"], np.complex128)
    found["verdict"] = _words.VERDICTS[found["verdict"]]
    found["used"] = _words.METHODS[found["used"]]
    return SparseSpectrum(**found, length=x.size, real=x.dtype.kind == "f")
