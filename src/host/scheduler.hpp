// This file runs the passes of a call on the devices of a pool, each with as many host threads as
// it needs.
#pragma once

#include <cstddef>
#include <exception>
#include <list>
#include <optional>
#include <vector>

#include <imago/host_plan.hpp>

#include "host/passes.hpp"
#include "host/pool_state.hpp"

namespace imago::host {

/// The part of a call's progress that one pass covers, from 0 to 1.
struct ProgressRange {
  double begin = 0, end = 1;
};

/// The devices of one call, with leased queues. A failed device gets no more work in the call.
/// The pool also stops using it, except in three cases: it had too little free memory, it is the
/// only device of the pool in use, or all devices of the call failed. In the last case, the work
/// itself may be the cause.
class Scheduler {
 public:
  /// Each device may hold `memory` bytes. Throws DeviceError if no device provides queues.
  Scheduler(Members& pool, const std::vector<std::size_t>& devices, std::size_t memory);

  /// Runs a pass and returns when it is done. Other devices take over the pieces of a failed one.
  /// Throws the error of the last device if all fail. Also fails if the pass is in place and a
  /// failed device has partly overwritten the input of a piece. No work is running after an
  /// exception.
  void run(const ActivePass& pass, const HostCall& call, const ProgressRange& progress);
  /// Returns the number of working devices.
  std::size_t devices() const { return devices_.size(); }

 private:
  struct LeasedDevice {
    std::size_t number = 0;  ///< index in the pool
    std::optional<QueueSets::QueueLease> queues = {};
    std::exception_ptr loss = {};  ///< null while it works
  };
  void release_lost();

  Members& pool_;
  const std::size_t memory_;
  std::list<LeasedDevice> devices_;
};

/// Smaller transfers (input plus output, in bytes) use the driver's own copies. On an H200, 8 MiB
/// there and back take the driver 1.35 ms, and threads 1.39; 16 MiB take 3.01 and 1.77.
inline constexpr std::size_t kLeastBytes = std::size_t{20} << 20;

}  // namespace imago::host
