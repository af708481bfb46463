"""Finds and tests PyPI's package of PoCL, pocl-binary-distribution, before imago uses it.

The package is from 2022, and its compiler depends on the CPU. On some CPUs it compiles nothing, or
it ends the process when it computes float64 or when the program ends. Therefore other processes
compute small transforms first, once for each CPU. Their outcome is stored in imago's cache folder.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

from . import _stored

_PATIENCE = 120.0
_PROGRAM = """
import sys
import numpy as np
import imago
x = np.arange(48).astype(sys.argv[1])
assert np.allclose(imago.fft.fft(x), np.fft.fft(x), rtol=1e-4), "it computes wrong"
"""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The reasons not to use it, for float32 and for float64; an empty text means that it works."""

    singles: str
    doubles: str


def find() -> tuple[pathlib.Path, pathlib.Path] | None:
    """Returns the folder for OpenCL's loader and the library in it; None if there is none."""
    found = importlib.util.find_spec("pocl_binary_distribution")
    if found is None or found.origin is None:
        return None
    importlib.import_module("pocl_binary_distribution")
    folder = pathlib.Path(found.origin).parent.parent / "pyopencl" / ".libs"
    libraries = list(folder.glob("libpocl*.so"))
    return (folder, libraries[0]) if libraries and (folder / "pocl.icd").exists() else None


def _failure(folder: pathlib.Path, dtype: str) -> str:
    """Computes with it in another process. Returns the reason of a failure; empty: none."""
    paths = [os.environ.get("LD_LIBRARY_PATH", ""), str(folder)]
    environment = {
        **os.environ,
        "OCL_ICD_VENDORS": str(folder),
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths)),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "IMAGO_FALLBACK": "0",
        "IMAGO_SMALL": "0",
        "IMAGO_DEVICE": "",
    }
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, dtype],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"a small transform took more than {_PATIENCE:.0f} s"
    except OSError:  # no process can be started, so nothing can be tested
        return ""
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"it ended the process with signal {-done.returncode}"
    lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return lines[-1].strip() if lines else f"a small program ended with status {done.returncode}"


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next((line for line in file if line.startswith("model name")), "")
    except OSError:
        return ""


def _stored_at(library: pathlib.Path) -> pathlib.Path:
    about = library.stat()
    return _stored.file_of("pocl", f"{library}\n{about.st_size}\n{about.st_mtime_ns}\n{_cpu()}")


def prove(folder: pathlib.Path, library: pathlib.Path) -> Verdict:
    """Tests it on this CPU, or returns the stored outcome of the first test."""
    if os.environ.get("IMAGO_TRUST_DEVICE") == "1":
        return Verdict("", "")
    file = _stored_at(library)
    try:
        return Verdict(**(_stored.read(file) or {}))
    except TypeError:
        pass
    singles = _failure(folder, "complex64")
    verdict = Verdict(singles, singles or _failure(folder, "complex128"))
    _stored.write(file, dataclasses.asdict(verdict))
    return verdict
