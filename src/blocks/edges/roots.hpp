// This file computes the factors of a line's points (kernel::Roots), by which edges multiply.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Returns the factors of points p, p + step and so on, one for each lane, at load or at store; not
/// valid: there are none.
Cx root_in(const Frame& frame, const Index& p, unsigned lanes);
Cx root_out(const Frame& frame, const Index& p, unsigned lanes);
/// Returns the fourth powers of the factors, for edges that unfold (kernel::EdgeFacts); else not
/// valid.
Cx unfolding_in(const Frame& frame, const Index& p, unsigned lanes);
Cx unfolding_out(const Frame& frame, const Index& p, unsigned lanes);

/// The factors by which an edge multiplies a point.
struct Factors {
  Cx own = {};        ///< the point's factor; not valid: 1
  Cx unfolding = {};  ///< its fourth power, for edges that unfold
};
Factors factors_in(const Frame& frame, const Index& p, unsigned lanes);
Factors factors_out(const Frame& frame, const Index& p, unsigned lanes);
/// Returns the factors of a point of an axis, for the work-group mapping; `offset` is that of their
/// table, if the step has one.
Factors factors_along(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset,
                      ir::Value p);

}  // namespace imago::blocks
