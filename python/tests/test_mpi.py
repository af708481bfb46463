"""imago.mpi: the dictionary for mpi4py-fft and, if that and mpirun are installed, PFFT on ranks."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.fft
from support import assert_close, random_array

import imago.mpi

PROGRAM = pathlib.Path(__file__).with_name("mpi_program.py")


def test_the_keys_are_the_groups_that_collapse_can_make():
    assert set(imago.mpi.transforms((4, 5, 6))) == {(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)}
    assert set(imago.mpi.transforms((4, 5, 6), ((0,), (2, 1)))) == {(0,), (2, 1), (0, 2, 1)}
    assert set(imago.mpi.transforms((4, 5, 6), -1)) == {(2,)}


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_functions_as_numpys(dtype, computed):
    x = random_array((6, 8, 5), dtype)
    by_axes = imago.mpi.transforms(x.shape, dtype=dtype)
    forward, inverse = by_axes[1, 2]
    spectrum = forward(x, s=(8, 5), axes=(1, 2))
    assert_close(spectrum, scipy.fft.rfftn(x, axes=(1, 2)))
    assert_close(inverse(spectrum, s=(8, 5), axes=(1, 2)), x)
    forward, inverse = by_axes[0,]
    whole = forward(spectrum, s=(6,), axes=(0,))
    assert_close(whole, scipy.fft.rfftn(x))
    assert_close(inverse(whole, s=(6,), axes=(0,)), spectrum)
    assert computed() == 4


def test_plans_as_fftws(computed):
    x = random_array((6, 9), np.float64)
    forward, inverse = imago.mpi.transforms(x.shape, kinds=("dct3", "dst2"))[0, 1]
    plan = forward(x, s=x.shape, axes=(0, 1), threads=1, flags=(0,))
    back = inverse(plan.output_array, s=x.shape, axes=(0, 1), threads=1, flags=(0,), output_array=x.copy())
    assert computed() == 0
    expected = scipy.fft.dct(scipy.fft.dst(x, 2, axis=1), 3, axis=0)
    assert_close(plan(None, None), expected)
    assert plan.get_normalization() == back.get_normalization() == pytest.approx(1 / (12 * 18))
    assert back() is back.output_array
    assert_close(back.output_array * plan.get_normalization(), x)
    assert_close(plan(normalize=True), expected / (12 * 18))


def test_what_cannot_be():
    with pytest.raises(ValueError, match="dtype is longdouble|dtype is float128"):
        imago.mpi.transforms((4, 4), dtype=np.longdouble)
    with pytest.raises(ValueError, match="axes has 2; it must be from -2 to 1"):
        imago.mpi.transforms((4, 4), (0, 2))
    for twice in ((0, -2), (1, (0, 1))):
        with pytest.raises(ValueError, match="an axis must come once"):
            imago.mpi.transforms((4, 4), twice)
    with pytest.raises(ValueError, match="kinds has 1 entries"):
        imago.mpi.transforms((4, 4), kinds=["dct2"])
    with pytest.raises(ValueError, match="kinds is 'identity'"):
        imago.mpi.transforms((4, 4), kinds="identity")
    forward, _ = imago.mpi.transforms((4, 4), kinds=("complex", "dct2"))[0, 1]
    with pytest.raises(ValueError, match="the real one must be the last"):
        forward(np.ones((4, 4)), s=(4, 4), axes=(0, 1))


def on_ranks(ranks, what, **environment):
    """Runs the program on `ranks` ranks. Returns the finished process and its output."""
    pytest.importorskip("mpi4py_fft")
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    mca = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "POCL_MAX_PTHREAD_COUNT": "1",
    }
    return subprocess.run(
        ["mpirun", "-np", str(ranks), sys.executable, "-m", "mpi4py", str(PROGRAM), what],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **mca, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("ranks", [2, 4])
def test_pfft_on_ranks(ranks):
    run = on_ranks(ranks, "spectra")
    assert run.returncode == 0, run.stderr
    assert len(re.search(r"computed by rank: \[(.*)\]", run.stdout)[1].split(", ")) == ranks


def test_devices_are_dealt_in_turn():
    if not all("PoCL" in one.version for one in imago.devices()):
        pytest.skip("two devices are PoCL's")
    run = on_ranks(3, "devices", POCL_DEVICES="pthread basic", IMAGO_DEVICE="")
    assert "devices by rank: [0, 1, 0]" in run.stdout, run.stderr
    run = on_ranks(2, "devices", POCL_DEVICES="pthread basic", IMAGO_DEVICE="1")
    assert "devices by rank: [1, 1]" in run.stdout, run.stderr


@pytest.mark.parametrize(
    "what, words", [("other_device", "no such device"), ("more_ranks_than_points", "Error")]
)
def test_a_rank_that_fails_ends_all(what, words):
    run = on_ranks(2, what)
    assert run.returncode != 0
    assert words in run.stderr
