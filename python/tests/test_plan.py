"""imago.Plan, its layouts and its hooks."""

import pickle

import numpy as np
import pytest
from support import assert_close, random_array, reference

import imago
from imago import hooks


def test_there_and_back():
    plan = imago.Plan((4, 6), kind="real", batch=3, dtype="float64")
    x = random_array((3, 4, 6), "f8")
    spectrum = plan.forward(x)
    assert_close(spectrum, reference.rfftn(x, axes=(1, 2)))
    assert_close(plan.inverse(spectrum), x)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_kinds_and_norms(norm):
    x = random_array((4, 6, 5), "f4")
    plan = imago.Plan((4, 6, 5), kind=("dct2", "identity", "dst3"), norm=norm)
    expected = reference.dst(reference.dct(x, axis=0, norm=norm), 3, axis=2, norm=norm)
    assert_close(plan.forward(x), expected)
    assert_close(plan.inverse(plan.forward(x)), x)


def test_scale_and_orthogonal():
    x = random_array((8,), "f8")
    plan = imago.Plan(8, kind="dct2", dtype="float64", scale=(3.0, 0.5), orthogonal=True)
    assert_close(plan.forward(x), 3 * reference.dct(x, orthogonalize=True))
    assert_close(plan.inverse(x), 0.5 * reference.dct(x, 3, orthogonalize=True))


def test_in_place():
    x = random_array((4, 8), "c8")
    kept = x.copy()
    plan = imago.Plan(8, batch=4, in_place=True)
    assert plan.forward(x) is x
    assert_close(x, reference.fft(kept))
    assert_close(plan.inverse(x), kept)


def test_in_place_one_array_is_both_sides():
    plan = imago.Plan(50, kind="real", in_place=True)
    assert plan.signal_bytes == plan.spectrum_bytes == 208


def test_halves():
    x = random_array((8, 2), "f2")
    spectrum = imago.Plan(8, dtype="float16").forward(x)
    assert spectrum.dtype == np.float16
    expected = reference.fft(x[:, 0].astype("f4") + 1j * x[:, 1].astype("f4"))
    assert np.allclose(spectrum[:, 0] + 1j * spectrum[:, 1], expected, atol=1e-2)


def test_layouts():
    x = random_array((6, 8), "c8")
    out = np.zeros((8, 6), "c8")
    plan = imago.Plan(8, batch=6, spectrum=imago.Layout(strides=(6,), distance=1))
    plan.forward(x, out)
    assert_close(out, reference.fft(x).T.copy())
    with pytest.raises(ValueError, match="out is missing"):
        plan.forward(x)


def test_a_window_power_and_a_shift():
    x, w = random_array((3, 8), "f4"), np.hanning(8)
    plan = imago.Plan(
        8,
        batch=3,
        signal=imago.Layout(storage="real"),
        on_forward=hooks.Hooks(load=[hooks.window(0, "w")], store=[hooks.power(), hooks.shift([0])]),
    )
    expected = np.fft.fftshift(abs(np.fft.fft(x * w)) ** 2, axes=1).astype("f4")
    assert_close(plan.forward(x, w=w), expected)


def test_whole_numbers():
    x = random_array((4, 16), "i2")
    plan = imago.Plan(
        16, kind="real", batch=4, directions="forward", on_forward=hooks.Hooks(load=[hooks.from_integer("int16", 0.5)]
    ))
    assert_close(plan.forward(x), reference.rfft(0.5 * x.astype("f4")))
    with pytest.raises(TypeError, match="int16"):
        plan.forward(x.astype("f4"))


def test_boxes():
    x = random_array((8,), "c8")
    plan = imago.Plan(16, on_forward=hooks.Hooks(load=[hooks.zero_outside(0, 0, 8)]))
    out = np.zeros(16, "c8")
    assert_close(plan.forward(x, out), reference.fft(x, 16))


def test_frames():
    samples, hop, n = 100, 8, 16
    x = random_array((samples,), "f4")
    count = (samples - n) // hop + 1
    plan = imago.Plan(
        (count, n),
        kind=("identity", "real"),
        directions="forward",
        signal=imago.Layout(strides=(hop, 1)),
        on_forward=hooks.Hooks(load=[hooks.frames(0, 1, hop, 0, samples)]),
    )
    frames = np.lib.stride_tricks.sliding_window_view(x, n)[::hop]
    out = np.empty((count, n // 2 + 1), "c8")
    assert_close(plan.forward(x, out), reference.rfft(frames))


def test_numbers_factors_and_code_of_the_call():
    x, h = random_array((8,), "c16"), random_array((8,), "c16", 1)
    twice = "imago_complex twice(imago_complex x, const imago_at* at, imago_real by)"
    plan = imago.Plan(
        8,
        dtype="float64",
        on_forward=hooks.Hooks(load=[hooks.scale("gain"), hooks.multiply("h", conjugate=True)], store=[
            hooks.code(
                "double2 plus(double2 x, const imago_at* at, double by) {"
                " return x + (double2)(by * at->index[0], 0.0); }",
                "plus",
                [("real", "by")],
            )
        ]),
    )
    assert twice  # the library tests functions for vectors
    expected = reference.fft(2.5 * x * h.conj()) + 3 * np.arange(8)
    assert_close(plan.forward(x, gain=2.5, h=h, by=3), expected)


def test_a_filter_goes_there_and_back():
    x, h = random_array((16,), "f4"), random_array((9,), "f4", 1)
    smooth = imago.Filter(16, kind="real", spectrum=[hooks.multiply("h", real=True)])
    expected = reference.irfft(reference.rfft(x) * h)
    assert_close(smooth(x, h=h), expected)
    again = pickle.loads(pickle.dumps(smooth))
    assert_close(again(x, h=h), expected)
    assert repr(smooth).startswith("imago.Filter(16, spectrum=[Multiply(")
    assert smooth.signal_bytes == smooth.result_bytes == 64
    with pytest.raises(ValueError, match="h has 16 elements; its hook needs 9"):
        smooth(x, h=x)
    with pytest.raises(ValueError, match=r"^spectrum\[0\] is power"):
        imago.Filter(16, spectrum=[hooks.power()])


def test_a_filter_has_a_factor_and_hooks_at_its_ends_and_works_in_place():
    x = random_array((3, 10), "c16")
    half = imago.Filter(
        10,
        dtype="float64",
        batch=3,
        in_place=True,
        scale=0.5,
        spectrum=[hooks.zero_outside(0, 0, 1)],
        ends=hooks.Hooks(load=[hooks.scale(2.0)], store=[hooks.scale(-1.0)]),
    )
    y = x.copy()
    assert half(y) is y
    assert_close(y, -np.repeat(x.mean(axis=1, keepdims=True), 10, axis=1))


def test_what_is_rolled_modulated_and_summed():
    x = random_array((16,), "c16")
    plan = imago.Plan(
        16, dtype="float64", on_forward=hooks.Hooks(load=[hooks.roll(0, 3), hooks.modulate(0, 1, 4)]
    ))
    expected = reference.fft(np.roll(x, 3) * np.exp(2j * np.pi * np.arange(16) / 4))
    assert_close(plan.forward(x), expected)
    both, w = random_array((2, 16), "c8"), random_array((2, 16), "c8", 1)
    plan = imago.Plan(16, on_forward=hooks.Hooks(load=[hooks.weighted_sum("w", 2, 16)]))
    assert_close(plan.forward(both, np.empty(16, "c8"), w=w), reference.fft((both * w).sum(axis=0)))


def test_every_hook_is_read():
    """Checks that C++ knows each class by name: a plan, or an error about its values."""
    for make in (
        lambda: hooks.decibels(1e-9),
        lambda: hooks.to_integer("int8"),
        lambda: hooks.shift_back([0]),
        lambda: hooks.lane_code(
            "imago_complex f(imago_complex x, const imago_at* at) { return x; }", "f"
        ),
    ):
        plan = imago.Plan(8, directions="forward", on_forward=hooks.Hooks(store=[make()]))
        assert plan.forward(np.ones(8, "c8")).size in (8, 16)


ERRORS = [
    (ValueError, "kind is 'fourier'; it must be 'complex'", lambda: imago.Plan(8, kind="fourier")),
    (ValueError, "dtype is 'int32'", lambda: imago.Plan(8, dtype=np.int32)),
    (ValueError, "norm is 'both'", lambda: imago.Plan(8, norm="both")),
    (ValueError, r"lengths\[0\]", lambda: imago.Plan(0)),
    (ValueError, "a hook of imago.hooks", lambda: imago.Plan(8, on_forward=hooks.Hooks(load=["window"]))),
    (ValueError, "type is int32", lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.from_integer("int32")]))),
    (TypeError, "complex64", lambda: imago.Plan(8).forward(np.ones(8))),
    (ValueError, r"shape \(7,\), and this plan needs \(8,\)", lambda: imago.Plan(8).forward(np.ones(7, "c8"))),
    (ValueError, "w", lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.window(0, "w")])).forward(np.ones(8, "c8"))),
    (ValueError, "out", lambda: imago.Plan(8).forward(np.ones(8, "c8"), np.ones((8, 2), "c8")[:, 0])),
    (ValueError, "direction", lambda: imago.Plan(8, directions="forward").inverse(np.ones(8, "c8"))),
]


WHOLE = r"; it must be a whole number"
HOOKED = r"on_forward\.load\[0\]\."
ERRORS += [
    (ValueError, r"lengths\[0\] is -8" + WHOLE, lambda: imago.Plan((-8,))),
    (ValueError, r"lengths\[1\] is 1180591620717411303424; .* to 2\^64 - 1", lambda: imago.Plan((2, 2**70))),
    (TypeError, r"lengths\[0\] is 8.7" + WHOLE, lambda: imago.Plan((8.7,))),
    (TypeError, r"lengths\[0\] is '6'" + WHOLE, lambda: imago.Plan("64")),
    (TypeError, "lengths is 8.7" + WHOLE, lambda: imago.Plan(8.7)),
    (ValueError, "batch is -1" + WHOLE, lambda: imago.Plan(8, batch=-1)),
    (TypeError, "batch is 1.5" + WHOLE, lambda: imago.Plan(8, batch=1.5)),
    (TypeError, r"batch is np.float64\(1.5\)" + WHOLE, lambda: imago.Plan(8, batch=np.float64(1.5))),
    (TypeError, "batch is '3'" + WHOLE, lambda: imago.Plan(8, batch="3")),
    (TypeError, "in_place is 1; it must be True or False", lambda: imago.Plan(8, in_place=1)),
    (TypeError, "orthogonal is 'yes'; it must be True or False", lambda: imago.Plan(8, orthogonal="yes")),
    (TypeError, "recipe is 7; it must be a string", lambda: imago.Plan(8, recipe=7)),
    (TypeError, "scale is 3; it must be two numbers", lambda: imago.Plan(8, scale=3)),
    (ValueError, r"scale is \(1, 2, 3\); it must be two numbers", lambda: imago.Plan(8, scale=(1, 2, 3))),
    (TypeError, r"scale\[1\] is 'a'; it must be a number", lambda: imago.Plan(8, scale=(1, "a"))),
    (
        ValueError,
        r"signal.strides\[0\] is -1" + WHOLE,
        lambda: imago.Plan(8, signal=imago.Layout(strides=(-1,))),
    ),
    (TypeError, "signal.strides is 1; it must be a tuple", lambda: imago.Plan(8, signal=imago.Layout(strides=1))),
    (
        ValueError,
        "spectrum.offset is -4" + WHOLE,
        lambda: imago.Plan(8, spectrum=imago.Layout(strides=(1,), offset=-4)),
    ),
    (TypeError, "signal.storage is 1; it must be a string", lambda: imago.Plan(8, signal=imago.Layout(storage=1))),
    (
        ValueError,
        HOOKED + r"axes\[0\] is -1" + WHOLE,
        lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.window(-1, "w")])),
    ),
    (TypeError, HOOKED + "argument is 3; it must be a string", lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.window(0, 3)]))),
    (TypeError, HOOKED + "by is 0.5; .* from -2", lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.roll(0, 0.5)]))),
    (
        TypeError,
        HOOKED + "weights.real is 1; it must be True or False",
        lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.weighted_sum("w", 2, 8, real=1)])),
    ),
    (
        TypeError,
        HOOKED + r"parameters\[0\]\[1\] is 2; it must be a string",
        lambda: imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.code("", "f", [("real", 2)])])),
    ),
]


@pytest.mark.parametrize("error, text, make", ERRORS)
def test_errors_name_what_was_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_lengths_may_be_whole_numbers_of_numpy():
    x = random_array((2, 8), "c8")
    assert_close(imago.Plan(np.int64(8), batch=np.int32(2)).forward(x), reference.fft(x))
    assert_close(imago.Plan(np.array([2, 8])).forward(x), reference.fftn(x))


def test_arrays_that_overlap_are_refused():
    x = np.ones(16, "c8")
    with pytest.raises(ValueError, match="overlap"):
        imago.Plan(8).forward(x[:8], x[4:12])
    with pytest.raises(ValueError, match="overlap"):
        y = np.ones(16)
        imago.Convolution(np.ones(3), 8, extent="same")(y[:8], y[4:12])


def test_a_recipe_makes_the_same_plan_or_none():
    plan = imago.Plan((6, 10), batch=2)
    again = imago.Plan((6, 10), batch=2, recipe=plan.recipe())
    assert again.recipe() == plan.recipe()
    assert again.sources() == plan.sources()
    x = np.random.default_rng(1).random((2, 6, 10)).astype("c8")
    assert np.array_equal(again.forward(x), plan.forward(x))
    with pytest.raises(ValueError, match="for this transform, complex-6x10-f32-out_of_place, batch 3"):
        imago.Plan((6, 10), batch=3, recipe=plan.recipe())
    with pytest.raises(ValueError, match="not a recipe"):
        imago.Plan((6, 10), batch=2, recipe="")


def test_it_describes_itself():
    plan = imago.Plan(60, batch=2)
    assert plan.signal_bytes == plan.spectrum_bytes == 960
    assert plan.workspace_bytes >= 0 and plan.table_bytes >= 0
    assert "60" in plan.describe()
    name, source, options = plan.sources()[0]
    assert "__kernel" in source and name in source and isinstance(options, str)


def test_on_arrays_of_pyopencl():
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    plan = imago.Plan(8, batch=2, queue=queue, on_forward=hooks.Hooks(load=[hooks.window(0, "w")]))
    x, w = random_array((2, 8), "c8"), random_array((8,), "f4", 1)
    there = cl.array.to_device(queue, x)
    result = plan.forward(there, w=cl.array.to_device(queue, w))
    assert_close(result.get(), reference.fft(x * w))
    assert_close(plan.inverse(result).get(), x * w)
    with pytest.raises(ValueError, match="contiguous"):
        plan.forward(cl.array.to_device(queue, np.ones((8, 2), "c8")).T, w=cl.array.to_device(queue, w))
