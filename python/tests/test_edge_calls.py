"""Thousands of calls at the limits of SciPy's arguments, compared with SciPy: values (in long
double), types, shapes and exception types. Lengths are few, because each compiles kernels."""

import os
import random

import numpy as np
import pytest
from support import ROUNDING, reference

import imago

CALLS = int(os.environ.get("IMAGO_TEST_EDGE_CALLS", "400"))  # per function
FOURIER = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
COSINE = ["dct", "idct", "dst", "idst"]
ALL = [*FOURIER, *COSINE, *(name + "n" for name in FOURIER + COSINE)]
FEW = ["fft", "rfft", "irfft", "fftn", "irfftn"]  # each function compiles dozens of kernels
NAMES = ALL if "IMAGO_TEST_EDGE_CALLS" in os.environ else FEW
DTYPES = "? i1 u2 i4 i8 u8 f2 f4 f8 g c8 c16 G >i2 >f2 >f4 >f8 >c8 >c16 <f8".split()
SHAPES = [(8,), (8,), (5, 8), (5, 8), (), (0, 8), (8, 0), (1,)]
VIEWS = {
    "whole": lambda x: x,
    "reversed": lambda x: x[..., ::-1] if x.ndim else x,
    "transposed": lambda x: x.T,
    "broadcast": lambda x: np.broadcast_to(x[..., :1], x.shape) if x.ndim and x.size else x,
    "Fortran": np.asfortranarray,
    "list": lambda x: x.tolist(),
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape) if x.size else x,
    "unaligned": lambda x: np.frombuffer(b"-" + x.tobytes(), x.dtype, x.size, 1).reshape(x.shape) if x.size else x,
    "subclass": lambda x: x.view(np.matrix) if x.ndim == 2 else x,
}


def array(rng, seed):
    shape, dtype = rng.choice(SHAPES), np.dtype(rng.choice(DTYPES))
    values = np.random.default_rng(seed).uniform(0 if dtype.kind in "u?" else -9, 9, (*shape, 2))
    x = values[..., 0] + 1j * values[..., 1] if dtype.kind == "c" else values[..., 0]
    return VIEWS[rng.choice([*VIEWS, "whole", "whole"])](np.asarray(x).astype(dtype))


RIGHT = {
    "norm": [None, "backward", "ortho"],
    "n": [None, None, None, 5, 8, np.int32(5), np.uint8(8)],
    "axis": [-1, -1, -1, 0, 0],
    "s": [None, None, None, 5, (5,), (8,), [5]],
    "axes": [None, None, None, 0, -1, (0,), (-1,), [0]],
    "type": [1, 2, 2, 3, 4],
    "orthogonalize": [None, None, True, False],
    "overwrite_x": [False, True],
    "workers": [None, None, None, 1, 2, -1],
}
WRONG = {
    "norm": ["no", 1],
    "n": [1, 0, -1, -2, 2.0, "5"],
    "axis": [1, -2, 5, 1.0, None],
    "s": [(5, 8), (8, 5), (-1, 5), (0, 5), (2.5,)],
    "axes": [(), (0, 1), (1, 0), (0, 0), (2,), (-1, -2), (0.5,)],
    "type": [5],
    "workers": [0, -9999],
}


def arguments(rng, name):
    """Random arguments of a call: some are left out, and at most one is wrong."""
    names = ["s", "axes"] if name.endswith("n") else ["n", "axis"]
    if name.strip("in")[:3] in ("dct", "dst"):
        names += ["type", "orthogonalize"]
    given = {key: rng.choice(RIGHT[key]) for key in [*names, "norm", "overwrite_x", "workers"]}
    if rng.random() < 0.4:
        key = rng.choice([key for key in given if key in WRONG])
        given[key] = rng.choice(WRONG[key])
    if given.get("axes") == ():
        given["s"] = None  # SciPy ignores it in this case
    return {key: value for key, value in given.items() if value is not None or key == "axis"}


def outcome(function, x, given):
    try:
        return function(x.copy() if isinstance(x, np.ndarray) else x, **given), None
    except Exception as error:
        return None, error


def known(ours, theirs):
    """True for the differences in docs/python/reference-notes.md: length 0, DCT-I of one point, and
    axes that come twice."""
    if "unsupported data type" in str(theirs):  # float16 in another byte order
        return ours is None
    if "all axes must be unique" in str(theirs):
        return True
    if isinstance(ours, ValueError) and isinstance(theirs, (RuntimeError, type(None))):
        return "invalid number of data points" in str(ours)
    return False


def exact(name, x, given):
    """Computes the result in long double."""
    x = np.asarray(x)
    wide = x.astype("G" if x.dtype.kind == "c" else "g")
    if wide.dtype.kind == "c" and name.strip("in")[:3] in ("dct", "dst"):
        parts = [getattr(reference, name)(part.copy(), **given) for part in (wide.real, wide.imag)]
        return parts[0] + 1j * parts[1]
    return getattr(reference, name)(wide, **given)


def compare(name, x, given):
    """Returns a description of the difference; empty if there is none."""
    kept = np.array(x, copy=True)
    ours, our_error = outcome(getattr(imago.fft, name), x, given)
    theirs, their_error = outcome(getattr(reference, name), np.asarray(x), given)
    if known(our_error, their_error):
        return ""
    if (our_error is None) != (their_error is None):
        return f"{our_error!r} and SciPy {their_error!r}"
    if our_error is not None:
        alike = isinstance(our_error, type(their_error)) or isinstance(their_error, type(our_error))
        # The array itself is invalid; the exception depends on the first check.
        alike = alike or np.size(x) <= 1 or "real sequence" in str(our_error)
        return "" if alike else f"{our_error!r} and SciPy {their_error!r}"
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.dtype} {ours.shape} and SciPy {theirs.dtype} {theirs.shape}"
    if not np.array_equal(x, kept):
        return "the input was changed"
    if given.get("axes") == () or np.ndim(x) == 0:  # no axis: the result is the array itself
        return "" if np.array_equal(ours, theirs) else "another array"
    expected = exact(name, x, given)
    real = np.zeros(0, ours.dtype).real.dtype
    error = np.linalg.norm(np.ravel(ours.astype(expected.dtype) - expected).astype("c16"))
    size = np.linalg.norm(np.ravel(expected).astype("c16"))
    inputs = np.linalg.norm(np.ravel(np.asarray(x)).astype("c16"))
    rounding = max(ROUNDING[real], 1.1e-16) if real.char == "g" else ROUNDING[real]
    return "" if error <= 20 * rounding * max(size, inputs) else f"error {error} of {size}"


@pytest.mark.parametrize("name", NAMES)
def test_calls_beside_scipy(name):
    rng = random.Random(name)
    found, computed = [], 0
    for seed in range(CALLS):
        x, given = array(rng, seed), arguments(rng, name)
        differs = compare(name, x, given)
        computed += not differs
        if differs:
            described = f"{x.dtype} {x.shape} {x.strides}" if isinstance(x, np.ndarray) else repr(x)
            found.append(f"{name}({described}, {given}): {differs}")
    assert not found, f"{len(found)} of {CALLS}\n" + "\n".join(found[:30])


def test_a_plan_is_rejected_in_scipys_words():
    # SciPy's own suite matches these words.
    with pytest.raises(NotImplementedError, match="precomputed plan"):
        imago.fft.fft([1.0, 2.0], plan=object())
