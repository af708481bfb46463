"""Finds OpenCL's loader before the compiled part needs it, and a driver where there is none.

`_core` needs a library by the name of libOpenCL.so.1. One that the process or the system has is
taken; else the one that wheels carry. Where no driver is installed in the system, that of the
package pocl-binary-distribution (`pip install imago[pocl]`) is, as far as it works here.
"""

from __future__ import annotations

import ctypes
import glob
import importlib
import os
import pathlib
import sys

from . import _pocl

_NAME = "libOpenCL.so.1"

folders: list[str] = []
"""Where libraries lie that were loaded, for programs that this process starts."""
no_device = no_doubles = ""
"""Why the PoCL of PyPI is not taken, or not for doubles; empty: it is, or there is none."""


def _check_interpreter() -> None:
    """Types of _core belong to the interpreter that imported it last: another one breaks the first."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        here, main = interpreters.get_current(), interpreters.get_main()
        # Since Python 3.13 they are pairs.
        if isinstance(here, tuple):
            here, main = here[0], main[0]
        if here != main:
            raise ImportError(
                "imago is imported by a subinterpreter: only the main interpreter of a process can. "
                "Import it there, or start another process"
            )
        return


def _load_opencl() -> None:
    try:
        ctypes.CDLL(_NAME)
    except OSError:
        bundled = pathlib.Path(__file__).with_name(".libs") / _NAME
        if bundled.exists():  # else importing _core says what is missing
            ctypes.CDLL(str(bundled), ctypes.RTLD_GLOBAL)
            folders.append(str(bundled.parent))


def _has_drivers() -> bool:
    return "OCL_ICD_VENDORS" in os.environ or bool(glob.glob("/etc/OpenCL/vendors/*.icd"))


def _take_pocl() -> None:
    """Loads PoCL, so that its name is enough for OpenCL's loader, and names it to that."""
    global no_device, no_doubles
    found = _pocl.find()
    if found is None:
        return
    folder, library = found
    verdict = _pocl.prove(folder, library)
    if verdict.singles:
        no_device = f"pocl-binary-distribution is not taken: {verdict.singles}"
        return
    if verdict.doubles:
        no_doubles = f"pocl-binary-distribution has no doubles on this CPU: {verdict.doubles}"
    ctypes.CDLL(str(library))
    os.environ["OCL_ICD_VENDORS"] = str(folder)
    folders.append(str(folder))


def prepare() -> None:
    """Called once, before `_core` is imported."""
    _check_interpreter()
    if sys.platform != "linux":
        return
    _load_opencl()
    if not _has_drivers():
        _take_pocl()
