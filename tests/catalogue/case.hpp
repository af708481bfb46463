// This file defines a case of the catalogue: a transform, where its data lies and how it is
// computed, as a value that a name stands for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago::catalogue {

enum class Direction { forward, inverse };

// The catalogue knows kinds and layouts by itself and not from src/problem, which it checks.

/// Whether it is one of the eight cosine and sine transforms.
bool is_trigonometric(Kind kind);
/// Points of the DFT that an axis of `length` points stands for: n, 2n (II, III, IV), 2(n-1)
/// (DCT-I), 2(n+1) (DST-I); 1 of an identity axis.
std::uint64_t dft_length(Kind kind, std::uint64_t length);

/// One problem with the way it is computed.
struct Case {
  std::vector<std::uint64_t> lengths{1};  ///< slowest-varying first; real: of the real array
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Direction direction = Direction::forward;
  Norm norm = Norm::backward;
  Kind kind = Kind::complex;    ///< as Transform::kind
  std::vector<Kind> axes = {};  ///< as Transform::axes
  /// What the call reads and writes, in elements of each side's own type. In place a default target
  /// lies where the source does.
  Layout source = {}, target = {};
  Parameters parameters = {};  ///< what is forced; automatic members are chosen for the device

  /// Unique, one word, read by parse(): "64x48*3-f32-out-forward-ortho-real-s3+2-t0:96.2/1-vector".
  ///
  /// The words, separated by `-`: lengths*batch, precision, placement, direction, norm, then
  /// whatever is not the default: `real`, `dct1` .. `dst4` or letters per axis (`axes_icrC2S1`:
  /// identity, complex, real, DCT-II, DST-I), the layouts of source (s) and target (t), mapping,
  /// algorithm, and a word per kernel. A layout is its offset, then `+gap` (packed, and so many
  /// unused elements after each member),
  /// `/distance` (packed members, which may overlap) or `:strides` with `/distance`, then
  /// `:planar`.
  std::string name() const;
  /// What a Plan is made from; only this case's direction is compiled.
  Transform transform() const;
  /// One kind per dimension.
  std::vector<Kind> kinds() const;
  /// Whether the last axis is real.
  bool real() const { return kinds().back() == Kind::real; }
  /// Whether both sides are real: cosine and sine transforms without a complex or real axis.
  bool only_real() const;
  /// Product of the axes' DFT lengths: what undoing the transform divides by.
  std::uint64_t points() const;
  /// The factor of the result that the norm asks for.
  double scale() const;
  friend bool operator==(const Case&, const Case&) = default;
};

/// The case that a name stands for. Throws InvalidArgument for anything that name() does not write,
/// but for the older form of one dimension: "360x17" instead of "360*17".
Case parse(const std::string& name);

/// Extents of what the call reads (`source`) or writes, slowest dimension first: of a real axis'
/// spectrum n/2+1.
std::vector<std::uint64_t> extents(const Case& problem, bool source);
/// What packed strides step over: as the extents, but a real signal in place is padded along its
/// last axis to 2(n/2+1) (FFTW's convention).
std::vector<std::uint64_t> padded_extents(const Case& problem, bool source);
/// Elements of a packed member, paddings included.
std::uint64_t packed_size(const Case& problem, bool source);
/// Whether the elements of a side are real numbers.
bool is_real(const Case& problem, bool source);
/// What a packed call reads or writes, as rows along the last dimension, in real numbers.
struct Rows {
  std::uint64_t count = 0;   ///< of all members
  std::uint64_t length = 0;  ///< of data
  std::uint64_t pitch = 0;   ///< from a row to the next: more where rows are padded
  std::uint64_t numbers() const { return count * length; }
};
Rows rows_of(const Case& problem, bool source);
/// Where the call reads or writes: `target` as it is meant.
Layout layout_of(const Case& problem, bool source);

}  // namespace imago::catalogue
