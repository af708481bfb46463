"""imago.Ragged: transforms of rows of different lengths in one call."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core, _words
from ._planned import Planned, _Side
from ._types import OnDevice, array_method


@dataclasses.dataclass(frozen=True)
class RowLayout:
    """Places of the rows of one array of a `Ragged`, in elements. Default: packed.

    Element j of row r of field f is at offsets[r] + j * stride + f * distance. Without `offsets`,
    rows are one after the other; with a `distance` of 0, so are fields.
    """

    offsets: tuple[int, ...] = ()
    stride: int = 1
    distance: int = 0


def _factors(name: str, value: ArrayLike | None) -> list[complex]:
    """Returns the factors of a list of arrays, or of one array, as one list."""
    if value is None:
        return []
    parts = value if isinstance(value, (list, tuple)) else [value]
    try:
        return [complex(z) for part in parts for z in np.ravel(np.asarray(part, np.complex128))]
    except (TypeError, ValueError):
        raise TypeError(f"{name} is not an array of numbers: give one factor for each element") from None


class Ragged(Planned):
    """A plan of transforms of rows of different lengths, such as the rings of a reduced Gaussian or
    a HEALPix grid. Its methods may be called from many threads at once.

    One kernel, compiled once for a device and a precision, computes rows of any lengths.

    - `lengths`: the length of each row;
    - `kind`: "complex", "real", "dct1" to "dct4" or "dst1" to "dst4". A real row of n numbers has
      n/2+1 complex entries;
    - `dtype`: numpy.float32 or float64, or the complex type of the same precision;
    - `batch`: number of fields, each of which has all rows;
    - `fields_last`: True: arrays have the shape (elements, batch); False: (batch, elements), or
      (elements,) for one field. The elements are those of row 0, then those of row 1, and so on;
    - `kept`: the number of first entries of each row's spectrum that arrays hold; `inverse` takes
      the others as 0. An int is the most for every row. None: all;
    - `norm`: "none", "backward", "ortho" or "forward", with the length of each row;
    - `directions`: "both", "forward" or "inverse": the directions that the plan can compute;
    - `signal` and `spectrum`: a `RowLayout` for each array instead of `fields_last`. Calls then need
      `out`;
    - `on_forward` and `on_inverse`: a pair of factors, those of the elements that a direction reads
      and those of the elements that it writes. Each is an array with one factor for each element of
      one field, or a list of the arrays of each row, or None;
    - `f64`: "automatic", "native" or "pairs": the arithmetic of float64;
    - `queue`: a pyopencl.CommandQueue, whose context and device the plan uses. Without one, the plan
      is for NumPy arrays, and for arrays of CuPy, PyTorch and JAX in CUDA's memory.

    Raises ValueError for an argument that is not allowed, NotImplementedError for a limit of imago
    or the device, and `imago.Error` if OpenCL fails.

    >>> import numpy as np, imago
    >>> rings = imago.Ragged([4, 6, 4], kind="real")
    >>> x = np.arange(14, dtype=np.float32)
    >>> spectra = rings.forward(x)
    >>> [s[0].real.item() for s in rings.rows(spectra)]   # sums of the rows
    [6.0, 39.0, 46.0]
    >>> np.allclose(rings.inverse(spectra), x)
    True
    """

    def __init__(
        self,
        lengths: Sequence[int],
        *,
        kind: _words.Kind = "complex",
        dtype: DTypeLike = np.float32,
        batch: int = 1,
        fields_last: bool = False,
        kept: int | Sequence[int] | None = None,
        norm: _words.Norm = "backward",
        directions: _words.Directions = "both",
        signal: RowLayout | None = None,
        spectrum: RowLayout | None = None,
        on_forward: tuple[Any, Any] = (None, None),
        on_inverse: tuple[Any, Any] = (None, None),
        f64: _words.F64 = "automatic",
        queue: Any = None,
    ) -> None:
        given = locals()
        self._given = {name: given[name] for name in self._DEFAULTS}
        super().__init__(
            lengths, kind, dtype, batch=_words.whole("batch", batch), in_place=False,
            layouts=(None, None), ends={}, queue=queue,
        )  # fmt: skip
        self._kinds = (kind,)
        self._of_pairs = kind in ("complex", "real")
        number = _words.number("kind", kind, _words.KINDS)
        entries = [n // 2 + 1 if kind == "real" else n for n in self._lengths]
        if kept is None:
            self._kept = tuple(entries)
        elif isinstance(kept, (int, np.integer)):
            self._kept = tuple(min(int(kept), n) for n in entries)
        else:
            self._kept = _words.lengths("kept", kept)
        self._fields_last = bool(fields_last)
        last = RowLayout(stride=batch, distance=1) if fields_last and batch > 1 else RowLayout()
        self._given_layouts = (signal, spectrum)
        fields = {
            "kind": number,
            "precision": _words.number("dtype", self._precision.name, _words.PRECISIONS),
            "lengths": list(self._lengths),
            "batch": self._batch,
            "kept": [] if kept is None else list(self._kept),
            "norm": _words.number("norm", norm, _words.NORMS),
            "directions": _words.number("directions", directions, _words.DIRECTIONS),
            "signal": signal or last,
            "spectrum": spectrum or last,
            "forward_load": _factors("on_forward[0]", on_forward[0]),
            "forward_store": _factors("on_forward[1]", on_forward[1]),
            "inverse_load": _factors("on_inverse[0]", on_inverse[0]),
            "inverse_store": _factors("on_inverse[1]", on_inverse[1]),
            "recipe": None,
            "deterministic": False,
            "f64": _words.number("f64", f64, _words.F64S),
        }
        self._make(_core.Ragged, fields)

    def _side(self, inverse: bool, store: bool) -> _Side:
        spectrum = inverse != store
        kind = self._kinds[0]
        pairs = kind == "complex" or (kind == "real" and spectrum)
        dtype = np.dtype(f"c{2 * self._precision.itemsize}") if pairs else self._precision
        elements = sum(self._kept if spectrum else self._lengths)
        if self._given_layouts[spectrum] is not None:
            return _Side(None, dtype, 1)
        if self._batch == 1:
            return _Side((elements,), dtype, 1)
        shape = (elements, self._batch) if self._fields_last else (self._batch, elements)
        return _Side(shape, dtype, 2)

    @array_method
    def forward(self, signal: Any, out: Any = None, *, wait_for: Any = None) -> Any:
        """Returns the spectrum of each row.

        `signal` is an array of the plan's type, of the shape (batch, elements), (elements, batch)
        with `fields_last`, or (elements,) for one field. It is copied if it is not C-contiguous.
        `out` is a C-contiguous array for the result; without it, imago makes a new array.

        With a `queue`, arrays are pyopencl's, `wait_for` are events to wait for, and the call
        returns immediately. For an array in CUDA's memory, the call is enqueued in the stream that
        is current in the array's library.

        Raises TypeError for arrays of wrong types, and ValueError for wrong shapes.
        """
        return self._call(False, signal, out, wait_for, {})

    @array_method
    def inverse(self, spectrum: Any, out: Any = None, *, wait_for: Any = None) -> Any:
        """Returns the rows of their spectra. Arguments and exceptions are those of `forward`."""
        return self._call(True, spectrum, out, wait_for, {})

    def rows(self, array: OnDevice) -> list[OnDevice]:
        """Returns a view of each row of a packed signal or spectrum, with all fields.

        The array is a signal or a spectrum by its number of elements; for equal numbers there is no
        difference. Raises ValueError for another shape, and for a plan with a `RowLayout`.
        """
        if any(self._given_layouts):
            raise ValueError("rows() is for packed arrays: this plan has a RowLayout")
        axis = 0 if self._fields_last or array.ndim == 1 else 1
        for counts in (self._lengths, self._kept):
            if array.shape[axis] == sum(counts):
                ends = np.cumsum(counts).tolist()
                cut = [slice(end - n, end) for n, end in zip(counts, ends)]
                return [array[c] if axis == 0 else array[:, c] for c in cut]
        raise ValueError(
            f"array has shape {array.shape}: rows of this plan have {sum(self._lengths)} elements, "
            f"and their spectra {sum(self._kept)}"
        )

    def __repr__(self) -> str:
        given = []
        for name, value in self._given.items():
            if name in ("on_forward", "on_inverse"):  # arrays
                if any(part is not None for part in value):
                    given.append(f"{name}=...")
            elif value != self._DEFAULTS[name]:
                given.append(f"{name}={value!r}")
        return f"imago.Ragged({', '.join([repr(self._lengths), *given])})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._queue is not None:
            raise TypeError("a plan with a queue cannot be pickled or copied: its memory is the queue's")
        return _made_again, (self._lengths, self._given)

    def recipe(self) -> str:
        """Raises NotImplementedError: rows have no choices to repeat."""
        raise NotImplementedError("rows have no recipe: their kernels are the same for all lengths")

    @property
    def spectrum_bytes(self) -> int:
        """Bytes of the smallest array that holds the spectra."""
        return self._plan.written_bytes


def _made_again(lengths: tuple[int, ...], given: dict[str, Any]) -> Ragged:
    return Ragged(lengths, **given)
