// This file plans transforms of batches that live on several devices.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <imago/export.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>

namespace imago {

/// A batch that lives on the devices of a Pool, dealt by measured speed: each device has a plan for
/// its share of the members and a queue, in which the calls enqueue. Every member may be called
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
  /// Makes a plan for each device and measures it: memory for a part of the batch is needed for as
  /// long. Throws as Plan's constructor, and InvalidArgument for a workspace, which is of one
  /// device, and for a recipe, which is of one plan.
  MultiDevicePlan(Pool pool, Transform transform, const Options& options = {});
  ~MultiDevicePlan();
  MultiDevicePlan(MultiDevicePlan&&) noexcept;
  MultiDevicePlan& operator=(MultiDevicePlan&&) noexcept;

  /// Members of the batch that each device has, in the batch's order; 0 for a device that is too
  /// slow to help.
  const std::vector<std::size_t>& shares() const;
  /// The plan of device i, for its share. Throws InvalidArgument where the share is 0.
  const Plan& plan(std::size_t i) const;
  /// Where the calls of device i are enqueued, in order.
  const cl::CommandQueue& queue(std::size_t i) const;

  /// Enqueues, on each device, the spectrum of its share; an array for each device, of which those
  /// with no share are not looked at. Throws as Plan::forward(), and InvalidArgument for another
  /// number of arrays; devices before the one that fails have their work by then.
  void forward(const std::vector<Array>& signals, const std::vector<Array>& spectra) const;
  void forward(const std::vector<Array>& data) const;  ///< in place
  /// As forward(), from spectra to signals.
  void inverse(const std::vector<Array>& spectra, const std::vector<Array>& signals) const;
  void inverse(const std::vector<Array>& data) const;  ///< in place
  /// Waits until all devices have done what was enqueued. Throws DeviceError where one failed.
  void finish() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace imago
