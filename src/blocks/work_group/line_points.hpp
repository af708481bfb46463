// This file computes the points of the line that a butterfly reads or writes, one for each of its
// legs (inputs or outputs). It also computes their factors in half spectra, cosine and sine
// transforms.
#pragma once

#include "blocks/exchange/held.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// Returns the number in its line of point `point` of a transform. Its point 0 is number `first` of
/// the line (not valid: 0), and its points are `step` points of the line apart.
ir::Value line_point(ir::Value first, ir::Value point, std::uint64_t step);

/// Returns true if the legs of a butterfly are spread evenly over the line, so that their factors
/// follow from the factor of the first leg, number `first` of the line. It is false for a
/// convolution, and for a constant `first`, where constant factors are better.
bool legs_around(const Frame& frame, ir::Value first, bool convolves);
/// Returns the factor of leg `leg`, computed from `root`, the factor of the first leg; not valid if
/// `root` is not.
Cx turned_root(const Frame& frame, const kernel::Roots& roots, const Cx& root, const Site& site,
               std::size_t leg);

}  // namespace imago::blocks
