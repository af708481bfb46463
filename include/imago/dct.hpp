// This file declares discrete cosine and sine transforms of real arrays in host memory, like
// SciPy's functions of the same names. Like fft.hpp, it needs no OpenCL to compile.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <imago/error.hpp>
#include <imago/export.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Options of the functions of this file: the array's shape, and the transform.
///
/// Devices, threads and errors are those of FftOptions. Each function also throws InvalidArgument
/// for another `type` than 1 to 4, and for an axis of one point with the DCT-I.
struct DctOptions {
  int type = 2;                         ///< 1, 2, 3 or 4; imago::Kind has the formulas
  std::vector<std::size_t> shape = {};  ///< shape of signal and spectrum, like FftOptions::shape
  std::vector<int> axes = {};           ///< transformed axes, like FftOptions::axes
  Norm norm = Norm::backward;           ///< direction that divides
  /// True: the transform rescales end points (SciPy's `orthogonalize`). Empty: it does with
  /// Norm::ortho.
  std::optional<bool> orthogonal = {};
};

/// Returns the discrete cosine transform along one axis.
///
/// @code
/// const std::vector<float> samples(512, 1.0f);
/// const auto coefficients = imago::dct(samples, {.norm = imago::Norm::ortho});
/// const auto again = imago::idct(coefficients, {.norm = imago::Norm::ortho});
/// @endcode
IMAGO_API std::vector<float> dct(std::span<const float> signal, const DctOptions& options = {});
/// Returns dct() of double-precision numbers.
IMAGO_API std::vector<double> dct(std::span<const double> signal, const DctOptions& options = {});
/// Writes dct() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dct(std::span<const float> signal, std::span<float> spectrum,
                   const DctOptions& options = {});
/// Writes dct() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dct(std::span<const double> signal, std::span<double> spectrum,
                   const DctOptions& options = {});

/// Returns the inverse of dct() of the same type.
IMAGO_API std::vector<float> idct(std::span<const float> spectrum, const DctOptions& options = {});
/// Returns idct() of double-precision numbers.
IMAGO_API std::vector<double> idct(std::span<const double> spectrum,
                                   const DctOptions& options = {});
/// Writes idct() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idct(std::span<const float> spectrum, std::span<float> signal,
                    const DctOptions& options = {});
/// Writes idct() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idct(std::span<const double> spectrum, std::span<double> signal,
                    const DctOptions& options = {});

/// Returns the result of dct() along several axes.
IMAGO_API std::vector<float> dctn(std::span<const float> signal, const DctOptions& options = {});
/// Returns dctn() of double-precision numbers.
IMAGO_API std::vector<double> dctn(std::span<const double> signal, const DctOptions& options = {});
/// Writes dctn() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dctn(std::span<const float> signal, std::span<float> spectrum,
                    const DctOptions& options = {});
/// Writes dctn() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dctn(std::span<const double> signal, std::span<double> spectrum,
                    const DctOptions& options = {});

/// Returns the inverse of dctn() of the same type.
IMAGO_API std::vector<float> idctn(std::span<const float> spectrum, const DctOptions& options = {});
/// Returns idctn() of double-precision numbers.
IMAGO_API std::vector<double> idctn(std::span<const double> spectrum,
                                    const DctOptions& options = {});
/// Writes idctn() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idctn(std::span<const float> spectrum, std::span<float> signal,
                     const DctOptions& options = {});
/// Writes idctn() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idctn(std::span<const double> spectrum, std::span<double> signal,
                     const DctOptions& options = {});

/// Returns the discrete sine transform along one axis.
IMAGO_API std::vector<float> dst(std::span<const float> signal, const DctOptions& options = {});
/// Returns dst() of double-precision numbers.
IMAGO_API std::vector<double> dst(std::span<const double> signal, const DctOptions& options = {});
/// Writes dst() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dst(std::span<const float> signal, std::span<float> spectrum,
                   const DctOptions& options = {});
/// Writes dst() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dst(std::span<const double> signal, std::span<double> spectrum,
                   const DctOptions& options = {});

/// Returns the inverse of dst() of the same type.
IMAGO_API std::vector<float> idst(std::span<const float> spectrum, const DctOptions& options = {});
/// Returns idst() of double-precision numbers.
IMAGO_API std::vector<double> idst(std::span<const double> spectrum,
                                   const DctOptions& options = {});
/// Writes idst() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idst(std::span<const float> spectrum, std::span<float> signal,
                    const DctOptions& options = {});
/// Writes idst() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idst(std::span<const double> spectrum, std::span<double> signal,
                    const DctOptions& options = {});

/// Returns the result of dst() along several axes.
IMAGO_API std::vector<float> dstn(std::span<const float> signal, const DctOptions& options = {});
/// Returns dstn() of double-precision numbers.
IMAGO_API std::vector<double> dstn(std::span<const double> signal, const DctOptions& options = {});
/// Writes dstn() of single-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dstn(std::span<const float> signal, std::span<float> spectrum,
                    const DctOptions& options = {});
/// Writes dstn() of double-precision numbers to `spectrum`, which has the size of `signal` and may
/// be the same memory.
IMAGO_API void dstn(std::span<const double> signal, std::span<double> spectrum,
                    const DctOptions& options = {});

/// Returns the inverse of dstn() of the same type.
IMAGO_API std::vector<float> idstn(std::span<const float> spectrum, const DctOptions& options = {});
/// Returns idstn() of double-precision numbers.
IMAGO_API std::vector<double> idstn(std::span<const double> spectrum,
                                    const DctOptions& options = {});
/// Writes idstn() of single-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idstn(std::span<const float> spectrum, std::span<float> signal,
                     const DctOptions& options = {});
/// Writes idstn() of double-precision numbers to `signal`, which has the size of `spectrum` and may
/// be the same memory.
IMAGO_API void idstn(std::span<const double> spectrum, std::span<double> signal,
                     const DctOptions& options = {});

}  // namespace imago
