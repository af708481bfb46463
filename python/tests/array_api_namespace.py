"""NumPy's functions with `fft` = imago.fft, for the tests of the array API standard:

    ARRAY_API_TESTS_MODULE=array_api_namespace pytest array_api_tests/test_fft.py
"""

import os

from numpy import *  # noqa: F403
from numpy import __array_namespace_info__, __version__, bool  # noqa: F401

os.environ.setdefault("IMAGO_SMALL", "0")  # the device computes small arrays, too

import imago.fft as fft  # noqa: E402, F401
