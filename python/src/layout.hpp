// This file says what a call on two host arrays computes: which transform along which axis, and
// where the elements lie. It knows no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "buffer.hpp"

namespace imago::python {

/// What Python asks for along the axes of its arrays.
struct Wish {
  std::vector<Kind> kinds;           ///< one per axis
  std::vector<std::size_t> lengths;  ///< one per axis: n of the signal
  bool inverse = false;
  bool orthogonal = false;
  bool conjugate = false;  ///< of what a real transform reads or writes on its complex side
  bool in_place = false;   ///< both arrays are one
  double scale = 1;
};

/// One dimension of the two arrays; strides in elements of each array's own type.
struct Dimension {
  Kind kind;
  std::size_t length;  ///< n of the signal
  std::size_t held;    ///< entries that the input has along it; beyond them it is zero
  std::size_t from_stride, to_stride;
};

/// A call in the fewest dimensions: those of one element are dropped, neighbours that are only
/// batch are one.
struct Problem {
  std::vector<Dimension> dimensions;
  bool doubles = false;
  bool from_complex = false, to_complex = false;
  bool inverse = false, orthogonal = false, conjugate = false, in_place = false;
  double scale = 1;

  /// Equal for equal problems only.
  std::string key() const;
  Transform transform() const;
  /// Bytes from the first to the last element that is read, or written.
  std::size_t from_bytes() const;
  std::size_t to_bytes() const;
  /// Of the numbers that strides count.
  std::size_t from_element_bytes() const;
  std::size_t to_element_bytes() const;
};

/// Empty where strides cannot say where the elements of `from` lie: negative ones, ones that are no
/// multiple of an element, and elements that are not aligned.
std::optional<Problem> problem_of(const View& from, const View& to, const Wish& wish);

}  // namespace imago::python
