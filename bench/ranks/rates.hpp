// This file measures what the model of ranks needs of a machine (model/ranks.hpp).
#pragma once

#include "model/ranks.hpp"

namespace imago::bench::ranks {

/// Collective, a second or less: all ranks at once copy their memory, and send to a neighbour. Of
/// the slowest rank. No link: the ranks' devices work in host memory.
model::RankRates measured_rates();

}  // namespace imago::bench::ranks
