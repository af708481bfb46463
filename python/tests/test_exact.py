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


def values(x, ring, coset=1):
    """Returns the transform by its definition, of Python's integers."""
    p, n = exact.PRIMES[ring], len(x)
    root = exact.root_of_unity(ring, n)
    return [
        sum(a * pow(coset * pow(root, k, p), j, p) for j, a in enumerate(x)) % p for k in range(n)
    ]


@pytest.mark.parametrize("ring", exact.PRIMES)
def test_ntt(ring):
    p = exact.PRIMES[ring]
    rng = random.Random(p)
    for n in (2, 4, 32, 128):
        rows = [
            [rng.randrange(p) for _ in range(n)],
            [p - 1] * n,
            [0] * (n - 1) + [p - 1],
            [p - 1, 1] * (n // 2),
        ]
        spectra = exact.ntt(rows, ring)
        assert spectra.tolist() == [values(x, ring) for x in rows]
        assert exact.intt(spectra, ring).tolist() == rows


@pytest.mark.parametrize("ring", exact.PRIMES)
def test_ntt_of_a_coset_in_both_orders(ring):
    p, n, coset = exact.PRIMES[ring], 16, 31
    x = [random.Random(n).randrange(p) for _ in range(n)]
    natural = values(x, ring, coset)
    assert exact.ntt(x, ring, coset=coset).tolist() == natural
    reverse = [natural[int(f"{k:04b}"[::-1], 2)] for k in range(n)]
    spectrum = exact.ntt(x, ring, coset=coset, order="bit_reversed")
    assert spectrum.tolist() == reverse
    back = exact.intt(spectrum, ring, coset=coset, order="bit_reversed")
    assert back.tolist() == x


@pytest.mark.parametrize("ring", exact.PRIMES)
def test_products_of_polynomials_are_flints(ring):
    flint = pytest.importorskip("flint")
    p, n = exact.PRIMES[ring], 4096
    rng = random.Random(p)
    a, b = ([rng.randrange(p) for _ in range(n // 2)] for _ in range(2))
    spectra = exact.ntt([x + [0] * (n // 2) for x in (a, b)], ring).astype(object)
    product = exact.intt(spectra[0] * spectra[1] % p, ring)
    expected = [int(c) for c in (flint.nmod_poly(a, p) * flint.nmod_poly(b, p)).coeffs()]
    assert product.tolist() == expected + [0] * (n - len(expected))


def test_refusals_of_ntt():
    with pytest.raises(ValueError, match="power of two"):
        exact.ntt([1, 2, 3])
    with pytest.raises(ValueError, match="no residues"):
        exact.ntt([0, 2**31], "baby_bear")
    with pytest.raises(ValueError, match="no residues"):
        exact.ntt([0, -1])
    with pytest.raises(ValueError, match="coset is 0"):
        exact.ntt([0, 1], coset=0)
    with pytest.raises(ValueError, match="ring is"):
        exact.ntt([0, 1], "mersenne")
    with pytest.raises(TypeError, match="it must have integers"):
        exact.ntt([0.5, 1])
