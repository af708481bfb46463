// This file divides a batch into contiguous pieces (spans of adjacent batch elements), whose layout
// on the device equals that in host memory.
#pragma once

#include <optional>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// True if a direction does not write all bytes from its first to its last output element.
bool has_gaps(const problem::Problem& problem, bool inverse);

/// Returns a direction as one span.
Piece whole_span(const Whole& whole, bool inverse, Shapes& shapes);

/// Divides a batch into spans that keep all devices busy and fit the budget. Returns nullopt if one
/// batch element does not fit, or if batch elements cannot be computed separately.
std::optional<HostPass> spans(const Whole& whole, bool inverse, const Budget& budget,
                              Shapes& shapes);

}  // namespace imago::host
