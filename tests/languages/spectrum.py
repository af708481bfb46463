"""Transforms a buffer of pyopencl by imago_cl.h through ctypes."""
import sys

import numpy as np
import pyopencl as cl

LIBRARY = sys.argv[1]

# Shown in docs/languages.md:
import ctypes as c

imago = c.CDLL(LIBRARY)  # libimago.so.0.1
imago.imago_last_error.restype = c.c_char_p


class Layout(c.Structure):
    _fields_ = [("strides", c.c_void_p), ("distance", c.c_size_t),
                ("offset", c.c_size_t)]


class Transform(c.Structure):
    _fields_ = [("size", c.c_size_t), ("dimensions", c.c_size_t),
                ("lengths", c.c_void_p), ("axes", c.c_void_p),
                ("kind", c.c_int), ("precision", c.c_int),
                ("batch", c.c_size_t),
                ("placement", c.c_int), ("directions", c.c_int),
                ("norm", c.c_int), ("scales", c.c_double * 2),
                ("layouts", Layout * 2), ("storages", c.c_int * 2),
                ("ends", c.c_int), ("hooks", c.c_void_p * 4)]


class Array(c.Structure):
    _fields_ = [("re", c.c_void_p), ("im", c.c_void_p),
                ("offset", c.c_size_t)]


def done(status):
    if status:
        raise RuntimeError(imago.imago_last_error().decode())


def spectrum(queue, data, points):
    """Computes the spectrum of complex64 numbers, in place."""
    lengths = (c.c_size_t * 1)(points)
    transform = Transform(size=c.sizeof(Transform), dimensions=1,
                          lengths=c.addressof(lengths), placement=1)
    context, device, on = (c.c_void_p(handle.int_ptr)
                           for handle in (queue.context, queue.device, queue))
    plan, array = c.c_void_p(), Array(data.int_ptr)
    done(imago.imago_cl_plan_create(context, device, c.byref(transform), None,
                                    c.byref(plan)))
    done(imago.imago_cl_forward(plan, on, array, array, None))
    imago.imago_cl_plan_destroy(plan)
# Until here.


def main():
    queue = cl.CommandQueue(cl.Context(cl.get_platforms()[0].get_devices()[:1]))
    x = np.exp(2j * np.pi * 7 * np.arange(1000) / 1000).astype(np.complex64)
    data = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    spectrum(queue, data, x.size)
    result = np.empty_like(x)
    cl.enqueue_copy(queue, result, data)
    worst = abs(result - np.fft.fft(x)).max()
    print(f"off by {worst:.0e} at most")
    assert worst < 1e-2
    try:
        spectrum(queue, data, 0)
    except RuntimeError as error:
        assert "lengths" in str(error)
    else:
        raise AssertionError("a transform of no points was accepted")


main()
