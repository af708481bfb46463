// This file computes which part of an array the boxes of hooks (kernel/hooks.hpp) leave.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/hooks.hpp"

namespace imago::kernel {

/// Indices i with begin <= i < end.
struct Interval {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;

  std::uint64_t size() const { return end > begin ? end - begin : 0; }
  bool holds(const Interval& other) const { return begin <= other.begin && other.end <= end; }
  Interval operator&(const Interval& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
};

/// Returns the indices along an axis, in the transform's order, that all boxes of a side leave. At
/// load elements outside are zero; at store they are not written. A box that a rotation splits into
/// two intervals does not count.
Interval left_by_boxes(const Hooked& hooked, std::size_t axis, bool store);

/// Removes the boxes along an axis that contain all indices of `lines`.
void drop_boxes(Hooked& hooked, std::size_t axis, const Interval& lines, bool store);

/// Returns the fraction of all elements that is read or written.
double share_in_boxes(const Hooked& hooked, bool store);

/// Returns the bytes that an element takes in memory. `number_bytes` is the size of one number in
/// the arithmetic; an element has one number if `real`, else two.
double stored_bytes(const Hooked& hooked, double number_bytes, bool real);

}  // namespace imago::kernel
