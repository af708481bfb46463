// This file draws measurements over ranks: strong and weak scaling, with the model's predictions.
#pragma once

#include <string>
#include <vector>

#include "record.hpp"

namespace imago::bench::ranks {

/// Returns an SVG with a chart for each shape with several numbers of ranks (strong scaling), and
/// one for each part per rank (weak scaling): milliseconds over the ranks. If a run was repeated,
/// the later one counts. For transposed spectra, two lines show the predictions of `imago explain
/// --ranks` from the rates of each run: the time of memory, and the time with messages.
std::string picture(const std::vector<Run>& runs);

}  // namespace imago::bench::ranks
