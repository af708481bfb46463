"""Small results of measurements and tests, stored in imago's cache folder for later processes."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import stat
from typing import Any

_MOST_BYTES = 1 << 16


def file_of(prefix: str, key: str) -> pathlib.Path:
    """Returns the file for a result with this key; the key lists what the result depends on."""
    folder = os.environ.get("IMAGO_CACHE_DIR")
    if not folder:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        folder = os.path.join(base, "imago")
    return pathlib.Path(folder) / f"{prefix}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


def read(file: pathlib.Path) -> dict[str, Any] | None:
    """Returns the stored result; None if there is none, or if it cannot be read."""
    try:
        with open(file, "rb", opener=_open_now) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            found = json.loads(stream.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _open_now(path: str, flags: int) -> int:
    """Opens a file, but does not wait for the writer of a FIFO."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write(file: pathlib.Path, result: dict[str, Any]) -> None:
    """Stores a result atomically. Does nothing if the folder cannot be written."""
    part = file.with_suffix(f".{os.getpid()}")
    try:
        # The library does not use a folder that others can write.
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            part.write_text(json.dumps(result))
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
    except OSError:
        pass
