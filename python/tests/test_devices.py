"""Devices, and what happens where there is none."""

import subprocess
import sys

import numpy as np
import pytest

import imago


def run(program, **environment):
    import os

    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_devices_are_listed():
    found = imago.devices()
    assert found and all(device.name and device.memory > 0 for device in found)
    assert imago.device() in found


def test_a_device_is_chosen_by_index_and_by_name():
    first = imago.devices()[0]
    try:
        assert imago.set_device(0) == first
        assert imago.set_device(first.name) == first
        before = imago.fft.statistics()["computed"]
        imago.fft.fft(np.ones(8))
        assert imago.fft.statistics()["computed"] == before + 1
        with pytest.raises(ValueError, match="no such device"):
            imago.set_device("no such device")
        imago.fft.fft(np.ones(8))
    finally:
        imago.set_device()


def test_importing_opens_no_device():
    program = "import imago; assert 'computed' not in str(imago._devices.sessions._open)"
    assert run(program, IMAGO_DEVICE="none such").returncode == 0


def test_a_device_that_is_not_there_is_an_error():
    done = run("import imago; imago.fft.fft([1, 2])", IMAGO_DEVICE="none such")
    assert done.returncode == 1
    assert "ValueError" in done.stderr and "none such" in done.stderr


def test_without_any_device_scipy_computes_and_a_warning_says_so(tmp_path):
    program = (
        "import warnings, imago\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    for _ in range(2): assert imago.fft.fft([1, 2])[0] == 3\n"
        "assert [w.category for w in caught] == [imago.FallbackWarning], caught\n"
        "try: imago.device()\n"
        "except imago.Error: pass\n"
        "else: raise SystemExit(2)\n"
    )
    done = run(program, OCL_ICD_VENDORS=str(tmp_path), IMAGO_DEVICE="")
    assert done.returncode == 0, done.stderr
