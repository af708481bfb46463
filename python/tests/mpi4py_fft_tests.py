"""Runs mpi4py-fft's own test of PFFT, tests/test_mpifft.py of its repository, on imago.

    mpirun -n 2 python -m mpi4py mpi4py_fft_tests.py FOLDER/test_mpifft.py

The file is loaded unchanged. PFFT is replaced by a version with imago's transforms, of the same
kinds if a test uses cosine or sine transforms. Long doubles are left out, because no OpenCL device
has them: the test uses the types for which an FFTW is installed. Fails if no rank computed.
"""

import importlib.util
import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import fftw, mpifft

import imago.mpi

_KINDS = {fftw.dctn: "dct", fftw.dstn: "dst"}


def _kind(partial):
    return f"{_KINDS[partial.func]}{partial.keywords['type']}"


class _PFFT(mpifft.PFFT):
    def __init__(self, comm, shape=None, axes=None, dtype=float, transforms=None, **others):
        mine = imago.mpi.transforms(shape, axes, dtype)
        for group, (forward, _) in (transforms or {}).items():
            mine[group] = imago.mpi.transforms(shape, [group], dtype, _kind(forward))[group]
        super().__init__(comm, shape, axes=axes, dtype=dtype, transforms=mine, **others)
        mine_alone = {type(one.fwd).__module__ for one in self.xfftn}
        assert mine_alone == {"imago.mpi"}, mine_alone


def _without_long_doubles(get):
    return lambda dtype: None if np.dtype(dtype).char in "gG" else get(dtype)


def main(file):
    spec = importlib.util.spec_from_file_location("test_mpifft", file)
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    tests.PFFT = _PFFT
    tests.fftw.get_fftw_lib = _without_long_doubles(tests.fftw.get_fftw_lib)
    tests.backends = ["fftw"]
    names = [name for name in dir(tests) if name.startswith("test_")]
    for name in names:
        getattr(tests, name)()
    computed = MPI.COMM_WORLD.gather(imago.fft.statistics()["computed"])
    if MPI.COMM_WORLD.rank == 0:
        print(f"{len(names)} tests passed; transforms that imago computed, by rank: {computed}")
        assert min(computed) > 0, "imago computed nothing on a rank"


if __name__ == "__main__":
    main(sys.argv[1])
