"""imago's transforms as operators of PyTorch, with derivatives of any order.

The functions have the names, arguments and meaning of those of torch.fft and torch, so that a
program only changes the import. They compute tensors on CUDA in PyTorch's current stream, and CPU
tensors on imago's own device (`imago.device`). They are operators of torch.library:

- gradients of any order, of `nufft_type1` to 3 also by the points;
- `torch.compile` without graph breaks, fake and meta tensors, `torch.vmap` of Fourier, cosine and
  sine transforms;
- results and padded copies are PyTorch's memory, and calls may be captured by `torch.cuda.graph`.

Numbers are float32, float64 and their complex types. float16 and complex32 are allowed as storage:
Fourier transforms compute them in float32 in one kernel. Whole numbers become floating-point ones,
as in torch.fft. Forward-mode derivatives are not available.

>>> import torch, imago.torch
>>> x = torch.ones(4, requires_grad=True)
>>> spectrum = imago.torch.rfft(x)
>>> spectrum.abs().sum().backward()
>>> x.grad
tensor([1., 1., 1., 1.])
"""

from torch.fft import fftfreq, fftshift, ifftshift, rfftfreq

from ._convolution import (
    DepthwiseConv1d,
    DepthwiseConv2d,
    DepthwiseConv3d,
    depthwise_conv,
    fftconvolve,
)
from ._fourier import (
    dct,
    dctn,
    dst,
    dstn,
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    idct,
    idctn,
    idst,
    idstn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from ._nufft import nufft_type1, nufft_type2, nufft_type3
from ._short_time import istft, stft

__all__ = [
    "DepthwiseConv1d", "DepthwiseConv2d", "DepthwiseConv3d", "dct", "dctn", "depthwise_conv", "dst",
    "dstn", "fft", "fft2", "fftconvolve", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn",
    "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "ihfft2",
    "ihfftn", "irfft", "irfft2", "irfftn", "istft", "nufft_type1", "nufft_type2", "nufft_type3", "rfft",
    "rfft2", "rfftfreq", "rfftn", "stft",
]  # fmt: skip


def __dir__() -> list[str]:
    return [*__all__]
