// This file holds the hand-written kernels of a nonuniform transform: generic ones for the first
// calls, and those for the transform.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>

#include "api/upgrade.hpp"
#include "nufft_device/spreading.hpp"

namespace imago::api {

class NufftKernels {
 public:
  using Shared = std::shared_ptr<const nufft_device::Spreading>;

  /// Chooses and builds the kernels of a design as Options::first_call says. Sorted points serve
  /// all of them.
  explicit NufftKernels(const nufft_device::Setup& setup);

  /// Returns the kernels of the next call.
  Shared current() const { return upgrade_ ? upgrade_->current() : first_; }
  void count_call() const {
    if (upgrade_) upgrade_->count_call();
  }
  bool ready() const { return !current()->design.groups.generic; }
  bool wait(std::chrono::milliseconds most) const { return !upgrade_ || upgrade_->wait(most); }

 private:
  Shared first_;  ///< null: those of `upgrade_`
  std::shared_ptr<UpgradeOf<nufft_device::Spreading>> upgrade_;
};

/// Calls each function in turn, which waits as Plan::wait() does. Returns false if the given time
/// ended first.
bool wait_in_turn(std::chrono::milliseconds most,
                  std::initializer_list<std::function<bool(std::chrono::milliseconds)>> waits);

/// Returns the kernels with compensated sums.
NufftKernels compensated_kernels(const nufft_device::Setup& setup);

}  // namespace imago::api
