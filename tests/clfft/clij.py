"""Compares Richardson-Lucy deconvolution by clij2-fft with double precision by NumPy."""

import numpy
from clij2fft.richardson_lucy import richardson_lucy

ITERATIONS = 10
SHAPE = (12, 20, 21)  # clij2-fft pads to lengths of factors 2, 3, 5 and 7: none here

random = numpy.random.default_rng(1)
points = tuple(random.integers(3, length - 3, 12) for length in SHAPE)
image = numpy.zeros(SHAPE)
image[points] = random.uniform(20, 90, 12)
z, y, x = numpy.meshgrid(*(numpy.arange(n) - n // 2 for n in SHAPE), indexing="ij")
spread = numpy.exp(-(z**2 / 2 + (y**2 + x**2) / 3)).astype(numpy.float32)
spread /= spread.sum()
spectrum = numpy.fft.rfftn(numpy.fft.ifftshift(spread.astype(float)))


def convolved(data, factors):
    return numpy.fft.irfftn(numpy.fft.rfftn(data) * factors, SHAPE, axes=(0, 1, 2))


blurred = (convolved(image, spectrum) + 1).astype(numpy.float32)
wanted = blurred.astype(float)
for _ in range(ITERATIONS):
    wanted = wanted * convolved(blurred / convolved(wanted, spectrum), spectrum.conj())
found = richardson_lucy(blurred, spread, ITERATIONS)

size = numpy.linalg.norm(wanted)
error = numpy.linalg.norm(found - wanted) / size
sharpened = numpy.linalg.norm(blurred - wanted) / size
print(f"relative error {error:.1e}; the blurred image is {sharpened:.1e} away")
assert sharpened > 0.1, "nothing to see"
assert error < 1e-5
