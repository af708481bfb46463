"""The imago command, which the package contains: `imago`, `python -m imago`."""

from __future__ import annotations

import os
import pathlib
import signal
import sys
from typing import NoReturn

from . import _loader

_FAILED = 1


class Missing(RuntimeError):
    """The package was built without the command."""


def path() -> pathlib.Path:
    """Returns the path of the program. Raises Missing."""
    program = pathlib.Path(__file__).with_name("bin") / "imago"
    if not program.exists():
        raise Missing(
            "this package was built without the imago command, because CLI11, fmt, libpng, fftw3.h "
            "or sndfile.h was missing. Install them and build the package again."
        )
    return program


def environment() -> dict[str, str]:
    """Returns the environment in which the program finds the same OpenCL as the package."""
    changed = dict(os.environ)
    if _loader.folders:
        given = changed.get("LD_LIBRARY_PATH")
        changed["LD_LIBRARY_PATH"] = os.pathsep.join(([given] if given else []) + _loader.folders)
    return changed


def main() -> NoReturn:
    """Replaces this process by the command, so that signals and exit status are the command's."""
    try:
        program = path()
    except Missing as missing:
        print(f"imago: {missing}", file=sys.stderr)
        sys.exit(_FAILED)
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and the program would inherit that
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execve(program, ["imago", *sys.argv[1:]], environment())
