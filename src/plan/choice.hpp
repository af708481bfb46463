// This file chooses parameters by predicted time: the defaults of the device class, unless a
// variation of them is clearly faster. The prediction comes from the caller, so that the planner
// needs no model.
#pragma once

#include <functional>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Predicted seconds of a program on the device.
using Cost = std::function<double(const kernel::Program&, const device::Facts&)>;

/// Few enough to be compared in each planning: the defaults first; then with half and twice the
/// work-items, columns or lanes, the other exchange or lane axis, fewer tiles per work-item and
/// twice as many, and the neighbouring splits of the length, or other lengths to convolve. Complete
/// and legal.
std::vector<Parameters> shortlist(const lines::Request& request, const device::Facts& facts);
/// Of all lines together: the defaults, then each line's variations beside the others' defaults.
std::vector<Parameters> shortlist(const Cut& cut, const device::Facts& facts);

/// A candidate, and what it costs.
struct Ranked {
  Parameters parameters;  ///< complete
  double seconds = 0;
  unsigned group_size = 0;  ///< work-items of its work-groups; 0: their sizes differ
};
/// The shortlist, in its order.
std::vector<Ranked> rank(const lines::Request& request, const device::Facts& facts,
                         const Cost& cost);
/// The cheapest; a variation must be predicted 5 % faster than the defaults, which come first.
const Ranked& cheapest(const std::vector<Ranked>& ranked);

/// The cheapest of the shortlist; a variation must be predicted 5 % faster than the defaults, which
/// is what the model's differences mean (docs/model.md).
Parameters choose(const lines::Request& request, const device::Facts& facts, const Cost& cost);
/// The same among those that compute what `alike`, complete and of a request of this length, does:
/// in its mapping, with its algorithm, lengths, radices and twiddles, so that results have its
/// bits. Throws InvalidArgument where the request allows none.
Parameters choose_alike(const lines::Request& request, const device::Facts& facts, const Cost& cost,
                        const Parameters& alike);

}  // namespace imago::plan
