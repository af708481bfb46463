// This file transforms arrays in host memory by one call, as SciPy's functions of the same names
// do. It needs no OpenCL to compile, and a program that has no other header of imago links imago
// alone.
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

/// How a function of this file sees its array.
///
/// All functions work on the default device (IMAGO_DEVICE, else the first GPU, accelerator or CPU
/// that has the precision), which the first call finds, and may be called from any number of
/// threads. The first call of a shape makes a plan, later ones use it. They return when the result
/// is there; CPUs compute where the arrays lie.
///
/// They throw InvalidArgument for arrays that do not fit the shape, are empty or share memory in
/// part, for axes that are not there or come twice, and where the options say; DeviceError where
/// there is no device or OpenCL fails; and what HostPlan's constructor throws.
struct FftOptions {
  /// Of the signal, the slowest axis first: packed and row-major. Empty: one axis, all of it. The
  /// spectrum's is the same, but for n/2+1 entries along the last of `axes` where the signal is
  /// real.
  std::vector<std::size_t> shape = {};
  /// What is transformed, each axis once, counted from 0 or, below 0, from behind. Empty: the last
  /// one; in functions whose names end in n all. Other functions take one.
  std::vector<int> axes = {};
  Norm norm = Norm::backward;  ///< which direction divides
};

/// DFT of complex numbers along one axis: sums of x[j] exp(-2 pi i j k / n), as many as there are
/// points.
///
/// @code
/// const std::vector<std::complex<double>> signal(1000, 1.0);
/// const auto spectrum = imago::fft(signal);  // spectrum[0] is 1000
/// @endcode
IMAGO_API std::vector<std::complex<float>> fft(std::span<const std::complex<float>> signal,
                                               const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> fft(std::span<const std::complex<double>> signal,
                                                const FftOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void fft(std::span<const std::complex<float>> signal,
                   std::span<std::complex<float>> spectrum, const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void fft(std::span<const std::complex<double>> signal,
                   std::span<std::complex<double>> spectrum, const FftOptions& options = {});

/// Inverse of fft(): with Norm::backward it divides by n.
IMAGO_API std::vector<std::complex<float>> ifft(std::span<const std::complex<float>> spectrum,
                                                const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> ifft(std::span<const std::complex<double>> spectrum,
                                                 const FftOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void ifft(std::span<const std::complex<float>> spectrum,
                    std::span<std::complex<float>> signal, const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void ifft(std::span<const std::complex<double>> spectrum,
                    std::span<std::complex<double>> signal, const FftOptions& options = {});

/// fft() along several axes.
IMAGO_API std::vector<std::complex<float>> fftn(std::span<const std::complex<float>> signal,
                                                const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> fftn(std::span<const std::complex<double>> signal,
                                                 const FftOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void fftn(std::span<const std::complex<float>> signal,
                    std::span<std::complex<float>> spectrum, const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void fftn(std::span<const std::complex<double>> signal,
                    std::span<std::complex<double>> spectrum, const FftOptions& options = {});

/// Inverse of fftn().
IMAGO_API std::vector<std::complex<float>> ifftn(std::span<const std::complex<float>> spectrum,
                                                 const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> ifftn(std::span<const std::complex<double>> spectrum,
                                                  const FftOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void ifftn(std::span<const std::complex<float>> spectrum,
                     std::span<std::complex<float>> signal, const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void ifftn(std::span<const std::complex<double>> spectrum,
                     std::span<std::complex<double>> signal, const FftOptions& options = {});

/// DFT of real numbers along one axis: its first n/2+1 entries, from which the others follow.
///
/// @code
/// std::vector<float> images(10 * 48 * 64);  // ten images of 48 rows
/// const auto rows = imago::rfft(images, {.shape = {10, 48, 64}});  // 33 complex numbers each
/// const imago::FftOptions both{.shape = {10, 48, 64}, .axes = {-2, -1}};
/// const auto planes = imago::rfftn(images, both);
/// imago::irfftn(planes, images, both);  // as they were
/// @endcode
IMAGO_API std::vector<std::complex<float>> rfft(std::span<const float> signal,
                                                const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> rfft(std::span<const double> signal,
                                                 const FftOptions& options = {});
/// The same into `spectrum`, n/2+1 entries along the axis, in other memory.
IMAGO_API void rfft(std::span<const float> signal, std::span<std::complex<float>> spectrum,
                    const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void rfft(std::span<const double> signal, std::span<std::complex<double>> spectrum,
                    const FftOptions& options = {});

/// Inverse of rfft(): real numbers. It ignores the imaginary parts of entry 0 and, of even n, n/2.
/// One axis of m entries without a shape is 2 (m-1) numbers: an odd number says its shape.
IMAGO_API std::vector<float> irfft(std::span<const std::complex<float>> spectrum,
                                   const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> irfft(std::span<const std::complex<double>> spectrum,
                                    const FftOptions& options = {});
/// The same into `signal`, in other memory.
IMAGO_API void irfft(std::span<const std::complex<float>> spectrum, std::span<float> signal,
                     const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void irfft(std::span<const std::complex<double>> spectrum, std::span<double> signal,
                     const FftOptions& options = {});

/// rfft() along the last of the axes, of whose entries fft() along the others.
IMAGO_API std::vector<std::complex<float>> rfftn(std::span<const float> signal,
                                                 const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<std::complex<double>> rfftn(std::span<const double> signal,
                                                  const FftOptions& options = {});
/// The same into `spectrum`, n/2+1 entries along the last of the axes, in other memory.
IMAGO_API void rfftn(std::span<const float> signal, std::span<std::complex<float>> spectrum,
                     const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void rfftn(std::span<const double> signal, std::span<std::complex<double>> spectrum,
                     const FftOptions& options = {});

/// Inverse of rfftn(); as irfft().
IMAGO_API std::vector<float> irfftn(std::span<const std::complex<float>> spectrum,
                                    const FftOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> irfftn(std::span<const std::complex<double>> spectrum,
                                     const FftOptions& options = {});
/// The same into `signal`, in other memory.
IMAGO_API void irfftn(std::span<const std::complex<float>> spectrum, std::span<float> signal,
                      const FftOptions& options = {});
/// The same in double precision.
IMAGO_API void irfftn(std::span<const std::complex<double>> spectrum, std::span<double> signal,
                      const FftOptions& options = {});

}  // namespace imago
