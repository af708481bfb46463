// This file says where elements are on their way through hooks, which may move them, and which of
// them boxes keep away.
#pragma once

#include <optional>
#include <vector>

#include "blocks/hooked_array.hpp"

namespace imago::blocks {

class HookPlaces {
 public:
  HookPlaces(ir::Builder& builder, const kernel::Hooked& hooked, const HookedArray& array,
             ir::Value origin)
      : b_(builder), hooked_(hooked), array_(array), origin_(origin) {}

  /// Where elements are in front of and behind each hook; nothing where lanes part. Elements behind
  /// the last are `at`, or in front of the first.
  std::optional<std::vector<Numbers>> stages_before(const Numbers& at) const;
  std::optional<std::vector<Numbers>> stages_behind(const Numbers& at) const;
  /// The same where they have no place in memory and none moves.
  std::optional<std::vector<Numbers>> stages_at(const Numbers& at) const;
  /// Whether elements are in all boxes; not valid() where there are none.
  ir::Value inside(const std::vector<Numbers>& stages) const;
  /// Whether boxes may cut through lanes; then `inside` is of the first one, and this of the last.
  bool ragged(const std::vector<Numbers>& stages) const;
  ir::Value last_inside(const std::vector<Numbers>& stages) const;
  std::optional<LaneIndex> place(const Numbers& at) const;

 private:
  std::optional<Numbers> moved(const kernel::HookStep& step, const Numbers& at, bool back) const;
  bool takes_lanes(const kernel::HookStep& step, const Numbers& at) const;
  bool takes_all_lanes(const std::vector<Numbers>& stages) const;
  bool cuts_lanes(const kernel::HookStep& step, const Numbers& at) const;
  ir::Value inside(const kernel::Box& box, const Numbers& at) const;
  ir::Value inside(const kernel::Framing& framing, const Numbers& at) const;

  ir::Builder& b_;
  const kernel::Hooked& hooked_;
  const HookedArray& array_;
  const ir::Value origin_;
};

}  // namespace imago::blocks
