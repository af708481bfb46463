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


@pytest.mark.parametrize("wrap", ["linear", "cyclic", "negacyclic"])
@pytest.mark.parametrize("n", [1, 7, 64, 128])
def test_convolve_in_128_bits_and_modulo(wrap, n):
    rng = random.Random(n)
    m = n if wrap != "linear" else n // 2 + 1
    largest = int((exact.LARGEST_INT128 // m) ** 0.5) - 1
    for a in (
        [rng.randint(-largest, largest) for _ in range(n)],
        [largest] * n,
        [0] * (n - 1) + [-(2**63)],
        [largest, -largest] * (n // 2) + [largest] * (n % 2),
    ):
        b = [rng.randint(-(2**60) // m, 2**60 // m) for _ in range(m)]
        whole = defined(a, b, wrap)
        assert exact.convolve(a, b, wrap, results="int128").tolist() == whole
        words = [x % 2**64 for x in a]
        c = [rng.randrange(2**64) for _ in range(m)]
        modulo = exact.convolve(words, c, wrap, results="modulo")
        assert modulo.dtype == np.uint64
        assert modulo.tolist() == [x % 2**64 for x in defined(a, c, wrap)]
        found = exact.convolve(np.array(a), np.array(c, np.uint64), wrap, results="modulo")
        assert found.tolist() == modulo.tolist()


def test_largest_bounds():
    # At the bound a result is exact, and with one above it the sequences are refused.
    half, unit = exact.LARGEST_INT128 // 2**63, -(2**63)
    assert exact.convolve([unit], [half], results="int128").tolist() == [unit * half]
    with pytest.raises(ValueError, match="about 2\\^124"):
        exact.convolve([unit], [half + 1], results="int128")
    assert exact.convolve([exact.LARGEST], [-1]).tolist() == [-exact.LARGEST]
    with pytest.raises(ValueError, match="at most 2\\^63 - 1"):
        exact.convolve([-exact.LARGEST - 1], [1])
    most = 2**62 - 1
    assert exact.convolve([most] * 2, [1, 1]).tolist() == [most, 2 * most, most]
    with pytest.raises(ValueError, match="at most 2\\^63 - 1"):
        exact.convolve([2**62] * 2, [1, 1])


@pytest.mark.parametrize("results", ["int64", "int128"])
def test_convolutions_are_flints(results):
    flint = pytest.importorskip("flint")
    rng = random.Random(results)
    n = 5000
    most = exact.LARGEST if results == "int64" else exact.LARGEST_INT128
    largest = min(int((most // n) ** 0.5) - 1, 2**63 - 1)
    for a in (
        [rng.randint(-largest, largest) for _ in range(n)],
        [largest] * n,
        [largest, -largest] * (n // 2),
        [0] * 3000 + [largest] + [0] * (n - 3001),
    ):
        b = [rng.randint(-largest, largest) for _ in range(n)]
        for c in (b, [-largest] * n):
            product = [int(x) for x in (flint.fmpz_poly(a) * flint.fmpz_poly(c)).coeffs()]
            product += [0] * (2 * n - 1 - len(product))
            assert exact.convolve(a, c, results=results).tolist() == product


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
    for results in ("int64", "int128"):
        with pytest.raises(ValueError, match="more than 64 bits"):
            exact.convolve(np.array([2**63], np.uint64), [1], results=results)
        with pytest.raises(ValueError, match="more than 64 bits"):
            exact.convolve([-(2**63) - 1], [1], results=results)
    with pytest.raises(ValueError, match="must be one of"):
        exact.convolve([1], [1], results="int32")
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


@pytest.mark.parametrize("ring", ["goldilocks", "baby_bear"])
def test_ntt_along_several_axes(ring):
    p = exact.PRIMES[ring]
    rng = random.Random(p)
    shape = (2, 8, 3, 4)
    x = np.array([rng.randrange(p) for _ in range(np.prod(shape))], object).reshape(shape)
    for axis in (-1, 0, 1):
        expected = np.apply_along_axis(lambda row: np.array(values(row, ring), object), axis, x)
        assert np.array_equal(exact.ntt(x, ring, axis=axis), expected)
        assert np.array_equal(exact.intt(expected, ring, axis=axis), x)
    for axes, order, coset in (((0, 1), "natural", 1), ((-1, 0), "bit_reversed", 5)):
        expected = x
        for axis in axes:
            expected = exact.ntt(expected, ring, axis=axis, order=order, coset=coset)
        spectra = exact.nttn(x, ring, axes=axes, order=order, coset=coset)
        assert np.array_equal(spectra, expected)
        back = exact.inttn(spectra, ring, axes=axes, order=order, coset=coset)
        assert np.array_equal(back, x)
    plane = x[:, :, 0, 0]
    assert np.array_equal(exact.nttn(plane, ring), exact.nttn(plane, ring, axes=(0, 1)))


@pytest.mark.parametrize("ring", ["goldilocks", "koala_bear"])
def test_products_of_polynomials_of_two_variables(ring):
    p, n = exact.PRIMES[ring], 16
    rng = random.Random(p)
    factors = np.zeros((2, n, n), object)
    for i in np.ndindex(2, n // 2, n // 2):
        factors[i] = rng.choice([rng.randrange(p), p - 1])
    spectra = exact.nttn(factors, ring, axes=(1, 2)).astype(object)
    product = exact.inttn(spectra[0] * spectra[1] % p, ring)
    a, b = factors
    for k in ((0, 0), (7, 7), (3, 11), (14, 14), (15, 2)):
        pairs = ((i, j) for i in range(k[0] + 1) for j in range(k[1] + 1))
        assert product[k] == sum(a[i, j] * b[k[0] - i, k[1] - j] for i, j in pairs) % p


def test_refusals_of_ntt():
    with pytest.raises(ValueError, match="power of two"):
        exact.ntt([1, 2, 3])
    with pytest.raises(ValueError, match="no residues"):
        exact.ntt([0, 2**31], "baby_bear")
    with pytest.raises(ValueError, match="no residues"):
        exact.ntt([0, -1])
    for axes in ((0, 0), (2,), (-3,), ()):
        with pytest.raises(ValueError, match="axes are"):
            exact.nttn([[0, 1], [1, 0]], axes=axes)
    with pytest.raises(ValueError, match="coset is 0"):
        exact.ntt([0, 1], coset=0)
    with pytest.raises(ValueError, match="ring is"):
        exact.ntt([0, 1], "mersenne")
    with pytest.raises(TypeError, match="it must have integers"):
        exact.ntt([0.5, 1])
