"""Runs NumPy's own tests of its FFT on imago: `pytest -p numpy_plugin --pyargs numpy.fft`.

The plugin replaces the functions of `numpy.fft` by those of imago.numpy_fft before it imports the
tests. Shifts and frequencies stay NumPy's. The last lines print how many calls imago computed. With
IMAGO_LEAST_COMPUTED=N in the environment the run fails below N.
"""

import numpy as np
from scipy_plugin import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

from imago import numpy_fft

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

for _name in numpy_fft.__all__:
    setattr(np.fft, _name, getattr(numpy_fft, _name))
