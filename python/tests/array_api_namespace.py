"""NumPy's functions with `fft` = imago.fft, for the tests of the array API standard:

    ARRAY_API_TESTS_MODULE=array_api_namespace pytest array_api_tests/test_fft.py
"""

from numpy import *  # noqa: F403
from numpy import __array_namespace_info__, __version__, bool  # noqa: F401

import imago.fft as fft  # noqa: F401
