"""PyPI's PoCL is tested before it is used."""

import os
import pathlib
import subprocess
import sys

import pytest

from imago import _devices, _loader, _pocl

FINE, SINGLES, NOTHING = "", "assert sys.argv[1] == 'complex64'", "import os; os.abort()"


@pytest.fixture
def proof(tmp_path, monkeypatch):
    """Counts the test processes, which run a given program instead of imago's."""
    monkeypatch.setenv("IMAGO_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("IMAGO_TRUST_DEVICE", raising=False)
    library = tmp_path / "libpocl.so"
    library.touch()
    runs = []

    def prove(program):
        monkeypatch.setattr(_pocl, "_PROGRAM", "import sys\n" + program)
        real = subprocess.run
        monkeypatch.setattr(subprocess, "run", lambda *a, **k: (runs.append(1), real(*a, **k))[1])
        return _pocl.prove(tmp_path, library)

    prove.runs = runs
    prove.library = library
    return prove


def test_one_that_works_is_taken_and_not_proved_again(proof):
    assert proof(FINE) == _pocl.Verdict("", "")
    assert len(proof.runs) == 2
    assert proof(NOTHING) == _pocl.Verdict("", "")
    assert len(proof.runs) == 2
    os.utime(proof.library, (1, 1))  # another version
    assert proof(NOTHING).singles


def test_one_that_ends_the_process_is_not(proof):
    assert proof(NOTHING).singles == "it ended the process with signal 6"


def test_one_may_be_good_for_singles(proof):
    verdict = proof(SINGLES)
    assert verdict.singles == "" and "AssertionError" in verdict.doubles


def test_one_that_hangs_is_not_waited_for(proof, monkeypatch):
    monkeypatch.setattr(_pocl, "_PATIENCE", 0.5)
    assert "more than" in proof("import time; time.sleep(60)").singles


def test_who_trusts_it_has_it(proof, monkeypatch):
    monkeypatch.setenv("IMAGO_TRUST_DEVICE", "1")
    assert proof(NOTHING) == _pocl.Verdict("", "")


def test_the_program_that_proves_passes_where_a_driver_works(tmp_path):
    done = subprocess.run([sys.executable, "-c", _pocl._PROGRAM, "complex128"], timeout=300)
    assert done.returncode == 0


def test_the_verdict_is_the_reason_that_users_read(monkeypatch):
    found = pathlib.Path("/pocl"), pathlib.Path("/pocl/libpocl.so")
    monkeypatch.setattr(_pocl, "find", lambda: found)
    monkeypatch.setattr(_pocl, "prove", lambda *_: _pocl.Verdict("it is broken", "it is broken"))
    monkeypatch.setattr(_loader, "no_device", "")
    monkeypatch.setattr(_loader, "no_doubles", "no doubles here")
    _loader._take_pocl()
    assert _loader.no_device == "pocl-binary-distribution does not work on this CPU: it is broken"
    assert "OCL_ICD_VENDORS" not in os.environ or os.environ["OCL_ICD_VENDORS"] != "/pocl"
    sessions = _devices._Sessions()
    with pytest.raises(_devices.Unserved, match="no doubles here"):
        sessions.get(True)
    monkeypatch.setattr(_loader, "no_doubles", "")
    sessions._wish = ""
    monkeypatch.setattr(
        _devices._core, "Session", lambda *_: (_ for _ in ()).throw(_devices._core.Error("none"))
    )
    with pytest.raises(_devices.Unserved, match="it is broken"):
        sessions.get(False)
