"""The PoCL of PyPI, pocl-binary-distribution: found, and proved before it is taken.

It is of 2022, and what its compiler does depends on the CPU: there are some on which it builds nothing, or
ends the process where doubles are computed or the program ends. So small transforms are computed in
other processes first, once for each CPU; what became of them is kept in imago's cache folder.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

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
    """Why it is not taken; empty texts where it is."""

    singles: str
    doubles: str


def find() -> tuple[pathlib.Path, pathlib.Path] | None:
    """The folder that OpenCL's loader is told of, and the library in it."""
    found = importlib.util.find_spec("pocl_binary_distribution")
    if found is None or found.origin is None:
        return None
    importlib.import_module("pocl_binary_distribution")
    folder = pathlib.Path(found.origin).parent.parent / "pyopencl" / ".libs"
    libraries = list(folder.glob("libpocl*.so"))
    return (folder, libraries[0]) if libraries and (folder / "pocl.icd").exists() else None


def _failure(folder: pathlib.Path, dtype: str) -> str:
    """Of a process that computes with it and ends; empty: none."""
    paths = [os.environ.get("LD_LIBRARY_PATH", ""), str(folder)]
    environment = {
        **os.environ,
        "OCL_ICD_VENDORS": str(folder),
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths)),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "IMAGO_FALLBACK": "0",
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
        return f"a small transform takes more than {_PATIENCE:.0f} s"
    except OSError:  # no process to be had: nothing is proved
        return ""
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"it ends the process with signal {-done.returncode}"
    lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return lines[-1].strip() if lines else f"a small program ends with status {done.returncode}"


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next((line for line in file if line.startswith("model name")), "")
    except OSError:
        return ""


def _remembered_at(library: pathlib.Path) -> pathlib.Path:
    about = library.stat()
    key = f"{library}\n{about.st_size}\n{about.st_mtime_ns}\n{_cpu()}"
    folder = os.environ.get("IMAGO_CACHE_DIR")
    if not folder:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        folder = os.path.join(base, "imago")
    return pathlib.Path(folder) / f"pocl-{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


def prove(folder: pathlib.Path, library: pathlib.Path) -> Verdict:
    """What it can be used for, on this CPU."""
    if os.environ.get("IMAGO_TRUST_DEVICE") == "1":
        return Verdict("", "")
    file = _remembered_at(library)
    try:
        return Verdict(**json.loads(file.read_text()))
    except (OSError, ValueError, TypeError):
        pass
    singles = _failure(folder, "complex64")
    verdict = Verdict(singles, singles or _failure(folder, "complex128"))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(dataclasses.asdict(verdict)))
        part.replace(file)
    except OSError:
        pass  # it is proved again next time
    return verdict
