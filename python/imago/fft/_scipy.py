"""SciPy's own code, for calls that no device can compute. SciPy 1.18 renamed its module."""

try:
    from scipy.fft import _duccfft as own_code
except ImportError:
    from scipy.fft import _pocketfft as own_code

__all__ = ["own_code"]
