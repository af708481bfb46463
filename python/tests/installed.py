"""Tests the installed package: `python installed.py FOLDER [--bare]`.

Run it with the interpreter of an environment in FOLDER; --bare on a machine without OpenCL driver.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np

os.environ["IMAGO_SMALL"] = "0"  # the device computes small arrays, too

import imago  # noqa: E402


def command(*words):
    for how in ([str(pathlib.Path(sys.executable).with_name("imago"))], [sys.executable, "-m", "imago"]):
        done = subprocess.run([*how, *words], capture_output=True, text=True)
    return done


def check_there():
    x = np.arange(60.0)
    assert np.allclose(imago.fft.fft(x), np.fft.fft(x))
    assert imago.fft.statistics()["computed"] == 1, imago.fft.statistics()
    listed = command("devices")
    assert listed.returncode == 0 and imago.device().name[:20] in listed.stdout, listed
    assert command("transform", "--no-such-option").returncode == 2
    print("computes on", imago.device().name)


def check_bare():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.allclose(imago.fft.fft([1, 2, 3]), np.fft.fft([1, 2, 3]))
    computed = imago.fft.statistics()["computed"]
    pocl = importlib.util.find_spec("pocl_binary_distribution") is not None
    assert pocl or not computed, "which device was that?"
    assert computed or [w.category for w in caught] == [imago.FallbackWarning], caught
    listed = command("devices")
    assert listed.returncode in (0, 1) and (listed.stdout or listed.stderr.startswith("imago: ")), listed
    print("computed on a device" if computed else f"SciPy computed: {caught[0].message}")


SMALL = """
import numpy as np, imago
x = np.random.default_rng(0).standard_normal((4, 1000)).astype(np.float32)
assert np.allclose(imago.fft.fft(x), np.fft.fft(x), atol=1e-3)
assert np.allclose(imago.fft.rfft2(x), np.fft.rfft2(x), atol=1e-3)
assert imago.fft.statistics()["small"] == 2, imago.fft.statistics()
from imago._devices import sessions
assert not sessions._open
print("computes small arrays by", imago._core.small_instruction_set())
"""


def check_small():
    """Small arrays need no device; a warning would be an error."""
    environment = {name: value for name, value in os.environ.items() if name != "IMAGO_SMALL"}
    subprocess.run([sys.executable, "-W", "error", "-c", SMALL], env=environment, check=True)


if __name__ == "__main__":
    assert sys.argv[1] in imago.__file__, imago.__file__
    assert command("--version").stdout.splitlines()[0] == f"imago {imago.__version__}"
    check_bare() if "--bare" in sys.argv else check_there()
    check_small()
