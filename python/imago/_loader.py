"""Finds OpenCL's loader before the compiled part needs it, and a driver if none is installed.

`_core` needs a library named libOpenCL.so.1. imago uses the one of the process or the system, else
the one in the wheel. If the system has no driver, imago uses the driver of the package
pocl-binary-distribution (`pip install imago[pocl]`), as far as it works on this CPU.
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
"""Folders of the loaded libraries, for programs that this process starts."""
no_device = no_doubles = ""
"""The reasons not to use PyPI's PoCL, or not for float64; empty: it is used, or not installed."""


def _check_interpreter() -> None:
    """Raises ImportError in a subinterpreter.

    The types of _core belong to the interpreter that imported it last; a second one breaks the
    first.
    """
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        here, main = interpreters.get_current(), interpreters.get_main()
        # Python 3.13 and later return pairs.
        if isinstance(here, tuple):
            here, main = here[0], main[0]
        if here != main:
            raise ImportError(
                "imago is imported by a subinterpreter, but works in the main interpreter only. "
                "Import it there, or start another process."
            )
        return


def _load_opencl() -> None:
    try:
        ctypes.CDLL(_NAME)
    except OSError:
        bundled = pathlib.Path(__file__).with_name(".libs") / _NAME
        if bundled.exists():  # else the import of _core reports what is missing
            ctypes.CDLL(str(bundled), ctypes.RTLD_GLOBAL)
            folders.append(str(bundled.parent))


def _has_drivers() -> bool:
    return "OCL_ICD_VENDORS" in os.environ or bool(glob.glob("/etc/OpenCL/vendors/*.icd"))


def _take_pocl() -> None:
    """Loads PoCL and tells OpenCL's loader about it; the loader then finds the library by name."""
    global no_device, no_doubles
    found = _pocl.find()
    if found is None:
        return
    folder, library = found
    verdict = _pocl.prove(folder, library)
    if verdict.singles:
        no_device = f"pocl-binary-distribution does not work on this CPU: {verdict.singles}"
        return
    if verdict.doubles:
        no_doubles = f"pocl-binary-distribution has no float64 on this CPU: {verdict.doubles}"
    ctypes.CDLL(str(library))
    os.environ["OCL_ICD_VENDORS"] = str(folder)
    folders.append(str(folder))


def prepare() -> None:
    """Prepares the import of `_core`. Called once."""
    _check_interpreter()
    if sys.platform != "linux":
        return
    _load_opencl()
    if not _has_drivers():
        _take_pocl()
