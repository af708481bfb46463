// This file adds lines of any length to a program. A line that fits into a tile is one launch;
// others are cut into columns and rows, or computed by convolutions.
#pragma once

#include "generic/launches.hpp"

namespace imago::generic {

void add_lines(Launches& launches, const Lines& lines);

}  // namespace imago::generic
