// This file defines the properties that all lines of one direction share.
#pragma once

#include <cstdint>

#include "device/facts.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

// Shortest line for which a CPU needs as many lines as cores, because cores cannot share a line.
inline constexpr std::uint64_t kLongOnCpu = 16384;

/// Returns true if kernels of the algorithm can compute the line.
using Applicable = bool (*)(Algorithm algorithm, const Request& line, Mapping mapping,
                            const device::Facts& facts);

struct LineContext {
  const problem::Problem& problem;
  bool inverse;
  Mapping mapping;
  Algorithm algorithm;  ///< the algorithm of the wish
  const device::Facts& facts;
  Applicable applicable;

  /// Returns true if one kernel may do what only a single kernel can do.
  bool single() const {
    return algorithm == Algorithm::automatic || algorithm == Algorithm::single;
  }
  /// Returns the number of lines that decisions are based on: `lines` of the whole batch, or those
  /// of one batch element if results must not depend on the batch (Problem::alike).
  std::uint64_t counted(std::uint64_t lines) const;
  /// Returns the number of points, of all transforms, that decisions are based on.
  std::uint64_t points() const;
  /// Returns true if an axis of so many points needs no convolution.
  bool has_radices(std::uint64_t points) const;
  /// Returns true if kernels of the work-group mapping can compute the line, or if one kernel of
  /// the vector mapping can compute each of `lines` lines whole. With `apart`, the kernel processes
  /// tiles of adjacent columns.
  bool takes_whole(const Request& line, bool apart, std::uint64_t lines) const;
};

}  // namespace imago::lines
