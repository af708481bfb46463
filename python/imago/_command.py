"""The imago command, which comes along in the package: `imago`, `python -m imago`."""

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
    """Of the program. Raises Missing."""
    program = pathlib.Path(__file__).with_name("bin") / "imago"
    if not program.exists():
        raise Missing(
            "this package was built without the imago command: CLI11, fmt and FFTW's header were not "
            "found where it was built"
        )
    return program


def environment() -> dict[str, str]:
    """In which the program finds the OpenCL that the package takes."""
    changed = dict(os.environ)
    if _loader.folders:
        given = changed.get("LD_LIBRARY_PATH")
        changed["LD_LIBRARY_PATH"] = os.pathsep.join(([given] if given else []) + _loader.folders)
    return changed


def main() -> NoReturn:
    """Becomes the command: its signals and its exit status are those of this process."""
    try:
        program = path()
    except Missing as missing:
        print(f"imago: {missing}", file=sys.stderr)
        sys.exit(_FAILED)
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and who is executed inherits that
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execve(program, ["imago", *sys.argv[1:]], environment())
