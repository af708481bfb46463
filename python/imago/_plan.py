"""imago.Plan: all features of the library's plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, _words, hooks
from ._planned import Layout, Planned
from ._types import array_method


class Plan(Planned):
    """An immutable plan of a transform. Its methods may be called from many threads at once.

    - `lengths`: an int or several, slowest axis first, like NumPy's shapes;
    - `kind`: "complex", "real" (along the last axis; the others are complex), "dct1" to "dct4",
      "dst1" to "dst4", or one of them for each axis, with "identity" for batch axes;
    - `dtype`: the precision: numpy.float16, float32 or float64, or a complex type (complex64,
      complex128), in any byte order;
    - `batch`: number of transforms, one after the other in memory;
    - `in_place`: True: `forward(x)` and `inverse(x)` write to x;
    - `directions`: "both", "forward" or "inverse": the directions that have kernels;
    - `norm`: "none", "backward", "ortho" or "forward"; `scale`: a pair of factors instead;
    - `orthogonal`: True: cosine and sine transforms rescale end points. None: they do with "ortho";
    - `signal` and `spectrum`: a `Layout` for each array;
    - `on_forward`, `on_inverse`: `imago.hooks.Hooks` at the load and the store of a direction;
    - `recipe`: result of another plan's `recipe()`, to make the same choices;
    - `deterministic`: True: a batch element is bitwise identical in every batch and position;
    - `reproducible`: True: results are bitwise identical on every device and for every batch and
      layout; the environment variable IMAGO_REPRODUCIBLE=1 has the same effect for all plans;
    - `f64`: "automatic", "native" or "pairs": the arithmetic of float64. Pairs of float32 have 48
      bits instead of 53; they are automatic on devices without doubles;
    - `queue`: a pyopencl.CommandQueue, whose context and device the plan uses. Without one, the
      plan is for NumPy arrays, on imago's own device, and for arrays of CuPy, PyTorch and JAX in
      CUDA's memory, on their GPU.

    A plan without a queue can be pickled and copied. Unpickling uses its recipe, or plans again if
    the recipe does not fit the device.

    Raises ValueError for an argument that is not allowed, NotImplementedError for a limit of imago
    or the device, and `imago.Error` if OpenCL fails.

    >>> import numpy as np, imago
    >>> plan = imago.Plan((2, 4), kind="real", batch=3)
    >>> spectra = plan.forward(np.ones((3, 2, 4), np.float32))
    >>> spectra.shape, spectra[0, 0, 0].real
    ((3, 2, 3), np.float32(8.0))
    >>> plan.inverse(spectra)[0]
    array([[1., 1., 1., 1.],
           [1., 1., 1., 1.]], dtype=float32)
    """

    def __init__(
        self,
        lengths: int | Sequence[int],
        *,
        kind: _words.Kind | Sequence[_words.Kind] = "complex",
        dtype: DTypeLike = np.float32,
        batch: int = 1,
        in_place: bool = False,
        directions: _words.Directions = "both",
        norm: _words.Norm = "backward",
        scale: tuple[float, float] | None = None,
        orthogonal: bool | None = None,
        signal: Layout = Layout(),
        spectrum: Layout = Layout(),
        on_forward: hooks.Hooks = hooks.Hooks(),
        on_inverse: hooks.Hooks = hooks.Hooks(),
        recipe: str | None = None,
        deterministic: bool = False,
        reproducible: bool = False,
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
            layouts=(signal, spectrum),
            ends={
                (False, "load"): on_forward.load,
                (False, "store"): on_forward.store,
                (True, "load"): on_inverse.load,
                (True, "store"): on_inverse.store,
            },
            queue=queue,
        )
        fields = {
            **self._fields(),
            "directions": _words.number("directions", directions, _words.DIRECTIONS),
            "norm": _words.number("norm", norm, _words.NORMS),
            "scale": scale,
            "orthogonal": orthogonal,
            "spectrum": spectrum,
            "on_forward": on_forward,
            "on_inverse": on_inverse,
        }
        self._make(_core.Plan, fields)

    @array_method
    def forward(self, signal: Any, out: Any = None, *, wait_for: Any = None, **arguments: Any) -> Any:
        """Returns the spectrum of the signal.

        `signal` is an array of the plan's type. It is copied if it is not C-contiguous or has
        another byte order. Its shape ends with the plan's lengths; the product of the axes before
        them is the batch. It may also have one dimension with as many elements. With layouts, boxes
        or frames, any shape is allowed. The array may then be larger than the part that the plan
        reads.

        `out` is a C-contiguous array for the result; without it, imago makes a new array. With
        layouts, boxes, frames or accumulate() you must give `out`. `arguments` are the hooks' arguments: numbers,
        and arrays, which are converted to the hooks' types.

        With a `queue`, arrays are pyopencl's, and `wait_for` are events to wait for. The call
        returns immediately, and `out` has an event.

        For an array in CUDA's memory, the call is enqueued in the stream that is current in the
        array's library and returns immediately, with an array of that library. Arrays for the hooks
        must be on the same GPU.

        Raises TypeError for arrays of wrong types, and ValueError for wrong shapes and for
        arguments that are missing or unknown.
        """
        return self._call(False, signal, out, wait_for, arguments)

    @array_method
    def inverse(self, spectrum: Any, out: Any = None, *, wait_for: Any = None, **arguments: Any) -> Any:
        """Returns the signal of a spectrum. Arguments and exceptions are those of `forward`."""
        return self._call(True, spectrum, out, wait_for, arguments)

    @property
    def spectrum_bytes(self) -> int:
        """Bytes of the smallest array that holds the spectra; in place, also the signals."""
        return self._plan.written_bytes
