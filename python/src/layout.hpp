// This file describes the transform of two host arrays: the kind of each axis and the places of the
// elements. It does not depend on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "buffer.hpp"

namespace imago::python {

/// The requested transform along the axes of Python's arrays.
struct Wish {
  std::vector<Kind> kinds;           ///< one per axis
  std::vector<std::size_t> lengths;  ///< one per axis: n of the signal
  bool inverse = false;
  bool orthogonal = false;
  bool conjugate = false;  ///< conjugates the complex side of a real transform
  bool in_place = false;   ///< both arrays are the same
  double scale = 1;
};

/// One dimension of the two arrays. Strides count elements of each array's own type.
struct Dimension {
  Kind kind;
  std::size_t length;  ///< n of the signal
  std::size_t held;    ///< entries of the input; the rest are zero
  std::size_t from_stride, to_stride;
};

/// A call in the fewest dimensions: dimensions of length 1 are dropped, and adjacent batch axes are
/// merged.
struct Problem {
  std::vector<Dimension> dimensions;
  bool doubles = false;
  bool from_complex = false, to_complex = false;
  bool inverse = false, orthogonal = false, conjugate = false, in_place = false;
  double scale = 1;

  /// Returns a text that is equal only for equal problems.
  std::string key() const;
  Transform transform() const;
  /// Return the bytes from the first to the last element of the input, or of the result.
  std::size_t from_bytes() const;
  std::size_t to_bytes() const;
  /// Return the bytes of the numbers that the strides count.
  std::size_t from_element_bytes() const;
  std::size_t to_element_bytes() const;
};

/// Returns nullopt if a layout cannot describe an array: negative strides, strides that are not a
/// multiple of the element size, or unaligned elements.
std::optional<Problem> problem_of(const View& from, const View& to, const Wish& wish);

}  // namespace imago::python
