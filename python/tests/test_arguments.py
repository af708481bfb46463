"""Arguments of plans, convolutions and hooks: types, byte orders, shapes, and messages."""

import copy
import pickle

import numpy as np
import pytest
from support import assert_close, random_array, reference

import imago
from imago import hooks

OTHER = ">" if np.little_endian else "<"


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.long
def test_the_byte_order_of_a_plan_is_that_of_the_machine(dtype):
    x = random_array((8,), dtype)
    swapped = x.astype(OTHER + dtype)
    kinds = ("complex",) if dtype[0] == "c" else ("real", "dct2")
    for kind in kinds:
        plan = imago.Plan(8, kind=kind, dtype=swapped.dtype)
        assert plan.forward(x).dtype.isnative
        exact = {"complex": reference.fft, "real": reference.rfft, "dct2": reference.dct}[kind]
        spectrum = plan.forward(swapped)
        assert_close(spectrum, exact(x))
        assert_close(plan.inverse(spectrum.astype(spectrum.dtype.newbyteorder())), x)
        with pytest.raises(TypeError, match="numpy.empty"):
            plan.forward(x, np.empty(spectrum.shape, spectrum.dtype.newbyteorder()))


def test_an_array_in_another_byte_order_is_not_transformed_in_place():
    x = random_array((8,), "c8")
    with pytest.raises(TypeError, match="x has dtype >c8|x has dtype <c8"):
        imago.Plan(8, in_place=True).forward(x.astype(OTHER + "c8"))


def test_byte_orders_of_hooks_whole_numbers_and_convolutions():
    x, w = random_array((8,), "f4"), random_array((8,), "f8", 1)
    plan = imago.Plan(8, kind="real", on_forward=hooks.Hooks(load=[hooks.window(0, "w")]))
    assert_close(plan.forward(x, w=w.astype(OTHER + "f8")), reference.rfft(x * w.astype("f4")))
    whole = random_array((8,), "i2")
    plan = imago.Plan(8, kind="real", directions="forward", on_forward=hooks.Hooks(load=[hooks.from_integer("int16")]))
    assert_close(plan.forward(whole.astype(OTHER + "i2")), reference.rfft(whole.astype("f4")))
    h = random_array((3,), "f8")
    convolution = imago.Convolution(h.astype(OTHER + "f8"), 8, load=[hooks.window(0, "w")])
    factors = random_array(convolution.points, "f4", 2)
    result = convolution(w.astype(OTHER + "f8"), w=factors.astype(OTHER + "f4"))
    assert_close(result, np.convolve(w * factors[:8], h))
    with pytest.raises(ValueError, match="out has shape"):
        convolution(w, np.empty(10, OTHER + "f8"), w=factors)


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"])
def test_cosine_transforms_write_to_out(name):
    x = random_array((3, 8), "f8")
    ours, theirs = getattr(imago.fft, name), getattr(reference, name)
    for out in (np.empty((3, 8)), np.empty((3, 8), "f4"), np.empty((8, 3)).T, x.copy()):
        assert ours(x if out.dtype == "f4" else x.copy(), 3, out=out) is out
        assert_close(out, theirs(x, 3).astype(out.dtype))
    with pytest.raises(ValueError, match="out has shape"):
        ours(x, out=np.empty((3, 7)))
    with pytest.raises(TypeError, match="int"):
        ours(x, out=np.empty((3, 8), "i4"))


def test_byte_orders_elsewhere():
    n = 4096
    x = np.exp(2j * np.pi * 5 * np.arange(n) / n)
    assert imago.sparse_fft(x.astype(OTHER + "c16"), 1, seed=1).indices.tolist() == [5]
    assert imago.device(OTHER + "f8") == imago.device("f8")
    mpi = pytest.importorskip("imago.mpi")
    with pytest.raises(ValueError, match="native byte order"):
        mpi.transforms((8,), dtype=OTHER + "f8")
    dask_fft = pytest.importorskip("dask.array.fft")
    import dask.array

    array = dask.array.from_array(x[:8].astype(OTHER + "c16"), chunks=8)
    assert_close(dask_fft.fft_wrap(imago.fft.fft)(array).compute(), reference.fft(x[:8]))


def test_shapes_that_fit():
    x = random_array((4, 8), "c8")
    plan = imago.Plan(8, batch=4)
    expected = reference.fft(x)
    for shape in ((4, 8), (32,), (2, 2, 8), (1, 4, 8)):
        assert_close(plan.forward(x.reshape(shape)), expected)
    assert_close(imago.Plan(8).forward(x[:1]), expected[0])
    for shape in ((8, 4), (4, 9), (3, 8), (2, 16), (4, 8, 1)):
        with pytest.raises(ValueError, match="and this plan needs"):
            plan.forward(np.ones(shape, "c8"))
        with pytest.raises(ValueError, match="out has shape .* needs"):
            plan.forward(x, np.ones(shape, "c8"))
    with pytest.raises(ValueError, match=r"x has shape \(4, 8\), and this plan needs \(8,\)"):
        imago.Plan(8).forward(x)


def test_factors_are_what_their_hook_needs():
    x = random_array((8,), "c8")
    plan = imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.multiply("h")]))
    real = random_array((8,), "f4", 1)
    assert_close(plan.forward(x, h=real), reference.fft(x * real))
    window = imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.window(0, "w")]))
    for wrong in (7, 9, 16):
        with pytest.raises(ValueError, match=f"w has {wrong} elements; its hook needs 8"):
            window.forward(x, w=np.ones(wrong))
    with pytest.raises(TypeError, match="w is complex"):
        window.forward(x, w=np.ones(8, complex))
    with pytest.raises(TypeError, match="h is complex"):
        imago.Plan(8, kind="dct2", on_forward=hooks.Hooks(load=[hooks.multiply("h")])).forward(real, h=x)
    with pytest.raises(TypeError, match="w is complex"):
        imago.Convolution(np.ones(3), 8, load=[hooks.window(0, "w")])(np.ones(8), w=np.ones(8, complex))
    half = imago.Plan((4, 8), kind="real", on_forward=hooks.Hooks(store=[hooks.window(1, "w")]))
    y = random_array((4, 8), "f4")
    assert_close(half.forward(y, w=real[:5]), reference.rfftn(y) * real[:5])


@pytest.mark.parametrize("name", ["signal", "spectrum", "out", "wait_for"])
def test_names_of_the_call_are_refused_for_hooks(name):
    with pytest.raises(ValueError, match=f"named '{name}', which"):
        imago.Plan(8, on_forward=hooks.Hooks(load=[hooks.window(0, name)]))


def read_only():
    x = np.ones(8, "c8")
    x.flags.writeable = False
    return x


def on_device():
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array

    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    return queue, cl.array.to_device(queue, np.ones(8, "c8"))


MESSAGES = [
    (TypeError, r"x has dtype float32, and this plan needs complex64: give x.astype\('complex64'\)",
     lambda: imago.Plan(8).forward(np.ones(8, "f4"))),
    (ValueError, "x is read-only: give an array that can be written",
     lambda: imago.Plan(8, in_place=True).forward(read_only())),
    (ValueError, "out is read-only", lambda: imago.Plan(8).forward(np.ones(8, "c8"), read_only())),
    (ValueError, "x is empty", lambda: imago.Plan(8).forward(np.ones(0, "c8"))),
    (ValueError, "x is empty", lambda: imago.sparse_fft(np.ones(0))),
    (ValueError, r"kernel\[0\] is 0", lambda: imago.Convolution(np.ones(0), 8)),
    (TypeError, "out has type list", lambda: imago.Convolution(np.ones(3), 8)(np.ones(8), [0] * 10)),
    (NotImplementedError, "method='dense'", lambda: imago.sparse_fft(np.ones(8), 1, method="phase")),
    (TypeError, "x is ndarray, and this plan has a queue",
     lambda: imago.Plan(8, queue=on_device()[0]).forward(np.ones(8, "c8"))),
    (TypeError, "x is a pyopencl.array.Array", lambda: imago.Plan(8).forward(on_device()[1])),
    (TypeError, r"^ifft2\(\) missing 1 required", lambda: imago.fft.ifft2()),
    (TypeError, r"^dctn\(\) takes from 1 to 7 positional", lambda: imago.fft.dctn(*[None] * 8)),
]  # fmt: skip


@pytest.mark.parametrize("error, text, call", MESSAGES)
def test_messages_say_what_to_do(error, text, call):
    with pytest.raises(error, match=text):
        call()


def test_factors_on_the_device_are_checked():
    queue, x = on_device()
    plan = imago.Plan(8, queue=queue, on_forward=hooks.Hooks(load=[hooks.window(0, "w")]))
    wide = type(x)(queue, (8,), "f8")
    with pytest.raises(TypeError, match="w has dtype float64; its hook needs float32"):
        plan.forward(x, w=wide)


def test_plans_are_pickled_copied_and_shown():
    x = random_array((2, 6, 10), "f4")
    plan = imago.Plan((6, 10), kind="real", batch=2, dtype="f4", on_forward=hooks.Hooks(load=[hooks.scale(2.0)]))
    again = pickle.loads(pickle.dumps(plan))
    assert again.recipe() == plan.recipe() and repr(again) == repr(plan)
    assert np.array_equal(again.forward(x), plan.forward(x))
    assert copy.deepcopy(plan).recipe() == copy.copy(plan).recipe() == plan.recipe()
    text = "imago.Plan((6, 10), kind='real', batch=2, on_forward=Hooks(load=[Scale(factor=2.0, argument='')], store=()))"
    assert repr(plan) == text
    assert repr(imago.Plan(8, dtype=complex)) == "imago.Plan(8, dtype='float64')"
    convolution = imago.Convolution(np.ones(3), 8, extent="same")
    kept = pickle.loads(pickle.dumps(convolution))
    assert np.array_equal(kept(np.arange(8.0)), convolution(np.arange(8.0)))
    assert "shape (3,)>, 8, extent='same')" in repr(kept)
    assert copy.deepcopy(kept)(np.ones(8)).shape == (8,)
    with pytest.raises(TypeError, match="a plan with a queue cannot be pickled"):
        pickle.dumps(imago.Plan(8, queue=on_device()[0]))


@pytest.mark.parametrize("kind, dtype", [("complex", "c8"), ("dct2", "f4")])
def test_deterministic_plans_give_each_member_the_same_bits(kind, dtype):
    x = random_array((5, 60), dtype)
    alone = imago.Plan(60, kind=kind, deterministic=True)
    together = imago.Plan(60, kind=kind, batch=5, deterministic=True).forward(x)
    for row, result in zip(x, together):
        assert np.array_equal(alone.forward(row), result)
    with pytest.raises(TypeError, match="deterministic is 1; it must be True or False"):
        imago.Plan(60, deterministic=1)


OUT = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifft2", "rfftn", "irfftn", "hfftn"]


@pytest.mark.parametrize("name", OUT)
def test_functions_write_to_out(name):
    function = getattr(imago.fft, name)
    x = random_array((4, 8), "f8" if name[0] == "r" or name.startswith("ih") else "c16")
    expected = function(x)
    out = np.empty_like(expected)
    assert function(x, out=out) is out
    assert np.array_equal(out, expected)
    wide = np.zeros((*expected.shape, 2), expected.dtype)[..., 0]
    swapped = np.empty(expected.shape, expected.dtype.newbyteorder())
    for other in (wide, swapped, np.empty(expected.shape, np.result_type(expected.dtype, "c8"))):
        assert function(x, out=other) is other
        assert np.array_equal(other, expected)
    with pytest.raises(ValueError, match="out has shape"):
        function(x, out=out[:, :-1])
    with pytest.raises(TypeError):
        function(x, out=np.empty(expected.shape, "i4"))
    with pytest.raises(TypeError, match="out has type list"):
        function(x, out=[1])
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(x, out=out)


def test_out_may_be_the_input_and_is_written_by_scipy():
    x = random_array((8,), "c16")
    expected = reference.fft(x)
    assert imago.fft.fft(x, out=x) is x
    assert_close(x, expected)
    long = random_array((8,), "f8").astype("g")
    out = np.empty(8, "G")
    assert imago.fft.fft(long, out=out) is out
    assert np.array_equal(out, reference.fft(long))
    y, out = np.ones((2, 2)), np.zeros((2, 2))
    assert imago.fft.fftn(y, axes=(), out=out) is out and out.sum() == 4


def test_the_number_of_kept_plans_is_limited():
    imago.release_memory()
    try:
        imago.fft.limit_plans(2)
        for n in (8, 16, 32):
            imago.fft.fft(np.ones(n))
        assert imago.fft.statistics()["plans"] == 2
    finally:
        imago.fft.limit_plans()
    with pytest.raises(ValueError, match="plans is 0"):
        imago.fft.limit_plans(0)


def test_shifts_and_frequencies_on_the_device():
    queue, _ = on_device()
    cl = pytest.importorskip("pyopencl")
    import imago.opencl

    for dtype in ("f4", "c16"):
        x = random_array((3, 4, 5), dtype)
        there = cl.array.to_device(queue, x)
        for axes in (None, 1, (0, 2), -1):
            for name in ("fftshift", "ifftshift"):
                result = getattr(imago.opencl, name)(there, axes)
                assert np.array_equal(result.get(), getattr(np.fft, name)(x, axes))
    for name in ("fftfreq", "rfftfreq"):
        result = getattr(imago.opencl, name)(7, 0.5, queue=queue, dtype="f4")
        assert np.array_equal(result.get(), getattr(np.fft, name)(7, 0.5).astype("f4"))
    names = {}
    exec("from imago.opencl import *", names)
    assert {"fft", "idstn", "fftshift", "statistics"} <= names.keys()
    assert not {"np", "cl", "math", "Request"} & names.keys()


def test_the_package_has_no_names_of_others():
    assert not hasattr(imago, "atexit")
