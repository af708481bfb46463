"""Processes whose parent used a device before: each call returns, and soon.

A parent forks a child for each case. The child computes, or its error names the remedy. Children of
"spawn" and "forkserver" compute. A case that exceeds its time limit is killed and reported.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

PATIENCE = 40  # seconds per case: some compile, none may wait forever
PROGRAM = pathlib.Path(__file__).with_name("processes_program.py")
PARENTS = ["nothing", "devices", "transform", "plan", "threads", "pyopencl"]
# These need no driver; SciPy computes the functions of scipy.fft and scipy.signal.
ALWAYS = {"fft", "scipy", "statistics", "dropped", "czt", "stft", "welch"}
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
@pytest.mark.long
def test_every_call_returns(parent, method):
    if parent == "pyopencl":
        pytest.importorskip("pyopencl")
    found = outcomes(parent, method)
    assert len(found) >= 14
    for case, outcome in found.items():
        if method == "fork" and parent != "nothing" and case not in ALWAYS:
            assert "forked" in outcome and "spawn" in outcome, (case, outcome)
        else:
            assert outcome == "computed", (case, outcome)
