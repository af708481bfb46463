"""Makes imago the only backend of scipy.fft in the process that imports this. Opens no device."""

import scipy.fft

import imago

scipy.fft.set_global_backend(imago, only=True)
