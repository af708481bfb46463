"""Helpers of the tests: SciPy's own code as the reference, and the bounds of the errors."""

import numpy as np

from imago.fft._scipy import own_code as reference

__all__ = ["assert_close", "random_array", "reference"]

ROUNDING = {np.dtype(np.float32): 6e-8, np.dtype(np.float64): 1.1e-16}
ROUNDING[np.dtype(np.longdouble)] = 1e-19


def random_array(shape, dtype, seed=0):
    """Returns random numbers between -1 and 1; for integer types between -99 and 99."""
    generator = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return generator.integers(0 if dtype.kind == "u" else -99, 99, shape).astype(dtype)
    values = generator.uniform(-1, 1, shape)
    if dtype.kind == "c":
        values = values + 1j * generator.uniform(-1, 1, shape)
    return np.asarray(values).astype(dtype)


def assert_close(result, expected, rounding=None):
    """Asserts equal shape and type, and a relative error (L2) of a few roundings."""
    assert isinstance(result, np.ndarray)
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    real = np.zeros(0, expected.dtype).real.dtype
    error = np.linalg.norm(np.ravel(result - expected))
    bound = 20 * (rounding or ROUNDING[real]) * np.linalg.norm(np.ravel(expected))
    assert error <= bound, f"error {error}, bound {bound}"
