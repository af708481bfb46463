"""imago.sparse_fft: the few large coefficients of a spectrum, and how sure they are."""

from __future__ import annotations

import dataclasses
import functools
import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _words
from ._devices import Unserved, sessions
from .fft._arguments import float_array


@dataclasses.dataclass(frozen=True)
class SparseSpectrum:
    """The answer of `sparse_fft`.

    `indices` ascend, and `values` are X[f], unnormalised, as `fft` gives them. `verdict`:

    - "verified": of the whole signal, every sample of which was read: the relative residual is
      `residual`, every |X[f]| above `floor` is listed, and listed values are off by `floor` at most;
    - "consistent": of the samples that were read; `checked` fresh random samples are the sum of the
      coefficients, to `residual` (relative, root mean square) and `difference` (each, as it is). A
      share of `unseen` of the samples may differ by more;
    - "noise_floor": nothing new was found, and what is left looks like noise of size `residual`;
    - "unverified": none of these; what was found is listed.

    `used` is the method, `samples` how many were read in all `attempts`, `seed` theirs; `length` and
    `real` are x's. `tones` are what the coefficients stand for, also between bins.
    """

    indices: NDArray[np.uint64]
    values: NDArray[np.complex128]
    verdict: str
    residual: float
    floor: float
    checked: int
    difference: float
    unseen: float
    seed: int
    used: str
    samples: int
    attempts: int
    length: int
    real: bool

    @functools.cached_property
    def tones(self) -> NDArray[np.void]:
        """What the coefficients stand for, strongest first.

        A tone between two bins has coefficients in many, and is one tone here. Fields: "frequency" in
        bins, interpolated; "amplitude" of exp(2 pi i frequency t / n) in the signal, of real x half
        a sinusoid's; "bins", coefficients that are mostly this tone's.
        """
        return np.frombuffer(
            _core.sparse_tones(
                self.indices.tobytes(), self.values.tobytes(), self.floor, self.length, self.real
            ),
            _TONE,
        )

    @property
    def sure(self) -> bool:
        """Whether the verdict is another than "unverified"."""
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
    method: str = "automatic",
    allow_dense: bool = True,
    assurance: str = "consistent",
) -> SparseSpectrum:
    """The few large coefficients of the Fourier transform of a signal, from few of its samples.

    - `x`: an array of one dimension; of real numbers the indices are 0 to n/2;
    - `k`: how many coefficients are expected; a hint, which may be wrong. None: not known;
    - `tolerance`: the largest relative residual; 0: 1e-4 of singles, 1e-7 of doubles;
    - `noise`: the noise's share of the signal (L2); 0: it is estimated;
    - `seed`: the same one gives the same answer; None: a random one, which the answer tells;
    - `method`: "automatic", "phase", "voting" or "dense"; `allow_dense`: whether the whole transform
      is computed where the sparse one is not sure;
    - `assurance`: with "verified" the whole signal is read once.

    Raises ValueError for arrays of other shapes and for values out of range, NotImplementedError for
    a method that does not fit the length, and `imago.Error` where OpenCL fails. A signal that is not
    sparse is no error: see the verdict.

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
            raise ValueError(f"x has {x.ndim} dimensions: 1")
        if x.size == 0:
            raise ValueError("x is empty: it must have elements")
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
    try:
        plan = _plan(session, fields)
    except NotImplementedError as error:  # which names C++'s words
        text = re.sub(r"SparseMethod::(\w+)", r"method='\1'", str(error))
        raise NotImplementedError(text) from None
    found = plan.run(np.ascontiguousarray(x), seed)
    found["indices"] = np.frombuffer(found["indices"], np.uint64)
    found["values"] = np.frombuffer(found["values"], np.complex128)
    found["verdict"] = _words.VERDICTS[found["verdict"]]
    found["used"] = _words.METHODS[found["used"]]
    return SparseSpectrum(**found, length=x.size, real=x.dtype.kind == "f")
