// This file finds the lines of a transform of several dimensions that need not be computed. Boxes
// at load make whole lines zero, until a transform along their axis spreads the values. Lines are
// also skipped if they feed only elements that boxes at store exclude.
//
// The method handles each axis separately: everything outside a box is known to be zero or not
// needed, and a box is an interval along each axis.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/boxes.hpp"

namespace imago::lines {

/// A part of a transform of several dimensions: the lines along the same axes.
struct AxisGroup {
  std::vector<std::size_t> axes = {};
  bool inverse = false;
  /// True if it transforms forward and back, with the filter's hooks in between.
  bool turns = false;
  bool filters = false;  ///< true if the filter's hooks change its input

  bool goes_along(std::size_t axis) const {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }
};

/// The hooks that may have boxes: the first group's load, the filter, and the last group's store.
struct Boxed {
  const kernel::Hooked *load = nullptr, *filter = nullptr, *store = nullptr;
};

class Pruning {
 public:
  /// Prunes the groups, which are in their order; `lengths` are those of the array between them.
  Pruning(const std::vector<AxisGroup>& groups, const Boxed& boxed,
          const std::vector<std::uint64_t>& lengths);

  /// Returns true if lines are saved. The groups then exchange data through scratch, of which only
  /// some elements are written.
  bool pays() const { return pays_; }
  /// Returns the indices, along an axis, of the group's lines, which run along other axes.
  const kernel::Interval& lines(std::size_t group, std::size_t axis) const {
    return axes_[axis].lines[group];
  }
  /// Returns true if the group has lines only for some indices.
  bool is_pruned(std::size_t group, std::size_t axis) const {
    return lines(group, axis).size() < lengths_[axis];
  }
  /// Returns the boxes through which a group loads the result of the group before, or stores the
  /// input of the next group.
  std::vector<kernel::HookStep> boxes(std::size_t group, bool store) const;

 private:
  /// The intervals of one axis for each group, and for the array before each group.
  struct Axis {
    std::vector<kernel::Interval> lines, read, held, wanted;
  };

  void prune(std::size_t axis, const Boxed& boxed);
  void want(std::size_t axis, const Boxed& boxed, Axis& intervals) const;
  void hold(std::size_t axis, const Boxed& boxed, Axis& intervals) const;
  /// Returns the interval of a group's lines that the filter's boxes leave.
  kernel::Interval filtered(std::size_t group, std::size_t axis, const Boxed& boxed) const;
  bool saves_lines(std::size_t axis, const Axis& intervals) const;
  kernel::Interval whole(std::size_t axis) const { return {0, lengths_[axis]}; }

  const std::vector<AxisGroup>& groups_;
  const std::vector<std::uint64_t>& lengths_;
  std::vector<Axis> axes_;
  bool pays_ = false;
};

}  // namespace imago::lines
