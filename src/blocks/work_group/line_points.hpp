// This file says which points of their line the legs of a butterfly are, and gives their factors in
// half spectra, cosine and sine transforms.
#pragma once

#include "blocks/exchange/held.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// The number in its line of point `point` of a transform whose point 0 is number `first` there
/// (invalid: 0), and whose points lie `step` points of the line apart.
ir::Value line_point(ir::Value first, ir::Value point, std::uint64_t step);

/// Whether the legs of a butterfly lie all around the line, so that their factors follow from the
/// factor of the first one, number `first` of its line. In a convolution they do not; and where the
/// number is known, known factors are better.
bool legs_around(const Frame& frame, ir::Value first, bool convolves);
/// The factor of leg `leg`, which follows from `root`, that of the first one; not valid if that is
/// not.
Cx turned_root(const Frame& frame, const kernel::Roots& roots, const Cx& root, const Site& site,
               std::size_t leg);

}  // namespace imago::blocks
