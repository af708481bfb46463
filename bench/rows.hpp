// This file computes a row per case from samples, and the geometric means over the rows. Pure
// functions, which can be tested without a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measure.hpp"

namespace imago::bench {

/// Computes a row from the samples. A series belongs to the result of the same name. Series without
/// a result are copies, of which the fastest is the copy bandwidth.
Row make_row(const Case& problem, std::vector<Result> results, const std::vector<Series>& series);

/// Adds the times of synchronous calls, a series for each result.
void add_latencies(Row& row, const std::vector<Series>& series);

/// The mean of the ratios to one engine, or of the fractions of copy bandwidth if `peer` is empty,
/// over the rows of a precision and a family.
struct Mean {
  std::optional<Precision> precision;  ///< nullopt: mean over all precisions
  std::string family;                  ///< result of family(); kAllFamilies: mean over all families
  std::string peer;
  bool latency = false;  ///< true: synchronous calls; false: back-to-back calls
  double value = 0;      ///< geometric mean; invalid if `rows` is 0
  double worst = 0;
  std::string worst_shape, worst_case;  ///< results of shape() and name()
  std::size_t rows = 0;                 ///< number of rows that have the number
  std::size_t cases = 0;  ///< number of all rows, including those that an engine rejected
};
inline constexpr const char* kAllFamilies = "all";
/// The `peer` of means over the best other engine of each row.
inline constexpr const char* kBestPeer = "best peer";
/// The `peer` of means of cuFFT's times in graphs divided by imago's in graphs.
inline constexpr const char* kGraphs = "cufft-graph by imago-graph";
/// Returns the means for each precision and each of its families, and over all families if there
/// are several. These are imago's fraction of copy bandwidth, its ratio to each engine and, with
/// several engines, the ratio to the best of each row (kBestPeer). For single calls they also
/// contain the ratios of synchronous calls, and the means over all precisions.
std::vector<Mean> summarise(const Report& report);
/// Returns the families of a precision's rows, in their order.
std::vector<std::string> families_of(const Report& report, Precision precision);

}  // namespace imago::bench
