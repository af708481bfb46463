"""Transforms of signals that arrive in blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core, _queues, _words
from . import _arrays

_TYPES = ("float32", "float64", "complex64", "complex128")


class Stream:
    """A transform of a signal that arrives in blocks of any size.

    `Stream.stft` takes samples and returns spectra of frames, `Stream.istft` takes these and returns
    samples, and `Stream.fir` filters samples. Each call returns the results that all samples until
    then determine. They do not depend on the sizes of the blocks, not even in their last bits,
    except that these change once when the stream's own kernels follow generic ones
    (IMAGO_FIRST_CALL=compile avoids that).

    The first axis of all arrays is time; the others are channels. Arrays are NumPy's, or, with
    `queue`, pyopencl's: then calls return at once, and the results are on the device. So do calls
    without `queue` on arrays of CuPy, PyTorch and JAX in CUDA's memory, until `finish` or `reset` all
    on one GPU, and in the stream that was current in the array's library at the first block. Calls of
    several threads run one after the other. A stream without a queue can be pickled and copied
    before its first block, and after `finish` and `reset`.

    >>> import numpy as np, imago.signal
    >>> average = imago.signal.Stream.fir([0.5, 0.5])
    >>> blocks = [average.push(np.ones(100)), average.push(np.zeros(50)), average.finish()]
    >>> y = np.concatenate(blocks)
    >>> print(len(y), np.round(y[[0, 1, 99, 100, 101]], 3) + 0.0)
    151 [0.5 1.  1.  0.5 0. ]
    """

    def __init__(self, session: _core.Session, fields: dict[str, Any], queue: Any):
        """For the class methods below."""
        self._session, self._queue, self._fields = session, queue, fields
        self._core = _core.Stream(session, 0 if queue is None else queue.int_ptr, fields)
        self._at_home = self._core  # the one that the constructor made
        self._abroad: Any = None  # the one for arrays in CUDA's memory, and their queue
        self._like: Any = None  # an array in CUDA's memory, if those of the stream are

    @classmethod
    def stft(
        cls, win: Any, hop: int, *, mfft: int | None = None, dtype: Any = np.float32,
        channels: Sequence[int] = (), before: int | None = None, block: int = 16384,
        queue: Any = None,
    ) -> Stream:  # fmt: skip
        """Returns a stream of spectra: `push` takes samples, and returns (frames, ..., bins).

        - `win`: the window, whose length is that of a frame; `hop`: samples from frame to frame.
        - `mfft`: length of the Fourier transforms, with zeros behind a frame. Default: no zeros. Below
          the length of a frame it must divide it: frames are folded (a polyphase channelizer).
        - `dtype`: type of the samples. Real samples have mfft // 2 + 1 bins.
        - `channels`: the shape of one sample.
        - `before`: samples by which frame 0 starts before the signal. Default: the length of a frame
          minus `hop`, so that each sample is in as many frames as the others.
        - `block`: the samples that one launch takes at most; longer blocks are divided.
        - `queue`: the queue of all calls, for arrays of pyopencl. Default: arrays on the host.

        Raises ValueError for values that are not allowed.
        """
        return cls._short_time(False, win, None, hop, mfft, dtype, channels, before, block, queue)

    @classmethod
    def istft(
        cls, win: Any, hop: int, *, dual_win: Any = None, mfft: int | None = None,
        dtype: Any = np.float32, channels: Sequence[int] = (), before: int | None = None,
        block: int = 16384, queue: Any = None,
    ) -> Stream:  # fmt: skip
        """Returns the inverse of `stft` with these arguments: `push` takes spectra, and returns
        samples of type `dtype`. The last samples are those of the last frame.

        `dual_win`: the window of the inverse. Default: the canonical dual window.

        Raises ValueError as `stft`, and for a window that cannot be inverted.

        >>> import numpy as np, imago.signal
        >>> there = imago.signal.Stream.stft(np.hanning(64), hop=16)
        >>> back = imago.signal.Stream.istft(np.hanning(64), hop=16)
        >>> x = np.sin(np.arange(1000) / 5)
        >>> y = [back.push(there.push(x[:300])), back.push(there.push(x[300:]))]
        >>> y += [back.push(there.finish()), back.finish()]
        >>> bool(np.allclose(np.concatenate(y)[:1000], x, atol=1e-5))
        True
        """
        return cls._short_time(True, win, dual_win, hop, mfft, dtype, channels, before, block, queue)

    @classmethod
    def fir(
        cls, taps: Any, *, dtype: Any = np.float32, channels: Sequence[int] = (), points: int = 0,
        block: int = 16384, queue: Any = None, decimation: int = 1, interpolation: int = 1,
    ) -> Stream:  # fmt: skip
        """Returns a filter with the impulse response `taps`: y[t] = sum of taps[j] x[t - j].

        The filter transforms segments of `points` samples (overlap-save), and returns the results
        of a segment when all of its samples are there. 0: at least four times the taps. `finish`
        also returns the last len(taps) - 1 results. The other arguments are those of `stft`.

        `decimation`: the number of samples for one result. Result i is y[i * decimation]: the same as
        `scipy.signal.upfirdn(taps, x, 1, decimation)`. `points` must be a multiple of it.

        `interpolation`: the number of samples that each sample becomes before the filter, by zeros
        behind it: the same as `scipy.signal.upfirdn(taps, x, interpolation, decimation)`, where zeros
        follow fewer taps than `interpolation`. Such a filter is computed as sums over the taps,
        without transforms and `points`.

        Raises ValueError for values that are not allowed.

        >>> import numpy as np, imago.signal
        >>> every_third = imago.signal.Stream.fir([0.5, 0.5], decimation=3)
        >>> y = np.concatenate([every_third.push(np.arange(7)), every_third.finish()])
        >>> print(np.round(y, 3) + 0.0)
        [0.  2.5 5.5]
        """
        fields = cls._fields(dtype, channels, block, points)
        taps = _factors("taps", taps, fields["real"])
        fields |= {"taps": taps, "decimation": decimation, "interpolation": interpolation}
        return cls._made(fields, dtype, channels, tuple(channels), queue)

    @classmethod
    def _short_time(
        cls, inverse: bool, win: Any, dual: Any, hop: int, mfft: int | None, dtype: Any,
        channels: Sequence[int], before: int | None, block: int, queue: Any,
    ) -> Stream:  # fmt: skip
        fields = cls._fields(dtype, channels, block, 0 if mfft is None else mfft)
        window = _factors("win", win, fields["real"])
        fields |= {
            "window": window,
            "dual": [] if dual is None else _factors("dual_win", dual, fields["real"]),
            "hop": hop,
            "before": max(0, len(window) - hop) if before is None else before,
            "inverse": inverse,
        }
        points = len(window) if mfft is None else mfft
        bins = points // 2 + 1 if fields["real"] else points
        return cls._made(fields, dtype, channels, (*channels, bins), queue)

    @staticmethod
    def _fields(dtype: Any, channels: Sequence[int], block: int, points: int) -> dict[str, Any]:
        dtype = np.dtype(dtype)
        if dtype.name not in _TYPES:
            raise ValueError(f"dtype is {dtype}; it must be {', '.join(_TYPES[:3])} or {_TYPES[3]}")
        return {
            "real": dtype.kind == "f",
            "precision": _words.precision(dtype.char in "dD"),
            "lengths": [block, *channels],
            "points": points,
        }

    @classmethod
    def _made(
        cls, fields: dict[str, Any], dtype: Any, channels: Sequence[int],
        other: tuple[int, ...], queue: Any,
    ) -> Stream:  # fmt: skip
        """Returns a stream with samples of shape `channels` on one side and `other` on the other."""
        dtype = np.dtype(dtype).newbyteorder("=")
        stream = cls(_queues.session_for(dtype.char in "dD", queue), fields, queue)
        stream._arguments = (fields, dtype, channels, other, None)
        samples = dtype, tuple(channels)
        spectra = np.result_type(dtype, np.complex64) if "window" in fields else dtype, other
        inverse = fields.get("inverse", False)
        stream._input, stream._result = (spectra, samples) if inverse else (samples, spectra)
        return stream

    _input: tuple[np.dtype[Any], tuple[int, ...]]
    """The type and the shape of one element that `push` takes."""
    _result: tuple[np.dtype[Any], tuple[int, ...]]
    _arguments: tuple[Any, ...]
    """Those of `_made`, for a copy."""
    _begun = False

    def __reduce__(self) -> tuple[Any, ...]:
        if self._queue is not None or self._begun:
            what = "has begun, and its samples are" if self._begun else "has a queue, which is"
            remedy = "Call finish() or reset() before" if self._begun else "Make another one"
            raise TypeError(f"the stream {what} not pickled or copied. {remedy}.")
        return self._made, self._arguments

    def push(self, x: Any, *, wait_for: Any = None) -> Any:
        """Takes the next block, and returns its results.

        `wait_for`: events to wait for in addition to those of x, for arrays on the device.

        Raises ValueError for another shape, and TypeError for a type that cannot be converted.
        """
        dtype, shape = self._input
        on_device = _queues.device_array(x)
        if self._queue is None:
            self._move(on_device if _queues.on_cuda(on_device) else None, x)
        if self._like is not None:
            x = on_device.packed()
            if x.dtype != dtype:
                raise TypeError(f"x has dtype {x.dtype}; this stream needs {dtype}. Convert it there.")
        elif self._queue is None:
            x = np.asarray(x)
            if not np.can_cast(x.dtype, dtype, "same_kind"):
                raise TypeError(
                    f"x has dtype {x.dtype}; this stream needs {dtype}. Give x.real, or make a stream "
                    "with another dtype."
                )
            x = np.ascontiguousarray(x, dtype)
        elif not _arrays.on_device(x) or x.dtype != dtype:
            given = getattr(x, "dtype", None) if _arrays.on_device(x) else type(x).__name__
            raise TypeError(
                f"x is {given}; this stream needs an array of pyopencl with dtype {dtype}. Convert "
                "it with x.astype, or pass it to pyopencl.array.to_device."
            )
        elif not x.flags.c_contiguous:
            raise ValueError("x is not C-contiguous. Pass a copy.")
        if x.ndim != 1 + len(shape) or x.shape[1:] != shape:
            sizes = "".join(f", {n}" for n in shape)
            raise ValueError(f"x has shape {x.shape}; it must be (n{sizes or ','})")
        self._begun = True
        most, count = self._core.most, len(x)
        blocks = [x[begin : begin + most] for begin in range(0, count, most)] or [x]
        return self._computed(blocks, self._core.results(count), wait_for)

    def _move(self, x: Any, given: Any) -> None:
        """Lets the stream compute where the array x of CUDA is; None: on the host."""
        queue = None if x is None else x.queue
        kept = self._abroad
        here = x is None or kept is not None and queue.gpu == kept[1].gpu and queue.stream == kept[1].stream
        stays = here and (x is None) == (self._like is None)
        if self._begun and not stays:
            raise TypeError(
                f"x has type {type(given).__name__}; the stream has begun with arrays of another "
                "place or another CUDA stream. Copy x there, or call finish() or reset() before."
            )
        if x is None:
            self._core, self._like = self._at_home, None
            return
        if not here:
            session = _queues.session_of(queue)
            kept = self._abroad = _core.Stream(session, queue.int_ptr, self._fields), queue
        self._core = kept[0]
        if self._like is None or not here:
            self._like = _queues.new_or_given(None, (1,), x.dtype, x, None)

    def finish(self, *, wait_for: Any = None) -> Any:
        """Ends the stream, and returns the results that are left, as if zeros followed.

        `stft` returns the frames that start before the end of the signal, `istft` the samples up to
        the end of the last frame. The next call begins a new stream.
        """
        results = self._computed([None], self._core.remaining, wait_for)
        self._begun = False
        return results

    def reset(self) -> None:
        """Forgets the stream; the next call begins a new one."""
        self._core.reset()
        self._begun = False

    def __repr__(self) -> str:
        (taken, _), (made, shape) = self._input, self._result
        return f"<Stream: {taken} to {made}{list(shape) or ''}>"

    def _computed(self, blocks: list[Any], results: int, wait_for: Any) -> Any:
        dtype, shape = self._result
        if self._queue is None and self._like is None:
            if wait_for is not None:
                raise ValueError("wait_for is for arrays of pyopencl. Leave it out.")
            out = np.empty((results, *shape), dtype)
            done = 0
            for x in blocks:
                count = self._core.remaining if x is None else self._core.results(len(x))
                self._core.run(x, out[done : done + count])
                done += count
            return out
        return self._on_device(blocks, results, wait_for)

    def _on_device(self, blocks: list[Any], results: int, wait_for: Any) -> Any:
        dtype, shape = self._result
        if self._like is not None:
            out = _queues.new_or_given(None, (results, *shape), dtype, self._like, None)
        else:
            import pyopencl.array

            out = pyopencl.array.empty(self._queue, (results, *shape), dtype)
        each, done = math.prod(shape), 0
        nothing = (0, 0)  # an array without elements has no buffer
        place = _queues.place(out, "out") if results else nothing
        waits = _queues.waits([out, *(x for x in blocks if x is not None)], wait_for)
        for x in blocks:
            end = x is None
            count = self._core.remaining if end else self._core.results(len(x))
            address = self._core.enqueue(
                nothing if end or not len(x) else _queues.place(x, "x"),
                -1 if end else len(x),
                (place[0], place[1] + done * each),
                waits,
            )
            done += count
            if self._like is None:
                _queues.finish(out, address)
        return out if self._like is None else _queues.finish(out, 0)


def _factors(name: str, values: Any, real: bool) -> list[complex]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "biufc":
        raise ValueError(
            f"{name} has shape {array.shape} and dtype {array.dtype}; it must have one axis of "
            "numbers. Give a list of numbers."
        )
    if real and array.dtype.kind == "c":
        raise ValueError(
            f"{name} is complex; a stream of real samples needs real numbers. Make a stream with "
            "dtype='complex64' or 'complex128'."
        )
    return array.astype(np.complex128).tolist()
