"""Devices, and calls on machines without one."""

import subprocess
import sys

import numpy as np
import pytest
from support import assert_close, random_array

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


# The last two run in stages: one in three slices with a shorter last one, the other in one slice
# with more pieces than the pinned memory holds on two cores.
@pytest.mark.parametrize(
    "shape, axis",
    [((16,), 0), ((5, 12), 1), ((5, 12), 0), ((2, 1 << 17), 0), ((37, 1 << 15), 1), ((5, (1 << 20) + 3), 0)],
)
def test_arrays_are_sent_to_devices_with_memory_of_their_own(shape, axis):
    """A CPU device that is treated as one with memory of its own."""
    session = imago._core.Session("", True)
    session.in_host_memory = False
    for dtype in (np.complex128, np.float64):
        x = random_array(shape, dtype)
        out = np.empty(shape, np.complex128)
        kinds = bytes(0 if i == axis else 10 for i in range(x.ndim))
        for _ in range(2):
            assert session.transform(x, out, kinds, shape, 0, 1.0)
            assert_close(out, np.fft.fft(x, axis=axis))
    # A view of much more memory than its elements need is packed before it is copied.
    wide = random_array((64, 64), np.complex128)
    assert not session.transform(wide[:, :1], np.empty((64, 1), "c16"), b"\0\n", (64, 1), 0, 1.0)


def test_slices_are_computed_where_they_lie():
    session = imago._core.Session("", True)
    session.in_host_memory = False
    for shape in ((40, 1 << 15), (1 << 15, 40)):
        x = random_array(shape, np.complex128)
        expected = np.fft.fft(x)
        assert session.transform(x, x, b"\n\0", shape, imago.fft._work.IN_PLACE, 1.0)
        assert_close(x, expected)


def test_rows_that_lie_apart_are_sent_in_slices():
    session = imago._core.Session("", True)
    session.in_host_memory = False
    rows = random_array((40, 3 << 14), np.complex128)[:, : 1 << 15]
    out = np.empty((40, 1 << 15), np.complex128)
    assert session.transform(rows, out, b"\n\0", out.shape, 0, 1.0)
    assert_close(out, np.fft.fft(rows))


def test_importing_opens_no_device():
    program = "import imago; assert imago._devices.sessions._open == {}"
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
