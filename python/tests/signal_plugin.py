"""Runs SciPy's tests of zooms on imago: `pytest -p signal_plugin --pyargs
scipy.signal.tests.test_czt`.

The plugin replaces the names of scipy.signal by those of imago.signal before it imports the tests.
scipy.fft stays SciPy's, as the reference. SciPy may compute nothing instead of imago. The last
lines print how many transforms imago computed. With IMAGO_LEAST_COMPUTED=N in the environment the
run fails below N.
"""

import os

os.environ["IMAGO_FALLBACK"] = "0"

import scipy.signal  # noqa: E402
from scipy_counts import (  # noqa: E402
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

import imago  # noqa: E402

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

for name in imago.signal.__all__:
    setattr(scipy.signal, name, getattr(imago.signal, name))
