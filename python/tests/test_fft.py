"""imago.fft compared with SciPy's own code: arguments, types and strides."""

import inspect

import hypothesis
import numpy as np
import pytest
import scipy.fft
from hypothesis import strategies as st
from support import assert_close, random_array, reference

import imago

FOURIER = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
COSINE = ["dct", "idct", "dst", "idst"]
TAKES_REAL = {"rfft", "ihfft"}
NORMS = [None, "backward", "ortho", "forward"]


def input_for(name, shape, double=True, seed=0):
    real = name.rstrip("2n") in TAKES_REAL or name.strip("in")[:3] in ("dct", "dst")
    kind = "f" if real else "c"
    return random_array(shape, kind + str((8 if double else 4) * (1 if real else 2)), seed)


def check(name, x, *args, **kwargs):
    if name.endswith("2"):
        kwargs = {"axes": (-2, -1), **kwargs}
    expected = getattr(reference, name.replace("2", "n"))(np.asarray(x), *args, **kwargs)
    assert_close(getattr(imago.fft, name)(x, *args, **kwargs), expected)


LARGE = (40, 1 << 14)


@pytest.mark.parametrize("name", ["fft", "ifft", "fftn", "dct", "idstn"])
def test_overwriting(name):
    given = input_for(name, LARGE, double=False)
    expected = getattr(reference, name)(given)
    x = given.copy()
    result = getattr(imago.fft, name)(x, overwrite_x=True)
    assert np.shares_memory(result, x)
    assert_close(result, expected)
    x = given.copy()
    assert not np.shares_memory(getattr(imago.fft, name)(x), x)
    np.testing.assert_array_equal(x, given)


def test_what_cannot_be_overwritten_is_not():
    x = input_for("fft", LARGE)
    kept = x.copy()
    x.flags.writeable = False
    wide = np.repeat(x, 2, axis=1)[:, ::2]
    for given, n in ((x, None), (wide, None), (kept.copy(), LARGE[1] - 1), (kept.real.copy(), None)):
        result = imago.fft.fft(given, n, overwrite_x=True)
        assert not np.shares_memory(result, given)
        assert_close(result, reference.fft(given, n))


def test_every_function_has_scipys_signature():
    for name in scipy.fft.__all__:
        theirs = getattr(scipy.fft, name)
        ours = getattr(imago.fft, name)
        if not callable(theirs):
            continue
        ours, theirs = (inspect.signature(f).parameters.values() for f in (ours, theirs))
        # Arguments of the array API and NumPy that SciPy lacks are last, and keyword-only.
        added = ("dtype",) if name.endswith("freq") else ("out",)
        described = [
            [(p.name, p.kind, p.default) for p in f if p.name not in added] for f in (ours, theirs)
        ]
        assert described[0] == described[1], name


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "irfft2"])
def test_numpys_axes_that_come_twice_and_lengths_of_none(name):
    x, theirs, ours = input_for(name, (4, 6)), getattr(np.fft, name), getattr(imago.fft, name)
    for given in ({}, {"norm": "ortho"}, {"s": (5, 3)}, {"s": (3, -1)}):
        for axes in ((0, 0), (1, -1), (0, 1, 0)):
            if len(axes) == 3 and "s" in given:
                continue
            expected = theirs(x, axes=axes, **given)
            np.testing.assert_allclose(ours(x, axes=axes, **given), expected, atol=1e-13)
            out = np.empty_like(expected)
            assert ours(x, axes=axes, out=out, overwrite_x=True, **given) is out
            np.testing.assert_allclose(out, expected, atol=1e-13)
    for s in ((None, 5), (3, None), (None, None)):
        kept = [n if length is None else length for n, length in zip(x.shape, s)]
        np.testing.assert_array_equal(ours(x, s=s, axes=(0, 1)), ours(x, s=kept, axes=(0, 1)))


def test_axes_that_come_twice_are_scipys_mistake_elsewhere():
    for name in ("dctn", "idstn", "hfftn", "ihfftn"):
        with pytest.raises(ValueError, match="all axes must be unique"):
            getattr(imago.fft, name)(np.ones((4, 6)), axes=(0, 0))
    with pytest.raises(ValueError, match="all axes must be unique here. Call the function once for"):
        imago.fft.explain(imago.fft.fftn, np.ones((4, 6)), axes=(0, 0))


@pytest.mark.parametrize("name", FOURIER + ["fftn", "irfft2"])
def test_numpys_name_of_the_array(name):
    x = input_for(name, (4, 6))
    function = getattr(imago.fft, name)
    np.testing.assert_array_equal(function(a=x, norm="ortho"), function(x, norm="ortho"))


@pytest.mark.parametrize("double", [True, False])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", FOURIER)
def test_fourier_along_an_axis(name, norm, double):
    x = input_for(name, (3, 12, 5), double)
    check(name, x, axis=1, norm=norm)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", [f + "n" for f in FOURIER] + [f + "2" for f in FOURIER])
def test_fourier_along_axes(name, norm):
    x = input_for(name, (4, 3, 10))
    axes = (2, 0)
    check(name, x, axes=axes, norm=norm)
    check(name, x, norm=norm)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 19])
@pytest.mark.parametrize("name", FOURIER)
def test_cropped_and_padded(name, n):
    check(name, input_for(name, (2, 12)), n=n)


@pytest.mark.parametrize("name", ["fftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dctn"])
def test_some_axes_are_cropped_and_others_padded(name):
    x = input_for(name, (6, 5, 9))
    check(name, x, s=(8, 6), axes=(0, 2))
    check(name, x, s=(4, 11))
    check(name, x, s=(-1, 11), axes=(1, 2))


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "dct"])
def test_long_arrays_are_padded_by_the_kernels(name, computed):
    x = input_for(name, (5, 20_000))
    check(name, x, n=32_768)
    assert computed() == 1


@pytest.mark.parametrize("name", ["hfft", "ihfft", "hfftn", "ihfftn"])
@pytest.mark.parametrize("double", [True, False])
def test_long_arrays_are_conjugated_by_the_kernels(name, double):
    check(name, input_for(name, (4, 40_000), double))


@pytest.mark.parametrize("orthogonalize", [None, True, False])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", COSINE)
def test_cosines(name, type, norm, orthogonalize):
    x = input_for(name, (3, 8))
    check(name, x, type, norm=norm, orthogonalize=orthogonalize)
    check(name + "n", x, type, norm=norm, orthogonalize=orthogonalize)


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", COSINE)
def test_cosines_of_complex_numbers_are_those_of_their_parts(name, type):
    x = random_array((3, 8, 2), np.complex128)
    for norm in ("backward", "ortho"):
        check(name, x, type, axis=1, norm=norm)
    both = getattr(imago.fft, name)(x, type, axis=1, orthogonalize=True)
    parts = [getattr(reference, name)(p, type, axis=1, orthogonalize=True) for p in (x.real, x.imag)]
    assert_close(both, parts[0] + 1j * parts[1])


@pytest.mark.parametrize(
    "dtype", ["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", ">f4", ">f8", ">c8", "<c16", ">c16"]
)
@pytest.mark.parametrize("name", ["fft", "irfft", "dct"])
def test_types(name, dtype):
    x = random_array((2, 8), "i1").astype(dtype) if dtype == "?" else random_array((2, 8), dtype)
    check(name, x)


@pytest.mark.parametrize("dtype", ["g", "G"])
def test_long_doubles_are_scipys(dtype, computed):
    x = random_array((2, 8), "f8").astype(dtype)
    before = imago.fft.statistics()["scipy"]
    check("fft", x)
    check("fft2", x, norm="ortho")
    check("dctn", x, 3, axes=(0,), orthogonalize=False)
    assert computed() == 0
    assert imago.fft.statistics()["scipy"] == before + 3


def test_lists_scalars_and_matrices():
    check("fft", [1, 2.5, 3])
    check("fft", [[1, 2], [3, 4j]])
    masked = np.ma.masked_equal([1.0, 2.0], 2.0)
    assert type(imago.fft.fft(masked)) is np.ndarray
    assert imago.fft.fftn(5.0) == 5.0


VIEWS = {
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "every third": lambda x: x[:, ::3],
    "from the middle": lambda x: x[1:, 3:],
    "broadcast": lambda x: np.broadcast_to(x[1], x.shape),
    "more axes": lambda x: x[None, :, None],
    "Fortran": np.asfortranarray,
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
    "unaligned": lambda x: np.frombuffer(b"-" + x.tobytes(), x.dtype, offset=1).reshape(x.shape),
    "a field": lambda x: np.rec.fromarrays([np.zeros(x.shape, "i1"), x], names="a,b")["b"],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "dct", "fftn"])
def test_views(name, view):
    x = VIEWS[view](input_for(name, (6, 12)))
    kept = x.copy()
    check(name, x)
    assert np.array_equal(x, kept)


@pytest.mark.parametrize("view", ["transposed", "every third", "from the middle", "broadcast"])
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "dct", "fftn"])
def test_views_of_large_arrays_are_read_where_they_lie(name, view):
    x = VIEWS[view](input_for(name, (330, 1000)))
    assert x.size >= 1 << 16 and not x.flags.c_contiguous
    check(name, x)


def test_small_results_do_not_depend_on_the_layout():
    x = random_array((8, 7, 13), np.float32)
    for axes in ((0, 1), (1, 2), (0, 2), None):
        results = [imago.fft.fftn(y, axes=axes) for y in (x, np.asfortranarray(x), x[::-1][::-1])]
        assert np.array_equal(results[0], results[1]) and np.array_equal(results[0], results[2])


def test_the_parts_of_complex_numbers_are_views():
    x = random_array((4, 6), np.complex128)
    check("rfft", x.imag)
    check("dct", x.real, axis=0)


def test_doubles_that_are_half_aligned():
    x = random_array(33, np.float64)
    check("rfft", x[1:])
    check("fft", x[1:].view(np.complex128))


@pytest.mark.parametrize("name", ["fft", "rfft", "dct"])
def test_no_rows_give_no_rows(name):
    check(name, input_for(name, (0, 8)))
    check(name, input_for(name, (0, 8)), n=5)


def test_one_entry_of_a_half_spectrum_stands_for_one_number():
    check("irfftn", input_for("irfftn", (3, 1)))


def test_no_axes_give_the_array_itself():
    x = random_array((3, 4), np.float64)
    for name in ("fftn", "ifftn", "dctn", "idstn"):
        assert getattr(imago.fft, name)(x, axes=()) is x


@pytest.mark.parametrize("axis", range(4))
def test_many_dimensions(axis):
    check("fft", random_array((2, 3, 4, 5, 2, 3, 2), np.complex128), axis=axis)
    check("rfftn", random_array((2, 3, 4, 5, 2, 3, 2), np.float64), axes=(axis, 6, 4))


ERRORS = [
    (ValueError, "fft", ([1, 2], 0), {}),
    (ValueError, "fft", ([1, 2], -3), {}),
    (ValueError, "fft", ([],), {}),
    (ValueError, "fft", ([1, 2],), {"norm": "both"}),
    (ValueError, "fft", ([1, 2],), {"workers": 0}),
    (ValueError, "fft", ([1, 2],), {"workers": -(10**6)}),
    (IndexError, "fft", ([1, 2],), {"axis": 1}),
    (IndexError, "fft", (1.0,), {}),
    (TypeError, "fft", ([1, 2], 1.5), {}),
    (NotImplementedError, "fft", ([1, 2],), {"plan": object()}),
    (ValueError, "fft", ("text",), {}),
    (TypeError, "rfft", ([1j, 2],), {}),
    (TypeError, "ihfftn", ([1j, 2],), {}),
    (ValueError, "irfft", ([1j],), {}),
    (ValueError, "rfftn", ([1.0],), {"axes": ()}),
    (ValueError, "dctn", (np.ones((2, 2)),), {"axes": (0, 0)}),
    (ValueError, "fftn", (np.ones((2, 2)),), {"axes": (0, 2)}),
    (ValueError, "fftn", (np.ones((2, 2)),), {"s": (2, 2, 2)}),
    (ValueError, "fftn", (np.ones((2, 2)),), {"s": (2,), "axes": (0, 1)}),
    (ValueError, "fftn", (np.ones((2, 2)),), {"s": (0, 2)}),
    (ValueError, "fftn", (np.ones((2, 2)),), {"axes": 1.5}),
    (ValueError, "dct", ([1.0, 2.0],), {"type": 5}),
    (ValueError, "dct", ([1.0],), {"type": 1}),
    (ValueError, "dctn", (np.ones((2, 2)),), {"norm": "both"}),
]


@pytest.mark.parametrize("error, name, args, kwargs", ERRORS)
def test_errors_are_scipys(error, name, args, kwargs):
    with pytest.raises(error):
        getattr(imago.fft, name)(*args, **kwargs)
    with pytest.raises((error, RuntimeError)):
        getattr(reference, name)(np.asarray(args[0]), *args[1:], **kwargs)


def test_without_fallback_long_doubles_are_an_error(monkeypatch):
    monkeypatch.setenv("IMAGO_FALLBACK", "0")
    with pytest.raises(NotImplementedError, match="fft: long double"):
        imago.fft.fft(np.ones(4, np.longdouble))


@hypothesis.settings(max_examples=60, deadline=None, derandomize=True)
@hypothesis.given(data=st.data())
def test_any_view_along_any_axes(data):
    """Random calls, with lengths from a short list, because each length compiles kernels."""
    name = data.draw(st.sampled_from(["fftn", "ifftn", "rfftn", "irfftn", "dctn", "idstn"]))
    rank = data.draw(st.integers(1, 4))
    shape = data.draw(st.tuples(*[st.sampled_from([2, 3, 8]) for _ in range(rank)]))
    x = input_for(name, shape, data.draw(st.booleans()))
    x = x.transpose(data.draw(st.permutations(range(rank))))
    steps = data.draw(st.tuples(*[st.sampled_from([1, 2, -1]) for _ in range(rank)]))
    x = x[tuple(slice(None, None, step) for step in steps)]
    axes = data.draw(st.lists(st.integers(0, rank - 1), min_size=1, unique=True))
    s = data.draw(st.none() | st.tuples(*[st.sampled_from([-1, 3, 8]) for _ in axes]))
    hypothesis.assume(s is None or all(x.shape[a] > 1 for a in axes))
    if name == "irfftn":
        hypothesis.assume(x.shape[axes[-1]] > 1)
    check(name, x, s=s, axes=axes, norm=data.draw(st.sampled_from(NORMS)))
