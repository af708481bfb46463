"""SciPy's own code, which computes what no device does. Its module has another name since 1.18."""

try:
    from scipy.fft import _duccfft as own_code
except ImportError:
    from scipy.fft import _pocketfft as own_code

__all__ = ["own_code"]
