// This file divides transforms into lines by the planner's algorithms, and distributes a wish over
// them.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"

namespace imago::plan {

/// Divides one direction into lines (lines::cut). Only mapping and algorithm of the wish matter.
std::vector<lines::Request> lines_of(const problem::Problem& problem, bool inverse,
                                     const Parameters& wish, const device::Facts& facts);

/// Distributes the kernels of a wish over the lines, in the launch order of the forward direction,
/// for lines of either direction. If there are several lines, one without small factors is a
/// convolution: Rader's if its kernels multiply to p - 1 points, else Bluestein's. Throws
/// InvalidArgument if the lengths of the kernels do not multiply to those of the lines.
std::vector<Parameters> share(const Parameters& wish, const std::vector<lines::Request>& lines);
/// A way to divide a transform into lines, and the algorithm of a wish that leads to it.
struct Cut {
  Algorithm algorithm = Algorithm::automatic;
  std::vector<lines::Request> lines = {};  ///< in launch order
};
/// Returns the wish that share() would distribute as `shares`. For several lines it has the cut's
/// algorithm, and the kernels determine the algorithm of each line.
Parameters join(const std::vector<Parameters>& shares, const Cut& cut);
/// Returns true if distributing the joined wish gives the line this share again. It is false for a
/// padded Rader convolution, which a wish for several lines cannot specify.
bool can_join(const Parameters& share, const lines::Request& line, const Cut& cut);
/// Returns the usual cut first, then the cut with each axis as a separate line if it differs.
std::vector<Cut> cuts(const problem::Problem& problem, const device::Facts& facts);

}  // namespace imago::plan
