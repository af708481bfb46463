// This file holds what a kernel does for a convolution (plan::Convolution): factors and places from
// the tables, and the product with the spectrum where the way back begins.
#pragma once

#include "blocks/frame.hpp"
#include "blocks/lanes.hpp"

namespace imago::blocks {

/// Number of point `point` of a column in the convolution; an invalid column is number 0.
Index number_of(const Frame& frame, const Index& point, const Index& column);

/// Whether an element exists: has a number below the DFT's points. Invalid: always.
ir::Value exists(const Frame& frame, ir::Value number);
/// Whether none of the elements from point `first` on exists, in any column.
bool nothing_from(const plan::Step& step, std::uint64_t first);

/// Bluestein's factor of the elements number, number + step, .. one per lane; zero where
/// `condition` is not met.
Cx chirp(const Frame& frame, const Index& number, unsigned lanes, ir::Value condition = {});
/// Rader's place of element e + 1 (e scalar) in what is convolved, and in the result.
ir::Value place_in(const Frame& frame, ir::Value e);
ir::Value place_out(const Frame& frame, ir::Value e);

/// The column of a convolution whose points a butterfly has.
struct ConvolvedColumn {
  Index number;  ///< its base is invalid where that is 0
  /// Rader's element 0, which is not convolved: called by one butterfly with the sum of the others
  /// (where k is 0). Writes the sum of all as element 0 of the DFT, and returns the element as it
  /// was, where k is 0, else zero.
  std::function<Cx(const Index& k, const Cx& sum)> lone_element;
};
/// The body of the last pass forth (Geometry::turns): results of `body`, points k + done * s, times
/// the spectrum, parts swapped.
Body with_product(const Frame& frame, const Geometry& geometry, const Body& body,
                  const ConvolvedColumn& column);

/// A result of the way back as an element of the DFT; `factor` is its chirp, or not valid.
Cx returned(const Cx& value, const Cx& factor);

}  // namespace imago::blocks
