// This file cuts transforms into lines by the planner's algorithms, and shares a wish out to them.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"

namespace imago::plan {

/// Cuts one direction into lines (lines::cut). Only mapping and algorithm of the wish matter.
std::vector<lines::Request> lines_of(const problem::Problem& problem, bool inverse,
                                     const Parameters& wish, const device::Facts& facts);

/// Shares a wish out: its kernels go to the lines in the launch order of the forward direction,
/// whichever direction the lines are of. If there are several, a line without small factors is a
/// convolution: Rader's if the kernels so far have p - 1 points, else Bluestein's. Throws
/// InvalidArgument if the lengths of the kernels do not multiply to those of the lines.
std::vector<Parameters> share(const Parameters& wish, const std::vector<lines::Request>& lines);
/// A way to cut a transform into lines, and the algorithm of a wish that cuts it so.
struct Cut {
  Algorithm algorithm = Algorithm::automatic;
  std::vector<lines::Request> lines = {};  ///< in launch order
};
/// Returns the wish that is shared out so. For several lines it has the cut's algorithm: that of
/// each line follows from its kernels.
Parameters join(const std::vector<Parameters>& shares, const Cut& cut);
/// True if sharing the joined wish out gives the line this share again. A wish for several lines
/// cannot say that Rader's convolution is padded.
bool can_join(const Parameters& share, const lines::Request& line, const Cut& cut);
/// Returns the usual way first, then each axis for itself if that is another one.
std::vector<Cut> cuts(const problem::Problem& problem, const device::Facts& facts);

}  // namespace imago::plan
