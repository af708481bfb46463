// This file finds the factors of the points of a line (kernel::Roots), which edges multiply by.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// The factors of points p, p + step, .. one per lane, at load or at store; not valid: none.
Cx root_in(const Frame& frame, const Index& p, unsigned lanes);
Cx root_out(const Frame& frame, const Index& p, unsigned lanes);
/// The fourth powers of the factors, of edges that unfold (kernel::EdgeFacts); else not valid.
Cx unfolding_in(const Frame& frame, const Index& p, unsigned lanes);
Cx unfolding_out(const Frame& frame, const Index& p, unsigned lanes);

/// The factors that an edge multiplies a point by.
struct Factors {
  Cx own = {};        ///< not valid: nothing
  Cx unfolding = {};  ///< its fourth power, where the edge unfolds
};
Factors factors_in(const Frame& frame, const Index& p, unsigned lanes);
Factors factors_out(const Frame& frame, const Index& p, unsigned lanes);
/// The factor of a point for the work-group mapping; those of points that differ by a constant
/// follow from one.
Cx root_at(const Frame& frame, const kernel::Roots& roots, ir::Value p);

}  // namespace imago::blocks
