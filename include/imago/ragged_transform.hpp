// This file describes transforms of rows of different lengths by plain values, which need neither a
// device nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/transform.hpp>

namespace imago {

/// Places of the rows of one side in memory, in elements of its own type: element j of row r of
/// field f is at offsets[r] + j * stride + f * distance. Default: each field has its rows one after
/// the other. With stride = batch and distance = 1, the fields of an element are adjacent.
struct RowLayout {
  /// First element of each row; empty: one row after the other, without gaps.
  std::vector<std::size_t> offsets = {};
  std::size_t stride = 1;    ///< distance of the elements of a row, at least 1
  std::size_t distance = 0;  ///< distance of fields; 0: that of fields one after the other
  friend bool operator==(const RowLayout&, const RowLayout&) = default;
};

/// Factors of the elements of rows, in one list: those of row 0, then those of row 1, and so on.
/// All fields share them. Empty: 1. A factor 0 makes an element 0, but does not hide a NaN in
/// memory. Factors of real elements are real. At entries that are real by symmetry (X[0], and
/// X[n/2] for an even n), inverse() uses only the real parts of the entry and of its factor.
struct RowFactors {
  std::vector<std::complex<double>> load = {};   ///< for each element that a direction reads
  std::vector<std::complex<double>> store = {};  ///< for each element that it writes
  friend bool operator==(const RowFactors&, const RowFactors&) = default;
};

/// Description of transforms of rows of different lengths, such as the rings of a reduced Gaussian
/// or a HEALPix grid. All rows have the same kind. Each field has all rows.
struct RaggedTransform {
  /// Kind of each row: complex, real, or a cosine or sine transform. A real row of n numbers has a
  /// spectrum of n/2+1 complex entries.
  Kind kind = Kind::complex;
  Precision precision = Precision::f32;   ///< f32 or f64
  std::vector<std::size_t> lengths = {};  ///< length of each row, at least 1
  /// Number of fields: each has rows of these lengths. The error bound holds for each row of each
  /// field, and NaN and infinity do not spread to other ones.
  std::size_t batch = 1;
  RowLayout signal = {};    ///< layout of the rows that forward() reads and inverse() writes
  RowLayout spectrum = {};  ///< layout of the rows that forward() writes and inverse() reads
  /// Number of first entries of each row's spectrum that are in memory, at least 1; inverse() takes
  /// the others as 0. Empty: all.
  std::vector<std::size_t> kept = {};
  Norm norm = Norm::backward;                ///< direction that divides, by the length of each row
  Directions directions = Directions::both;  ///< directions that the plan has kernels for
  RowFactors on_forward = {};                ///< factors of forward(): signal, then spectrum
  RowFactors on_inverse = {};                ///< factors of inverse(): spectrum, then signal
  friend bool operator==(const RaggedTransform&, const RaggedTransform&) = default;
};

}  // namespace imago
