"""Dask on imago: transforms along both axes of an array four times as large as the memory limit."""

import tracemalloc

import numpy as np
import pytest

import imago

array = pytest.importorskip("dask.array")

LIMIT = 16 << 20  # bytes of arrays at any time
ROWS, COLUMNS = 2048, 4096  # complex64: four times the limit
BLOCK = 64


def file(folder, name, mode="r+"):
    return np.lib.format.open_memmap(folder / name, mode, np.complex64, (ROWS, COLUMNS))


class Stored:
    """A file that Dask reads block by block. NumPy arrays, also mapped ones, would be copied."""

    def __init__(self, values):
        self.shape, self.dtype, self.ndim = values.shape, values.dtype, values.ndim
        self._values = values

    def __getitem__(self, where):
        return np.array(self._values[where])


def along(source, target, axis, function):
    """Transforms every row along the axis: reads, transforms and writes block by block."""
    chunks = [BLOCK, BLOCK]
    chunks[axis] = -1
    lines = array.from_array(Stored(source), chunks=tuple(chunks), name=False)
    array.store(array.fft.fft_wrap(function)(lines, axis=axis), target, lock=False)


@pytest.mark.long
def test_four_times_the_limit_in_two_passes(tmp_path, computed):
    signal, rows, both = (file(tmp_path, name, "w+") for name in ("signal", "rows", "both"))
    generator = np.random.default_rng(2)
    for row in range(0, ROWS, BLOCK):
        block = signal[row : row + BLOCK]
        block.real, block.imag = generator.uniform(-1, 1, (2, *block.shape))
    assert signal.nbytes == 4 * LIMIT

    tracemalloc.start()
    along(signal, rows, 1, imago.fft.fft)
    along(rows, both, 0, imago.fft.fft)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < LIMIT, f"{peak} bytes"
    samples = 2  # one element each, from which Dask infers the types
    assert computed() == ROWS // BLOCK + COLUMNS // BLOCK + samples

    for row in range(0, ROWS, BLOCK):
        expected = np.fft.fft(signal[row : row + BLOCK].astype(np.complex128))
        assert np.linalg.norm(rows[row : row + BLOCK] - expected) < 1e-6 * np.linalg.norm(expected)
    for column in range(0, COLUMNS, BLOCK):
        slab = slice(column, column + BLOCK)
        expected = np.fft.fft(rows[:, slab].astype(np.complex128), axis=0)
        assert np.linalg.norm(both[:, slab] - expected) < 1e-6 * np.linalg.norm(expected)


def test_rechunk_in_memory():
    values = np.random.default_rng(3).uniform(-1, 1, (96, 80))
    x = array.from_array(values, chunks=(32, -1))
    spectrum = array.fft.fft_wrap(imago.fft.rfft)(x, axis=1).rechunk((-1, 10))
    spectrum = array.fft.fft_wrap(imago.fft.fft)(spectrum, axis=0)
    assert np.allclose(spectrum.compute(), np.fft.rfft2(values), rtol=0, atol=1e-10)
