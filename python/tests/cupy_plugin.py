"""Runs CuPy's own tests of its FFT on imago, in cuFFT's place (bench/cupy_tests.sh).

The plugin replaces the functions of `cupy.fft` and `cupyx.scipy.fft` by those of imago.fft before it
imports the tests. It converts types that imago.fft refuses for arrays on a GPU, as CuPy does: float16
to float32, and integers to float64. Calls with a plan of cuFFT are CuPy's. The last lines name the
failures by their reasons, and print how many calls each library computed, in all processes of
pytest-xdist.

With CUPY_ALONE in the environment nothing is replaced. CUPY_EVERY=4 runs every fourth test.
"""

import collections
import functools
import os
import re

import cupy
import cupyx.scipy.fft
import pytest
from cupy.cuda.cufft import get_current_plan

import imago
import imago.cuda

_counts = collections.Counter()


def _replaced(module, name):
    theirs, ours = getattr(module, name), getattr(imago.fft, name)

    @functools.wraps(theirs)
    def call(x, *args, **kwargs):
        kwargs.pop("overwrite_x", None)
        known = isinstance(x, cupy.ndarray)
        if kwargs.pop("plan", None) is not None or not known or get_current_plan():
            _counts["CuPy"] += 1
            return theirs(x, *args, **kwargs)
        if x.dtype.char not in "fdFD":
            x = x.astype(cupy.float32 if x.dtype.char == "e" else cupy.float64)
        _counts["imago"] += 1
        return ours(x, *args, **kwargs)

    setattr(module, name, call)


if "CUPY_ALONE" not in os.environ:
    for _module in (cupy.fft, cupyx.scipy.fft):
        for _name in imago.cuda.__all__:
            if _name != "statistics" and hasattr(_module, _name):
                _replaced(_module, _name)


def pytest_collection_modifyitems(items):
    items[:] = items[:: int(os.environ.get("CUPY_EVERY", "1"))]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    _counts.update(getattr(node, "workeroutput", {}).get("calls", {}))


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["calls"] = dict(_counts)


def _reason(report):
    """Returns the error's first line and its last cause, without numbers."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines() or ["no message"]
    causes = [line for line in lines[1:] if re.match(r"[\w.]*(Error|Exception|Warning)\b|Max |Mism", line)]
    return re.sub(r"\d+", "N", " | ".join([lines[0], *causes[-1:]]))[:200]


def pytest_terminal_summary(terminalreporter):
    failures = collections.defaultdict(list)
    for word in ("failed", "error"):
        for report in terminalreporter.stats.get(word, []):
            failures[_reason(report)].append(report.nodeid)
    for reason, nodes in sorted(failures.items(), key=lambda item: -len(item[1])):
        names = collections.Counter(re.sub(r"^.*/(\w+_tests)/|\[.*\]", r"\1/", node).strip("/") for node in nodes)
        terminalreporter.write_line(f"{len(nodes)} times {reason}")
        listed = ", ".join(f"{name} {count}" for name, count in names.most_common(12))
        terminalreporter.write_line(f"    {listed}; such as {nodes[0].partition('[')[2]}")
    terminalreporter.write_line(f"calls: {dict(_counts)}")
