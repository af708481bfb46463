"""imago.nufft: direct sums in extended precision, arguments, edge cases. finufft's own tests:
finufft_plugin.py.
"""

import concurrent.futures
import copy
import pickle
import threading
import time
import warnings

import numpy as np
import pytest

import imago.nufft
from imago.nufft import ArgumentError, Plan, _transform
from imago.nufft._transform import cache

RNG = np.random.default_rng(11)
PI = 4 * np.arctan(np.longdouble(1))
SHAPES = [(1,), (2,), (37,), (64,), (5, 12), (16, 9), (4, 7, 6)]
INTEGERS = ["uint32", "int32", "uint64", "int64"]


def radians(x):
    """Returns coordinates, of which integers are fractions, as extended radians."""
    if x.dtype.kind == "f":
        return x.astype(np.longdouble)
    return x.astype(np.longdouble) / np.longdouble(2) ** (8 * x.dtype.itemsize) * 2 * PI


def matrix(points, modes, sign, centred=True):
    """Returns exp(i sign k x) for the modes k, slowest axis first, and the points x."""
    result, rows = np.ones((1, len(points[0])), np.clongdouble), 1
    for x, n in zip(points, modes):
        k = np.arange(-(n // 2), (n + 1) // 2)
        if not centred:
            k = np.fft.ifftshift(k)
        phases = np.exp(1j * sign * (k[:, None] * radians(x)))
        rows *= n
        result = (result[:, None] * phases).reshape(rows, len(x))
    return result


def complex_numbers(shape, dtype=np.complex128):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


def random_points(count, axes, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return [RNG.uniform(-4 * np.pi, 4 * np.pi, count).astype(dtype) for _ in range(axes)]
    limits = np.iinfo(dtype)
    return [RNG.integers(limits.min, limits.max, count, dtype, True) for _ in range(axes)]


def function(axes, nufft_type):
    return getattr(imago.nufft, f"nufft{axes}d{nufft_type}")


def error(found, exact, data):
    """Returns the norm of the difference in the unit of the tolerance."""
    difference = np.linalg.norm((found - exact.reshape(found.shape)).ravel())
    return float(difference / (np.linalg.norm(np.ravel(data)) * np.sqrt(found.size)))


def assert_both(points, modes, dtype, eps, count, **options):
    """Asserts that both types have their tolerance."""
    exact = matrix(points, modes, 1, options.get("modeord", 0) == 0)
    c, f = complex_numbers(count, dtype), complex_numbers(modes, dtype)
    axes, options = len(modes), {"coordinates": points[0].dtype, **options}
    found = function(axes, 1)(*points, c, modes, eps=eps, **options)
    assert found.dtype == dtype and found.shape == modes
    assert error(found, exact @ c, c) <= eps
    found = function(axes, 2)(*points, f, eps=eps, **options)
    assert found.dtype == dtype and found.shape == (count,)
    assert error(found, exact.conj().T @ f.ravel(), f) <= eps


@pytest.mark.parametrize("modes", SHAPES)
@pytest.mark.parametrize("dtype, eps", [("c8", 1e-3), ("c8", 1e-5), ("c16", 1e-6), ("c16", 1e-12)])
def test_direct_sums(modes, dtype, eps):
    real = "f4" if dtype == "c8" else "f8"
    assert_both(random_points(300, len(modes), real), modes, dtype, eps, 300)


@pytest.mark.parametrize("dtype, eps", [("c8", 1e-4), ("c16", 1e-10)])
@pytest.mark.parametrize("coordinates", ["f4", "f8", *INTEGERS])
@pytest.mark.long
def test_types_of_coordinates(dtype, coordinates, eps):
    assert_both(random_points(200, 2, coordinates), (20, 15), dtype, eps, 200)


@pytest.mark.long
def test_integers_address_long_grids():
    # float32 radians have a step of 2.4e-7 near pi, which mode 2^18 turns by a twentieth.
    n, points = 1 << 19, np.array([2**31 - 10_000, 2**31 + 10_001, 12_345_679], np.uint32)
    c = complex_numbers(3, np.complex64)
    found = imago.nufft.nufft1d1(points, c, n, eps=1e-4, coordinates="uint32")
    k = RNG.choice(n, 1000)
    exact = np.exp(1j * np.outer(k - n // 2, radians(points))) @ c
    assert np.linalg.norm(found[k] - exact) <= 3e-4 * np.linalg.norm(exact)


@pytest.mark.parametrize("dtype, bound", [("uint32", 3e-4), ("int64", 1e-5)])
def test_integers_keep_the_tolerance_of_a_million_modes(dtype, bound):
    n, exact = 1 << 20, RNG.integers(0, 2**64, 12, np.uint64, False)
    rounded = exact if dtype == "int64" else ((exact >> 31) + 1) >> 1
    points = rounded.astype(dtype) if dtype == "uint32" else rounded.view(dtype)
    f = complex_numbers((n,), np.complex64)
    # Products of modes and fractions are exact modulo the period.
    k = np.arange(-(n // 2), n // 2).view(np.uint64)
    sums = [np.exp(-2j * np.pi * ((k * x).astype(float) / 2.0**64)) @ f for x in exact]
    found = imago.nufft.nufft1d2(points, f, eps=1e-5, coordinates=dtype)
    assert error(found, np.array(sums), f) <= bound
    plan = Plan(2, (n,), eps=1e-5, dtype="complex64", coordinates=dtype)
    plan.setpts(points)
    assert error(plan.execute(f), np.array(sums), f) <= bound  # its kernels may be generic ones


def test_integers_are_radians():
    x, c = np.arange(8), complex_numbers(8)
    exact = matrix([x * 1.0], (6,), 1) @ c
    for dtype in INTEGERS:
        assert error(imago.nufft.nufft1d1(x.astype(dtype), c, 6), exact, c) < 1e-6


@pytest.mark.parametrize("dtype", [*INTEGERS, "int16", "uint8", "?"])
@pytest.mark.long
def test_integers_are_what_lists_of_them_are(dtype):
    x = np.arange(2) if dtype == "?" else np.arange(8)
    c, f, s = complex_numbers(x.size), complex_numbers((6,)), [0.5, 2.0]
    given, listed = x.astype(dtype), x.tolist()
    calls = [
        lambda x: imago.nufft.nufft1d1(x, c, 6), lambda x: imago.nufft.nufft1d2(x, f),
        lambda x: imago.nufft.nufft1d3(x, c, s), lambda x: imago.nufft.nufft1d3(listed, c, x[:2]),
        lambda x: imago.nufft.nufft2d1(x, [0.5 * n for n in listed], c, (4, 6)),
        lambda x: imago.nufft.nufft2d1(0.5 * np.array(listed), x, c, (4, 6)),
    ]  # fmt: skip
    for call in calls:
        assert np.array_equal(call(given), call(listed))
    plan = Plan(1, (6,))
    plan.setpts(given)
    assert np.array_equal(plan.execute(c), imago.nufft.nufft1d1(listed, c, 6))


@pytest.mark.long
def test_other_byte_orders():
    x, c = random_points(40, 1, "f8")[0], complex_numbers(40)
    expected = imago.nufft.nufft1d1(x, c, 8)
    f, turned = expected.astype(">c16"), x.astype(">f8")
    assert np.array_equal(imago.nufft.nufft1d1(turned, c.astype(">c16"), 8), expected)
    values = imago.nufft.nufft1d2(x, expected)
    assert np.array_equal(imago.nufft.nufft1d2(turned, f), values)
    turns = random_points(40, 1, "uint32")[0]
    found = imago.nufft.nufft1d1(turns.astype(">u4"), c, 8, coordinates=">u4")
    assert np.array_equal(found, imago.nufft.nufft1d1(turns, c, 8, coordinates="uint32"))
    plan = Plan(2, (8,), dtype=">c16", coordinates=">f8")
    plan.setpts(turned)
    assert np.array_equal(plan.execute(f), values)
    real = imago.nufft.nufft1d1(turned, c.real.astype(">f8"), 8, real=True)
    assert np.array_equal(real, imago.nufft.nufft1d1(x, c.real.copy(), 8, real=True))
    with pytest.raises(TypeError, match="out has dtype >c16; it must be complex128. Leave it out"):
        plan.execute(f, out=values.astype(">c16"))


def test_plans_are_pickled_and_copied():
    x, f = random_points(30, 1, "f8")[0], complex_numbers((9,))
    plan = Plan(2, (9,), eps=1e-9, isign=1, n_trans=1)
    for setting in (False, True):
        copies = copy.copy(plan), copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))
        for other in copies:
            assert repr(other) == repr(plan)
            with pytest.raises(ArgumentError, match="the plan has no points. Call setpts"):
                other.execute(f)
            other.setpts(x)
        plan.setpts(x)
        for other in copies:
            assert np.array_equal(other.execute(f), plan.execute(f))


@pytest.mark.parametrize("modes", [(9,), (6, 7), (4, 3, 5)])
@pytest.mark.long
def test_order_of_modes(modes):
    assert_both(random_points(50, len(modes), "f8"), modes, "c16", 1e-8, 50, modeord=1)


@pytest.mark.parametrize("isign", [1, 0, -1])
@pytest.mark.long
def test_signs(isign):
    points, modes = random_points(40, 2, "f8"), (8, 7)
    sign = 1 if isign >= 0 else -1
    c, f = complex_numbers(40), complex_numbers(modes)
    exact = matrix(points, modes, sign)
    assert error(imago.nufft.nufft2d1(*points, c, modes, isign=isign), exact @ c, c) < 1e-6
    found = imago.nufft.nufft2d2(*points, f, isign=isign)
    assert error(found, exact.T @ f.ravel(), f) < 1e-6
    plan = Plan(1, modes, isign=isign)
    plan.setpts(*points)
    assert error(plan.execute_adjoint(f), exact.conj().T @ f.ravel(), f) < 1e-6
    plan = Plan(2, modes, isign=isign)
    plan.setpts(*points)
    assert error(plan.execute_adjoint(c), exact.conj() @ c, c) < 1e-6


@pytest.mark.parametrize("dtype, bound", [("c8", 1e-6), ("c16", 1e-13)])
@pytest.mark.long
def test_adjoint_has_the_same_error(dtype, bound):
    # Type 2 is the exact adjoint of type 1, whatever the tolerance.
    modes = (12, 15)
    plan = Plan(1, modes, eps=1e-2, dtype=dtype)
    plan.setpts(*random_points(500, 2, "f4" if dtype == "c8" else "f8"))
    c, f = complex_numbers(500, dtype), complex_numbers(modes, dtype)
    there, back = plan.execute(c), plan.execute_adjoint(f)
    left, right = np.vdot(f.astype("c16"), there), np.vdot(back.astype("c16"), c)
    assert abs(left - right) <= bound * np.linalg.norm(c) * np.linalg.norm(f) * np.sqrt(180)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("dtype, eps", [("c8", 1e-4), ("c16", 1e-6), ("c16", 1e-11)])
@pytest.mark.long
def test_frequencies_anywhere(axes, dtype, eps):
    real = "f4" if dtype == "c8" else "f8"
    points = [RNG.uniform(-3, 5, 200).astype(real) for _ in range(axes)]
    targets = [RNG.uniform(-20, 7, 150).astype(real) for _ in range(axes)]
    phases = sum(np.outer(t, x.astype(np.longdouble)) for t, x in zip(targets, points))
    exact = np.exp(1j * phases)
    c, f = complex_numbers((2, 200), dtype), complex_numbers((2, 150), dtype)
    out = np.full((2, 150), np.nan, dtype)
    found = function(axes, 3)(*points, c, *targets, out=out, eps=eps)
    assert found is out
    for one, given in zip(found, c):
        assert error(one, exact @ given, given) <= eps
    none = (None,) * (3 - axes)
    plan = Plan(3, axes, 2, eps, dtype=dtype)
    for _ in range(2):  # the adjoint is that of the last points
        with pytest.raises(TypeError):
            plan.setpts(*points, *none, *(t.astype("f2") for t in targets))
        plan.setpts(*points, *none, *targets)
        assert np.allclose(plan.execute(c), found, atol=200 * eps)
        there, back = plan.execute(c), plan.execute_adjoint(f)
        for one, given in zip(back, f):
            assert error(one, exact.conj().T @ given, given) <= eps
        points, targets = [x[::-1].copy() for x in points], [-t for t in targets]
        exact = exact[:, ::-1].conj()
        found = (exact @ c.T).T
    minus = function(axes, 3)(*points, c[0], *targets, eps=eps, isign=-1)
    assert error(minus, exact.conj() @ c[0], c[0]) <= eps
    assert (plan.dim, plan.n_modes, there.shape) == (axes, (), (2, 150))


def test_edges_of_type_3():
    assert not imago.nufft.nufft1d3([], [], [1.0, 2.0]).any()
    assert imago.nufft.nufft1d3([1.0], [1.0], []).shape == (0,)
    for x, s in (([0.0], [0.0]), ([1e-200], [3.0]), ([5.0, 5.0], [1e3]), ([1e6], [0.25, 0.25])):
        exact = np.exp(1j * np.outer(s, x)) @ np.ones(len(x))
        assert np.allclose(imago.nufft.nufft1d3(x, np.ones(len(x), complex), s), exact, atol=1e-5)
    plan = Plan(3, 1)
    with pytest.raises(ArgumentError, match="s is None; give an array for each of s"):
        plan.setpts(np.zeros(3))
    with pytest.raises(ArgumentError, match="t is given, but the plan needs 1 of s, t, u"):
        plan.setpts(np.zeros(3), s=np.zeros(3), t=np.zeros(3))
    with pytest.raises(ArgumentError, match="setpts first"):
        plan.execute_adjoint(np.zeros(3, complex))
    with pytest.raises(ValueError, match=r"^s\[1\] is nan; give finite numbers"):
        plan.setpts(np.zeros(3), s=np.array([0, np.nan]))
    with pytest.raises(ArgumentError, match="coordinates have dtype uint32"):
        Plan(3, 1, coordinates="uint32")
    with pytest.warns(RuntimeWarning, match="eps is 1e-30"):
        Plan(3, 2, eps=1e-30)
    for axes in (1, 2, 3):
        assert 1e-6 <= Plan(3, axes, dtype="c8").eps < 5e-6


@pytest.mark.parametrize("nufft_type", [1, 2])
@pytest.mark.long
def test_several_transforms_and_out(nufft_type):
    modes, count, batch = (6, 9), 30, 3
    points = random_points(count, 2, "f8")
    shapes = [(count,), modes] if nufft_type == 1 else [modes, (count,)]
    data = complex_numbers((batch, *shapes[0]))
    exact = matrix(points, modes, 1)
    if nufft_type == 2:
        exact = exact.conj().T
    plan = Plan(nufft_type, modes, batch, eps=1e-9)
    plan.setpts(*points)
    out = np.full((batch, *shapes[1]), np.nan, complex)
    assert plan.execute(data, out=out) is out
    for one, given in zip(out, data):
        assert error(one, exact @ given.ravel(), given) < 1e-9
    again = np.full_like(out, np.nan)
    arguments = (data,) if nufft_type == 2 else (data, modes)
    assert function(2, nufft_type)(*points, *arguments, out=again, eps=1e-9) is again
    assert np.allclose(again, out, atol=1e-7)
    assert plan.execute(data).shape == out.shape
    one = Plan(nufft_type, modes, eps=1e-9)  # one transform may have an axis of length 1
    one.setpts(*points)
    assert one.execute(data[:1]).shape == (1, *shapes[1])
    assert one.execute(data[0], out=np.empty((1, *shapes[1]), complex)).shape == (1, *shapes[1])


def test_modes_may_come_from_out():
    out = np.empty((4, 5), complex)
    found = imago.nufft.nufft2d1(np.zeros(1), np.zeros(1), np.ones(1, complex), out=out)
    assert found is out
    assert np.allclose(out, 1, atol=1e-5)
    assert imago.nufft.nufft2d1([0.0], [0.0], [1.0], 3).shape == (3, 3)


@pytest.mark.parametrize("modes", [(8,), (8, 6), (4, 6, 5)])
@pytest.mark.parametrize(
    "x",
    [
        [],
        [0.3],
        [np.pi, -np.pi, np.nextafter(np.pi, 0), 0.0, -0.0],
        [1.25] * 400,
        [1e5, -1e5, 2.0**20],
        [5e-324, -1e-300],
    ],
    ids=["none", "one", "ends", "equal", "far", "tiny"],
)
def test_edges(modes, x):
    x = np.array(x, float)
    points = [x] * len(modes)
    if x.size:
        assert_both(points, modes, np.complex128, 1e-8, x.size)
    else:
        axes = len(modes)
        assert not function(axes, 1)(*points, np.zeros(0, complex), modes).any()
        assert function(axes, 2)(*points, np.ones(modes, complex)).shape == (0,)


def test_plans_set_points_again():
    plan, f = Plan(2, (9,), eps=1e-9), complex_numbers((9,))
    for count in (5, 0, 200, 1, 37):
        (x,) = random_points(count, 1, "f8")
        plan.setpts(x)
        found = plan.execute(f)
        exact = matrix([x], (9,), -1).T @ f
        x[...] = np.nan  # the plan has a copy
        assert found.shape == (count,)
        assert np.allclose(found, exact, atol=1e-7)
        assert np.array_equal(plan.execute(f), found)


def members_of(counts, axes, dtype):
    """Returns a list of arrays for each axis."""
    return [[random_points(n, 1, dtype)[0] for n in counts] for _ in range(axes)]


@pytest.mark.parametrize("as_list", [True, False])
@pytest.mark.parametrize(
    "counts, modes, dtype", [((30, 0, 7), (6, 5), "c16"), ((0, 0), (9,), "c8"), ((4,), (8,), "c16")]
)
def test_points_per_member(as_list, counts, modes, dtype):
    eps = 1e-4 if dtype == "c8" else 1e-8
    plan = Plan(1, modes, len(counts), eps, dtype=dtype, points_per_member=True)
    points = members_of(counts, len(modes), np.zeros(0, dtype).real.dtype)
    c = [complex_numbers(n, dtype) for n in counts]
    f = complex_numbers((len(counts), *modes), dtype)
    if as_list:
        plan.setpts(*points)
        found = plan.execute(c)
    else:
        plan.setpts(*map(np.concatenate, points), counts=np.array(counts))
        found = plan.execute(np.concatenate(c))
    values = plan.execute_adjoint(f)
    assert found.shape == f.shape
    assert values.shape == (sum(counts),)
    for member, own in enumerate(np.split(values, np.cumsum(counts)[:-1])):
        if not counts[member]:
            assert not found[member].any()
            continue
        waves = matrix([x[member] for x in points], modes, 1)
        assert error(found[member], (waves @ c[member]).reshape(modes), c[member]) <= eps
        assert error(own, waves.T.conj() @ f[member].ravel(), f[member]) <= eps


def test_points_per_member_refuses():
    plan = Plan(1, (8,), 3, points_per_member=True)
    x = np.zeros(5)
    for points, counts, match in (
        ([x, x], None, "give a list of 3 host arrays"),
        ([x, x, np.zeros((2, 2))], None, "one dimension"),
        (x, [5, 5], "counts has 2 numbers and the sum 10; it must have 3 with the sum 5"),
        (x, [5, 1, -1], "counts has 3 numbers"),
    ):
        with pytest.raises(ArgumentError, match=match):
            plan.setpts(points, counts=counts)
    with pytest.raises(ArgumentError, match="length"):
        Plan(1, (8, 8), 2, points_per_member=True).setpts([x, x], [x, x[1:]])
    with pytest.raises(ArgumentError, match="without points_per_member"):
        Plan(1, (8,), 3).setpts(x, counts=[1, 2, 2])
    with pytest.raises(ArgumentError, match="make a Plan"):
        imago.nufft.nufft1d1(x, x + 0j, 8, points_per_member=True)
    with pytest.raises(NotImplementedError, match="make a plan for each member"):
        Plan(3, 1, 3, points_per_member=True)
    plan.setpts(x, counts=[1, 0, 4])
    with pytest.raises(ArgumentError, match="shape"):
        plan.execute(np.zeros((3, 5), complex))
    again = pickle.loads(pickle.dumps(plan))
    again.setpts([x, x, x[:0]])
    assert again.execute([x + 1j, x, x[:0] + 0j]).shape == (3, 8)


def test_same_bits_in_every_call():
    points, c = random_points(5000, 2, "f4"), complex_numbers(5000, "c8")
    first = imago.nufft.nufft2d1(*points, c, (32, 40), eps=1e-4)
    for _ in range(4):
        assert np.array_equal(imago.nufft.nufft2d1(*points, c, (32, 40), eps=1e-4), first)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("real", ["f4", "f8"])
def test_points_that_are_not_finite(bad, real):
    plan = Plan(1, (8, 8), dtype="c8" if real == "f4" else "c16", eps=1e-4)
    x, y = random_points(9, 2, real)
    plan.setpts(x, y)
    y[7] = bad
    with pytest.raises(ValueError, match=rf"^y\[7\] is {bad}; give finite numbers"):
        plan.setpts(x, y)
    with pytest.raises(ArgumentError, match="setpts"):  # it has no points now
        plan.execute(complex_numbers(9, plan.dtype))
    y[7] = 0
    plan.setpts(x, y)
    assert np.isfinite(plan.execute(complex_numbers(9, plan.dtype))).all()


def test_lists_and_arrays_with_strides():
    x, c = [0.5, 1.5, -1.0], [1.0, 2j, 3.0]
    exact = matrix([np.array(x)], (6,), 1) @ c
    assert error(imago.nufft.nufft1d1(x, c, 6), exact, c) < 1e-6
    with pytest.warns(UserWarning, match="x is not C-contiguous") as caught:
        found = imago.nufft.nufft1d1(np.repeat(x, 2)[::2], np.array(c), 6)
    assert caught[0].filename == __file__
    assert error(found, exact, c) < 1e-6
    with pytest.warns(UserWarning, match="f is not C-contiguous"):
        imago.nufft.nufft2d2(x, x, np.ones((4, 3), complex).T)


@pytest.mark.long
def test_tolerance_that_cannot_be_reached():
    for dtype, most in (("complex64", 2e-6), ("complex128", 2e-13)):
        with pytest.warns(RuntimeWarning, match=rf"eps is 1e-30; the smallest .* {dtype}") as caught:
            plan = Plan(1, (8, 8), eps=1e-30, dtype=dtype)
        assert caught[0].filename == __file__
        assert 0 < plan.eps < most
        points = random_points(100, 2, plan.dtype.char.lower())
        plan.setpts(*points)
        c = complex_numbers(100, dtype)
        assert error(plan.execute(c), matrix(points, (8, 8), 1) @ c, c) <= plan.eps
    with pytest.warns(RuntimeWarning, match="eps is 0; "):
        imago.nufft.nufft1d1([0.0], [1.0], 4, eps=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Plan(1, (8, 8), eps=1e-30, allow_eps_too_small=1)
        assert Plan(1, (8, 8)).eps == 1e-6
        for modes in ((8,), (64, 64, 64), (1 << 20,)):  # the default is one that can be reached
            assert 1e-6 <= Plan(1, modes, dtype="complex64").eps < 1e-5


def test_functions_cache_plans(monkeypatch):
    made = []
    transform = _transform.Transform
    monkeypatch.setattr(_transform, "Transform", lambda *a: made.append(a[1]) or transform(*a))
    imago.release_memory()
    for count in (20, 50, 20, 0):
        imago.nufft.nufft1d1(*random_points(count, 1, "f8"), complex_numbers(count), 16)
    assert len(made) == 1
    for _ in range(2):
        imago.nufft.nufft1d1([0.0], [1.0], 16, eps=1e-4)
        imago.nufft.nufft1d2([0.0], complex_numbers((16,)))
    assert len(made) == len(cache) == 3
    imago.release_memory()
    assert len(cache) == 0
    imago.nufft.nufft1d1([0.0], [1.0], 16, eps=1e-4)
    assert len(made) == 4


def test_cache_has_limits(monkeypatch):
    imago.release_memory()
    monkeypatch.setattr(cache, "MOST", 2)
    for n in (4, 5, 6):
        imago.nufft.nufft1d1([0.0], [1.0], n)
    assert [key[1].modes for key in cache._entries] == [(5,), (6,)]
    monkeypatch.setattr(cache, "SHARE", 1 << 62)
    imago.nufft.nufft1d1([0.0], [1.0], 5)
    assert [key[1].modes for key in cache._entries] == [(5,)]
    imago.release_memory()


@pytest.mark.parametrize("real, eps", [("f4", 1e-4), ("f8", 1e-9)])
def test_real_strengths_and_values(real, eps):
    points, modes, count = random_points(400, 2, real), (12, 9), 400
    exact = matrix(points, modes, 1)
    c, f = RNG.normal(size=(2, count)).astype(real), complex_numbers((2, *modes), "c16")
    f = f.astype(np.result_type(real, "c8"))
    found = imago.nufft.nufft2d1(*points, c, modes, eps=eps, real=True)
    assert found.dtype == f.dtype
    for one, given in zip(found, c):
        assert error(one, exact @ given, given) <= eps
    values = imago.nufft.nufft2d2(*points, f, eps=eps, real=True)
    assert values.dtype == real
    for one, given in zip(values, f):
        assert error(one, (exact.conj().T @ given.ravel()).real, given) <= eps
    plan = Plan(1, modes, 2, eps, dtype=f.dtype, real=True)
    plan.setpts(*points)
    assert np.array_equal(plan.execute(c), found)
    out = np.full((2, count), np.nan, real)
    assert plan.execute_adjoint(f, out=out) is out
    # With respect to real numbers, both types are adjoint.
    left, right = np.vdot(f, found).real, np.vdot(out, c)
    assert abs(left - right) <= eps * np.linalg.norm(c) * np.linalg.norm(f) * np.sqrt(108)
    with pytest.raises(TypeError, match="data has dtype complex"):
        plan.execute(c.astype(f.dtype))
    with pytest.raises(TypeError, match="out has dtype complex"):
        plan.execute_adjoint(f, out=out.astype(f.dtype))
    with pytest.raises(TypeError, match="with real=True it must be float32 or float64"):
        imago.nufft.nufft2d1(*points, c.astype(f.dtype), modes, real=True)
    with pytest.raises(TypeError, match="or pass real=True"):
        imago.nufft.nufft2d1(*points, c, modes)
    needed = Plan.estimate(1, modes, 2, eps, dtype=f.dtype, real=True, points=count)
    assert needed.points_bytes == c.nbytes


def test_real_strengths_of_type_3_and_lists():
    x, c, s = [0.5, 1.5, -1.0], [1.0, -2.0, 3.0], [0.25, 7.5]
    exact = np.exp(1j * np.outer(s, x)) @ c
    assert np.allclose(imago.nufft.nufft1d3(x, c, s, real=True), exact, atol=1e-5)
    assert error(imago.nufft.nufft1d1(x, c, 6, real=True), matrix([np.array(x)], (6,), 1) @ c, c) < 1e-6
    plan = Plan(3, 1, real=True)
    plan.setpts(np.array(x), s=np.array(s))
    assert np.allclose(plan.execute(np.array(c)), exact, atol=1e-5)
    with pytest.raises(NotImplementedError, match="execute_adjoint of type 3 with real=True"):
        plan.execute_adjoint(np.array(c[:2]))
    assert imago.nufft.nufft1d2(x, np.array([0, 0, 1, 0j]), real=True).dtype == np.float64
    assert imago.nufft.nufft1d2([], np.ones(4, complex), real=True).dtype == np.float64


def test_estimates(monkeypatch):
    monkeypatch.setenv("IMAGO_FIRST_CALL", "compile")  # generic kernels need more memory
    arguments = dict(n_trans=2, eps=1e-5, dtype="complex64", points=20_000, modeord=1)
    needed = Plan.estimate(1, (60, 75), **arguments)
    plan = Plan(1, (60, 75), **arguments)
    before = plan.describe()
    plan.setpts(*random_points(20_000, 2, "f4"))
    assert plan.describe() == before
    core = plan._transform.core
    assert (needed.grid, needed.width) == (tuple(core.grid), core.width)
    assert needed.predicted_error == core.predicted_error <= needed.eps == plan.eps
    assert needed.workspace_bytes == core.workspace_bytes
    assert (needed.points, needed.points_bytes) == (20_000, 2 * 20_000 * 8)
    assert needed.modes_bytes == 2 * 60 * 75 * 8
    for step, name in ((needed.setpts, "set points"), (needed.type1, "type 1")):
        assert 0 < step.seconds < 1
        assert f"{name}: {step.kernels} launches" in before
    more = Plan.estimate(2, (60, 75), **{**arguments, "points": 2_000_000})
    assert more.type2.seconds > 2 * needed.type2.seconds
    assert more.workspace_bytes > needed.workspace_bytes
    with pytest.raises(ArgumentError, match="nufft_type is 3; its grid depends"):
        Plan.estimate(3, 1)
    with pytest.raises(ArgumentError, match="points is -1; it must be a whole number"):
        Plan.estimate(1, (4,), points=-1)
    with pytest.warns(RuntimeWarning, match="eps is 1e-30"):
        Plan.estimate(1, (4,), eps=1e-30)


def test_calls_of_several_threads():
    plan, modes = Plan(1, (16, 16), eps=1e-9), (16, 16)
    plan.setpts(*random_points(300, 2, "f8"))
    jobs = []
    for count in (300, 7000, 40, 900):
        c, points = complex_numbers(300), random_points(count, 2, "f8")
        strengths = complex_numbers(count)
        found = imago.nufft.nufft2d1(*points, strengths, modes, eps=1e-9)
        jobs.append((c, plan.execute(c), points, strengths, found))

    def same(c, of_plan, points, strengths, of_function):
        for _ in range(10):
            assert np.array_equal(plan.execute(c), of_plan)
            found = imago.nufft.nufft2d1(*points, strengths, modes, eps=1e-9)
            assert np.array_equal(found, of_function)
        return True

    with concurrent.futures.ThreadPoolExecutor(len(jobs)) as threads:
        assert all(threads.map(lambda job: same(*job), jobs))


def test_options():
    with pytest.warns(UserWarning, match="foo is not an option and has no effect. Leave it out"):
        imago.nufft.nufft1d1([0.0], [1.0], 8, foo=1)
    for name in ("n_trans", "isgn"):  # test_types.py tests the messages
        with pytest.raises(TypeError, match=f"{name} is not an argument"):
            imago.nufft.nufft1d1([0.0], [1.0], 8, **{name: 1})
    with pytest.raises(TypeError, match="modord is not an argument of this function. Did you mean modeord"):
        Plan(1, (8,), modord=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Plan(1, (8,), nthreads=1, debug=0, upsampfac=1.25, fftw=0, spread_sort=2, gpu_method=1)
    with pytest.raises(TypeError, match="fftw_lock_fun"):
        Plan(1, (8,), fftw_lock_fun=None)
    with pytest.raises(ArgumentError, match="modeord is 2"):
        Plan(1, (8,), modeord=2)
    with pytest.raises(NotImplementedError, match="spreadinterponly"):
        imago.nufft.nufft1d1([0.0], [1.0], 8, spreadinterponly=1)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((4, 1), "nufft_type is 4; it must be 1, 2 or 3"),
        ((3, 4), "n_modes_or_dim is 4; type 3 needs 1, 2 or 3"),
        ((3, (1, 2)), "type 3 needs"),
        ((1, ()), r"n_modes_or_dim is \(\); it must have 1, 2 or 3"),
        ((1, (1, 2, 3, 4)), "it must have 1, 2 or 3"),
        ((1, (0, 4)), "whole numbers above 0"),
        ((1, (2.5,)), "whole numbers above 0"),
        ((1, "8"), "tuple or a whole number"),
        ((1, 8, 0), "n_trans is 0"),
        ((1, 8, 1, -1e-6), "eps is -1e-06"),
        ((1, 8, 1, np.nan), "eps is nan"),
        ((1, 8, 1, 1.0), "eps is 1.0; it must be above 0 and below 1. Leave it out"),
        ((1, 8, 1, 1e-6, 1, "float64"), "dtype is 'float64'; it must be complex64"),
        ((1, 8, 1, 1e-6, 1, "no type"), "dtype is 'no type'"),
    ],
)
def test_wrong_plans(arguments, words):
    with pytest.raises(ArgumentError, match=words) as raised:
        Plan(*arguments)
    assert isinstance(raised.value, (ValueError, RuntimeError))


def test_wrong_points():
    plan, x = Plan(1, (8, 8)), np.zeros(3)
    with pytest.raises(ArgumentError, match="y is None; give an array for each of x, y"):
        plan.setpts(x)
    with pytest.raises(ArgumentError, match="z is given, but the plan needs 2 of x, y, z"):
        plan.setpts(x, x, x)
    with pytest.raises(ArgumentError, match=r"x has shape \(3, 1\)"):
        plan.setpts(x[:, None], x)
    with pytest.raises(ArgumentError, match="y has 2 elements and x has 3"):
        plan.setpts(x, x[:2])
    with pytest.raises(TypeError, match="x has dtype float32; it must be float64"):
        plan.setpts(x.astype("f4"), x)
    with pytest.raises(ArgumentError, match="setpts first"):
        plan.execute(np.zeros(3, complex))
    with pytest.raises(ArgumentError, match="coordinates have dtype int16"):
        Plan(1, 8, coordinates="int16")
    with pytest.raises(ArgumentError, match="coordinates have dtype int16"):
        imago.nufft.nufft1d1(np.zeros(3), np.zeros(3, complex), 8, coordinates="int16")
    with pytest.raises(ArgumentError, match="coordinates have dtype no type"):
        imago.nufft.nufft1d1(np.zeros(3), np.zeros(3, complex), 8, coordinates="no type")
    with pytest.raises(ArgumentError, match="coordinates have dtype float16"):
        imago.nufft.nufft1d1(np.zeros(3, "f2"), np.zeros(3, complex), 8)
    with pytest.raises(TypeError, match=r"it must be uint32. Convert it with x.astype\('uint32'\)"):
        imago.nufft.nufft1d1(np.zeros(3), np.zeros(3, complex), 8, coordinates="uint32")
    with pytest.raises(ArgumentError, match="the dtype of c is dtype"):
        imago.nufft.nufft1d1(np.zeros(3, "i4"), np.zeros(3), 8)
    with pytest.raises(ArgumentError, match="wait_for"):
        plan.setpts(x, x, wait_for=[])


def test_messages_name_the_argument_of_the_function():
    x, c = np.zeros(3), np.zeros(3, complex)
    for arguments, text in (
        ((x, c[:2], 8), r"c has shape \(2,\); it must be \(3,\)"),
        (("abc", c, 8), "x is no array of float64: could not convert"),
        ((x, "abc", 8), "c is no array of complex128: "),
    ):
        with pytest.raises(ValueError, match=text):
            imago.nufft.nufft1d1(*arguments)
    with pytest.raises(ArgumentError, match="eps is '1e-3'; it must be above 0 and below 1"):
        imago.nufft.nufft1d1(x, c, 8, eps="1e-3")
    with pytest.raises(ArgumentError, match="n_modes is -1; it must have whole numbers above 0"):
        imago.nufft.density_compensation([x], -1)


def test_wrong_data():
    plan, x, c = Plan(1, (8,)), np.zeros(3), np.zeros(3, complex)
    plan.setpts(x)
    with pytest.raises(TypeError, match="data has dtype complex64"):
        plan.execute(c.astype("c8"))
    with pytest.raises(ArgumentError, match=r"data has shape \(4,\); it must be \(3,\) or \(1, 3\)"):
        plan.execute(np.zeros(4, complex))
    with pytest.raises(ArgumentError, match=r"out has shape \(9,\); it must be \(8,\)"):
        plan.execute(c, out=np.zeros(9, complex))
    with pytest.raises(TypeError, match="out has dtype"):
        plan.execute(c, out=np.zeros(8, "c8"))
    with pytest.raises(TypeError, match="out has type list"):
        plan.execute(c, out=[0] * 8)
    with pytest.raises(TypeError, match="C-contiguous and writeable"):
        plan.execute(c, out=np.zeros(16, complex)[::2])
    both = np.zeros(8, complex)
    with pytest.raises(ArgumentError, match="overlaps"):
        plan.execute(both[:3], out=both)
    with pytest.raises(ArgumentError, match="n_modes and out are None"):
        imago.nufft.nufft1d1(x, c)
    with pytest.raises(ArgumentError, match="must have 1 elements"):
        imago.nufft.nufft1d1(x, c, (2, 2))
    with pytest.raises(ArgumentError, match="c has shape"):
        imago.nufft.nufft1d1(x, c.reshape(1, 1, 3), 8)
    with pytest.raises(ArgumentError, match="out has shape"):
        imago.nufft.nufft1d1(x, c, 8, out=np.zeros((2, 8), complex))
    with pytest.raises(ArgumentError, match="f has shape"):
        imago.nufft.nufft2d2(x, x, c)
    with pytest.raises(TypeError, match="f has dtype float64"):
        imago.nufft.nufft1d2(x, x)


@pytest.mark.long
def test_plan_reports_itself():
    plan = Plan(2, (8, 9), 2, eps=1e-4, dtype=np.complex64)
    assert (plan.type, plan.n_modes, plan.dim, plan.n_trans) == (2, (8, 9), 2, 2)
    assert plan.dtype == np.complex64
    assert plan.eps == 1e-4
    assert plan.describe()
    assert repr(plan) == "<Plan: type 2, 2 axes, modes (8, 9), n_trans 2, eps 0.0001, complex64>"


@pytest.mark.parametrize("coordinates", ["f4", "f8", "u4"])
def test_arrays_of_pyopencl(queue, coordinates):
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    def sent(x):
        return cl.array.to_device(queue, np.concatenate([0 * x[:2], x]))[2:]  # has an offset

    modes, points = (10, 12), random_points(400, 2, coordinates)
    device_points = [sent(x) for x in points]
    c, f = complex_numbers((2, 400), "c8"), complex_numbers((2, *modes), "c8")
    exact = matrix(points, modes, 1)
    options = {"eps": 1e-4, "coordinates": coordinates}
    found = imago.nufft.nufft2d1(*device_points, sent(c), modes, **options)
    assert isinstance(found, cl.array.Array)
    for one, given in zip(found.get(queue), c):
        assert error(one, exact @ given, given) <= 1e-4
    out = cl.array.zeros(queue, (2, 400), np.complex64)
    assert imago.nufft.nufft2d2(*device_points, sent(f), out=out, queue=queue, **options) is out
    for one, given in zip(out.get(queue), f):
        assert error(one, exact.conj().T @ given.ravel(), given) <= 1e-4
    plan = Plan(1, modes, 2, 1e-4, dtype="c8", coordinates=coordinates, queue=queue)
    user = cl.UserEvent(queue.context)
    begin = time.monotonic()
    later = threading.Timer(0.2, user.set_status, [cl.command_execution_status.COMPLETE])
    later.start()
    plan.setpts(*device_points, wait_for=[user])
    assert time.monotonic() - begin >= 0.2
    user = cl.UserEvent(queue.context)
    again = plan.execute(sent(c), wait_for=[user])
    time.sleep(0.2)
    assert again.events[0].command_execution_status != cl.command_execution_status.COMPLETE
    user.set_status(cl.command_execution_status.COMPLETE)
    assert np.array_equal(again.get(queue), found.get(queue))
    # The results of calls that are not waited for are those of their points.
    plan.setpts(*(sent(x[::-1].copy()) for x in points))
    backwards = plan.execute(sent(c[:, ::-1].copy()))
    plan.setpts(*(sent(x[:7].copy()) for x in points))
    few = plan.execute(sent(c[:, :7].copy()))
    for one, given in zip(backwards.get(queue), c):
        assert error(one, exact @ given, given) <= 1e-4
    for one, given in zip(few.get(queue), c):
        assert error(one, exact[:, :7] @ given[:7], given[:7]) <= 1e-4


def test_real_numbers_of_pyopencl(queue):
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    (x,), c = random_points(90, 1, "f4"), RNG.normal(size=90).astype("f4")
    at, strengths = cl.array.to_device(queue, x), cl.array.to_device(queue, c)
    found = imago.nufft.nufft1d1(at, strengths, 20, eps=1e-4, real=True)
    exact = matrix([x], (20,), 1)
    assert found.dtype == np.complex64
    assert error(found.get(queue), exact @ c, c) <= 1e-4
    values = imago.nufft.nufft1d2(at, found, eps=1e-4, real=True)
    assert values.dtype == np.float32
    f = found.get(queue)
    assert error(values.get(queue), (exact.conj().T @ f).real, f) <= 1e-4


def test_frequencies_of_pyopencl(queue):
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    x, s = RNG.uniform(-3, 5, 100), RNG.uniform(-9, 3, 80)
    c, f = complex_numbers(100), complex_numbers(80)
    exact = np.exp(1j * np.outer(s, x))
    at, to = cl.array.to_device(queue, x), cl.array.to_device(queue, s)
    found = imago.nufft.nufft1d3(at, cl.array.to_device(queue, c), to, eps=1e-8)
    assert error(found.get(queue), exact @ c, c) <= 1e-8
    plan = Plan(3, 1, eps=1e-8, queue=queue)
    plan.setpts(at, s=to)
    at.fill(0)  # the adjoint has copies
    to.fill(0)
    found = plan.execute_adjoint(cl.array.to_device(queue, f))
    assert error(found.get(queue), exact.conj().T @ f, f) <= 1e-8


def test_wrong_arrays_of_pyopencl(queue):
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    x = cl.array.zeros(queue, 4, np.float32)
    c = cl.array.zeros(queue, 4, np.complex64)
    with pytest.raises(TypeError, match="c has type ndarray"):
        imago.nufft.nufft1d1(x, np.zeros(4, "c8"), 8)
    with pytest.raises(TypeError, match="data is on a device"):
        plan = Plan(1, 8, dtype="c8")
        plan.setpts(np.zeros(4, "f4"))
        plan.execute(c)
    with pytest.raises(TypeError, match="out has type ndarray"):
        imago.nufft.nufft1d1(x, c, 8, out=np.zeros(8, "c8"))
    with pytest.raises(TypeError, match="c is not C-contiguous"):
        imago.nufft.nufft1d1(x[:2], c[::2], 8)
    with pytest.raises(TypeError, match="or pass coordinates='int32' for fractions of a period"):
        imago.nufft.nufft1d1(cl.array.zeros(queue, 4, np.int32), c, 8)
    with pytest.raises(TypeError, match="the plan has a queue, which cannot be pickled or copied"):
        copy.copy(Plan(1, 8, queue=queue))
    empty = cl.array.zeros(queue, 4, np.float32)[:0]
    assert not imago.nufft.nufft1d1(empty, c[:0], 8, eps=1e-4).get(queue).any()


def test_promise_each_value():
    """A tone outside of the modes exceeds the norm's promise, but not that of each value."""
    x = np.random.default_rng(1).uniform(-np.pi, np.pi, 100_000)
    c = np.cos(8 * x).astype(np.complex64)
    found = imago.nufft.nufft1d1(x, c, 2, eps=1e-3, promise="each_value")
    exact = np.array([(c * np.exp(1j * k * x)).sum() for k in (-1, 0)])
    assert abs(found - exact).max() <= 1e-3 * abs(c).sum()
    with pytest.raises(ArgumentError, match="promise is 'any'; it must be one of"):
        imago.nufft.nufft1d1(x, c, 2, promise="any")
