// This file cuts transforms into lines by the planner's algorithms, and shares a wish out to them.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"

namespace imago::plan {

/// The lines of one direction (lines/cutter.hpp). Of a wish, mapping and algorithm matter.
std::vector<lines::Request> lines_of(const problem::Problem& problem, bool inverse,
                                     const Parameters& wish, const device::Facts& facts);

/// What a wish says about each line: its kernels go to the lines in the launch order of the forward
/// direction, whichever direction they are of. Of several lines one without small factors is a
/// convolution: Rader's where the kernels up to there have p - 1 points, else Bluestein's. Throws
/// InvalidArgument where their lengths do not multiply to those of the lines.
std::vector<Parameters> share(const Parameters& wish, const std::vector<lines::Request>& lines);
/// A way to cut a transform into lines, and the algorithm of a wish that cuts it so.
struct Cut {
  Algorithm algorithm = Algorithm::automatic;
  std::vector<lines::Request> lines = {};  ///< in launch order
};
/// The wish that is shared out so. Of several lines it has the cut's algorithm: each line's follows
/// from its kernels.
Parameters join(const std::vector<Parameters>& shares, const Cut& cut);
/// Whether sharing the joined wish out gives the line this share again. Of several lines a wish
/// cannot say that a convolution of Rader's is padded.
bool can_join(const Parameters& share, const lines::Request& line, const Cut& cut);
/// The usual way first, then each axis for itself where that is another one.
std::vector<Cut> cuts(const problem::Problem& problem, const device::Facts& facts);

}  // namespace imago::plan
