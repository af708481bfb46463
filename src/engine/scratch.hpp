// This file limits the scratch memory of a plan.
#pragma once

#include <cstdint>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "problem/problem.hpp"

namespace imago::engine {

/// The smallest of the limits of the options and the device.
struct ScratchLimit {
  std::uint64_t bytes = 0;
  std::string field;  ///< name of the option that defines it; empty: the device's limit

  static ScratchLimit of(const device::Facts& facts, const Options& options);
  /// Throws InvalidArgument for a limit of the options, Unsupported for the device's. The message
  /// is that `what` needs `needed` bytes.
  [[noreturn]] void refuse(const std::string& what, std::uint64_t needed) const;
};

}  // namespace imago::engine
