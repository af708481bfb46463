// This file draws what was measured over ranks: strong and weak scaling, with the model beside it.
#pragma once

#include <string>
#include <vector>

#include "record.hpp"

namespace imago::bench::ranks {

/// SVG: a chart for each shape that several numbers of ranks were given (strong scaling), and one
/// for each part that a rank was given (weak scaling): milliseconds over the ranks. Of two runs of
/// the same the later one counts. Where the spectrum stays transposed two lines are predictions of
/// `imago explain --ranks` from the rates of each run: what memory takes, and with messages.
std::string picture(const std::vector<Run>& runs);

}  // namespace imago::bench::ranks
