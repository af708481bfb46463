"""imago.exact beside Python's integers."""

import random

import numpy as np
import pytest

from imago import exact


def defined(a, b, wrap):
    """Returns the convolution by its definition, of Python's integers."""
    whole = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            whole[i + j] += x * y
    if wrap == "linear":
        return whole
    n = len(a)
    sign = 1 if wrap == "cyclic" else -1
    return [whole[k] + (sign * whole[k + n] if k + n < len(whole) else 0) for k in range(n)]


@pytest.mark.parametrize("wrap", ["linear", "cyclic", "negacyclic"])
@pytest.mark.parametrize("n", [1, 5, 40, 64])
def test_convolve(wrap, n):
    rng = random.Random(n)
    m = n if wrap != "linear" else n // 2 + 1
    largest = int((exact.LARGEST // m) ** 0.5) - 1
    for form in ("random", "largest", "one", "signs"):
        a = {
            "random": [rng.randint(-largest, largest) for _ in range(n)],
            "largest": [largest] * n,
            "one": [0] * (n - 1) + [largest],
            "signs": [largest, -largest] * (n // 2) + [largest] * (n % 2),
        }[form]
        b = [rng.randint(-largest, largest) for _ in range(m)]
        assert exact.convolve(a, b, wrap).tolist() == defined(a, b, wrap)
        assert exact.convolve(a, [largest] * m, wrap).tolist() == defined(a, [largest] * m, wrap)


def test_types_of_integers():
    for dtype in (np.uint8, np.int16, np.uint32, np.int64, np.uint64):
        assert exact.convolve(np.arange(3, dtype=dtype), [2]).tolist() == [0, 2, 4]
    assert exact.convolve(np.array([exact.LARGEST], np.uint64), [1])[0] == exact.LARGEST


@pytest.mark.parametrize("bits", [1, 63, 64, 65, 1000, 1500])
def test_multiply(bits):
    rng = random.Random(bits)
    for a in (rng.getrandbits(bits), (1 << bits) - 1, 1 << (bits - 1), 0):
        for b in (rng.getrandbits(bits // 2 + 1), -((1 << bits) - 1), a):
            assert exact.multiply(a, b) == a * b


def test_refusals():
    with pytest.raises(ValueError, match="at most 2\\^60 - 1"):
        exact.convolve([exact.LARGEST + 1], [1])
    with pytest.raises(ValueError, match="at most 2\\*\\*60 - 1"):
        exact.convolve(np.array([2**63], np.uint64), [1])
    with pytest.raises(ValueError, match="same length"):
        exact.convolve([1, 2], [1], "cyclic")
    with pytest.raises(ValueError, match="one axis"):
        exact.convolve([], [1])
    with pytest.raises(TypeError, match="it must have integers"):
        exact.convolve([1.5], [1])
    with pytest.raises(ValueError, match="must be one of"):
        exact.convolve([1], [1], "circular")
