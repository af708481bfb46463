"""Counts the calls that imago computes while other projects' tests run, for the plugins.

Calls in the processes of pytest-xdist (`-n 4`) are counted together.
"""

import os

import pytest

import imago

_of_workers = {}


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
