// This file turns samples into numbers: a row per case, and the geometric means over the rows. Pure
// functions, so that they are tested without a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measure.hpp"

namespace imago::bench {

/// Fills in what follows from the samples. A series belongs to the result of the same name; those
/// of no result are copies, and the fastest of them is the wall.
Row make_row(const Case& problem, std::vector<Result> results, const std::vector<Series>& series);

/// Adds what calls with a wait took, of a series each as above.
void add_latencies(Row& row, const std::vector<Series>& series);

/// The ratios of one peer, or the shares of the wall where `peer` is empty, over the rows of a
/// precision and a family.
struct Mean {
  std::optional<Precision> precision;  ///< none: over all of them
  std::string family;                  ///< as family(); kAllFamilies: over all of them
  std::string peer;
  bool latency = false;  ///< of calls with a wait; else of trains
  double value = 0;      ///< geometric mean; of no use where `rows` is 0
  double worst = 0;
  std::string worst_shape, worst_case;  ///< as shape() and name()
  std::size_t rows = 0;                 ///< that have the number
  std::size_t cases = 0;  ///< rows in all: what an engine refuses is in no mean, but counted here
};
inline constexpr const char* kAllFamilies = "all";
/// For each precision and each of its families, and where there are several for all of them:
/// imago's share of the wall, then its ratio to each peer and, with several of them, to the best of
/// each row ("best peer"); of single calls the ratios of calls with a wait, too, and all of it over
/// all precisions.
std::vector<Mean> summarise(const Report& report);
/// The families of a precision's rows, in their order.
std::vector<std::string> families_of(const Report& report, Precision precision);

}  // namespace imago::bench
