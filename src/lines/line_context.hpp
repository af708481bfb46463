// This file holds what all lines of one direction have in common.
#pragma once

#include <cstdint>

#include "device/facts.hpp"
#include "lines/request.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

// A CPU's cores share long transforms only line by line.
inline constexpr std::uint64_t kLongOnCpu = 16384;

/// True if kernels of the algorithm take the line.
using Applicable = bool (*)(Algorithm algorithm, const Request& line, Mapping mapping,
                            const device::Facts& facts);

struct LineContext {
  const problem::Problem& problem;
  bool inverse;
  Mapping mapping;
  Algorithm algorithm;  ///< the wished one
  const device::Facts& facts;
  Applicable applicable;

  /// One kernel may do what only a single kernel can.
  bool single() const {
    return algorithm == Algorithm::automatic || algorithm == Algorithm::single;
  }
  /// So many lines of the whole batch, as decisions count them: those of one member where members
  /// are alike.
  std::uint64_t counted(std::uint64_t lines) const;
  /// Points of all transforms that decisions count.
  std::uint64_t points() const;
  /// Whether kernels of the work-group mapping take the line, or one kernel of the vector mapping
  /// takes each of so many lines whole; `apart`: its lines are tiles of neighbouring columns.
  bool takes_whole(const Request& line, bool apart, std::uint64_t lines) const;
};

}  // namespace imago::lines
