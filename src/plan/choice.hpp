// This file chooses parameters by predicted time: the defaults of the device class, unless a
// variation of them is clearly faster. The caller supplies the prediction, so the planner does not
// depend on the cost model.
#pragma once

#include <functional>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Returns the predicted seconds of a program on the device.
using Cost = std::function<double(const kernel::Program&, const device::Facts&)>;

/// A candidate and its predicted cost.
struct Ranked {
  Parameters parameters;  ///< complete
  double seconds = 0;
  unsigned group_size = 0;  ///< work-items of its work-groups; 0: sizes differ
};
/// Returns candidates of the shortlist, in its order: the first one, and at least the cheapest one
/// for each size of work-groups.
std::vector<Ranked> rank(const lines::Request& request, const device::Facts& facts,
                         const Cost& cost);
/// Returns the cheapest candidate. The defaults come first; a variation must be predicted to be 5 %
/// faster than they are.
const Ranked& cheapest(const std::vector<Ranked>& ranked);

/// Returns the cheapest parameters of the shortlist. If the work loads a GPU fully, the cheapest
/// ones are varied again, a few times. A variation must be predicted to be 5 % faster than what it
/// varies, because smaller differences of the model mean nothing (docs/model.md).
Parameters choose(const lines::Request& request, const device::Facts& facts, const Cost& cost);
/// Returns the cheapest parameters among those with the arithmetic of `alike`: its mapping,
/// algorithm, lengths, radices and twiddles, so that results are bitwise equal. `alike` is complete
/// and belongs to a request of the same length. Throws InvalidArgument if the request allows no
/// such parameters.
Parameters choose_alike(const lines::Request& request, const device::Facts& facts, const Cost& cost,
                        const Parameters& alike);

}  // namespace imago::plan
