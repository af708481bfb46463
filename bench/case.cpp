// This file counts what a case's arrays hold, from where the catalogue lays its elements. The
// plugins compile it, too, so it knows nothing else.
#include "bench/case.hpp"

#include <functional>
#include <numeric>
#include <utility>

namespace imago::bench {
namespace {

/// Real numbers of an element of the signal or of the spectrum.
std::size_t numbers_per_element(const Case& problem, bool source) {
  return catalogue::is_real(problem, source) ? 1 : 2;
}

}  // namespace

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

std::size_t rows(const Case& problem) { return elements(problem) / problem.lengths.back(); }

std::size_t spectrum_row(const Case& problem) { return extents(problem, false).back(); }

std::size_t signal_pitch(const Case& problem) {
  return numbers_per_element(problem, true) * padded_extents(problem, true).back();
}

std::size_t spectrum_points(const Case& problem) { return packed_size(problem, false); }

std::size_t spectrum_numbers(const Case& problem) {
  return numbers_per_element(problem, false) * spectrum_points(problem);
}

std::size_t signal_bytes(const Case& problem) {
  return problem.batch * rows(problem) * signal_pitch(problem) * real_bytes(problem);
}

std::size_t spectrum_bytes(const Case& problem) {
  return problem.batch * spectrum_numbers(problem) * real_bytes(problem);
}

std::size_t moved_bytes(const Case& problem) {
  return problem.batch * elements(problem) * numbers_per_element(problem, true) *
             real_bytes(problem) +
         spectrum_bytes(problem);
}

}  // namespace imago::bench
