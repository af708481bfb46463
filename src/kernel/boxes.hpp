// This file says what the boxes of hooks (kernel/hooks.hpp) leave of an array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/hooks.hpp"

namespace imago::kernel {

/// Indices begin <= index < end.
struct Interval {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;

  std::uint64_t size() const { return end > begin ? end - begin : 0; }
  bool holds(const Interval& other) const { return begin <= other.begin && other.end <= end; }
  Interval operator&(const Interval& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
};

/// The indices along an axis, as the transform sees them, that the boxes leave of a side: at load
/// elements elsewhere are zero, at store they are not written. A box that a rotation tears apart is
/// left out.
Interval left_by_boxes(const Hooked& hooked, std::size_t axis, bool store);

/// Goes without the boxes along an axis that all lines are in: those of the indices.
void drop_boxes(Hooked& hooked, std::size_t axis, const Interval& lines, bool store);

/// Of all elements, those that are read or written.
double share_in_boxes(const Hooked& hooked, bool store);

/// Bytes in memory of an element whose numbers, one or two, would have so many as they are
/// computed.
double stored_bytes(const Hooked& hooked, double number_bytes, bool real);

}  // namespace imago::kernel
