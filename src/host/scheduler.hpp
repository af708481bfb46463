// This file has the devices of a pool compute the passes of a call together, each with as many host
// threads as it needs.
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

/// The part of a call's progress that a pass is, from 0 to 1.
struct ProgressRange {
  double begin = 0, end = 1;
};

/// Devices of one call, with the queues that it leases. A device that is lost gets no more of its
/// passes. The pool leaves it out, too, unless all were lost: then the work may be what fails.
class Scheduler {
 public:
  /// Each device may hold `memory` bytes. Throws DeviceError if none gives queues.
  Scheduler(Members& pool, const std::vector<std::size_t>& devices, std::size_t memory);

  /// Returns when all of the pass is done. When it throws, nothing is under way. What a lost device
  /// had goes to the others. Throws the failure of the last one, and fails if the pass is in place
  /// and what a piece reads is partly overwritten.
  void run(const ActivePass& pass, const HostCall& call, const ProgressRange& progress);
  /// How many are not lost.
  std::size_t devices() const { return devices_.size(); }

 private:
  struct LeasedDevice {
    std::size_t number = 0;  ///< in the pool
    std::optional<QueueSets::QueueLease> queues = {};
    std::exception_ptr loss = {};  ///< null: it works
  };
  void release_lost();

  Members& pool_;
  const std::size_t memory_;
  std::list<LeasedDevice> devices_;
};

/// The driver's own copies are left to it below so many bytes of both sides: on an H200 8 MiB there
/// and back take it 1.35 ms, and threads 1.39; of 16 MiB it is 3.01 and 1.77.
inline constexpr std::size_t kLeastBytes = std::size_t{20} << 20;

}  // namespace imago::host
