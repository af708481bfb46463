// This file does arithmetic on the numbers of a hooked side's elements: indices along dimensions,
// and places in memories that have some of the dimensions.
#pragma once

#include <optional>

#include "blocks/access.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// Elements that lanes hold: lane l that with the number first + l * apart in the packed array.
struct Numbers {
  ir::Value first;
  Spread spread = {};
  ir::Value in_line = {};  ///< the index of the first one along Hooked::line_axis, if it is at hand
};

/// How a kernel takes elements of a packed array whose elements pass hooks.
struct ArrayLines {
  const kernel::Hooked& hooked;
  std::uint64_t stride = 1;         ///< from element to element of a line
  std::uint64_t pair_stride = 0;    ///< from the first real of a pair to the second; 0: no pairs
  std::uint64_t column_stride = 0;  ///< from line to line along the fastest column
  /// Vectors along a line begin at multiples of their width where that divides the run.
  std::uint64_t run = 1;
};
/// Those of a side with hooks.
ArrayLines lines_of(const Frame& frame, const kernel::Side& side);

/// An index of lane 0, and how far it is from lane to lane.
struct LaneIndex {
  ir::Value first;
  std::uint64_t apart = 0;
};

/// index < end; not valid() where it always is.
ir::Value is_below(ir::Value index, std::uint64_t end);
/// index >= begin; not valid() where it always is.
ir::Value is_from(ir::Value index, std::uint64_t begin);

class HookedArray {
 public:
  HookedArray(const Frame& frame, const ArrayLines& lines)
      : b_(frame.b), step_(frame.step), lines_(lines), array_(lines.hooked) {}

  /// The index along a dimension; nothing where lanes may leave it.
  std::optional<LaneIndex> index(std::size_t axis, const Numbers& at) const;
  /// Whether lanes' first index along a dimension is a multiple of what they span there, as its
  /// extent is; of one lane, or the same index in all, always.
  bool aligned(std::size_t axis, const Numbers& at) const;
  /// The number of the batch member.
  std::optional<LaneIndex> member(const Numbers& at) const;
  /// Where the elements lie; nothing where lanes are not a constant distance apart.
  std::optional<LaneIndex> place(const kernel::Strided& memory, const Numbers& at) const;
  /// The number within its batch member of one lane's element.
  ir::Value number_in_member(const Numbers& at) const;
  /// One lane's numbers.
  Numbers lane(const Numbers& at, unsigned lane) const;
  Numbers lane(const Numbers& at, ir::Value lane) const;
  /// A rotation along a dimension, by a non-negative number below its extent, of one lane, or of
  /// lanes whose index is the same; nothing where it is not.
  std::optional<Numbers> rotated(std::size_t axis, std::uint64_t by, const Numbers& at) const;

 private:
  /// Neighbouring dimensions in one: indices 0 .. extent-1, or of the whole batch without end.
  struct Group {
    std::uint64_t stride, extent;  ///< in numbers; extent 0: no end
    std::uint64_t apart;           ///< in memory
  };
  std::vector<Group> groups_of(const kernel::Strided& memory) const;
  /// How far the index of a group moves from lane to lane; nothing where lanes leave it.
  std::optional<std::uint64_t> moves(const Group& group, const Spread& spread) const;
  /// The dimension that lanes cannot leave.
  std::optional<std::size_t> dimension_of(const Spread& spread) const;
  std::optional<LaneIndex> index(const Group& group, const Numbers& at) const;
  ir::Value index_of_lane(const Group& group, ir::Value number) const;
  ir::Value narrowed(ir::Value number) const;

  ir::Builder& b_;
  const kernel::Step& step_;
  const ArrayLines lines_;
  const kernel::Hooked& array_;
};

}  // namespace imago::blocks
