// This file transforms real arrays in host memory by cosines and sines, as SciPy's functions of the
// same names do. What fft.hpp says of its functions holds here: no OpenCL, threads, errors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <imago/error.hpp>
#include <imago/export.hpp>
#include <imago/transform.hpp>

namespace imago {

/// How a function of this file sees its array, and what it computes.
struct DctOptions {
  int type = 2;                         ///< 1, 2, 3 or 4: the sums of Kind
  std::vector<std::size_t> shape = {};  ///< as FftOptions::shape; of both sides
  std::vector<int> axes = {};           ///< as FftOptions::axes
  Norm norm = Norm::backward;           ///< which direction divides
  /// Whether end points are rescaled (SciPy's `orthogonalize`); empty: with Norm::ortho.
  std::optional<bool> orthogonal = {};
};

/// Discrete cosine transform along one axis.
///
/// @code
/// const std::vector<float> samples(512, 1.0f);
/// const auto coefficients = imago::dct(samples, {.norm = imago::Norm::ortho});
/// const auto again = imago::idct(coefficients, {.norm = imago::Norm::ortho});
/// @endcode
IMAGO_API std::vector<float> dct(std::span<const float> signal, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> dct(std::span<const double> signal, const DctOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void dct(std::span<const float> signal, std::span<float> spectrum,
                   const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void dct(std::span<const double> signal, std::span<double> spectrum,
                   const DctOptions& options = {});

/// Inverse of dct() of the same type.
IMAGO_API std::vector<float> idct(std::span<const float> spectrum, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> idct(std::span<const double> spectrum,
                                   const DctOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void idct(std::span<const float> spectrum, std::span<float> signal,
                    const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void idct(std::span<const double> spectrum, std::span<double> signal,
                    const DctOptions& options = {});

/// dct() along several axes.
IMAGO_API std::vector<float> dctn(std::span<const float> signal, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> dctn(std::span<const double> signal, const DctOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void dctn(std::span<const float> signal, std::span<float> spectrum,
                    const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void dctn(std::span<const double> signal, std::span<double> spectrum,
                    const DctOptions& options = {});

/// Inverse of dctn() of the same type.
IMAGO_API std::vector<float> idctn(std::span<const float> spectrum, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> idctn(std::span<const double> spectrum,
                                    const DctOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void idctn(std::span<const float> spectrum, std::span<float> signal,
                     const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void idctn(std::span<const double> spectrum, std::span<double> signal,
                     const DctOptions& options = {});

/// Discrete sine transform along one axis.
IMAGO_API std::vector<float> dst(std::span<const float> signal, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> dst(std::span<const double> signal, const DctOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void dst(std::span<const float> signal, std::span<float> spectrum,
                   const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void dst(std::span<const double> signal, std::span<double> spectrum,
                   const DctOptions& options = {});

/// Inverse of dst() of the same type.
IMAGO_API std::vector<float> idst(std::span<const float> spectrum, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> idst(std::span<const double> spectrum,
                                   const DctOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void idst(std::span<const float> spectrum, std::span<float> signal,
                    const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void idst(std::span<const double> spectrum, std::span<double> signal,
                    const DctOptions& options = {});

/// dst() along several axes.
IMAGO_API std::vector<float> dstn(std::span<const float> signal, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> dstn(std::span<const double> signal, const DctOptions& options = {});
/// The same into `spectrum`, which has the size of `signal` and may be the same memory.
IMAGO_API void dstn(std::span<const float> signal, std::span<float> spectrum,
                    const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void dstn(std::span<const double> signal, std::span<double> spectrum,
                    const DctOptions& options = {});

/// Inverse of dstn() of the same type.
IMAGO_API std::vector<float> idstn(std::span<const float> spectrum, const DctOptions& options = {});
/// The same in double precision.
IMAGO_API std::vector<double> idstn(std::span<const double> spectrum,
                                    const DctOptions& options = {});
/// The same into `signal`, which has the size of `spectrum` and may be the same memory.
IMAGO_API void idstn(std::span<const float> spectrum, std::span<float> signal,
                     const DctOptions& options = {});
/// The same in double precision.
IMAGO_API void idstn(std::span<const double> spectrum, std::span<double> signal,
                     const DctOptions& options = {});

}  // namespace imago
