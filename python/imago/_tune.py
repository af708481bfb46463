"""imago.tune(): searches for the fastest parameters on the device."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike

from . import _command, _core, _progress
from ._devices import sessions

_PRECISIONS = {np.float16: "f16", np.float32: "f32", np.float64: "f64"}


@dataclasses.dataclass(frozen=True)
class TunedTransform:
    """The result of tuning one transform.

    A call of `batch` transforms of `lengths` takes `seconds` with the best `parameters`. `gain` is
    the speedup: the time without these parameters divided by `seconds`; nan if it was not measured.
    `tried` is the number of candidates.
    """

    lengths: tuple[int, ...]
    batch: int
    seconds: float
    gain: float
    parameters: str
    tried: int


@dataclasses.dataclass(frozen=True)
class Tuning:
    """The result of `tune`: an entry for each transform, and the tuning file that stores them.

    Every program that uses imago reads the file `profile`. `notes` lists problems: unstable
    measurements and candidates that failed.
    """

    profile: pathlib.Path
    transforms: list[TunedTransform]
    notes: list[str]


def _arguments(
    lengths: Sequence[int | Sequence[int]] | None,
    budget: float,
    batch: int | None,
    kind: str,
    dtype: DTypeLike,
    in_place: bool,
    resume: bool,
) -> list[str]:
    real = np.zeros(0, dtype).real.dtype.type
    if real not in _PRECISIONS:
        raise ValueError(
            f"dtype is {np.dtype(dtype)}; it must be float16, float32, float64, complex64 or "
            "complex128"
        )
    if not budget > 0:
        raise ValueError(f"budget is {budget}; it must be a number of seconds above 0")
    words = ["--budget", repr(float(budget)), "--kind", kind, "--precision", _PRECISIONS[real]]
    words += ["--placement", "in-place" if in_place else "out-of-place"]
    if lengths is not None:
        shapes = [(n,) if isinstance(n, (int, np.integer)) else tuple(n) for n in lengths]
        if not shapes or not all(shapes):
            raise ValueError("lengths is empty; give numbers or tuples of numbers, or None")
        words += ["--lengths", ",".join("x".join(str(int(n)) for n in shape) for shape in shapes)]
    if batch is not None:
        words += ["--batch", str(int(batch))]
    if sessions.wish:
        words += ["--device", sessions.wish]
    return words + (["--resume"] if resume else [])


def _row(event: dict[str, Any]) -> TunedTransform:
    gain = event["gain"]
    return TunedTransform(
        lengths=tuple(event["lengths"]),
        batch=event["batch"],
        seconds=event["seconds"],
        gain=math.nan if gain is None else gain,
        parameters=event["parameters"],
        tried=event["tried"],
    )


class _Tuner:
    """A running `imago tune`, which reports its progress in lines of JSON."""

    def __init__(self, words: list[str], errors: IO[str]) -> None:
        self._process = subprocess.Popen(
            [_command.path(), "tune", "--events", *words],
            env=_command.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,  # Ctrl-C goes to this process, which passes it on
        )

    def events(self) -> Iterator[dict[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)

    def end(self) -> None:
        """Asks the command to save its measurements and end. A second interrupt kills it."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.communicate()
        finally:
            self._process.kill()
            self.wait()

    def wait(self) -> int:
        with self._process:  # also closes its output
            return self._process.wait()


def tune(
    lengths: Sequence[int | Sequence[int]] | None = None,
    *,
    budget: float = 120,
    batch: int | None = None,
    kind: str = "complex",
    dtype: DTypeLike = np.complex64,
    in_place: bool = False,
    resume: bool = False,
    progress: _progress.Show | None = None,
) -> Tuning:
    """Searches for the fastest parameters of transforms on this device, and saves them to a file.

    - `lengths`: numbers, or tuples of numbers for several axes; None: a table of common lengths;
    - `budget`: seconds for all lengths together, after the device itself has been measured;
    - `batch`: transforms of one call; None: enough to load the device fully;
    - `kind`: "complex", "real", "dct1" to "dct4", "dst1" to "dst4";
    - `dtype`: type of the numbers;
    - `in_place`: True if input and result are the same array;
    - `resume`: True skips transforms that the tuning file already has for this driver;
    - `progress`: a function as for `imago.set_progress`, for this call only.

    Afterwards every program that uses imago reads the tuning file. This process clears its plan
    cache, so that new plans use it, too. Ctrl-C ends the search with KeyboardInterrupt and keeps
    the finished results.

    Raises ValueError for arguments that are not allowed, and `imago.Error` if tuning fails or if
    the package was built without the imago command.

    >>> import imago
    >>> imago.tune([0])
    Traceback (most recent call last):
    ...
    ValueError: --lengths has 0, and must be positive
    """
    words = _arguments(lengths, budget, batch, kind, dtype, in_place, resume)
    rows: list[TunedTransform] = []
    notes: list[str] = []
    profile = None
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        try:
            tuner = _Tuner(words, errors)
        except (_command.Missing, OSError) as reason:
            raise _core.Error(str(reason)) from None
        try:
            for event in tuner.events():
                if "tuned" in event:
                    rows.append(_row(event["tuned"]))
                elif "note" in event:
                    notes.append(event["note"])
                elif "profile" in event:
                    profile = pathlib.Path(event["profile"])
                elif progress is not None:
                    progress(event["stage"], event["done"], event["total"])
                else:
                    seconds = time.monotonic() - begun
                    _progress.show(event["stage"], event["done"], event["total"], seconds)
        except BaseException:
            tuner.end()
            raise
        finally:
            _progress.clear()
            sessions.clear()  # new plans use the parameters that were found
        status = tuner.wait()
        errors.seek(0)
        said = errors.read().strip().removeprefix("imago: ")
    if status == 2:
        raise ValueError(said)
    if status != 0 or profile is None:
        raise _core.Error(said or f"the imago command ended with status {status}")
    return Tuning(profile, rows, notes)
