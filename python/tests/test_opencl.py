"""imago.opencl on arrays of pyopencl."""

import numpy as np
import pytest
from support import assert_close, random_array, reference

import imago

cl = pytest.importorskip("pyopencl")
import pyopencl.array  # noqa: E402

import imago.opencl  # noqa: E402


@pytest.fixture(scope="module")
def queue():
    context = cl.create_some_context(interactive=False)
    return cl.CommandQueue(context)


NAMES = [
    name + suffix
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "idct", "dst", "idst")
    for suffix in ("", "n")
]


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_every_function(queue, name, single):
    real = name.rstrip("n") in ("rfft", "ihfft") or "ct" in name or "st" in name
    x = random_array((4, 12), ("f4" if real else "c8") if single else ("f8" if real else "c16"))
    result = getattr(imago.opencl, name)(cl.array.to_device(queue, x), norm="ortho")
    assert len(result.events) == 1
    assert_close(result.get(), getattr(reference, name)(x, norm="ortho"))


def test_two_axes(queue):
    x = random_array((3, 4, 12), "f4")
    result = imago.opencl.rfft2(cl.array.to_device(queue, x))
    assert_close(result.get(), reference.rfftn(x, axes=(-2, -1)))


def test_cropped_and_padded(queue):
    x = random_array((4, 12), "c16")
    there = cl.array.to_device(queue, x)
    for n in (5, 20):
        assert_close(imago.opencl.fft(there, n).get(), reference.fft(x, n))
        assert_close(imago.opencl.ifft(there, n, axis=0).get(), reference.ifft(x, n, axis=0))


def test_complex_cosines(queue):
    x = random_array((4, 12), "c16")
    there = cl.array.to_device(queue, x)[1:, 2:]
    assert_close(imago.opencl.dct(there).get(), reference.dct(x[1:, 2:]))


def test_views(queue):
    x = random_array((6, 12), "f4")
    there = cl.array.to_device(queue, x)
    for view in ((slice(1, 5), slice(3, 11)), (slice(None, None, 2), slice(1, None, 3))):
        assert_close(imago.opencl.rfft(there[view]).get(), reference.rfft(x[view]))
    assert_close(imago.opencl.rfft(there.T).get(), reference.rfft(x.T))
    with pytest.raises(ValueError, match="strides"):
        imago.opencl.rfft(there[::-1])


def test_out(queue):
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(queue, x)
    out = cl.array.zeros(queue, (4, 24), np.complex64)
    assert imago.opencl.fft(there, out=out[:, ::2]).shape == (4, 12)
    assert_close(out.get()[:, ::2], reference.fft(x))
    assert not out.get()[:, 1::2].any()
    with pytest.raises(ValueError, match="out has shape"):
        imago.opencl.fft(there, out=out)
    with pytest.raises(ValueError, match="out has shape"):
        imago.opencl.fft(there, out=cl.array.zeros(queue, (4, 12), np.complex128))
    with pytest.raises(TypeError, match="out has type ndarray"):
        imago.opencl.fft(there, out=x)


def test_out_between_the_elements_of_x(queue):
    x = random_array((4, 12), "c8")
    for read, write in [(np.s_[:, 0::2], np.s_[:, 1::2]), (np.s_[:, 6:], np.s_[:, :6])]:
        there = cl.array.to_device(queue, x)
        imago.opencl.fft(there[read], out=there[write])
        made = there.get()
        assert_close(made[write], reference.fft(x[read]))
        np.testing.assert_array_equal(made[read], x[read])
    with pytest.raises(ValueError, match="overlap"):
        imago.opencl.fft(there[:, 0:6], out=there[:, 5:11])


@pytest.mark.parametrize("name", ["fft", "ifftn", "fft2"])
def test_in_place(queue, name):
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(queue, x)
    assert getattr(imago.opencl, name)(there, out=there) is there
    if name.endswith("2"):
        assert_close(there.get(), reference.fftn(x))
    else:
        assert_close(there.get(), getattr(reference, name)(x))


def test_it_waits_for_events(queue):
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(queue, x)
    gate = cl.UserEvent(queue.context)
    other = cl.CommandQueue(queue.context)
    result = imago.opencl.fft(there, queue=other, wait_for=[gate])
    other.flush()
    done = result.events[0]
    assert done.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    done.wait()
    assert_close(result.get(), reference.fft(x))


def test_out_of_order_queues(queue):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not queue.device.queue_properties & properties:
        pytest.skip("the device has none")
    other = cl.CommandQueue(queue.context, properties=properties)
    x = random_array((4, 12), "c8")
    there = cl.array.to_device(other, x)
    back = there
    for _ in range(20):
        back = imago.opencl.ifft(imago.opencl.fft(back))
    assert_close(back.get(), x, rounding=1e-6)


def test_what_is_decided_once_depends_on_all_that_decides(queue):
    x = random_array((4, 12), "f8")
    there = cl.array.to_device(queue, x)
    for _ in range(2):
        assert_close(imago.opencl.rfftn(there, [4, 8]).get(), reference.rfftn(x, (4, 8)))
        assert_close(imago.opencl.rfft(there, 8).get(), reference.rfft(x, 8))
        with pytest.raises(TypeError):
            imago.opencl.rfft(there, 8.0)
        with pytest.raises(TypeError):
            imago.opencl.rfft(there, axis=0.0)
        with pytest.raises(ValueError, match="integers"):
            imago.opencl.rfftn(there, (4, 8.0))
        assert_close(imago.opencl.dct(there, 2).get(), reference.dct(x, 2))
        assert_close(imago.opencl.dct(there, 2, orthogonalize=True).get(),
                     reference.dct(x, 2, orthogonalize=True))  # fmt: skip
        # A half spectrum of real numbers is converted to complex first.
        assert_close(imago.opencl.irfft(there).get(), reference.irfft(x))
        assert_close(imago.opencl.rfft(there.astype(np.float32)).get(), reference.rfft(x.astype("f4")))
        assert imago.opencl.fftn(there, axes=()) is there


def test_calls_wait_for_other_queues_and_for_failures(queue):
    """Events of the queue itself are left out if the queue is in order."""
    x = random_array((4, 12), "c8")
    other = cl.CommandQueue(queue.context)
    there = cl.array.to_device(queue, x)
    gate = cl.UserEvent(queue.context)
    late = cl.enqueue_marker(other, [gate])
    other.flush()
    result = imago.opencl.fft(there, wait_for=[late])
    queue.flush()
    assert result.events[0].command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert_close(result.get(), reference.fft(x))


def test_errors(queue):
    there = cl.array.to_device(queue, random_array((4, 12), "c8"))
    with pytest.raises(TypeError, match="float32"):
        imago.opencl.fft(there.real.astype(np.int32))
    with pytest.raises(TypeError, match="pyopencl"):
        imago.opencl.fft(np.ones(4))
    with pytest.raises(TypeError, match="real"):
        imago.opencl.rfft(there)
    with pytest.raises(ValueError, match="norm"):
        imago.opencl.fft(there, norm="both")
    with pytest.raises(ValueError):
        imago.opencl.fft(there, queue=cl.CommandQueue(cl.Context([queue.device])))


def test_other_contexts_and_no_rows(queue):
    other = cl.CommandQueue(cl.Context([queue.device]))
    x = random_array((4, 12), "c8")
    assert_close(imago.opencl.fft(cl.array.to_device(other, x)).get(), reference.fft(x))
    none = cl.array.zeros(queue, (0, 12), np.complex64)
    assert imago.opencl.fft(none).shape == (0, 12)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_hankel_transforms(queue, dtype):
    assert imago.opencl.next_fast_len(97) == 98
    for n, bias in ((64, 0.0), (63, 0.3)):
        a = random_array((3, n), dtype)
        found = imago.opencl.fht(cl.array.to_device(queue, a), 0.1, 1.5, 0.2, bias)
        assert found.dtype == dtype
        assert_close(found.get(), imago.fft.fht(a.astype("f8"), 0.1, 1.5, 0.2, bias).astype(dtype))
        back = imago.opencl.ifht(found, 0.1, 1.5, 0.2, bias, out=cl.array.empty(queue, a.shape, dtype))
        assert_close(back.get(), a)
    with pytest.raises(ValueError, match="it must be real and C-contiguous"):
        imago.opencl.fht(cl.array.to_device(queue, a + 0j * a), 0.1, 1.5)
