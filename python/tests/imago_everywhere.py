"""Makes imago the only backend of scipy.fft in the importing process. Opens no device.

The device computes small arrays, too.
"""

import os

import scipy.fft

os.environ.setdefault("IMAGO_SMALL", "0")

import imago  # noqa: E402

scipy.fft.set_global_backend(imago, only=True)
