// This file does arithmetic on the numbers of a hooked side's elements: it computes indices along
// dimensions, and places in memories that have only some of the dimensions.
#pragma once

#include <optional>

#include "blocks/access.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// Elements in lanes: lane l holds the element with the number first + l * apart in the packed
/// array.
struct Numbers {
  ir::Value first;
  Spread spread = {};
  /// Index of the first element along Hooked::line_axis, if it is already computed.
  ir::Value in_line = {};
};

/// The lines of a kernel whose elements pass through the hooks of `hooked`. The strides are
/// differences between the elements' numbers, their linear indices in the packed array.
struct ArrayLines {
  const kernel::Hooked& hooked;
  std::uint64_t stride = 1;         ///< between consecutive elements of a line
  std::uint64_t pair_stride = 0;    ///< between the two real numbers of a pair; 0: no pairs
  std::uint64_t column_stride = 0;  ///< between adjacent lines along the fastest column
  /// Vectors along a line begin at multiples of their width if it divides `run`.
  std::uint64_t run = 1;
};
/// Returns the lines of a kernel's input or output, which must have hooks.
ArrayLines lines_of(const Frame& frame, const kernel::Side& side);

/// The index of lane 0, and the distance between consecutive lanes.
struct LaneIndex {
  ir::Value first;
  std::uint64_t apart = 0;
};

/// Returns the condition index < end.
ir::Condition is_below(ir::Value index, std::uint64_t end);
/// Returns the condition index >= begin.
ir::Condition is_from(ir::Value index, std::uint64_t begin);

class HookedArray {
 public:
  HookedArray(const Frame& frame, const ArrayLines& lines)
      : b_(frame.b), step_(frame.step), lines_(lines), array_(lines.hooked) {}

  /// Returns the index along a dimension; nullopt if lanes may leave the dimension.
  std::optional<LaneIndex> index(std::size_t axis, const Numbers& at) const;
  /// Returns true if the index of the first lane along a dimension, and the extent of the
  /// dimension, are multiples of the distance that all lanes span there. It is true for one lane,
  /// and if all lanes have the same index.
  bool aligned(std::size_t axis, const Numbers& at) const;
  /// Returns the index, in the batch, of the batch element that contains the elements.
  std::optional<LaneIndex> member(const Numbers& at) const;
  /// Returns the place of the elements in memory; nullopt if the distance between lanes is not
  /// constant.
  std::optional<LaneIndex> place(const kernel::Strided& memory, const Numbers& at) const;
  /// Returns the number of one lane's element within its batch element.
  ir::Value number_in_member(const Numbers& at) const;
  /// Returns the numbers of one lane.
  Numbers lane(const Numbers& at, unsigned lane) const;
  Numbers lane(const Numbers& at, ir::Value lane) const;
  /// Rotates one lane, or lanes that stay together, along a dimension; `by` is not negative and
  /// less than its extent. Returns nullopt for other lanes.
  std::optional<Numbers> rotated(std::size_t axis, std::uint64_t by, const Numbers& at) const;

 private:
  /// Adjacent dimensions, merged: indices 0 .. extent-1, or the whole batch without an end.
  struct Group {
    std::uint64_t stride, extent;  ///< in numbers; extent 0: no end
    std::uint64_t apart;           ///< distance in memory
  };
  std::vector<Group> groups_of(const kernel::Strided& memory) const;
  /// Returns the distance of a group's index between consecutive lanes; nullopt if lanes leave the
  /// group.
  std::optional<std::uint64_t> moves(const Group& group, const Spread& spread) const;
  /// Returns the dimension that lanes cannot leave; nullopt if there is none.
  std::optional<std::size_t> dimension_of(const Spread& spread) const;
  std::optional<LaneIndex> index(const Group& group, const Numbers& at) const;
  ir::Value index_of_lane(const Group& group, ir::Value number) const;
  std::optional<ir::Value> index_by_line(const Group& group, ir::Value number) const;
  ir::Value narrowed(ir::Value number) const;

  ir::Builder& b_;
  const kernel::Step& step_;
  const ArrayLines lines_;
  const kernel::Hooked& array_;
};

}  // namespace imago::blocks
