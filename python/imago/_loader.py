"""Finds OpenCL's loader before the compiled part needs it, and a driver where there is none.

`_core` needs a library by the name of libOpenCL.so.1. One that the process or the system has is
taken; else the one that wheels carry. Where no driver is installed in the system, that of the
package pocl-binary-distribution (`pip install imago[pocl]`) is.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import pathlib
import sys

_NAME = "libOpenCL.so.1"

folders: list[str] = []
"""Where libraries lie that were loaded from, for programs that this process starts."""


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
    found = importlib.util.find_spec("pocl_binary_distribution")
    if found is None or found.origin is None:
        return
    importlib.import_module("pocl_binary_distribution")
    folder = pathlib.Path(found.origin).parent.parent / "pyopencl" / ".libs"
    libraries = list(folder.glob("libpocl*.so"))
    if libraries and (folder / "pocl.icd").exists():
        ctypes.CDLL(str(libraries[0]))
        os.environ["OCL_ICD_VENDORS"] = str(folder)
        folders.append(str(folder))


def prepare() -> None:
    """Called once, before `_core` is imported."""
    if sys.platform != "linux":
        return
    _load_opencl()
    if not _has_drivers():
        _take_pocl()
