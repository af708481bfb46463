"""Runs SciPy's own tests on imago: `pytest -p scipy_plugin --pyargs scipy.fft`.

imago is the only backend, and the last lines print how many calls it computed. With
IMAGO_LEAST_COMPUTED=N in the environment the run fails below N. Calls in the processes of
pytest-xdist (`-n 4`) are counted together.
"""

import multiprocessing

import imago_everywhere  # noqa: F401
from scipy_counts import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]


def pytest_configure(config):
    # SciPy's test_multiprocess compares bitwise with processes of a fork server.
    multiprocessing.set_forkserver_preload(["imago_everywhere"])
