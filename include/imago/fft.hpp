// This file declares Fourier transforms of arrays in host memory by one call, like SciPy's
// functions of the same names. It needs no OpenCL to compile. A program that includes no other
// header of imago links only imago.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <imago/error.hpp>
#include <imago/export.hpp>
#include <imago/memory.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Options of the functions of this file.
///
/// All functions use the default device: the one that IMAGO_DEVICE names, else the first GPU,
/// accelerator or CPU that has the precision. The first call finds it. The first call for a shape
/// makes a plan, which later calls reuse. It begins on generic kernels (FirstCall::automatic), so
/// the last bits of results may change once. Functions return when the result is complete; CPU
/// devices compute in your arrays, without copies. Any number of threads may call them.
///
/// All functions throw
/// - InvalidArgument for an array that is empty or does not fit the shape, for arrays that overlap
///   (unless the function lets both be the same memory), and for axes that do not exist or are
///   repeated;
/// - DeviceError if there is no device or OpenCL fails;
/// - the exceptions of HostPlan's constructor.
struct FftOptions {
  /// Shape of the signal, slowest axis first; the array is packed and row-major. Empty: one axis
  /// with all elements. The spectrum has the same shape, except that the spectrum of a real signal
  /// has n/2+1 entries along the last of `axes`.
  std::vector<std::size_t> shape = {};
  /// Axes to transform, each once; a negative axis counts from the end. Empty: the last axis, or
  /// all axes in functions whose names end in n. The other functions transform one axis.
  std::vector<int> axes = {};
  Norm norm = Norm::backward;  ///< direction that divides
};

/// Returns the discrete Fourier transform (DFT) of complex numbers along one axis of n points: X[k]
/// = sum_j x[j] exp(-2 pi i j k / n).
///
/// @code
/// const std::vector<std::complex<double>> signal(1000, 1.0);
/// const auto spectrum = imago::fft(signal);  // spectrum[0] is 1000
/// @endcode
IMAGO_API std::vector<std::complex<float>> fft(std::span<const std::complex<float>> signal,
                                               const FftOptions& options = {});
/// Returns fft() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> fft(std::span<const std::complex<double>> signal,
                                                const FftOptions& options = {});
/// Writes fft() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void fft(std::span<const std::complex<float>> signal,
                   std::span<std::complex<float>> spectrum, const FftOptions& options = {});
/// Writes fft() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void fft(std::span<const std::complex<double>> signal,
                   std::span<std::complex<double>> spectrum, const FftOptions& options = {});

/// Returns the inverse of fft(). With Norm::backward it divides by n.
IMAGO_API std::vector<std::complex<float>> ifft(std::span<const std::complex<float>> spectrum,
                                                const FftOptions& options = {});
/// Returns ifft() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> ifft(std::span<const std::complex<double>> spectrum,
                                                 const FftOptions& options = {});
/// Writes ifft() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void ifft(std::span<const std::complex<float>> spectrum,
                    std::span<std::complex<float>> signal, const FftOptions& options = {});
/// Writes ifft() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void ifft(std::span<const std::complex<double>> spectrum,
                    std::span<std::complex<double>> signal, const FftOptions& options = {});

/// Returns the result of fft() along several axes.
IMAGO_API std::vector<std::complex<float>> fftn(std::span<const std::complex<float>> signal,
                                                const FftOptions& options = {});
/// Returns fftn() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> fftn(std::span<const std::complex<double>> signal,
                                                 const FftOptions& options = {});
/// Writes fftn() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void fftn(std::span<const std::complex<float>> signal,
                    std::span<std::complex<float>> spectrum, const FftOptions& options = {});
/// Writes fftn() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void fftn(std::span<const std::complex<double>> signal,
                    std::span<std::complex<double>> spectrum, const FftOptions& options = {});

/// Returns the inverse of fftn().
IMAGO_API std::vector<std::complex<float>> ifftn(std::span<const std::complex<float>> spectrum,
                                                 const FftOptions& options = {});
/// Returns ifftn() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> ifftn(std::span<const std::complex<double>> spectrum,
                                                  const FftOptions& options = {});
/// Writes ifftn() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void ifftn(std::span<const std::complex<float>> spectrum,
                     std::span<std::complex<float>> signal, const FftOptions& options = {});
/// Writes ifftn() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void ifftn(std::span<const std::complex<double>> spectrum,
                     std::span<std::complex<double>> signal, const FftOptions& options = {});

/// Returns the DFT of real numbers along one axis of n points: its first n/2+1 entries. The other
/// entries follow from X[n-k] = conj(X[k]).
///
/// @code
/// std::vector<float> images(10 * 48 * 64);  // ten images of 48 rows
/// const auto rows = imago::rfft(images, {.shape = {10, 48, 64}});  // 33 complex numbers each
/// const imago::FftOptions both{.shape = {10, 48, 64}, .axes = {-2, -1}};
/// const auto planes = imago::rfftn(images, both);
/// imago::irfftn(planes, images, both);  // the images again
/// @endcode
IMAGO_API std::vector<std::complex<float>> rfft(std::span<const float> signal,
                                                const FftOptions& options = {});
/// Returns rfft() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> rfft(std::span<const double> signal,
                                                 const FftOptions& options = {});
/// Writes rfft() of single-precision numbers to `spectrum`, which has n/2+1 entries along the axis
/// and shares no memory with `signal`.
IMAGO_API void rfft(std::span<const float> signal, std::span<std::complex<float>> spectrum,
                    const FftOptions& options = {});
/// Writes rfft() of double-precision numbers to `spectrum`, which has n/2+1 entries along the axis
/// and shares no memory with `signal`.
IMAGO_API void rfft(std::span<const double> signal, std::span<std::complex<double>> spectrum,
                    const FftOptions& options = {});

/// Returns the inverse of rfft(): real numbers. It ignores the imaginary parts of entry 0 and, if n
/// is even, of entry n/2. Without a shape, m entries give 2 (m-1) numbers; pass a shape for odd n.
IMAGO_API std::vector<float> irfft(std::span<const std::complex<float>> spectrum,
                                   const FftOptions& options = {});
/// Returns irfft() of double-precision numbers.
IMAGO_API std::vector<double> irfft(std::span<const std::complex<double>> spectrum,
                                    const FftOptions& options = {});
/// Writes irfft() of single-precision numbers to `signal`, which shares no memory with `spectrum`.
IMAGO_API void irfft(std::span<const std::complex<float>> spectrum, std::span<float> signal,
                     const FftOptions& options = {});
/// Writes irfft() of double-precision numbers to `signal`, which shares no memory with `spectrum`.
IMAGO_API void irfft(std::span<const std::complex<double>> spectrum, std::span<double> signal,
                     const FftOptions& options = {});

/// Returns rfft() along the last of the axes, followed by fft() along the others.
IMAGO_API std::vector<std::complex<float>> rfftn(std::span<const float> signal,
                                                 const FftOptions& options = {});
/// Returns rfftn() of double-precision numbers.
IMAGO_API std::vector<std::complex<double>> rfftn(std::span<const double> signal,
                                                  const FftOptions& options = {});
/// Writes rfftn() of single-precision numbers to `spectrum`, which has n/2+1 entries along the last
/// of the axes and shares no memory with `signal`.
IMAGO_API void rfftn(std::span<const float> signal, std::span<std::complex<float>> spectrum,
                     const FftOptions& options = {});
/// Writes rfftn() of double-precision numbers to `spectrum`, which has n/2+1 entries along the last
/// of the axes and shares no memory with `signal`.
IMAGO_API void rfftn(std::span<const double> signal, std::span<std::complex<double>> spectrum,
                     const FftOptions& options = {});

/// Returns the inverse of rfftn(): real numbers. Like irfft(), it ignores imaginary parts that a
/// real signal does not have.
IMAGO_API std::vector<float> irfftn(std::span<const std::complex<float>> spectrum,
                                    const FftOptions& options = {});
/// Returns irfftn() of double-precision numbers.
IMAGO_API std::vector<double> irfftn(std::span<const std::complex<double>> spectrum,
                                     const FftOptions& options = {});
/// Writes irfftn() of single-precision numbers to `signal`, which shares no memory with `spectrum`.
IMAGO_API void irfftn(std::span<const std::complex<float>> spectrum, std::span<float> signal,
                      const FftOptions& options = {});
/// Writes irfftn() of double-precision numbers to `signal`, which shares no memory with `spectrum`.
IMAGO_API void irfftn(std::span<const std::complex<double>> spectrum, std::span<double> signal,
                      const FftOptions& options = {});

}  // namespace imago
