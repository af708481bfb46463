"""imago.tune()."""

import json
import math

import numpy as np
import pytest

import imago
from imago import _command


@pytest.fixture(autouse=True)
def profiles(tmp_path, monkeypatch):
    try:
        _command.path()
    except _command.Missing as missing:
        pytest.skip(str(missing))
    monkeypatch.setenv("IMAGO_PROFILE_DIR", str(tmp_path))
    return tmp_path


def entries(path):
    return json.loads(path.read_text())["entries"]


@pytest.mark.long
def test_what_is_found_is_kept_and_used(profiles):
    told = []
    x = np.ones((64, 48), np.complex64)
    imago.fft.fft(x)
    misses = imago.fft.statistics()["misses"]
    for budget in (3, 10, 40):  # seconds; a busy machine may try one candidate in the first
        told.clear()
        found = imago.tune([48], budget=budget, batch=64, progress=lambda *what: told.append(what))
        (row,) = found.transforms
        if row.tried > 1:
            break
    assert found.profile.parent == profiles and len(entries(found.profile)) == 1
    assert (row.lengths, row.batch) == ((48,), 64)
    assert 0 < row.seconds < 1 and row.tried > 1 and row.parameters
    assert math.isnan(row.gain) or row.gain >= 0.5
    assert told[0] == ("Measuring the device", 0, 0)
    assert any("candidate" in stage for stage, _, _ in told)
    imago.fft.fft(x)  # creates a new plan
    assert imago.fft.statistics()["misses"] == misses + 1
    plan = imago.Plan(48, batch=64, directions="forward")
    assert "profile" in plan.describe()


@pytest.mark.long
def test_interrupted_it_keeps_what_was_finished(profiles):
    def stop(stage, done, total):
        if any(entries(profile) for profile in profiles.glob("*.json")):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imago.tune([48, 96], budget=6, batch=64, progress=stop)
    (profile,) = profiles.glob("*.json")
    # 96 may have been finished before the interrupt arrived.
    assert [entry["problem"]["lengths"] for entry in entries(profile)][0] == [48]


def test_errors():
    with pytest.raises(ValueError, match="0, and must be positive"):
        imago.tune([0])
    with pytest.raises(ValueError, match="kind"):
        imago.tune([64], kind="fourier")
    with pytest.raises(ValueError, match="dtype is int32"):
        imago.tune([64], dtype=np.int32)
    with pytest.raises(ValueError, match="budget"):
        imago.tune([64], budget=0)
    with pytest.raises(ValueError, match="lengths is empty"):
        imago.tune([])
