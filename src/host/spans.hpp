// This file cuts a batch into pieces that lie in host memory as they lie on the device: spans of
// neighbouring members.
#pragma once

#include <optional>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// True if a direction writes less than all bytes from the first to the last one.
bool has_gaps(const problem::Problem& problem, bool inverse);

/// Returns all of a direction as one span.
Piece whole_span(const Whole& whole, bool inverse, Shapes& shapes);

/// Cuts a batch into spans of as many members as keep all at work and fit the budget; empty if one
/// member does not fit, or if members cannot be computed apart.
std::optional<HostPass> spans(const Whole& whole, bool inverse, const Budget& budget,
                              Shapes& shapes);

}  // namespace imago::host
