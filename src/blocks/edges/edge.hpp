// This file leads points through the edge of their side (kernel::Edge): each edge has these
// functions for its own struct, in the file of its name.
#pragma once

#include "blocks/elements.hpp"

namespace imago::blocks {

/// The point at `at`, made of elements. Where there is a condition, zero if it is not met. All
/// lanes of a point that is made of several elements have the same number in their lines.
Cx load_point(const Input& input, const Point& at, Spread spread = {}, ir::Value condition = {});
/// Stores what memory holds of the point, where it has a place.
void store_point(const Output& output, const Point& at, const Cx& x, const Spread& spread = {});
/// Returns what is stored for the point at `at`, with its factor, and its partner, of edges that
/// join them.
Cx joined(const Frame& frame, const Point& at, const Cx& point, const Cx& partner);

}  // namespace imago::blocks
