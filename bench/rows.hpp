// This file turns samples into numbers: a row per case, and the geometric means over the rows. Pure
// functions, so that they are tested without a device.
#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measure.hpp"

namespace imago::bench {

/// Fills in what follows from the samples. A series belongs to the result of the same name; those
/// of no result are copies, and the fastest of them is the wall.
Row make_row(const Case& problem, std::vector<Result> results, const std::vector<Series>& series);

/// The ratios of one peer, or the shares of the wall where `peer` is empty, over a precision's
/// rows.
struct Mean {
  Precision precision = Precision::f32;
  std::string peer;
  double value = 0;  ///< geometric mean
  double worst = 0;
  std::size_t worst_length = 0;
  std::size_t rows = 0;
};
/// For each precision imago's share of the wall, then its ratio to each peer and, with several of
/// them, to the best of each row ("best peer").
std::vector<Mean> summarise(const Report& report);

}  // namespace imago::bench
