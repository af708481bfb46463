// This file holds the state of a Pool: devices, their contexts and queues, and the devices in use.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <imago/pool.hpp>

#include "host/pins.hpp"
#include "host/queue_sets.hpp"

namespace imago::host {

struct Member {
  cl::Device device;
  cl::Context context;
  bool in_callers_memory = false;
  QueueSets queue_sets = {};
  Pins pins = {};
  std::atomic<bool> in_use = true;

  QueueSets::QueueLease borrow() { return {queue_sets, context(), device()}; }
};

class Members {
 public:
  void add(cl_context context, cl_device_id device, const PoolOptions& options);
  Member& member(std::size_t i) const;
  /// Returns the indices of the devices that calls use, at least one.
  std::vector<std::size_t> in_use() const;
  /// Excludes a device from later calls, after it failed with `loss` (a DeviceError) and others did
  /// its work. Keeps the last device, and a device that only ran out of memory.
  void leave_out(std::size_t i, const std::exception_ptr& loss);

  std::vector<std::unique_ptr<Member>> members;

 private:
  std::mutex leaving_;
};

}  // namespace imago::host

namespace imago {

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Pool::State : host::Members{};

}  // namespace imago
