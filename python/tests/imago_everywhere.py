"""Makes imago the only backend of scipy.fft in the importing process. Opens no device."""

import scipy.fft

import imago

scipy.fft.set_global_backend(imago, only=True)
