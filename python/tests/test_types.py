"""Type checkers accept the examples of the package and the pages, and find mistakes in calls."""

import ast
import doctest
import importlib
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import imago

PACKAGE = pathlib.Path(imago.__file__).parent
PAGES = PACKAGE.parents[1] / "docs"

MISTAKES = """
import numpy as np
import imago, imago.nufft, imago.opencl, imago.signal

x = np.ones(8)
plan = imago.Plan(8)
imago.Plan(8, kind="rael")
imago.Plan(8, norm="otrho")
imago.Convolution(x, 8, extent="sme")
imago.nufft.Plan(1, (8, 8), isgn=1)
imago.nufft.nufft1d1(x, x, 8, moderd=1)
imago.signal.welch(x, average="midian")
a: int = plan.forward(x)
b: int = imago.fft.fft(x)
c: int = imago.signal.stft(x)[2]
d: int = imago.nufft.nufft1d2(x, x)
e: int = imago.opencl.fft(x)
f: int = imago.signal.ZoomFFT(8, [0, 1])(x)
imago.opencl.fftt(x)
"""
CORRECT = """
import numpy as np
import imago, imago.nufft, imago.signal

x = np.ones(8)
a: complex = imago.Plan(8).forward(x)[0]
b: complex = imago.fft.fft(x=[1, 2]).max() + imago.fft.rfft(a=x, norm="ortho").item()
f, t, spectra = imago.signal.stft([1.0, 2.0], nperseg=2)
first: float = f[0] + imago.signal.ZoomFFT(8, [0, 1])(x).real.sum()
imago.nufft.nufft1d1(x, x, 8, modeord=1, eps=1e-3)
"""


def texts():
    """Yields a name for each module and page, and its texts with examples."""
    for file in sorted(PACKAGE.rglob("*.py")):
        nodes = ast.walk(ast.parse(file.read_text()))
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        listed = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)]
        yield "_".join(file.relative_to(PACKAGE).with_suffix("").parts), listed
    for file in sorted(PAGES.rglob("*.md")):
        yield "page_" + "_".join(file.relative_to(PAGES).with_suffix("").parts), [file.read_text()]


def write_examples(folder, pages):
    """Writes a module for each module and page, with a function for the examples of each text."""
    for name, listed in texts():
        sources = ("".join(e.source for e in doctest.DocTestParser().get_examples(t)) for t in listed)
        functions = [
            f"def example_{i}() -> None:\n{textwrap.indent(source, '    ')}"
            for i, source in enumerate(sources)
            if source
        ]
        if functions and (pages or not name.startswith("page_")):
            functions.insert(0, '# mypy: disable-error-code="no-redef"' if pages else "")
            (folder / f"{name.replace('-', '_')}.py").write_text("\n\n".join(functions))


def check(folder, *words):
    """Returns the lines of a checker's report that have errors."""
    path = {"MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    run = subprocess.run(
        [sys.executable, "-m", *words, "."], cwd=folder, env=os.environ | path, capture_output=True,
        text=True,
    )  # fmt: skip
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if " error: " in line or " - error: " in line]


@pytest.mark.long
def test_mypy_accepts_the_examples_and_finds_mistakes(tmp_path):
    pytest.importorskip("mypy")
    pytest.importorskip("pyopencl")
    write_examples(tmp_path, pages=True)
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    (tmp_path / "correct.py").write_text(CORRECT)
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nstrict = True\nfollow_imports = silent\nignore_missing_imports = True\n"
        "allow_redefinition_new = True\nlocal_partial_types = True\nallow_untyped_defs = True\n"
        "allow_untyped_calls = True\nallow_incomplete_defs = True\n"
    )
    errors = check(tmp_path, "mypy")
    found = {int(line.split(":")[1]) for line in errors if line.startswith("mistakes.py")}
    lines = MISTAKES.splitlines()
    assert found == set(range(lines.index("plan = imago.Plan(8)") + 2, len(lines) + 1))
    assert [line for line in errors if not line.startswith("mistakes.py")] == []


@pytest.mark.long
def test_pyright_accepts_the_examples_and_finds_mistakes(tmp_path):
    pytest.importorskip("pyright")
    pytest.importorskip("pyopencl")
    write_examples(tmp_path, pages=False)  # SciPy, which pages call, has no types
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    (tmp_path / "correct.py").write_text(CORRECT)
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"extraPaths": ["{PACKAGE.parent}"], "reportMissingImports": "none"}}'
    )
    errors = check(tmp_path, "pyright", "--pythonpath", sys.executable)
    found = {int(line.split(":")[1]) for line in errors if "mistakes.py" in line}
    lines = MISTAKES.splitlines()
    assert found == set(range(lines.index("plan = imago.Plan(8)") + 2, len(lines) + 1))
    assert [line for line in errors if "mistakes.py" not in line] == []


@pytest.mark.parametrize("name", ["", ".exact", ".fft", ".hooks", ".nufft", ".signal"])
def test_dir_lists_the_names_of_a_module(name):
    module = importlib.import_module("imago" + name)
    assert set(dir(module)) >= set(module.__all__)
    assert not set(dir(module)) & {"Any", "TYPE_CHECKING", "annotations", "importlib", "np", "sys"}


def test_modules_are_imported_at_their_first_use():
    pytest.importorskip("pyopencl")
    code = "import imago; assert 'opencl' in dir(imago); assert imago.opencl.fft"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="'fftt'"):
        imago.fftt
    code = (
        "import sys; sys.modules['pyopencl'] = None\nimport imago\n"
        "try: imago.opencl\nexcept AttributeError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "imago.opencl needs pyopencl: pip install pyopencl\n"


def test_transforms_of_signals_print_their_arguments():
    signal = imago.signal
    printed = repr(signal.ShortTimeFFT(np.hanning(64), hop=16, fs=1, scale_to="psd"))
    for part in ("64 samples", "hop=16", "mfft=64", "scale_to='psd'", "fft_mode='onesided'"):
        assert part in printed
    for made in (signal.ZoomFFT(8, [1, 3], 4, fs=8), signal.CZT(8, 4, 0.5, 1), signal.CZT(8)):
        again = eval(repr(made))
        assert repr(again) == repr(made)
        np.testing.assert_array_equal(again(np.arange(8.0)), made(np.arange(8.0)))


def test_an_unknown_keyword_names_the_nearest():
    x, c = np.zeros(3), np.ones(3, complex)
    with pytest.raises(TypeError, match="isgn is not an argument.*Did you mean isign"):
        imago.nufft.Plan(1, (8, 8), isgn=1)
    with pytest.raises(TypeError, match="moderd is not an argument.*Did you mean modeord"):
        imago.nufft.nufft1d1(x, c, 4, moderd=1)
    with pytest.raises(TypeError, match="points is not an argument of this function"):
        imago.nufft.nufft1d1(x, c, 4, points=3)
