// This file defines a case of the catalogue: a transform, its layouts and its parameters, as a
// value with a name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago::catalogue {

enum class Direction { forward, inverse };

// The catalogue has its own rules for kinds and layouts, independent of src/problem, which it
// checks.

/// Returns true for the eight cosine and sine transforms.
bool is_trigonometric(Kind kind);
/// Returns the points of the equivalent DFT of an axis of `length` points: n, 2n (II, III, IV),
/// 2(n-1) (DCT-I), 2(n+1) (DST-I); 1 for an identity axis.
std::uint64_t dft_length(Kind kind, std::uint64_t length);

/// One problem with the parameters of its computation.
struct Case {
  std::vector<std::uint64_t> lengths{1};  ///< slowest-varying first; real: of the real array
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Direction direction = Direction::forward;
  Norm norm = Norm::backward;
  Kind kind = Kind::complex;    ///< see Transform::kind
  std::vector<Kind> axes = {};  ///< see Transform::axes
  /// Layouts of the input and the output of the call, in elements of each side's own type. In
  /// place, a default target has the layout of the source.
  Layout source = {}, target = {};
  Parameters parameters = {};  ///< forced parameters; automatic members are chosen for the device

  /// Returns the name, which is unique and one word:
  /// "64x48*3-f32-out-forward-ortho-real-s3+2-t0:96.2/1-vector". parse() reads it.
  ///
  /// The parts, separated by `-`, are lengths*batch, precision, placement, direction and norm. Then
  /// comes everything that is not the default: `real`, `dct1` to `dst4` or letters per axis
  /// (`axes_icrC2S1`: identity, complex, real, DCT-II, DST-I), the layouts of source (s) and target
  /// (t), mapping, algorithm, and a part per kernel. A layout is its offset, then `+gap` (packed,
  /// with `gap` unused elements after each member), `/distance` (packed members, which may overlap)
  /// or `:strides` with `/distance`, then `:planar`.
  std::string name() const;
  /// Returns the Transform of a Plan; only this case's direction is compiled.
  Transform transform() const;
  /// Returns one kind per dimension.
  std::vector<Kind> kinds() const;
  /// Returns true if the last axis is real.
  bool real() const { return kinds().back() == Kind::real; }
  /// Returns true if both sides are real: cosine and sine transforms without a complex or real
  /// axis.
  bool only_real() const;
  /// Returns the product of the axes' DFT lengths: the divisor that makes the inverse undo the
  /// transform.
  std::uint64_t points() const;
  /// Returns the factor of the result that the norm requires.
  double scale() const;
  friend bool operator==(const Case&, const Case&) = default;
};

/// Returns the case of a name. Throws InvalidArgument for texts that name() does not write, except
/// the older form of one dimension: "360x17" instead of "360*17".
Case parse(const std::string& name);

/// Returns the extents of the input (`source`) or the output, slowest dimension first; n/2+1 for
/// the spectrum of a real axis.
std::vector<std::uint64_t> extents(const Case& problem, bool source);
/// Returns the extents that packed strides are computed from: extents(), except that a real signal
/// in place is padded along its last axis to 2(n/2+1) (FFTW's convention).
std::vector<std::uint64_t> padded_extents(const Case& problem, bool source);
/// Returns the elements of a packed member, padding included.
std::uint64_t packed_size(const Case& problem, bool source);
/// Returns true if the elements of a side are real numbers.
bool is_real(const Case& problem, bool source);
/// The packed input or output as rows along the last dimension, in real numbers.
struct Rows {
  std::uint64_t count = 0;   ///< rows of all members
  std::uint64_t length = 0;  ///< numbers of data in a row
  std::uint64_t pitch = 0;   ///< distance of adjacent rows; above the length if they are padded
  std::uint64_t numbers() const { return count * length; }
};
Rows rows_of(const Case& problem, bool source);
/// Returns true if symmetry makes element `column` of each row of the result real: the first and,
/// of even lengths, the middle element of half spectra. False if another axis is transformed, too,
/// because such elements have rounding errors.
bool is_real_bin(const Case& problem, std::uint64_t column);
/// Returns the complete layout of the input or the output, with the default target resolved.
Layout layout_of(const Case& problem, bool source);

}  // namespace imago::catalogue
