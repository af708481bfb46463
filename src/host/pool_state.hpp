// This file is the inside of a Pool: devices, their contexts and lanes, and which are in use.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <imago/pool.hpp>

#include "host/lanes.hpp"
#include "host/pins.hpp"

namespace imago::host {

struct Member {
  cl::Device device;
  cl::Context context;
  bool in_callers_memory = false;
  Lanes lanes = {};
  Pins pins = {};
  std::atomic<bool> in_use = true;

  Lanes::Loan borrow() { return {lanes, context(), device()}; }
};

class Members {
 public:
  void add(cl_context context, cl_device_id device, const PoolOptions& options);
  Member& member(std::size_t i) const;
  /// The devices that calls use, by their numbers: one at least.
  std::vector<std::size_t> in_use() const;
  /// No call uses a device any more that failed by `loss` (a DeviceError) while others did its
  /// part. Not the last one, and none that only had no memory left.
  void leave_out(std::size_t i, const std::exception_ptr& loss);

  std::vector<std::unique_ptr<Member>> members;

 private:
  std::mutex leaving_;
};

}  // namespace imago::host

namespace imago {

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] Pool::State : host::Members{};

}  // namespace imago
