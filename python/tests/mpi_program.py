"""The program of test_mpi.py: `mpirun -n N python -m mpi4py mpi_program.py WHAT`."""

import os
import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT

import imago.mpi

WORLD = MPI.COMM_WORLD


def everywhere(shape, dtype):
    """Returns random numbers, the same on each rank."""
    generator = np.random.default_rng(1)
    values = generator.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.uniform(-1, 1, shape)
    return values.astype(dtype)


def compare(shape, dtype, kinds, expected, **layout):
    """Compares PFFT's spectrum with `expected`, and its inverse with the signal."""
    transforms = imago.mpi.transforms(shape, dtype=dtype, kinds=kinds)
    fft = PFFT(WORLD, shape, dtype=dtype, transforms=transforms, **layout)
    whole = everywhere(shape, dtype)
    signal = whole[fft.local_slice(False)]
    spectrum = fft.forward(signal, normalize=False).copy()
    error = abs(spectrum - expected(whole)[fft.local_slice(True)]).max(initial=0)
    # Both directions without normalization multiply by this factor.
    points = np.prod([1 / part.fwd.get_normalization() for part in fft.xfftn])
    back = abs(fft.backward(spectrum) / points - signal).max(initial=0)
    bound = 2e-5 * np.sqrt(whole.size) if np.dtype(dtype).char in "fF" else 1e-12 * whole.size
    assert error < bound and back < bound, (shape, dtype, kinds, layout, error, back, bound)
    fft.destroy()


def spectra():
    from scipy.fft import dctn, dstn, fftn, rfftn

    shape = (8, 6, 10)
    for layout in {}, {"grid": (-1,)}, {"collapse": True}:
        compare(shape, "f", "complex", rfftn, **layout)
        compare(shape, "D", "complex", fftn, **layout)
    compare(shape, "d", "dct2", dctn)
    compare(shape, "f", "dst4", lambda x: dstn(x, type=4))
    computed = WORLD.gather(imago.fft.statistics()["computed"])
    if WORLD.rank == 0:
        print("computed by rank:", computed)
        assert min(computed) > 0


def devices():
    chosen = imago.mpi.share_devices(WORLD)
    names = WORLD.gather(imago.devices().index(chosen))
    if WORLD.rank == 0:
        print("devices by rank:", names)


def other_device():
    """Gives the last rank a device name that does not exist; the others wait in an exchange."""
    if WORLD.rank == WORLD.size - 1:
        os.environ["IMAGO_DEVICE"] = "no such device"
    compare((8, 8, 8), "f", "complex", np.fft.rfftn)


def more_ranks_than_points():
    compare((8, 1, 8), "f", "complex", np.fft.rfftn, grid=(1, -1))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
