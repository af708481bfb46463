// This file finds the factors of the points of a line (plan::Roots), which edges multiply by.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// The factors of points p, p + step, .. one per lane, at load or at store; not valid: none.
Cx root_in(const Frame& frame, const Index& p, unsigned lanes);
Cx root_out(const Frame& frame, const Index& p, unsigned lanes);
/// The factor of a point for the work-group mapping; those of points that differ by a constant
/// follow from one.
Cx root_at(const Frame& frame, const plan::Roots& roots, ir::Value p);

}  // namespace imago::blocks
