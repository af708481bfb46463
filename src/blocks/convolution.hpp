// This file holds the code that kernels need for a convolution (kernel::FusedConvolution) at any
// place in it: the numbers of its points, the entries of its tables, and the pointwise product,
// where the inverse begins.
#pragma once

#include "blocks/frame.hpp"
#include "blocks/lanes.hpp"

namespace imago::blocks {

/// Returns the number of points of the convolution.
std::uint64_t convolution_length(const kernel::Step& step);
/// Returns the number of point `point` of a column in the convolution, or in the spectrum at a
/// filter's fused point. A column that is not valid has number 0.
Index number_of(const Frame& frame, const Index& point, const Index& column);

/// A section of the table: its offset in real numbers, and its number of complex entries.
struct TableSection {
  std::size_t offset;
  std::uint64_t entries;
};
/// Returns the entries `at`, one for each lane. A condition requires one lane; if it is false, the
/// entry is zero.
Cx entry(const Frame& frame, const TableSection& section, const Index& at, unsigned lanes,
         const ir::Condition& condition = ir::Condition::always());

/// The column of a convolution that a butterfly belongs to.
struct ConvolvedColumn {
  Index number;  ///< number of the column; not valid: 0
  /// The column, and the data that is read for it, exist.
  ir::Condition exists = ir::Condition::always();
  /// Handles the element that stays outside the convolution. A butterfly with k = 0 calls it with
  /// the sum of all other elements. It writes the sum of all elements as element 0 of the DFT, and
  /// returns the original element if k is 0, else zero.
  std::function<Cx(const Index& k, const Cx& sum)> lone_element;
};
/// Returns the body of the last pass before the product (Geometry::turns): results of `body`, at
/// points k + done * s, multiplied by the spectrum or changed by a filter, with swapped
/// parts.
Body with_product(const Frame& frame, const Geometry& geometry, const Body& body,
                  const ConvolvedColumn& column);

}  // namespace imago::blocks
