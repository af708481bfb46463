// This file holds what kernels do for a convolution (kernel::Convolution) wherever they stand in
// it: the numbers of its points, entries of its tables, and the pointwise product, where the way
// back begins.
#pragma once

#include "blocks/frame.hpp"
#include "blocks/lanes.hpp"

namespace imago::blocks {

/// Points of the convolution.
std::uint64_t convolution_length(const kernel::Step& step);
/// Number of point `point` of a column in the convolution, or in the spectrum that a filter turns
/// in; an invalid column is number 0.
Index number_of(const Frame& frame, const Index& point, const Index& column);

/// A section of the table: its offset in real numbers, and its complex numbers.
struct TableSection {
  std::size_t offset;
  std::uint64_t entries;
};
/// Entries `at`, one per lane; zero where `condition` is not met, which asks for one lane.
Cx entry(const Frame& frame, const TableSection& section, const Index& at, unsigned lanes,
         ir::Value condition = {});

/// The column of a convolution whose points a butterfly has.
struct ConvolvedColumn {
  Index number;           ///< its base is invalid where that is 0
  ir::Value exists = {};  ///< the column does, and what hooks read for it; invalid: always
  /// The element that stays beside the convolution: called by one butterfly with the sum of all
  /// others (where k is 0). Writes the sum of all as element 0 of the DFT, and returns the element
  /// as it was, where k is 0, else zero.
  std::function<Cx(const Index& k, const Cx& sum)> lone_element;
};
/// The body of the last pass forth (Geometry::turns): results of `body`, points k + done * s, times
/// the spectrum or through a filter's hooks, parts swapped.
Body with_product(const Frame& frame, const Geometry& geometry, const Body& body,
                  const ConvolvedColumn& column);

}  // namespace imago::blocks
