"""imago as a backend of scipy.fft: the uarray protocol of SciPy's multimethods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import _cuda_arrays
from . import _functions, _hankel

__ua_domain__ = "numpy.scipy.fft"

FUNCTIONS = {**_functions.FUNCTIONS, "fht": _hankel.fht, "ifht": _hankel.ifht}


def __ua_function__(method: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]):
    """Computes SciPy's `method`. Returns NotImplemented for arrays of other libraries, except those in
    CUDA's memory."""
    function = FUNCTIONS.get(method.__name__)
    if function is None:
        return NotImplemented
    x = args[0] if args else kwargs.get("x", kwargs.get("a"))
    if _cuda_arrays.library_of(x):
        hankel = method.__name__ in ("fht", "ifht")  # SciPy's code calls transforms, which come here
        return NotImplemented if hankel else function(*args, **kwargs)
    if hasattr(x, "__array_namespace__") and not isinstance(x, (np.ndarray, np.generic)):
        return NotImplemented
    return function(*args, **kwargs)
