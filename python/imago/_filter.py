"""imago.Filter: all features of the library's filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, _words, hooks
from ._planned import Layout, Planned
from ._types import array_method


class Filter(Planned):
    """An immutable plan of a filter: forward transform, hooks on the spectrum, inverse transform.

    - `lengths`, `kind` ("complex", "real", or one for each axis), `dtype`, `batch`, `in_place`,
      `recipe`, `deterministic`, `f64`, `queue`: the same as for `Plan`;
    - `spectrum`: hooks on the spectrum, in which a real axis of n points has n/2+1 entries;
    - `ends`: `imago.hooks.Hooks` at the load of the signal and at the store of the result;
    - `scale`: the factor of the result; without hooks and with 1 the result is the signal;
    - `signal` and `result`: a `Layout` for each array.

    Call a filter with its signal. A filter without a queue can be pickled and copied.

    Raises ValueError, NotImplementedError and `imago.Error` as `Plan`.

    >>> import numpy as np, imago
    >>> low = imago.Filter(8, kind="real", spectrum=[imago.hooks.zero_outside(0, 0, 1)])
    >>> low(np.arange(8, dtype=np.float32))
    array([3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5], dtype=float32)
    """

    def __init__(
        self,
        lengths: int | Sequence[int],
        *,
        spectrum: Sequence[hooks.Hook],
        kind: _words.Kind | Sequence[_words.Kind] = "complex",
        dtype: DTypeLike = np.float32,
        batch: int = 1,
        in_place: bool = False,
        scale: float = 1.0,
        signal: Layout = Layout(),
        result: Layout = Layout(),
        ends: hooks.Hooks = hooks.Hooks(),
        recipe: str | None = None,
        deterministic: bool = False,
        f64: _words.F64 = "automatic",
        queue: Any = None,
    ) -> None:
        given = locals()
        self._given = {name: given[name] for name in self._DEFAULTS}
        super().__init__(
            lengths,
            kind,
            dtype,
            batch=batch,
            in_place=in_place,
            layouts=(signal, result),
            ends={(False, "load"): ends.load, (False, "store"): ends.store},
            spectrum=spectrum,
            queue=queue,
        )
        fields = {
            **self._fields(),
            "scale": scale,
            "result": result,
            "ends": ends,
            "spectrum": spectrum,
        }
        self._make(_core.Filter, fields)

    @array_method
    def __call__(self, signal: Any, out: Any = None, *, wait_for: Any = None, **arguments: Any) -> Any:
        """Returns the filtered signal. Arguments and exceptions are those of `Plan.forward`."""
        return self._call(False, signal, out, wait_for, arguments)

    @property
    def result_bytes(self) -> int:
        """Bytes of the smallest array that holds the results; in place, also the signals."""
        return self._plan.written_bytes
