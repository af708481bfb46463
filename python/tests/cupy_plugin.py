"""Runs CuPy's own tests of its FFT on imago, in cuFFT's place (bench/cupy_tests.sh).

The plugin replaces the functions of `cupy.fft` and `cupyx.scipy.fft` by those of imago.fft before it
imports the tests. It converts types that imago.fft refuses for arrays on a GPU, as CuPy does: float16
to float32, and integers to float64. Calls with a plan of cuFFT are CuPy's. The last lines print how
many calls each library computed.
"""

import functools

import cupy
import cupyx.scipy.fft
from cupy.cuda.cufft import get_current_plan

import imago
import imago.cuda

_counts = {"imago": 0, "CuPy": 0}


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


for _module in (cupy.fft, cupyx.scipy.fft):
    for _name in imago.cuda.__all__:
        if _name != "statistics" and hasattr(_module, _name):
            _replaced(_module, _name)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"calls: {_counts}; imago: {imago.cuda.statistics()}")
