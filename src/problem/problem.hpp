// This file turns a Transform, which is what a caller wrote, into a Problem: checked, with every
// default filled in, for one complex dimension. What imago cannot do yet ends here, as Unsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <imago/transform.hpp>

namespace imago::problem {

/// Where the complex elements of one side lie: batch member b starts at offset + b * distance.
struct Side {
  std::uint64_t offset = 0;
  std::uint64_t distance = 0;  ///< the length where the caller left it open
  std::uint64_t end = 0;       ///< one past the last element
  friend bool operator==(const Side&, const Side&) = default;
};

struct Problem {
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Directions directions = Directions::both;
  std::uint64_t length = 1;
  std::uint64_t batch = 1;
  Side signal, spectrum;
  double forward_scale = 1, inverse_scale = 1;  ///< factors of the results, from the norm

  bool has_forward() const { return directions != Directions::inverse; }
  bool has_inverse() const { return directions != Directions::forward; }
  /// Of one complex element.
  std::size_t element_bytes() const;
  /// Size of the smallest buffer that holds the side.
  std::size_t bytes(const Side& side) const { return side.end * element_bytes(); }
  /// Names what decides the code of the kernels, and nothing else: "complex-1024-f32-in_place".
  std::string key() const;
};

/// Throws InvalidArgument for what no library could compute, Unsupported for what imago cannot yet.
Problem make_problem(const Transform& transform);

}  // namespace imago::problem
