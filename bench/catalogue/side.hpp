// This file defines the places of the elements of one side of a case in memory. The host uses them
// to read a device's result.
#pragma once

#include <cstdint>
#include <vector>

#include "catalogue/case.hpp"

namespace imago::catalogue {

/// Element (i0, i1, ...) of a member is at offset + member * distance + i0 * strides[0] + ...; all
/// in elements of the side's own type.
struct Side {
  std::vector<std::uint64_t> extents, strides;  ///< slowest dimension first
  std::uint64_t batch = 1, distance = 0, offset = 0;
  bool real = false;    ///< an element is one real number; else a complex one
  bool planar = false;  ///< real and imaginary parts are in two buffers

  /// Elements of a member.
  std::uint64_t size() const;
  /// One past the last element of the last member.
  std::uint64_t end() const;
  std::uint64_t first(std::uint64_t member) const { return offset + member * distance; }

  /// Calls visit(position) for every element of a member, the last dimension fastest.
  template <class Visit>
  void for_each(std::uint64_t member, Visit visit) const {
    std::vector<std::uint64_t> index(extents.size());
    const std::uint64_t row = extents.back(), stride = strides.back();
    for (std::uint64_t start = first(member);;) {
      for (std::uint64_t i = 0; i < row; ++i) visit(start + i * stride);
      std::size_t d = extents.size() - 1;
      for (;;) {
        if (d-- == 0) return;
        start += strides[d];
        if (++index[d] < extents[d]) break;
        start -= extents[d] * strides[d];
        index[d] = 0;
      }
    }
  }
};

/// Returns the input side (`source`) or the output side.
Side side_of(const Case& problem, bool source);

/// Returns true if two elements of a side share a place.
bool overlaps(const Side& side);

}  // namespace imago::catalogue
