"""Processes whose parent used a device in some way before: each call returns, and soon.

A parent forks a child for each case, which computes or names the remedy; children of "spawn" and
"forkserver" compute. What does not return within the patience is ended and reported.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

PATIENCE = 40  # seconds for a case: some compile, none may wait for ever
PROGRAM = pathlib.Path(__file__).with_name("processes_program.py")
PARENTS = ["nothing", "devices", "transform", "plan", "threads", "pyopencl"]
# SciPy computes the functions of scipy.fft, and these need no driver.
ALWAYS = {"fft", "scipy", "statistics", "dropped"}
STARTED = [(parent, method) for method in ("forkserver", "spawn") for parent in ("devices", "plan", "threads")]


def outcomes(parent, method):
    done = subprocess.run(
        [sys.executable, str(PROGRAM), parent, method],
        env={**os.environ, "IMAGO_TEST_PATIENCE": str(PATIENCE)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("parent, method", [(parent, "fork") for parent in PARENTS] + STARTED)
def test_every_call_returns(parent, method):
    if parent == "pyopencl":
        pytest.importorskip("pyopencl")
    found = outcomes(parent, method)
    assert len(found) >= 14
    always = ALWAYS | ({"description"} if parent == "plan" else set())
    for case, outcome in found.items():
        if method == "fork" and parent != "nothing" and case not in always:
            assert "forked" in outcome and "spawn" in outcome, (case, outcome)
        else:
            assert outcome == "computed", (case, outcome)
