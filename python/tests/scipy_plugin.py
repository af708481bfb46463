"""Runs SciPy's own tests on imago: `pytest -p scipy_plugin --pyargs scipy.fft`.

imago is the only backend, and the last lines print how many calls it computed. With
IMAGO_LEAST_COMPUTED=N in the environment the run fails below N. Calls in the processes of
pytest-xdist (`-n 4`) are counted together.
"""

import multiprocessing
import os

import imago_everywhere  # noqa: F401
import pytest

import imago

_of_workers = {}


def pytest_configure(config):
    # SciPy's test_multiprocess compares bitwise with processes of a fork server.
    multiprocessing.set_forkserver_preload(["imago_everywhere"])


def counts():
    """Reports the calls that this process and its workers computed, and those that SciPy did."""
    total = dict(imago.fft.statistics())
    for name, number in _of_workers.items():
        total[name] = total.get(name, 0) + number
    return total


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for name, number in getattr(node, "workeroutput", {}).get("imago", {}).items():
        _of_workers[name] = _of_workers.get(name, 0) + number


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"imago computed {counts()['computed']} calls: {counts()}")


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["imago"] = dict(imago.fft.statistics())
    elif counts()["computed"] < int(os.environ.get("IMAGO_LEAST_COMPUTED", "0")):
        session.exitstatus = 1
