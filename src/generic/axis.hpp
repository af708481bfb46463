// This file describes a transform along one axis as a DFT of complex points, with an edge before
// and after it.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <imago/transform.hpp>

namespace imago::generic {

using Factors = std::vector<std::complex<double>>;

/// Makes points (or results) of elements (or points): result q is a[q] x[i[q]] + b[q] x[j[q]].
struct Edge {
  std::uint64_t count = 1;           ///< points or results
  std::vector<std::int32_t> i, j;    ///< empty: i[q] is q, and there is no second term
  Factors a, b;                      ///< empty: 1, and there is no second term
  std::vector<bool> real_i, real_j;  ///< true: only the real part counts; empty: never
  bool conjugate = false;            ///< true: the second term is conjugated
  bool real_first = false;           ///< at store, true: result 0 is real by symmetry
  /// The half spectrum of an even real line of 2h numbers: a[k] is 1 + turned[k], at store a half
  /// of it, for each k <= h / 2. Empty: anything else.
  Factors turned;

  bool is_plain() const { return a.empty(); }
  bool is_combination() const { return !i.empty(); }
};

/// The axis. The points are transformed by a DFT, with positive exponents if `inverse`.
struct Axis {
  std::uint64_t points = 1;
  bool inverse = false;
  Edge load, store;
  /// True if two adjacent real numbers are the parts of a point, at load or at store.
  bool pairs_at_load = false, pairs_at_store = false;
};

/// The kind of transform along an axis of `length` elements, in one direction.
struct AxisKind {
  Kind kind = Kind::complex;
  bool inverse = false;  ///< direction of complex and real axes
  std::uint64_t length = 1;
  bool orthonormal = false;  ///< true: end points are rescaled (imago::Norm::ortho)
};
Axis axis_of(const AxisKind& kind);

/// Returns an edge of any kind as a combination.
Edge as_combination(Edge edge);
/// Returns the store edge of results that a convolution made, with factors. A convolution leaves a
/// rounding error where passes only add real numbers; half of point 0 and half of its conjugate
/// have none.
Edge convolved(const Edge& store);
/// Returns the number of elements of memory that a load edge reads: those up to the last one.
std::uint64_t elements_of(const Edge& load);

/// Returns an axis whose DFT has `length` >= 2 points - 1 points, as the two halves of Bluestein's
/// convolution: forward to the product with the chirp's spectrum, and back. `rows`: the load edge
/// of elements in their order has only their factors, and the points after them are 0.
struct Convolution {
  Axis forth, back;
};
Convolution convolution_of(const Axis& axis, std::uint64_t length, bool rows = false);

}  // namespace imago::generic
