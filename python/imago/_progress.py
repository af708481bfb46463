"""Shows the progress of long work, in Python's main thread."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

Show = Callable[[str, int, int], object]

COMPUTING = "computing"
"""The stage without kernels to compile: a wait that the caller asked for."""
_LOG_AFTER = 3.0  # seconds


class _Line:
    """A line on standard error. A terminal shows it during the wait. A notebook or a log gets it
    once for each wait that is no computation, after three seconds, unless IMAGO_LOG is "error"."""

    def __init__(self) -> None:
        self._drawn = self._logged = False
        self._waits = 0

    def show(self, stage: str, done: int, total: int, seconds: float) -> None:
        stream = sys.stderr
        if stream is None:
            return
        count = f": {done} of {total}" if total else ""
        text = f"imago: {stage}{count} ({seconds:.0f} s)"
        if stream.isatty():
            stream.write(f"\r\x1b[K{text}")
            self._drawn = True
        elif self._logged or seconds < _LOG_AFTER or stage == COMPUTING or _is_quiet():
            return
        else:
            stream.write(f"{text}; IMAGO_LOG=error hides this line\n")
            self._logged = True
        stream.flush()

    def clear(self) -> None:
        if self._drawn:
            self._drawn = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        if self._waits == 0:
            self._logged = False

    @contextlib.contextmanager
    def one_wait(self) -> Iterator[None]:
        """Several calls are one wait."""
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            self.clear()


def _is_quiet() -> bool:
    return os.environ.get("IMAGO_LOG") == "error"


_line = _Line()
one_wait = _line.one_wait
_wanted: Show | None = None


def set_progress(progress: Show | None = None) -> None:
    """Sets the function that reports work of more than a second: compiling plans, and `tune`.

    `progress` is called in the main thread several times a second, with a text that names the work,
    the amount done and the total; the total is 0 if it is not known. If it raises an exception, the
    call that works raises it, as with KeyboardInterrupt. None (the default) prints a line on
    standard error. Unless that is a terminal, it is printed once for each compilation that takes
    more than three seconds, and not with IMAGO_LOG=error in the environment.

    >>> import imago
    >>> imago.set_progress(lambda stage, done, total: None)   # nothing is shown
    >>> imago.set_progress()
    """
    global _wanted
    _wanted = progress


def show(stage: str, done: int, total: int, seconds: float) -> None:
    """Reports progress. Called by `_core` and by `tune`."""
    if _wanted is None:
        _line.show(stage, done, total, seconds)
    else:
        _wanted(stage, done, total)


def clear() -> None:
    """Removes the line. Called when the work has ended."""
    _line.clear()
