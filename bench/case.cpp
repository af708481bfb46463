// This file computes the sizes of a case's arrays from the catalogue's layout. The plugins also
// compile it, so it has no other dependencies.
#include "bench/case.hpp"

#include <functional>
#include <numeric>
#include <utility>

namespace imago::bench {

Case forward_case(std::vector<std::uint64_t> lengths, std::uint64_t batch, Precision precision,
                  Placement placement, Kind kind) {
  Case problem;
  problem.lengths = std::move(lengths);
  problem.batch = batch;
  problem.precision = precision;
  problem.placement = placement;
  problem.kind = kind;
  return problem;
}

std::size_t real_bytes(const Case& problem) {
  return problem.precision == Precision::f64 ? 8 : problem.precision == Precision::f32 ? 4 : 2;
}

std::size_t elements(const Case& problem) {
  return std::accumulate(problem.lengths.begin(), problem.lengths.end(), std::size_t{1},
                         std::multiplies<>());
}

std::size_t rows(const Case& problem) { return rows_of(problem, true).count / problem.batch; }

std::size_t spectrum_row(const Case& problem) { return extents(problem, false).back(); }

std::size_t signal_pitch(const Case& problem) { return rows_of(problem, true).pitch; }

std::size_t spectrum_points(const Case& problem) { return packed_size(problem, false); }

std::size_t spectrum_numbers(const Case& problem) {
  return rows_of(problem, false).numbers() / problem.batch;
}

std::size_t signal_bytes(const Case& problem) {
  const catalogue::Rows signal = rows_of(problem, true);
  return signal.count * signal.pitch * real_bytes(problem);
}

std::size_t spectrum_bytes(const Case& problem) {
  return rows_of(problem, false).numbers() * real_bytes(problem);
}

std::size_t moved_bytes(const Case& problem) {
  return rows_of(problem, true).numbers() * real_bytes(problem) + spectrum_bytes(problem);
}

}  // namespace imago::bench
