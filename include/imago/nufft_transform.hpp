// This file describes nonuniform Fourier transforms by plain values, which need neither a device
// nor OpenCL.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/transform.hpp>

namespace imago {

/// Type and unit of the coordinates of points. Every finite number is allowed: a transform depends
/// on a coordinate modulo its period. Fractions of a period are integers: 2^32 or 2^64 is the whole
/// period, and signed integers mean the same as unsigned ones. They keep the accuracy of long grids
/// that f32 radians cannot address: in f32, neighbours near pi are 2.4e-7 apart.
enum class Coordinates {
  radians_f32,    ///< float, with the period 2 pi
  radians_f64,    ///< double, with the period 2 pi; devices without doubles accept them, too
  fractions_i32,  ///< 32-bit integers, with the period 2^32
  fractions_i64   ///< 64-bit integers, with the period 2^64
};

/// Types of nonuniform transforms that a plan has kernels for.
enum class NufftTypes {
  both,   ///< types 1 and 2
  type1,  ///< transforms from points to modes
  type2,  ///< transforms from modes to points
  type3   ///< transforms from points to frequencies
};

/// The error that NufftTransform::tolerance bounds.
enum class NufftPromise {
  /// The norm of the error, for numbers without correlations: relative to sqrt(number of modes) |c|
  /// for types 1 and 3 (frequencies instead of modes) and to sqrt(number of points) |f| for type 2,
  /// which is then the norm of the result.
  norm,
  /// The error of each value, for all numbers: relative to the sum of the strengths' absolute
  /// values; for type 2, to that of the modes. Plans with this promise are slower: they spread
  /// points over more cells, and compensate the rounding errors of sums.
  each_value
};

/// Description of nonuniform Fourier transforms between points x[j] of a box and modes with integer
/// frequencies k, -n/2 <= k < n/2 along an axis of n modes (Dutt and Rokhlin 1993):
///
///     type 1, from points to modes:  f[k] = sum_j c[j] exp(+i sign k x[j])
///     type 2, from modes to points:  c[j] = sum_k f[k] exp(-i sign k x[j])
///
/// with k x the scalar product. On one set of points, each of these is the other's adjoint. A type
/// 3 has any real frequencies s[k] instead of modes (Lee and Greengard 2005):
///
///     type 3, from points to frequencies:  f[k] = sum_j c[j] exp(+i sign s[k] x[j])
struct NufftTransform {
  /// Numbers of modes, slowest axis first: 1 to 3 axes. Type 3: empty.
  std::vector<std::size_t> modes = {};
  std::size_t axes = 0;     ///< number of axes of type 3, 1 to 3; 0: those of the modes
  double tolerance = 1e-6;  ///< largest error, as `promise` defines it
  Precision precision = Precision::f32;  ///< f32 or f64: strengths, modes and arithmetic
  std::size_t batch = 1;                 ///< number of vectors of strengths in one call
  int sign = 1;                          ///< 1 or -1: sign of the exponent of type 1
  Coordinates coordinates = Coordinates::radians_f32;  ///< type of the coordinates
  /// True: modes in the order of frequencies, -n/2 first (with n/2 rounded down). False: frequency
  /// 0 first, and negative ones in the second half, as in a discrete Fourier transform.
  bool centred = true;
  NufftTypes types = NufftTypes::both;  ///< types that the plan has kernels for
  /// Expected number of points, for the choice of the method; 0: as many as modes.
  std::size_t points = 0;
  /// True: strengths of types 1 and 3 and values of type 2 are arrays of real numbers, and type 2
  /// computes the real part of its sum. With respect to real numbers, types 1 and 2 are adjoint.
  bool real = false;
  /// The error that the tolerance bounds. Choose each_value for numbers that are correlated with
  /// waves outside of the modes, such as a tone, or if few modes have numbers.
  NufftPromise promise = NufftPromise::norm;
  /// True: each of the `batch` vectors has points of its own (NufftPoints::counts).
  bool points_per_member = false;

  friend bool operator==(const NufftTransform&, const NufftTransform&) = default;
};

}  // namespace imago
