// This file cuts a batch into pieces that lie in host memory as they lie on the device: spans of
// neighbouring members.
#pragma once

#include <optional>

#include "host/arrays.hpp"
#include "host/course.hpp"

namespace imago::host {

/// Whether a direction writes less than what lies between the first and the last byte.
bool has_gaps(const problem::Problem& problem, bool inverse);

/// All of a direction as one span.
Piece whole_span(const Whole& whole, bool inverse, Shapes& shapes);

/// Spans of as many members as keep all at work and fit the budget; empty where one member does
/// not fit, or where members cannot be computed apart.
std::optional<Round> spans(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes);

}  // namespace imago::host
