// This file says how much scratch memory a plan may have, and refuses what does not fit.
#pragma once

#include <cstdint>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "problem/problem.hpp"

namespace imago::engine {

/// The least of what the options and the device allow.
struct ScratchLimit {
  std::uint64_t bytes = 0;
  std::string field;  ///< of the options; empty: the device's own limit

  static ScratchLimit of(const device::Facts& facts, const Options& options);
  /// Throws InvalidArgument, or where the limit is the device's Unsupported: `what` (a sentence)
  /// needs so many bytes.
  [[noreturn]] void refuse(const std::string& what, std::uint64_t needed) const;
};

}  // namespace imago::engine
