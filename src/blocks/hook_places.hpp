// This file computes the places of elements before and after hooks, which may move them, and which
// elements boxes exclude.
#pragma once

#include <optional>
#include <vector>

#include "blocks/hooked_array.hpp"

namespace imago::blocks {

class HookPlaces {
 public:
  HookPlaces(ir::Builder& builder, const kernel::Hooked& hooked, const HookedArray& array,
             const FrameSide& memory);

  /// Return the places of elements before and after each hook; nullopt if the lanes diverge. `at`
  /// is the place after the last hook, or before the first one.
  std::optional<std::vector<Numbers>> numbers_before(const Numbers& at) const;
  std::optional<std::vector<Numbers>> numbers_behind(const Numbers& at) const;
  /// Returns the places of elements that have no place in memory and that no hook moves.
  std::optional<std::vector<Numbers>> numbers_at(const Numbers& at) const;
  /// Returns a condition: the elements are inside all boxes.
  ir::Condition inside(const std::vector<Numbers>& numbers) const;
  /// Returns true if boxes may separate lanes. Then inside() tests the first lane, and
  /// last_inside() the last one.
  bool ragged(const std::vector<Numbers>& numbers) const;
  ir::Condition last_inside(const std::vector<Numbers>& numbers) const;
  std::optional<LaneIndex> place(const Numbers& at) const;

 private:
  std::optional<Numbers> moved(const kernel::HookStep& step, const Numbers& at, bool back) const;
  bool takes_lanes(const kernel::HookStep& step, const Numbers& at) const;
  bool takes_all_lanes(const std::vector<Numbers>& numbers) const;
  bool cuts_lanes(const kernel::HookStep& step, const Numbers& at) const;
  ir::Condition inside(const kernel::Box& box, const Numbers& at) const;
  ir::Condition inside(const kernel::Framing& framing, const Numbers& at) const;

  ir::Builder& b_;
  const kernel::Hooked& hooked_;
  const HookedArray& array_;
  ir::Value origin_;
  ir::Value later_ = {};  ///< in samples, from a call's argument (hook::Frames); or not valid()
};

}  // namespace imago::blocks
