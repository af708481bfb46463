"""Prints the first calls of 40 shapes and of eight sizes of images, beside SciPy's own calls.

    python bench/first_calls.py [-v]     -v: a line for each shape

Set IMAGO_CACHE_DIR and POCL_CACHE_DIR to empty folders, so that no kernels of the shapes are cached.
The generic kernels are compiled before the first measurement. SciPy computes with two workers, in
its second call.
"""

import sys
import time

import numpy as np
import scipy.fft

import imago

COMPLEX = [(1024,), (1000,), (4096,), (65536,), (1009,), (101,), (10007,), (16,), (100, 1000)]
COMPLEX += [(512, 512), (640, 480), (384, 384), (64, 64, 64), (30, 40, 50)]
REAL = [(1024,), (999,), (1080, 1920), (384, 384)]
IMAGES = [(480, 640), (600, 800), (720, 1280), (768, 1024), (1024, 1024), (1080, 1920), (333, 500)]
IMAGES += [(1200, 1600)]


def calls():
    """Yields the name of a function, the shape and the type of its array, and its options."""
    for real, complex_ in (("f4", "c8"), ("f8", "c16")):
        yield from (("fftn", shape, complex_, {}) for shape in COMPLEX)
        yield from (("rfftn", shape, real, {}) for shape in REAL)
        yield "dctn", (1000,), real, {}
        yield "dctn", (512, 512), real, {"type": 3}


def seconds_of(call):
    began = time.perf_counter()
    result = call()
    return time.perf_counter() - began, result


def main():
    imago.prewarm()
    above = []
    for name, shape, dtype, options in calls():
        x = np.random.default_rng(0).standard_normal(shape).astype(dtype)

        def own(x=x, name=name, options=options):
            return getattr(scipy.fft, name)(x, workers=2, **options)

        own()
        scipys, expected = seconds_of(own)
        ours, found = seconds_of(
            lambda x=x, name=name, options=options: getattr(imago.fft, name)(x, **options)
        )
        assert np.linalg.norm(found - expected) < 1e-5 * np.linalg.norm(expected), (name, shape)
        above.append(ours - scipys)
        if "-v" in sys.argv:
            print(f"{name} {shape} {dtype}: {1e3 * ours:.2f} ms, SciPy {1e3 * scipys:.2f} ms")
    above.sort()
    generic = imago.fft.statistics()["generic"]
    print(f"{len(above)} first calls, {generic} on generic kernels")
    print(
        f"above SciPy's: {1e3 * above[len(above) // 2]:.2f} ms in the median, "
        f"{1e3 * above[-1]:.2f} ms at most"
    )
    images = [np.ones(shape, "f4") for shape in IMAGES]
    for who, functions in (("imago", imago.fft), ("SciPy", scipy.fft)):
        seconds, _ = seconds_of(lambda f=functions: [f.rfft2(image) for image in images])
        print(f"eight sizes of images, {who}: {seconds:.3f} s")


main()
