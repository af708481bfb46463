"""First calls on generic kernels, in separate processes with empty kernel caches."""

import os
import subprocess
import sys

import pytest

import imago


@pytest.fixture
def cold(tmp_path):
    """Runs a program with empty kernel caches, which its later runs find filled."""
    caches = {"IMAGO_CACHE_DIR": str(tmp_path / "imago"), "POCL_CACHE_DIR": str(tmp_path / "pocl")}

    def run(program, **environment):
        done = subprocess.run(
            [sys.executable, "-c", "import numpy as np, imago\n" + program],
            env={**os.environ, **caches, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


GENERIC = "print(imago.fft.statistics()['generic'])\n"
CALL = "imago.fft.fft(np.ones((3, 40)))\n"


@pytest.mark.long
def test_a_first_call_uses_generic_kernels(cold):
    assert cold(CALL + GENERIC) == ["1"]
    assert cold(CALL + GENERIC, IMAGO_FIRST_CALL="compile") == ["0"]
    assert cold(CALL + GENERIC) == ["0"]  # their kernels are on disk now


@pytest.mark.long
def test_prewarm_compiles_the_kernels_of_calls(cold):
    warm = "imago.prewarm([('rfft', (40,), 'float32'), ('dct', (3, 20), 'float32', {'type': 3})])\n"
    calls = "imago.fft.rfft(np.ones(40, 'f4')); imago.fft.dct(np.ones((3, 20), 'f4'), type=3)\n"
    assert cold(warm + GENERIC + calls + GENERIC) == ["0", "0"]
    assert cold(calls + GENERIC) == ["0"]


@pytest.mark.long
def test_prewarm_without_calls_compiles_the_generic_kernels(cold):
    cold("imago.prewarm()\n")
    assert cold(CALL + GENERIC) == ["1"]


def test_prewarm_reports_its_work(cold):
    shown = cold(
        "imago.set_progress(lambda stage, done, total: print(stage.replace(' ', '_'), total))\n"
        "imago.prewarm([('fft', (60,), 'complex64'), ('fft', (61,), 'complex64')])\n"
    )
    assert shown[:2] == ["compiling_kernels", "2"]


@pytest.mark.long
def test_a_program_may_end_while_kernels_are_compiled(cold):
    large = "x = np.ones((1024, 1024), 'c8')\nfor _ in range(3): imago.fft.fft2(x)\n"
    assert cold(large + "print('computed')") == ["computed"]


@pytest.mark.long
def test_prewarm_compiles_its_calls_alone(cold):
    others = "for i in range(5): imago.fft.fft(np.ones((600, 2 * i + 900)))\n"
    warm = "imago.prewarm([('fft', (64, n), 'd') for n in (100, 102, 104)])\n"
    again = "imago.fft.limit_plans(1)\n" + warm + "imago.release_memory()\n"
    calls = "[imago.fft.fft(np.ones((64, n))) for n in (100, 102, 104)]\n"
    assert cold(others + again + calls + GENERIC + others + GENERIC) == ["5", "10"]


@pytest.mark.long
def test_constructors_compile_all_that_calls_need(cold):
    """PoCL compiles a kernel once more for the launches of calls, into files of its own."""
    program = """
import glob, os
binaries = lambda: len(glob.glob(os.environ["POCL_CACHE_DIR"] + "/**/*.so", recursive=True))
low = imago.Filter(300, kind="real", spectrum=[imago.hooks.zero_outside(0, 0, 40)])
plans = [low, imago.Convolution(np.ones(5, "f4"), 300)]
before = binaries()
for plan in plans:
    plan(np.ones(300, "f4"))
print(binaries() - before)
"""
    assert cold(program, IMAGO_FIRST_CALL="compile") == ["0"]


@pytest.mark.long
@pytest.mark.parametrize("first", ["generic", "compile"])
def test_spectra_without_trends_begin_on_generic_kernels(cold, first):
    program = """
import glob, os, imago.signal
kernels = lambda: len(glob.glob(os.environ["IMAGO_CACHE_DIR"] + "/**/*", recursive=True))
imago.prewarm()
before, x = kernels(), np.cos(np.arange(4000, dtype="f4") ** 2)
for trend in ("constant", "linear"):
    imago.signal.welch(x, detrend=trend)
    imago.signal.csd(x, x + 1j * x[::-1], detrend=trend)
    imago.signal.spectrogram(x, detrend=trend)
print(kernels() > before)
"""
    assert cold(program, IMAGO_FIRST_CALL=first) == [str(first == "compile")]


@pytest.mark.long
@pytest.mark.parametrize("first", ["automatic", "compile"])
def test_nonuniform_transforms_begin_on_generic_kernels(cold, first):
    """PoCL stores what it compiles, also at a launch."""
    program = """
import glob, os, imago.nufft
kernels = lambda: len(glob.glob(os.environ["POCL_CACHE_DIR"] + "/**/*.so", recursive=True))
imago.prewarm()
before = kernels()
for real, count in (("f", 300), ("d", 300), ("f", 80_000)):
    for axes in (1, 2, 3):
        x = list(np.random.default_rng(axes).uniform(-3, 3, (axes, count)).astype(real))
        c, data = np.ones(count, real.upper()), np.ones((9,) * axes, real.upper())
        getattr(imago.nufft, f"nufft{axes}d1")(*x, c, (9,) * axes, eps=1e-4)
        getattr(imago.nufft, f"nufft{axes}d2")(*x, data, eps=1e-4)
        getattr(imago.nufft, f"nufft{axes}d3")(*x, c, *x, eps=1e-4)
print(kernels() > before)
"""
    assert cold(program, IMAGO_FIRST_CALL=first) == [str(first == "compile")]


FIRST = pytest.mark.parametrize("first", ["generic", pytest.param("compile", marks=pytest.mark.long)])


@FIRST
def test_an_inverse_ignores_imaginary_parts_that_do_not_count(cold, first):
    # Odd lengths, and lengths whose half has a large prime factor; in the latter, the last one too.
    assert cold(
        "for n in (5, 9, 15, 37, 74, 106, 2018, 8, 100):\n"
        "    x = np.ones(n // 2 + 1, complex); x[0] = complex(1, np.nan)\n"
        "    if n % 2 == 0: x[-1] = complex(1, np.inf)\n"
        "    assert np.isfinite(imago.fft.irfft(x, n)).all(), n\n"
        "print('finite')",
        IMAGO_FIRST_CALL=first,
    ) == ["finite"]


@FIRST
def test_half_spectra_are_real_where_symmetry_makes_them_so(cold, first):
    assert cold(
        "import scipy.fft\n"
        "for n in (31, 37, 60, 74, 97, 255, 257, 999, 2099):\n"
        "    x = np.cos(np.arange(3 * n) ** 2).reshape(3, n)\n"
        "    bins = [0, n // 2] if n % 2 == 0 else [0]\n"
        "    for z in (x, x.astype('f')):\n"
        "        for name in ('rfft', 'ihfft'):\n"
        "            for module in (imago.fft, scipy.fft):\n"
        "                y = getattr(module, name)(z)\n"
        "                assert not y[:, bins].imag.any(), (name, n, z.dtype, module)\n"
        "print('real')",
        IMAGO_FIRST_CALL=first,
    ) == ["real"]


def test_prewarm_rejects_what_is_no_call():
    for name in ("fft3", "_served", "__all__", "set_workers", "fftfreq", 5):
        with pytest.raises(ValueError, match="not a transform of imago.fft"):
            imago.prewarm([(name, (8,), "float32")])
    for call in ("fft", ("fft", (8,)), ("fft", (8,), "d", {}, 1)):
        with pytest.raises(ValueError, match="not a tuple"):
            imago.prewarm([call])
