"""Lomb-Scargle periodograms of samples at any times, by nonuniform transforms."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..nufft import nufft1d1, nufft1d3

_TOLERANCE = 1e-12
_LEAST = 1e-11
"""Squares of sines or cosines whose mean is less are zero up to rounding."""

_Reals = NDArray[np.float64]


def _sums(t: _Reals, strengths: Any, omega: _Reals) -> Any:
    """Returns the sums of the strengths times exp(i omega t), a row for each row of strengths."""
    steps = len(omega) - 1
    step = (omega[-1] - omega[0]) / max(steps, 1)
    away = np.abs(omega - (omega[0] + step * np.arange(steps + 1))).max()
    rounding = 4 * np.finfo(np.float64).eps * np.abs(omega).max()
    if away > max(rounding, _TOLERANCE / max(np.abs(t).max(), 1e-300)):
        return nufft1d3(t, strengths.astype(complex), omega, eps=_TOLERANCE)
    middle = omega[0] + (len(omega) // 2) * step
    return nufft1d1(step * t, strengths * np.exp(1j * middle * t), len(omega), eps=_TOLERANCE)


class _Fit:
    """Sums of a fit of one sinusoid at each frequency, whose phase makes its parts orthogonal.

    The names are those of M. Zechmeister and M. Kuerster, "The generalised Lomb-Scargle
    periodogram", Astronomy and Astrophysics 496, 2009.
    """

    def __init__(self, t: _Reals, y: _Reals, weights: _Reals, omega: _Reals, mean: bool) -> None:
        rows = np.array([weights * y, weights])
        of_y, first = _sums(t, rows, omega)
        second = _sums(2 * t, rows[1:], omega)[0]
        cosine, sine = (1 + second.real) / 2, (1 - second.real) / 2
        product = second.imag / 2
        if mean:
            cosine = cosine - first.real**2
            sine = sine - first.imag**2
            product = product - first.real * first.imag
        self.tau = 0.5 * np.arctan2(2 * product, cosine - sine)
        turn = np.exp(-1j * self.tau)
        of_y, first = of_y * turn, first * turn
        twice = (second * turn**2).real
        self.cc, self.ss = (1 + twice) / 2, (1 - twice) / 2
        self.yc, self.ys = of_y.real, of_y.imag
        if mean:
            level = np.dot(weights, y)
            self.yc, self.ys = self.yc - level * first.real, self.ys - level * first.imag
            self.cc, self.ss = self.cc - first.real**2, self.ss - first.imag**2
        self.a = np.divide(self.yc, self.cc, out=np.zeros_like(self.yc), where=self.cc > _LEAST)
        self.b = np.divide(self.ys, self.ss, out=np.zeros_like(self.ys), where=self.ss > _LEAST)
        self.power = self.a * self.yc + self.b * self.ys


def _vectors(**given: Any) -> list[_Reals]:
    arrays = [np.asarray(x, np.float64) for x in given.values()]
    if any(x.ndim != 1 or x.size == 0 or x.shape != arrays[0].shape for x in arrays):
        shapes = ", ".join(f"{name} {x.shape}" for name, x in zip(given, arrays))
        raise ValueError(f"{shapes}: these must be 1-D arrays of equal non-zero length!")
    return arrays


def lombscargle(
    x: ArrayLike,
    y: ArrayLike,
    freqs: ArrayLike,
    *,
    precenter: bool | None = None,
    normalize: bool | Literal["power", "normalize", "amplitude"] = False,
    weights: ArrayLike | None = None,
    floating_mean: bool = False,
) -> NDArray[Any]:
    """Returns the Lomb-Scargle periodogram of the samples y at the times x, as in scipy.signal.

    - `freqs`: angular frequencies. Equal steps take the least time;
    - `normalize`: False or "power" (squares of amplitudes times len(x) / 4), True or "normalize"
      (0 to 1), or "amplitude" (complex amplitudes of the sinusoids);
    - `weights`: a weight for each sample; default: equal weights;
    - `floating_mean`: True fits a constant at each frequency, too.

    Nonuniform transforms compute the sums, with a tolerance of 1e-12: a time of n log n instead of
    n times the number of frequencies. At frequencies where all samples of the sine or the cosine
    are zero, this part is left out.

    Raises ValueError for arrays of other shapes, negative weights and an unknown normalization.

    >>> import numpy as np, imago.signal
    >>> times = np.random.default_rng(1).uniform(0, 100, 500)
    >>> omega = np.linspace(0.01, 3, 3000)
    >>> power = imago.signal.lombscargle(times, np.cos(1.7 * times), omega, normalize=True)
    >>> round(float(omega[power.argmax()]), 2), round(float(power.max()), 2)
    (1.7, 1.0)
    """
    times, values, w = _vectors(x=x, y=y, weights=np.ones(np.shape(y)) if weights is None else weights)
    omega = np.asarray(freqs, np.float64)
    if omega.ndim != 1 or omega.size == 0:
        raise ValueError("Parameter freqs must be a 1-D array of non-zero length!")
    if not (np.all(w >= 0) and w.sum() > 0):
        raise ValueError("weights must be non-negative entries which sum to a positive value")
    kind = normalize
    if isinstance(normalize, bool):
        kind = "normalize" if normalize else "power"
    if kind not in ("power", "normalize", "amplitude"):
        raise ValueError(
            f"normalize is {normalize!r}; it must be False or 'power', True or 'normalize', or "
            "'amplitude'"
        )
    w = w / w.sum()
    if precenter is not None:
        warnings.warn(
            "precenter is deprecated, as in SciPy 1.17: leave 'precenter' unspecified, and pass y - "
            "y.mean() instead of True.",
            DeprecationWarning,
            stacklevel=2,
        )
        values = values - values.mean() if precenter else values
    fit = _Fit(times, values, w, omega, floating_mean)
    if kind == "amplitude":
        return np.squeeze((fit.a + 1j * fit.b) * np.exp(1j * fit.tau))
    if kind == "power":
        return np.squeeze(fit.power * (len(times) / 2))
    level = np.dot(w, values) if floating_mean else 0.0
    return np.squeeze(fit.power / (np.dot(w, values**2) - level**2))


Normalization = Literal["standard", "model", "log", "psd"]


def _without_unit(name: str, array: Any) -> None:
    """Raises TypeError for a quantity of astropy, whose unit would be lost."""
    if hasattr(array, "unit"):
        raise TypeError(
            f"{name} has the unit {array.unit}; it must be numbers without a unit: give "
            f"{name}.to_value(unit)"
        )


class LombScargle:
    """The Lomb-Scargle periodogram of samples at any times, as astropy.timeseries.LombScargle.

    - `t`, `y`: times and samples; `dy`: the error of each sample, or one for all;
    - `fit_mean`: True fits a constant at each frequency, too;
    - `center_data`: True subtracts the weighted mean before;
    - `nterms`: 1, a sinusoid. Others are not supported;
    - `normalization`: "standard" (0 to 1), "model", "log" or "psd".

    Arrays have no units. Its methods are `autofrequency`, `autopower` and `power`. Nonuniform
    transforms compute them with a tolerance of 1e-12; astropy's class has more methods.

    Raises ValueError for arrays of other shapes and an unknown normalization, TypeError for arrays
    with units, and NotImplementedError for another `nterms`.

    >>> import numpy as np, imago.signal
    >>> t = np.random.default_rng(1).uniform(0, 100, 500)
    >>> frequency, power = imago.signal.LombScargle(t, np.sin(2 * np.pi * 0.3 * t)).autopower()
    >>> round(float(frequency[power.argmax()]), 3)
    0.3
    """

    def __init__(
        self, t: ArrayLike, y: ArrayLike, dy: ArrayLike | None = None, fit_mean: bool = True,
        center_data: bool = True, nterms: int = 1, normalization: Normalization = "standard",
    ) -> None:  # fmt: skip
        if nterms != 1:
            raise NotImplementedError(f"nterms is {nterms}; only 1 is supported. Use astropy's class.")
        for name, array in (("t", t), ("y", y), ("dy", dy)):
            _without_unit(name, array)
        given = np.broadcast_arrays(*map(np.asarray, (t, y) if dy is None else (t, y, dy)))
        self.t, self.y, *errors = _vectors(**dict(zip(("t", "y", "dy"), given)))
        self.dy = errors[0] if errors else None
        self.fit_mean, self.center_data, self.nterms = fit_mean, center_data, nterms
        self.normalization = self._checked(normalization)

    @staticmethod
    def _checked(normalization: Normalization) -> Normalization:
        if normalization not in ("standard", "model", "log", "psd"):
            raise ValueError(
                f"normalization is {normalization!r}; it must be 'standard', 'model', 'log' or 'psd'"
            )
        return normalization

    def __repr__(self) -> str:
        return (
            f"<LombScargle: {len(self.t)} samples, fit_mean={self.fit_mean}, "
            f"center_data={self.center_data}, normalization={self.normalization!r}>"
        )

    def autofrequency(
        self, samples_per_peak: float = 5, nyquist_factor: float = 5,
        minimum_frequency: float | None = None, maximum_frequency: float | None = None,
        return_freq_limits: bool = False,
    ) -> Any:  # fmt: skip
        """Returns frequencies in equal steps: `samples_per_peak` of them for the width of a peak.

        They end at `nyquist_factor` times the average Nyquist frequency. With `return_freq_limits`
        it returns only the first and the last of them.
        """
        baseline = self.t.max() - self.t.min()
        step = 1 / baseline / samples_per_peak
        first = 0.5 * step if minimum_frequency is None else minimum_frequency
        last = maximum_frequency
        if last is None:
            last = nyquist_factor * 0.5 * len(self.t) / baseline
        count = 1 + int(np.round((last - first) / step))
        if return_freq_limits:
            return first, first + step * (count - 1)
        return first + step * np.arange(count)

    def autopower(
        self, method: str = "auto", method_kwds: None = None,
        normalization: Normalization | None = None, samples_per_peak: float = 5,
        nyquist_factor: float = 5, minimum_frequency: float | None = None,
        maximum_frequency: float | None = None,
    ) -> tuple[_Reals, _Reals]:  # fmt: skip
        """Returns the frequencies of `autofrequency` and the power at them. Raises as `power`."""
        frequency = self.autofrequency(
            samples_per_peak, nyquist_factor, minimum_frequency, maximum_frequency
        )
        return frequency, self.power(frequency, normalization, method, True, method_kwds)

    def power(
        self, frequency: ArrayLike, normalization: Normalization | None = None, method: str = "auto",
        assume_regular_frequency: bool = False, method_kwds: None = None,
    ) -> _Reals:  # fmt: skip
        """Returns the power at frequencies, which are in cycles per unit of time.

        `normalization`: instead of the object's. `method` is "auto" or "fast", which are the same
        here, and `assume_regular_frequency` has no effect.

        Raises ValueError for another method or normalization.
        """
        if method not in ("auto", "fast") or method_kwds:
            raise ValueError(f"method is {method!r}; it must be 'auto' or 'fast', without method_kwds")
        _without_unit("frequency", frequency)
        normalization = self._checked(normalization or self.normalization)
        inverse = np.ones(len(self.t)) if self.dy is None else self.dy**-2.0
        weights = inverse / inverse.sum()
        centred = self.center_data or self.fit_mean
        y = self.y - np.dot(weights, self.y) if centred else self.y
        given = np.asarray(frequency, np.float64)
        if given.size == 0:
            return np.zeros(given.shape)
        power = _Fit(self.t, y, weights, 2 * np.pi * given.ravel(), self.fit_mean).power
        whole = np.dot(weights, y**2)
        if normalization == "standard":
            power = power / whole
        elif normalization == "model":
            power = power / (whole - power)
        elif normalization == "log":
            power = -np.log(1 - power / whole)
        else:
            power = power * (0.5 * inverse.sum())
        return power.reshape(given.shape)
