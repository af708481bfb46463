// This file defines Transform: a plain value that describes an orthogonal transform, its shape and
// the layout of its arrays. It needs neither a device nor OpenCL.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/hooks.hpp>

namespace imago {

/// Transform along an axis of n points, in the forward direction and without scaling; j and k count
/// from 0. DCT and DST are FFTW's REDFT and RODFT, and SciPy's `dct` and `dst`. The inverse of type
/// II is type III and the reverse; types I and IV are their own inverses.
///
/// If no axis is complex or real, cosine and sine transforms compute real numbers from real
/// numbers, and layouts count real numbers. Otherwise they transform the real and the imaginary
/// parts of the complex results of those axes. To transform complex data only by cosines, describe
/// it as real numbers with an identity axis of length 2 after the others.
enum class Kind {
  complex,  ///< complex DFT: X[k] = sum_j x[j] exp(-2 pi i j k / n)
  real,     ///< real DFT; the spectrum has n/2+1 entries. At most one axis is real
  dct1,     ///< X[k] = x[0] + (-1)^k x[n-1] + 2 sum_{0<j<n-1} x[j] cos(pi j k / (n-1)); n is at
            ///< least 2 (FFTW's REDFT00)
  dct2,     ///< X[k] = 2 sum_j x[j] cos(pi (j+1/2) k / n) (REDFT10)
  dct3,     ///< X[k] = x[0] + 2 sum_{0<j} x[j] cos(pi j (k+1/2) / n) (REDFT01)
  dct4,     ///< X[k] = 2 sum_j x[j] cos(pi (j+1/2) (k+1/2) / n) (REDFT11)
  dst1,     ///< X[k] = 2 sum_j x[j] sin(pi (j+1) (k+1) / (n+1)) (RODFT00)
  dst2,     ///< X[k] = 2 sum_j x[j] sin(pi (j+1/2) (k+1) / n) (RODFT10)
  dst3,     ///< X[k] = (-1)^k x[n-1] + 2 sum_{j<n-1} x[j] sin(pi (j+1) (k+1/2) / n) (RODFT01)
  dst4,     ///< X[k] = 2 sum_j x[j] sin(pi (j+1/2) (k+1/2) / n) (RODFT11)
  identity  ///< batch axis: not transformed
};
/// Precision of the arrays and of the arithmetic.
enum class Precision {
  /// Half precision (IEEE 754 binary16) in your arrays, f32 in arithmetic and workspace; every
  /// device supports it. Results are rounded once. Above 65504 they become infinity, which
  /// transforms without scaling reach soon: n numbers near 1 sum to n. Norm::ortho or Norm::forward
  /// keep forward results small. Numbers below 2^-14 have a spacing of 2^-24.
  f16,
  f32,  ///< float
  f64   ///< double; not every device supports it
};
/// Storage of complex data. interleaved: pairs (re, im), as std::complex; planar: real and
/// imaginary parts in two buffers; real: real parts only. With real, imaginary parts of the input
/// are 0, and those of the result are not written. Real data is always interleaved.
enum class Storage { interleaved, planar, real };
/// Place of the result: its own array, or that of the input.
enum class Placement { out_of_place, in_place };
/// Directions that a plan has kernels for.
enum class Directions { both, forward, inverse };
/// Normalization, with NumPy's names. none: no scaling; backward: inverse divides by N; ortho: both
/// divide by sqrt(N); forward: forward divides by N. N is the product over the transformed axes of
/// n (complex and real), 2n (II, III, IV), 2(n-1) (DCT-I) and 2(n+1) (DST-I).
///
/// ortho also makes cosine and sine transforms orthogonal, like SciPy's `orthogonalize=True`. It
/// multiplies the first (DCT-I, III) and the last (DCT-I, DST-III) point of the input by sqrt(2).
/// It divides the first (DCT-I, II) and the last (DCT-I, DST-II) point of the result by sqrt(2).
enum class Norm { none, backward, ortho, forward };

/// The arithmetic of Precision::f64 (Options::f64). Arrays hold ordinary doubles in any case.
enum class F64 {
  automatic,  ///< doubles if the device has them, else pairs
  native,     ///< doubles; a device without them throws Unsupported
  /// Each number is the unevaluated sum of two floats, which has 48 bits instead of 53. Results
  /// have relative errors of about 5e-15. Sizes from 2^-80 to 2^120 keep them, larger ones become
  /// infinite, and those below 2^-126 zero (docs/pairs.md). For devices without doubles or with
  /// slow ones.
  pairs,
  fast  ///< pairs if the device has no doubles, or computes them so slowly that pairs take less
        ///< time
};

/// Factors of the results of forward() and inverse().
struct Scale {
  double forward = 1;  ///< factor of the result of forward()
  double inverse = 1;  ///< factor of the result of inverse()
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Layout of an array, in elements of its own type. Default: packed and row-major. In place, rows
/// of n real numbers along a real axis are padded to 2 (n/2+1), like FFTW's.
struct Layout {
  /// Strides, one per dimension; empty: packed. Strides of an input may be 0 (broadcast).
  std::vector<std::size_t> strides = {};
  /// Distance between batch elements; 0 (packed) only with empty strides or a batch of 1.
  std::size_t distance = 0;
  std::size_t offset = 0;                  ///< first element in the buffer
  Storage storage = Storage::interleaved;  ///< storage of complex data
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Description of a transform.
struct Transform {
  Kind kind = Kind::complex;    ///< for every axis; real: the last axis real, the others complex
  std::vector<Kind> axes = {};  ///< kind of each axis; empty: `kind` for every axis
  Precision precision = Precision::f32;   ///< precision of signal and spectrum
  std::vector<std::size_t> lengths = {};  ///< slowest axis first, like NumPy and FFTW
  /// Number of transforms in one call. The error bound holds for each of them separately, and NaN
  /// and infinity do not spread to other ones. The same holds along identity axes.
  std::size_t batch = 1;
  Placement placement = Placement::out_of_place;  ///< place of the result
  Directions directions = Directions::both;       ///< directions that the plan has kernels for
  Norm norm = Norm::backward;                     ///< direction that divides
  std::optional<Scale> scale = {};  ///< factors instead of the norm's, finite and not 0
  /// True: cosine and sine transforms rescale end points (SciPy's `orthogonalize`). Not set: they
  /// do with Norm::ortho.
  std::optional<bool> orthogonal = {};
  Layout signal = {};     ///< layout of the array that forward() reads and inverse() writes
  Layout spectrum = {};   ///< layout of the array that forward() writes and inverse() reads
  Hooks on_forward = {};  ///< hooks of forward() at load and at store
  Hooks on_inverse = {};  ///< hooks of inverse() at load and at store
  friend bool operator==(const Transform&, const Transform&) = default;
};

}  // namespace imago
