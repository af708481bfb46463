"""Runs SciPy's own tests on imago: `pytest -p scipy_plugin --pyargs scipy.fft`.

imago is the only backend, and the last lines say how many calls it computed. With
IMAGO_LEAST_COMPUTED=N in the environment the run fails below N.
"""

import multiprocessing
import os

import imago_everywhere  # noqa: F401

import imago


def pytest_configure(config):
    # SciPy's test_multiprocess compares with processes of a fork server, to the last bit.
    multiprocessing.set_forkserver_preload(["imago_everywhere"])


def pytest_terminal_summary(terminalreporter):
    counts = imago.fft.statistics()
    terminalreporter.write_line(f"imago computed {counts['computed']} calls: {counts}")


def pytest_sessionfinish(session):
    least = int(os.environ.get("IMAGO_LEAST_COMPUTED", "0"))
    if imago.fft.statistics()["computed"] < least:
        session.exitstatus = 1
