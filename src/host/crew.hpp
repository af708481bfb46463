// This file has devices do the passes of a call together, each with as many host threads as it
// needs.
#pragma once

#include <cstddef>
#include <exception>
#include <vector>

#include <imago/host_plan.hpp>

#include "host/lanes.hpp"
#include "host/pass.hpp"
#include "host/pins.hpp"

namespace imago::host {

/// A device in a call.
struct Hand {
  Lane& lane;
  Compute compute;
  bool in_callers_memory = false;      ///< of pieces that are spans
  std::size_t memory = 0;              ///< most bytes that its lane may hold
  const Pins& pins;                    ///< its own
  std::exception_ptr* loss = nullptr;  ///< told why, where the device is lost
};

/// The part of a call that a pass is, from 0 to 1.
struct Share {
  double begin = 0, end = 1;
};

/// Returns when all of it is done. When it throws, nothing is under way. A device that fails is
/// lost to the pass; what it had goes to the others. Throws what the last one failed by, and where
/// the pass is in place and what a piece reads is partly overwritten.
void run(const Pass& pass, const std::vector<Hand>& hands, const HostCall& call,
         const Share& share);

/// The driver's own copies are left to it below so many bytes of both sides: on an H200 8 MiB there
/// and back take it 1.35 ms, and threads 1.39; of 16 MiB it is 3.01 and 1.77.
inline constexpr std::size_t kLeastBytes = std::size_t{20} << 20;

}  // namespace imago::host
