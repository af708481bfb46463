"""First calls on generic kernels, in separate processes with empty kernel caches."""

import os
import subprocess
import sys

import pytest

import imago


@pytest.fixture
def cold(tmp_path):
    """Runs a program with empty kernel caches, which its later runs find filled."""
    caches = {"IMAGO_CACHE_DIR": str(tmp_path / "imago"), "POCL_CACHE_DIR": str(tmp_path / "pocl")}

    def run(program, **environment):
        done = subprocess.run(
            [sys.executable, "-c", "import numpy as np, imago\n" + program],
            env={**os.environ, **caches, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


GENERIC = "print(imago.fft.statistics()['generic'])\n"
CALL = "imago.fft.fft(np.ones((3, 40)))\n"


def test_a_first_call_uses_generic_kernels(cold):
    assert cold(CALL + GENERIC) == ["1"]
    assert cold(CALL + GENERIC, IMAGO_FIRST_CALL="compile") == ["0"]
    assert cold(CALL + GENERIC) == ["0"]  # their kernels are on disk now


def test_prewarm_compiles_the_kernels_of_calls(cold):
    warm = "imago.prewarm([('rfft', (40,), 'float32'), ('dct', (3, 20), 'float32', {'type': 3})])\n"
    calls = "imago.fft.rfft(np.ones(40, 'f4')); imago.fft.dct(np.ones((3, 20), 'f4'), type=3)\n"
    assert cold(warm + GENERIC + calls + GENERIC) == ["2", "2"]
    assert cold(calls + GENERIC) == ["0"]


def test_prewarm_without_calls_compiles_the_generic_kernels(cold):
    cold("imago.prewarm()\n")
    assert cold(CALL + GENERIC) == ["1"]


def test_prewarm_reports_its_work(cold):
    shown = cold(
        "imago.set_progress(lambda stage, done, total: print(stage.replace(' ', '_'), total))\n"
        "imago.prewarm([('fft', (60,), 'complex64'), ('fft', (61,), 'complex64')])\n"
    )
    assert shown[:1] == ["compiling_kernels"]
    assert shown[-1] == "2"


def test_a_program_may_end_while_kernels_are_compiled(cold):
    large = "x = np.ones((1024, 1024), 'c8')\nfor _ in range(3): imago.fft.fft2(x)\n"
    assert cold(large + "print('computed')") == ["computed"]


def test_prewarm_rejects_names_of_no_function():
    for name in ("fft3", "_compute", "__all__"):
        with pytest.raises(ValueError, match="not a function of imago.fft"):
            imago.prewarm([(name, (8,), "float32")])
