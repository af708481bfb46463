// This file applies the edge of a side (kernel::Edge) to points. Each edge has these functions for
// its own struct, in the file of its name.
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

/// Returns the point at `at`, computed from elements. If the condition is false, the point is zero.
/// If a point is computed from several elements, its lanes must belong to different lines, and be
/// point number `at.p` in each of them.
Cx load_point(const Input& input, const Point& at, Spread spread = {},
              const ir::Condition& condition = ir::Condition::always());
/// Stores the elements of the point, if the point has a place in memory.
void store_point(const Output& output, const Point& at, const Cx& x, const Spread& spread = {});
/// Returns the value to store for the point at `at`, including its factor, for edges that join
/// partners.
Cx joined(const Frame& frame, const Point& at, const Cx& point, const Cx& partner);

}  // namespace imago::blocks
