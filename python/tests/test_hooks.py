"""Every field of every hook with a value other than its default, on arrays of two unequal axes."""

import numpy as np
import pytest
from support import assert_close, random_array, reference

import imago
from imago import hooks

SHAPE, BATCH = (6, 10), 3


def signal(seed=0):
    return random_array((BATCH, *SHAPE), "c16", seed)


def transformed(x, load=(), store=(), **values):
    """Runs a plan that transforms the last axis only, so that a swapped index shows."""
    plan = imago.Plan(
        SHAPE,
        kind=("identity", "complex"),
        batch=BATCH,
        dtype="float64",
        directions="forward",
        on_forward=hooks.Hooks(load=list(load), store=list(store)),
    )
    return plan.forward(x, **values)


def test_a_factor():
    x = signal()
    assert_close(transformed(x, [hooks.scale(-2.5)]), -2.5 * reference.fft(x))


def test_factors_along_an_axis_and_of_each_of_the_batch():
    x = signal()
    along = random_array((6,), "c16", 1)
    result = transformed(x, [hooks.multiply("h", axes=[0])], h=along)
    assert_close(result, reference.fft(x * along[:, None]))
    every = random_array((BATCH, *SHAPE), "f8", 2)
    result = transformed(x, [hooks.multiply("h", batched=True, real=True)], h=every)
    assert_close(result, reference.fft(x * every))
    some = random_array((BATCH, 10), "c16", 3)
    result = transformed(x, [hooks.multiply("h", [1], batched=True, conjugate=True)], h=some)
    assert_close(result, reference.fft(x * some.conj()[:, None, :]))


def test_promises_about_factors_change_no_result():
    x, h = random_array((4, 12), "f8"), random_array((12,), "f8", 1)
    spectrum = reference.rfft(h)
    plans = [
        imago.Filter(
            12,
            kind="real",
            batch=4,
            dtype="float64",
            spectrum=[hooks.multiply("h", of_real=promised)],
        )
        for promised in (False, True)
    ]
    for plan in plans:
        result = plan(x, h=spectrum)
        assert_close(result, reference.irfft(reference.rfft(x) * spectrum))


def test_weights_of_each_and_of_all():
    x, w = random_array((2, BATCH * 10), "c16"), random_array((2, 10), "c16", 1)
    plan = imago.Plan(
        10,
        batch=BATCH,
        dtype="float64",
        directions="forward",
        on_forward=hooks.Hooks(load=[hooks.weighted_sum("w", 2, BATCH * 10, axes=[0], conjugate=True)]),
    )
    arrays = x.reshape(2, BATCH, 10)
    expected = reference.fft((arrays * w.conj()[:, None, :]).sum(axis=0))
    assert_close(plan.forward(x, np.empty((BATCH, 10), "c16"), w=w), expected)


def test_a_line_is_subtracted_from_each_of_them():
    x, late = random_array((BATCH, 3, 10), "f8"), 2
    slopes, steps = random_array((BATCH + late, 3), "f8", 1), random_array((10,), "f8", 2)
    line = hooks.add(
        "slopes", (3, 1, 0), real=True, factor=-2, times="steps", axis=2, argument_of_offset="late",
        unit=3,
    )  # fmt: skip
    plan = imago.Plan(
        x.shape,
        kind=("identity", "identity", "real"),
        dtype="float64",
        directions="forward",
        on_forward=hooks.Hooks(load=[line]),
    )
    expected = reference.rfft(x - 2 * slopes[late:, :, None] * steps)
    assert_close(plan.forward(x, slopes=slopes, steps=steps, late=late), expected)
    with pytest.raises(TypeError, match="slopes is complex"):
        plan.forward(x, slopes=1j * slopes, steps=steps, late=late)


def test_numbers_are_added_in_every_batch_element():
    x, a = random_array((BATCH, 10), "c16"), random_array((BATCH + 11,), "c16", 1)
    add = hooks.add("a", (1,), distance=1, offset=2)
    plan = imago.Plan(10, batch=BATCH, dtype="float64", on_forward=hooks.Hooks(store=[add]))
    added = np.array([a[2 + b : 12 + b] for b in range(BATCH)])
    assert_close(plan.forward(x, a=a), reference.fft(x) + added)


def test_boxes_begin_where_they_are_told_to():
    x = signal()
    kept = np.zeros_like(x)
    kept[:, 2:5] = x[:, 2:5]
    assert_close(transformed(x, [hooks.zero_outside(0, 2, 5)]), reference.fft(kept))
    kept = np.zeros_like(x)
    kept[..., 3:7] = x[..., 3:7]
    assert_close(transformed(x, [hooks.zero_outside(1, 3, 7)]), reference.fft(kept))


def test_frames_before_the_signal_and_behind_it():
    samples, hop, before, n = 50, 4, 6, 10
    x = random_array((samples,), "f8")
    count = 15  # the last frames extend past the end
    plan = imago.Plan(
        (count, n),
        kind=("identity", "real"),
        dtype="float64",
        directions="forward",
        signal=imago.Layout(strides=(hop, 1)),
        on_forward=hooks.Hooks(load=[hooks.frames(0, 1, hop, before, samples)]),
    )
    padded = np.pad(x, (before, count * hop + n - samples))
    expected = reference.rfft([padded[i * hop : i * hop + n] for i in range(count)])
    assert_close(plan.forward(x, np.empty((count, n // 2 + 1), "c16")), np.asarray(expected))


def test_whole_numbers_of_every_type():
    for type, extreme in (("int8", -128), ("uint8", 255), ("int16", -32768), ("uint16", 65535)):
        x = np.array([extreme, 1, 2, 3] * 2, type)
        plan = imago.Plan(
            8, kind="real", directions="forward", on_forward=hooks.Hooks(load=[hooks.from_integer(type, 0.25)]
        ))
        assert_close(plan.forward(x), reference.rfft(0.25 * x.astype("f4")))


def test_results_as_whole_numbers():
    x = random_array((8,), "f4")
    plan = imago.Plan(
        8,
        kind="dct2",
        directions="forward",
        on_forward=hooks.Hooks(store=[hooks.to_integer("int16", 100.0)]),
    )
    result = plan.forward(x)
    assert result.dtype == np.int16
    assert abs(result - 100 * reference.dct(x)).max() <= 0.501


def test_decibels_and_their_floor():
    x = signal()
    x[0] = 0
    power = abs(reference.fft(x)) ** 2
    result = transformed(x, store=[hooks.decibels(0.5)])
    assert_close(result, 10 * np.log10(np.maximum(power, 0.5)))
    assert_close(transformed(x, store=[hooks.power()]), power)


def test_conjugates():
    x = signal()
    assert_close(transformed(x, load=[hooks.conjugate()]), reference.fft(np.conj(x)))
    assert_close(transformed(x, store=[hooks.conjugate()]), np.conj(reference.fft(x)))


def test_results_are_added_to_an_array():
    x = random_array((4, 30), "c8")
    store = [hooks.scale(2.0), hooks.accumulate()]
    plan = imago.Plan(30, batch=4, directions="forward", on_forward=hooks.Hooks(store=store))
    total = np.full(x.shape, 3 - 1j, np.complex64)
    plan.forward(x, out=total)
    assert_close(total, 3 - 1j + 2 * reference.fft(x))
    with pytest.raises(ValueError, match="out is missing"):
        plan.forward(x)


def test_shifts_there_and_back():
    x = random_array((BATCH, 5, 7), "c16")
    for axis in (0, 1):
        for hook, expected in (
            (hooks.shift([axis]), np.fft.fftshift(x, axes=axis + 1)),
            (hooks.shift_back([axis]), np.fft.ifftshift(x, axes=axis + 1)),
        ):
            plan = imago.Plan(
                (5, 7),
                kind=("identity", "complex"),
                batch=BATCH,
                dtype="float64",
                directions="forward",
                on_forward=hooks.Hooks(load=[hook]),
            )
            assert_close(plan.forward(x), reference.fft(expected))


def test_rolls_and_modulations_along_each_axis():
    x = signal()
    for axis in (0, 1):
        n = SHAPE[axis]
        rolled = transformed(x, [hooks.roll(axis, 2 - n)])
        assert_close(rolled, reference.fft(np.roll(x, 2 - n, axis + 1)))
        index = np.arange(n).reshape([n if i == axis else 1 for i in range(2)])
        modulated = transformed(x, [hooks.modulate(axis, -2, 7)])
        assert_close(modulated, reference.fft(x * np.exp(-2j * np.pi * index * 2 / 7)))


def test_code_takes_arguments_of_every_type():
    x = random_array((8,), "c16")
    text = (
        "double2 f(double2 x, const imago_at* at, double by, int add, const __global double* r,"
        " const __global double2* c) {"
        " const long i = at->index[0]; return x * by * r[i] + c[i] + (double2)(add, 0); }"
    )
    parameters = [("real", "by"), ("integer", "add"), ("real_buffer", "r"), ("complex_buffer", "c")]
    r, c = random_array((8,), "f8", 1), random_array((8,), "c16", 2)
    plan = imago.Plan(
        8, dtype="float64", directions="forward", on_forward=hooks.Hooks(load=[hooks.code(text, "f", parameters)]
    ))
    expected = reference.fft(x * 0.5 * r + c + 3)
    assert_close(plan.forward(x, by=0.5, add=3, r=r, c=c), expected)
