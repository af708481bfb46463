// This file finds the lines of a transform of several dimensions that need not be computed. Boxes
// at load make whole lines zero until the line along their axis spreads them; lines behind that
// write what boxes at store leave out feed nothing else than these elements.
//
// All of it goes axis by axis: what is known to be zero, or not wanted, is everything outside of a
// box, and that is an interval along each axis.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/boxes.hpp"

namespace imago::lines {

/// Transforms along the same axes at the same time.
struct Leg {
  std::vector<std::size_t> axes = {};
  bool inverse = false;
  bool turns = false;    ///< it goes there and back, through the filter's hooks between
  bool filters = false;  ///< what it loads passes the filter's hooks

  bool goes_along(std::size_t axis) const {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }
};

/// What has boxes: the first leg's load, the filter, the last leg's store.
struct Boxed {
  const kernel::Hooked *load = nullptr, *filter = nullptr, *store = nullptr;
};

class Pruning {
 public:
  /// The legs in their order; `lengths` those of what lies between them.
  Pruning(const std::vector<Leg>& legs, const Boxed& boxed,
          const std::vector<std::uint64_t>& lengths);

  /// Lines are saved. Then legs meet in scratch that only some elements of are written.
  bool pays() const { return pays_; }
  /// The indices along an axis of a leg's lines, which lie along others.
  const kernel::Interval& lines(std::size_t leg, std::size_t axis) const {
    return axes_[axis].lines[leg];
  }
  /// Whether the leg has lines for some indices only.
  bool is_pruned(std::size_t leg, std::size_t axis) const {
    return lines(leg, axis).size() < lengths_[axis];
  }
  /// The boxes through which a leg loads what the one before has written, or stores what the next
  /// one needs.
  std::vector<kernel::HookStep> boxes(std::size_t leg, bool store) const;

 private:
  /// One axis: of each leg, and of what lies before it.
  struct Axis {
    std::vector<kernel::Interval> lines, read, held, wanted;
  };

  void prune(std::size_t axis, const Boxed& boxed);
  void want(std::size_t axis, const Boxed& boxed, Axis& intervals) const;
  void hold(std::size_t axis, const Boxed& boxed, Axis& intervals) const;
  /// What the filter leaves of a leg's lines.
  kernel::Interval filtered(std::size_t leg, std::size_t axis, const Boxed& boxed) const;
  bool saves_lines(std::size_t axis, const Axis& intervals) const;
  kernel::Interval whole(std::size_t axis) const { return {0, lengths_[axis]}; }

  const std::vector<Leg>& legs_;
  const std::vector<std::uint64_t>& lengths_;
  std::vector<Axis> axes_;
  bool pays_ = false;
};

}  // namespace imago::lines
