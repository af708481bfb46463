"""Short-time Fourier transforms with the signatures and meaning of torch.stft and torch.istft.

**Derivatives.** With the frames x_t of the padded signal, which `unfold` reads where they lie, and
the window w, stft computes y_t = F (w x_t), which is linear in x and in w. So the gradient by x_t is
w F* g_t, and by w the sum of conj(x_t) F* g_t over t, with F* as for `rfft` (imago.torch._operators).
The gradient by the signal is the sum of overlapping frames: `unfold`'s own adjoint. istft is the
reverse, a sum of overlapping frames w F^-1 y_t, over that of w^2. The operator `frame_spectra` is
stft of real signals, in one kernel, without memory for frames. Its gradient, istft and other signals
are composed of the operators of Fourier transforms and PyTorch's, and so have derivatives of any
order.
"""

from __future__ import annotations

from typing import Any

import torch

from .. import hooks
from . import _compute, _direct, _fourier, _operators


def _spectra(x: torch.Tensor, window: torch.Tensor, hop: int, norm: str) -> torch.Tensor:
    """Returns the half spectra of frames of contiguous rows; the kernel multiplies by the window."""
    out = _spectra_fake(x, window, hop, norm)
    if out.numel():
        n = window.shape[0]
        _compute.planned(
            ("identity", "identity", "real"),
            False,
            _operators.factor(norm, True, [n]),
            x.contiguous(),
            out,
            strides=(x.shape[1], hop, 1),
            lengths=(*out.shape[:2], n),
            load=(hooks.window(2, "window"),),
            window=window.contiguous(),
        )
    return out


def _spectra_fake(x: Any, window: Any, hop: Any, norm: Any) -> torch.Tensor:
    n = window.shape[0]
    shape = [x.shape[0], 1 + (x.shape[1] - n) // hop, n // 2 + 1]
    return torch.empty(shape, dtype=_operators.complex_type(x), device=x.device)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs[:2])
    ctx.hop, ctx.norm = inputs[2:]


def _spectra_gradient(ctx: Any, g: torch.Tensor) -> tuple[Any, ...]:
    x, window = ctx.saved_tensors
    n = window.shape[0]
    frames = _operators.adjoint_of_half(g, [n], [-1], True, ctx.norm)
    of_x = of_window = None
    if ctx.needs_input_grad[0]:
        of_x = _added(frames * window, x.shape[1], ctx.hop)
    if ctx.needs_input_grad[1]:
        of_window = (x.unfold(-1, n, ctx.hop) * frames).sum((0, 1))
    return of_x, of_window, None, None


_frame_spectra = _direct.define(
    "frame_spectra",
    "(Tensor x, Tensor window, int hop, str norm) -> Tensor",
    _spectra,
    _spectra_fake,
    _keep,
    _spectra_gradient,
)


def _window_of(
    x: torch.Tensor, n_fft: int, win_length: int | None, window: torch.Tensor | None
) -> tuple[int, torch.Tensor | None]:
    """Returns the window's length, and the window with zeros around it to the frames' length."""
    length = n_fft if win_length is None else win_length
    if not 0 < length <= n_fft:
        raise ValueError(f"win_length is {length}; it must be at least 1 and at most n_fft, {n_fft}")
    if window is not None and tuple(window.shape) != (length,):
        raise ValueError(f"window has shape {tuple(window.shape)}; it must have ({length},)")
    if length == n_fft:
        return length, window
    if window is None:
        window = torch.ones(length, dtype=x.real.dtype, device=x.device)
    left = (n_fft - length) // 2
    return length, torch.nn.functional.pad(window, (left, n_fft - length - left))


def _hop_of(hop_length: int | None, n_fft: int) -> int:
    hop = n_fft // 4 if hop_length is None else hop_length
    if hop < 1:
        raise ValueError(f"hop_length is {hop}; it must be at least 1")
    return hop


def stft(
    input: torch.Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: torch.Tensor | None = None, center: bool = True, pad_mode: str = "reflect",
    normalized: bool = False, onesided: bool | None = None, return_complex: bool | None = None,
) -> torch.Tensor:  # fmt: skip
    """Returns the spectra of frames of (length,) or (batch, length) samples, as torch.stft.

    The result has the shape (batch, bins, frames). Without `return_complex` it is complex; with
    False it has real and imaginary parts along a last axis.
    """
    x = _fourier.floats(input)
    hop = _hop_of(hop_length, n_fft)
    _, window = _window_of(x, n_fft, win_length, window)
    if x.ndim not in (1, 2):
        raise ValueError(f"input has {x.ndim} dimensions; it must have 1 or 2")
    if center:
        rows = x.reshape(1, -1, x.shape[-1])
        rows = torch.nn.functional.pad(rows, (n_fft // 2, n_fft // 2), mode=pad_mode)
        x = rows.reshape(*x.shape[:-1], -1)
    if not 0 < n_fft <= x.shape[-1]:
        raise ValueError(f"n_fft is {n_fft}; it must be at least 1 and at most {x.shape[-1]}")
    norm = "ortho" if normalized else "backward"
    fused = window is not None and x.dtype == window.dtype and x.dtype in (torch.float32, torch.float64)
    if fused and onesided is not False:
        spectra = _frame_spectra(x.reshape(-1, x.shape[-1]), window, hop, norm)
        spectra = spectra.reshape(*x.shape[:-1], *spectra.shape[1:]).transpose(-1, -2)
        return torch.view_as_real(spectra) if return_complex is False else spectra
    frames = x.unfold(-1, n_fft, hop)
    if window is not None:
        frames = frames * window
    is_complex = frames.is_complex()
    onesided = not is_complex if onesided is None else onesided
    if onesided and is_complex:
        raise ValueError("onesided is for real input and a real window")
    operator = _operators.r2c if onesided else _operators.c2c
    spectra = operator(frames, [n_fft], [-1], True, norm).transpose(-1, -2)
    return torch.view_as_real(spectra) if return_complex is False else spectra


def _added(frames: torch.Tensor, length: int, hop: int) -> torch.Tensor:
    """Returns the sums of overlapping frames (batch, frames, points): the adjoint of unfold."""
    shape = [frames.shape[0], length]
    return torch.ops.aten.unfold_backward(frames, shape, 1, frames.shape[-1], hop)


def istft(
    input: torch.Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: torch.Tensor | None = None, center: bool = True, normalized: bool = False,
    onesided: bool | None = None, length: int | None = None, return_complex: bool = False,
) -> torch.Tensor:  # fmt: skip
    """Returns the signal of spectra of shape (bins, frames) or (batch, bins, frames), as torch.istft.

    On the CPU it raises ValueError for windows that leave a sample without weight. On CUDA, which
    such a check would stop, these samples are infinite or NaN.
    """
    if not input.is_complex():
        raise TypeError(f"input has dtype {input.dtype}; it must be complex")
    if input.ndim not in (2, 3):
        raise ValueError(f"input has {input.ndim} dimensions; it must have 2 or 3")
    batched = input.ndim == 3
    spectra = (input if batched else input[None]).transpose(1, 2)
    hop = _hop_of(hop_length, n_fft)
    _, window = _window_of(input, n_fft, win_length, window)
    onesided = spectra.shape[-1] != n_fft if onesided is None else onesided
    bins = n_fft // 2 + 1 if onesided else n_fft
    if spectra.shape[-1] != bins:
        raise ValueError(f"input has {spectra.shape[-1]} bins; it must have {bins}")
    if return_complex and onesided:
        raise ValueError("onesided must be False with return_complex")
    norm = "ortho" if normalized else "backward"
    if return_complex:
        frames = _operators.c2c(spectra, [n_fft], [-1], False, norm)
    else:
        frames = _operators.c2r(spectra, [n_fft], [-1], False, norm)
    if window is None:
        window = torch.ones(n_fft, dtype=input.real.dtype, device=input.device)
    count = spectra.shape[1]
    whole = n_fft + hop * (count - 1)
    weights = _added((window * window).expand(1, count, n_fft), whole, hop)
    signal = _added(frames * window, whole, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else (whole - n_fft // 2 if center else whole)
    signal, weights = (x[:, start : min(end, whole)] for x in (signal, weights))
    if not (torch.compiler.is_compiling() or weights.is_cuda or weights.device.type == "meta"):
        if signal.shape[1] and float(weights.detach().abs().min()) <= 1e-11:
            raise ValueError("window leaves samples without weight. Use a smaller hop_length")
    signal = signal / weights
    if end > whole:
        signal = torch.nn.functional.pad(signal, (0, end - whole))
    return signal if batched else signal[0]
