"""What imago shows while something takes long, in Python's main thread."""

from __future__ import annotations

import sys
from collections.abc import Callable

Show = Callable[[str, int, int], object]


class _Line:
    """A line on standard error, where that is a terminal."""

    def __init__(self) -> None:
        self._drawn = False

    def show(self, stage: str, done: int, total: int, seconds: float) -> None:
        stream = sys.stderr
        if stream is None or not stream.isatty():
            return
        count = f", {done} of {total}" if total else ""
        stream.write(f"\r\x1b[Kimago: {stage}{count}, {seconds:.0f} s")
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
    """Chooses what is told of work that takes more than a second: plans that are built, `tune`.

    `progress` is called in the main thread, some times a second, with what is being done, and how
    much of how much of it is done; a total of 0 is one that is not known. What it raises leaves the
    function that it was called in, as KeyboardInterrupt does. None, as at the beginning: a line on
    standard error, where that is a terminal.

    >>> import imago
    >>> imago.set_progress(lambda stage, done, total: None)   # nothing is shown
    >>> imago.set_progress()
    """
    global _wanted
    _wanted = progress


def show(stage: str, done: int, total: int, seconds: float) -> None:
    """Called by `_core`, and by `tune`."""
    if _wanted is None:
        _line.show(stage, done, total, seconds)
    else:
        _wanted(stage, done, total)


def clear() -> None:
    """Called when it is over."""
    _line.clear()
