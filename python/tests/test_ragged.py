"""imago.Ragged beside scipy.fft, row by row."""

import copy
import pickle

import numpy as np
import pytest
import scipy.fft

import imago

LENGTHS = [20, 24, 7, 1, 131, 64, 24]


def signal(batch, elements, dtype, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((batch, elements) if batch > 1 else elements)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(x.shape)
    return x.astype(dtype)


def expected(kind, row, **k):
    if kind == "complex":
        return scipy.fft.fft(row, axis=-1, **k)
    if kind == "real":
        return scipy.fft.rfft(row, axis=-1, **k)
    return getattr(scipy.fft, kind[:3])(row, type=int(kind[3]), axis=-1, **k)


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("kind", ["complex", "real", "dct2", "dst4"])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_rows_are_those_of_scipy(kind, precision, batch):
    dtype = np.result_type(precision, "complex64") if kind == "complex" else np.dtype(precision)
    plan = imago.Ragged(LENGTHS, kind=kind, dtype=precision, batch=batch)
    x = signal(batch, sum(LENGTHS), dtype)
    y = plan.forward(x)
    tolerance = 1e-6 if precision == "float32" else 1e-14
    assert y.dtype == (np.result_type(dtype, "complex64") if kind == "real" else dtype)
    for row, found in zip(plan.rows(x), plan.rows(y)):
        want = expected(kind, row.astype(np.result_type(row, np.float64)))
        assert np.linalg.norm(found - want) <= tolerance * np.linalg.norm(want)
    np.testing.assert_allclose(plan.inverse(y), x, atol=20 * tolerance)
    assert plan.forward(x, out := np.empty_like(y)) is out and np.array_equal(out, y)


def test_fields_may_be_last():
    first = imago.Ragged(LENGTHS, kind="real", batch=9)
    last = imago.Ragged(LENGTHS, kind="real", batch=9, fields_last=True)
    x = signal(9, sum(LENGTHS), np.float32)
    y = first.forward(x)
    z = last.forward(np.ascontiguousarray(x.T))
    assert z.shape == y.T.shape and np.array_equal(z.T, y)
    assert np.array_equal(last.inverse(z).T, first.inverse(y))
    assert [r.shape for r in last.rows(z)] == [(n // 2 + 1, 9) for n in LENGTHS]


def test_a_spectrum_may_be_truncated():
    plan = imago.Ragged(LENGTHS, kind="real", batch=2, kept=8, norm="forward")
    x = signal(2, sum(LENGTHS), np.float32)
    y = plan.forward(x)
    z = plan.inverse(y)
    for n, row, found, back in zip(LENGTHS, plan.rows(x), plan.rows(y), plan.rows(z)):
        want = scipy.fft.rfft(row, axis=-1, norm="forward")[:, :8]
        np.testing.assert_allclose(found, want, atol=1e-6)
        np.testing.assert_allclose(back, scipy.fft.irfft(want, n, axis=-1, norm="forward"), atol=1e-5)


def test_rows_may_lie_anywhere():
    offsets = (40, 0, 70, 30, 200, 100, 400)
    plan = imago.Ragged(
        LENGTHS, kind="real", signal=imago.RowLayout(offsets), spectrum=imago.RowLayout(stride=2)
    )
    x = signal(1, 424, np.float32)
    y = np.zeros(2 * sum(n // 2 + 1 for n in LENGTHS), np.complex64)
    plan.forward(x, y)
    want = [scipy.fft.rfft(x[o : o + n]) for o, n in zip(offsets, LENGTHS)]
    np.testing.assert_allclose(y[::2], np.concatenate(want), atol=1e-4)
    assert not y[1::2].any()
    with pytest.raises(ValueError, match="out is missing"):
        plan.forward(x)
    with pytest.raises(ValueError, match="RowLayout"):
        plan.rows(x)


def test_factors_of_rows():
    turns = [np.exp(-1j * np.pi * np.arange(n // 2 + 1) / n) for n in LENGTHS]
    window = np.concatenate([np.hanning(n + 2)[1:-1] for n in LENGTHS])
    plan = imago.Ragged(LENGTHS, kind="real", on_forward=(window, turns))
    x = signal(1, sum(LENGTHS), np.float32)
    found = plan.forward(x)
    assert repr(plan) == f"imago.Ragged({tuple(LENGTHS)}, kind='real', on_forward=...)"
    for turn, row, spectrum in zip(turns, plan.rows(x * window), plan.rows(found)):
        np.testing.assert_allclose(spectrum, scipy.fft.rfft(row) * turn, atol=1e-5)


def test_grids_have_one_launch():
    rings = [20 + 4 * i for i in range(60)]
    plan = imago.Ragged(rings + rings[::-1], kind="real", batch=8)
    assert "120 rows of 20 to 256 points, real, f32, batch 8" in plan.describe()
    assert plan.describe().count("1 launch\n") == 2
    assert len(plan.sources()) == 1 and plan.workspace_bytes == 0
    assert plan.sources()[0][0] == imago.Ragged([5, 6], batch=8).sources()[0][0]
    assert plan.signal_bytes == 8 * 4 * 2 * sum(rings) and plan.table_bytes > 0


def test_plans_are_copied_and_pickled():
    plan = imago.Ragged([8, 12], kind="real", kept=3)
    again = pickle.loads(pickle.dumps(plan))
    x = signal(1, 20, np.float32)
    assert np.array_equal(again.forward(x), plan.forward(x)) and copy.copy(plan) is plan
    assert repr(plan) == "imago.Ragged((8, 12), kind='real', kept=3)"


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(lengths=[]), "lengths is empty"),
        (dict(lengths=[4, 0]), r"lengths\[1\] is 0"),
        (dict(lengths=[4], batch=0), "batch is 0"),
        (dict(lengths=[4], kind="fast"), "kind is 'fast'"),
        (dict(lengths=[4], dtype=np.float16), "precision is f16"),
        (dict(lengths=[4, 5], kept=[4]), "kept is 1 of them"),
        (dict(lengths=[4, 5], signal=imago.RowLayout((0, 2))), "share elements"),
        (dict(lengths=[4], on_forward=([1.0, 2.0], None)), "on_forward.load is 2 factors"),
    ],
)
def test_what_is_not_allowed(given, message):
    with pytest.raises(ValueError, match=message):
        imago.Ragged(**given)


def test_arrays_are_checked():
    plan = imago.Ragged([4, 5], batch=2)
    with pytest.raises(TypeError, match="dtype"):
        plan.forward(np.zeros((2, 9)))
    with pytest.raises(ValueError, match="shape"):
        plan.forward(np.zeros((3, 9), np.complex64))
    with pytest.raises(ValueError, match="17"):
        plan.rows(np.zeros((2, 17)))
    with pytest.raises(TypeError, match="on_forward"):
        imago.Ragged([4], on_forward=("many", None))
    with pytest.raises(NotImplementedError, match="recipe"):
        plan.recipe()
