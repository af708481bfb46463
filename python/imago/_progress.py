"""Shows the progress of long work, in Python's main thread."""

from __future__ import annotations

import sys
from collections.abc import Callable

Show = Callable[[str, int, int], object]


class _Line:
    """A line on standard error, if that is a terminal."""

    def __init__(self) -> None:
        self._drawn = False

    def show(self, stage: str, done: int, total: int, seconds: float) -> None:
        stream = sys.stderr
        if stream is None or not stream.isatty():
            return
        count = f": {done} of {total}" if total else ""
        stream.write(f"\r\x1b[Kimago: {stage}{count} ({seconds:.0f} s)")
        stream.flush()
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            self._drawn = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


_line = _Line()
_wanted: Show | None = None


def set_progress(progress: Show | None = None) -> None:
    """Sets the function that reports work of more than a second: compiling plans, and `tune`.

    `progress` is called in the main thread several times a second, with a text that names the work,
    the amount done and the total; the total is 0 if it is not known. If it raises an exception, the
    call that works raises it, as with KeyboardInterrupt. None (the default) prints a line on
    standard error, if that is a terminal.

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
