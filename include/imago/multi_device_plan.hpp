// This file plans transforms of batches that are distributed over several devices.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>

namespace imago {

/// A plan for a batch that is distributed over the devices of a Pool by measured speed. Each device
/// has a plan for its share of the batch, and a queue for the calls. Every member may be called
/// from many threads at once.
///
/// @code
/// const imago::Pool pool(gpus);
/// const imago::MultiDevicePlan plan(pool, {.lengths = {1024}, .batch = 100000});
/// std::vector<cl::Buffer> signals, spectra;
/// for (std::size_t i = 0; i < pool.size(); ++i) {
///   const std::size_t bytes = plan.shares()[i] * 1024 * sizeof(std::complex<float>);
///   signals.push_back(plan.shares()[i] > 0 ? make(pool.context(i), bytes) : cl::Buffer());
///   spectra.push_back(plan.shares()[i] > 0 ? make(pool.context(i), bytes) : cl::Buffer());
/// }
/// plan.forward({signals.begin(), signals.end()}, {spectra.begin(), spectra.end()});
/// plan.finish();
/// @endcode
class IMAGO_API MultiDevicePlan {
 public:
  /// Makes a plan for each device and measures it. The measurement needs device memory for a part
  /// of the batch. Throws as Plan's constructor. Also throws InvalidArgument for
  /// Scratch::workspace, which belongs to one device, and for Options::recipe, which belongs to one
  /// plan.
  MultiDevicePlan(Pool pool, Transform transform, const Options& options = {});
  ~MultiDevicePlan();
  MultiDevicePlan(MultiDevicePlan&&) noexcept;
  MultiDevicePlan& operator=(MultiDevicePlan&&) noexcept;

  /// Number of batch elements of each device, in the order of the batch; 0 for a device that is too
  /// slow to help.
  const std::vector<std::size_t>& shares() const;
  /// Returns the plan of device i, for its share. Throws InvalidArgument if the share is 0 or there
  /// is no device i.
  const Plan& plan(std::size_t i) const;
  /// Returns the in-order queue of device i. Throws InvalidArgument if there is no device i.
  const cl::CommandQueue& queue(std::size_t i) const;

  /// Enqueues the forward transforms of each device's batch elements, out of place. Give one array
  /// for each device; imago ignores the arrays of devices with share 0. Throws as Plan::forward(),
  /// and InvalidArgument for the wrong number of arrays. If a device fails, the work of the devices
  /// before it is enqueued.
  void forward(const std::vector<Array>& signals, const std::vector<Array>& spectra) const;
  /// Enqueues the forward transforms of each device's batch elements in place. Throws as the other
  /// forward().
  void forward(const std::vector<Array>& data) const;
  /// Enqueues the inverse transforms of each device's batch elements, out of place. Needs one array
  /// for each device and throws, as forward() does.
  void inverse(const std::vector<Array>& spectra, const std::vector<Array>& signals) const;
  /// Enqueues the inverse transforms of each device's batch elements in place. Throws as forward().
  void inverse(const std::vector<Array>& data) const;
  /// Waits until all devices have finished the enqueued work. Throws DeviceError if one failed.
  void finish() const;

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago
