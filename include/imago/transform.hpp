// This file describes what to compute: a Transform is a plain value that names an orthogonal
// transform, its shape and where its data lies. It knows no device and no OpenCL.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/hooks.hpp>

namespace imago {

/// What is done along an axis of n points, in the forward direction and without factors (j and k
/// count from 0). DCT and DST are FFTW's REDFT and RODFT and SciPy's `dct` and `dst`. The inverse
/// of II is III, that of III is II, I and IV are their own.
///
/// Without a complex and a real axis cosine and sine transforms take real numbers to real numbers;
/// layouts count those. With one they act on the real and on the imaginary parts of the complex
/// numbers that its transform leaves. (To transform both parts of complex data by cosines alone,
/// see it as real numbers: an identity axis of length 2 after the others.)
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
  identity  ///< this axis is only batch
};
/// Of the caller's arrays, and of the arithmetic.
enum class Precision {
  /// Arrays in half precision (IEEE 754 binary16), arithmetic and scratch in f32; every device can.
  /// A result is rounded once. Beyond 65504 that is infinity, which the sums of a transform without
  /// a factor reach soon: n numbers near 1 sum to n. Norm::ortho or Norm::forward keep forward
  /// results small. Below 2^-14 halves are 2^-24 apart.
  f16,
  f32,
  f64
};
/// How complex data is stored: as pairs, or its real and imaginary parts in two buffers; or real
/// parts only, as real numbers: imaginary parts are zero where they are read, and not written. Real
/// data is interleaved.
enum class Storage { interleaved, planar, real };
/// Whether the result takes an array of its own or the place of what is read.
enum class Placement { out_of_place, in_place };
/// Which directions are compiled.
enum class Directions { both, forward, inverse };
/// NumPy's words. none: no factor at all; backward: inverse divides by N; ortho: both divide by
/// sqrt(N); forward: forward divides by N. N is the product over the transformed axes of n (complex
/// and real), 2n (II, III, IV), 2(n-1) (DCT-I) and 2(n+1) (DST-I).
///
/// ortho also makes cosine and sine transforms orthogonal, as SciPy's `orthogonalize=True`: it
/// multiplies the first (DCT-I, III) and the last (DCT-I, DST-III) point of what is read by
/// sqrt(2), and divides the first (DCT-I, II) and the last (DCT-I, DST-II) point of the result by
/// it.
enum class Norm { none, backward, ortho, forward };

/// Factors of the results of forward() and inverse().
struct Scale {
  double forward = 1;  ///< of what forward() writes
  double inverse = 1;  ///< of what inverse() writes
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Where the elements of one side lie, in elements of the array's own type. Default: packed,
/// row-major; in place rows of n reals along a real axis are padded to 2 (n/2+1), as FFTW's.
struct Layout {
  /// One per dimension; empty: packed. Of what is only read one may be 0: the same at each index.
  std::vector<std::size_t> strides = {};
  std::size_t distance =
      0;                   ///< between batch members; 0 (packed) only with empty strides or batch 1
  std::size_t offset = 0;  ///< first element in the buffer
  Storage storage = Storage::interleaved;  ///< of complex data: pairs, two buffers, real parts only
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// What to compute.
struct Transform {
  Kind kind = Kind::complex;    ///< for every axis; real: the last axis real, the others complex
  std::vector<Kind> axes = {};  ///< one per dimension where they differ; empty: kind everywhere
  Precision precision = Precision::f32;   ///< of both sides
  std::vector<std::size_t> lengths = {};  ///< slowest-varying first, as NumPy and FFTW
  /// Transforms of one call. The error bound holds for each of them relative to that one alone,
  /// and NaN and infinity stay in theirs; so it is along identity axes.
  std::size_t batch = 1;
  Placement placement = Placement::out_of_place;  ///< of the result
  Directions directions = Directions::both;       ///< that are compiled
  Norm norm = Norm::backward;                     ///< which direction divides
  std::optional<Scale> scale = {};  ///< any factors, finite and not 0, in the norm's place
  /// Whether cosine and sine transforms rescale end points (SciPy's `orthogonalize`); empty: with
  /// Norm::ortho.
  std::optional<bool> orthogonal = {};
  Layout signal = {};     ///< what forward() reads and inverse() writes
  Layout spectrum = {};   ///< what forward() writes and inverse() reads
  Hooks on_forward = {};  ///< what forward() does to elements at load and at store
  Hooks on_inverse = {};  ///< what inverse() does to them
  friend bool operator==(const Transform&, const Transform&) = default;
};

}  // namespace imago
