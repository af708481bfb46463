// This file plans transforms of arrays in host memory, by one device or several. The arrays may be
// larger than a device's memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include <imago/export.hpp>
#include <imago/host_array.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>

namespace imago {

struct HostPlanParts;

/// Planning options for arrays in host memory.
struct HostOptions {
  /// Options of the plans on the devices. HostPlan's constructor throws InvalidArgument if
  /// Scratch::workspace or `recipe` is set, because each device has its own plans and workspace.
  Options plan = {};
  /// Limit in bytes of each device's memory for one call; 0: the device's memory, less a margin.
  std::size_t memory_limit = 0;
  /// True: gaps that the layout leaves between output elements are never written. By default, imago
  /// may copy them to the device and back, which matters only if another thread writes there. The
  /// constructor throws Unsupported if the gaps cannot be preserved, for example with hooks.
  bool leave_gaps = false;
  /// True: functions of the processor compute small transforms on the default device and on CPUs,
  /// without a launch, if `plan` has no choices of kernels (docs/small.md). False: kernels compute
  /// transforms of every size.
  bool small = true;
};

/// Optional arguments of one call.
struct HostCall {
  /// Receives the completed fraction, from 0 to 1, on the calling thread. An exception that it
  /// throws ends the call, which rethrows it.
  std::function<void(double share)> progress = {};
  /// Cancels the call: after a request to stop, the call ends soon and throws Stopped.
  std::stop_token stop = {};
};

/// A plan for arrays in host memory, which the devices of a Pool transform. Every member may be
/// called from many threads at once.
///
/// CPU devices compute in your arrays, without copies. Other devices receive the array in chunks
/// through pinned memory, with copies and computation overlapped. The batch may be larger than the
/// devices' memory. One transform that is larger is computed out of core.
///
/// @code
/// // A hundred pictures of 1000 x 1000 real numbers, by all devices of the machine.
/// const imago::Pool pool(imago::devices());
/// const imago::HostPlan plan(
///     pool, {.kind = imago::Kind::real, .lengths = {1000, 1000}, .batch = 100});
/// std::vector<float> pictures(100 * 1000 * 1000);
/// std::vector<std::complex<float>> spectra(100 * 1000 * 501);
/// plan.forward(pictures, spectra);
/// @endcode
///
/// Arrays have the layout of the buffers of a Plan of the same Transform. Offsets and strides count
/// from the first element of the array.
///
/// Calls are synchronous: the result is complete when they return. They throw InvalidArgument, and
/// change nothing,
/// - for a null pointer, or one that is not aligned to its numbers;
/// - for an array that is too small or has the wrong type;
/// - for two arrays that share memory;
/// - for two arrays if the plan is in place, or one array if it is out of place;
/// - for a direction that Transform::directions excludes.
///
/// They throw DeviceError if OpenCL fails on every device, and Stopped if you cancel the call. The
/// contents of the destination are undefined then; in place, those of the whole array. If OpenCL
/// fails on some devices only, the others compute their part. Pool::in_use() returns false for the
/// failed ones. In place, this works only while the input is not yet overwritten; otherwise the
/// call throws DeviceError.
class IMAGO_API HostPlan {
 public:
  /// Makes the plan. Throws as Plan's constructor. Also throws Unsupported for planar storage and
  /// for hooks with arguments of the call. Unsupported also means that one transform exceeds the
  /// memory limit and cannot be computed out of core; the message gives the reason.
  HostPlan(Pool pool, Transform transform, const HostOptions& options = {});
  /// Predicts what forward() needs, or inverse() if that is the only direction, without building a
  /// kernel. Launches, bytes moved and seconds are those of all kernels on the first device,
  /// without copies to it. Throws as the constructor.
  static Estimate estimate(const Pool& pool, const Transform& transform,
                           const HostOptions& options = {});
  ~HostPlan();
  HostPlan(HostPlan&&) noexcept;
  HostPlan& operator=(HostPlan&&) noexcept;

  /// Computes the spectrum of the signal, out of place.
  void forward(const ConstHostArray& signal, const HostArray& spectrum,
               const HostCall& call = {}) const;
  /// Computes the spectrum in place: `data` holds the signal before, the spectrum after.
  void forward(const HostArray& data, const HostCall& call = {}) const;
  /// Computes the signal of a spectrum, out of place.
  void inverse(const ConstHostArray& spectrum, const HostArray& signal,
               const HostCall& call = {}) const;
  /// Computes the signal in place: `data` holds the spectrum before, the signal after.
  void inverse(const HostArray& data, const HostCall& call = {}) const;

  const Transform& transform() const;  ///< the transform that the constructor was given
  const Pool& pool() const;            ///< the devices that compute
  /// Bytes of the smallest array for the signals, with the whole batch and the layout's offset. In
  /// place, the array also holds the spectrum.
  std::size_t signal_bytes() const;
  /// Bytes of the smallest array for the spectra, with the whole batch and the layout's offset. In
  /// place, the same as signal_bytes().
  std::size_t spectrum_bytes() const;
  Layout signal_layout() const;    ///< layout of the signal with its defaults filled in
  Layout spectrum_layout() const;  ///< layout of the spectrum with its defaults filled in
  /// Bytes of the workspace of the plans on one device; 0 if they need none.
  std::size_t workspace_bytes() const;
  /// Bytes of constant tables of the plans on one device, which plans share.
  std::size_t table_bytes() const;
  /// Returns true if the plans on all devices are ready (Plan::ready()).
  bool ready() const;
  /// Waits for the plans on all devices, as Plan::wait() does. Returns false if the given time
  /// ended first.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;
  /// Returns a description of the computation on each device, with Plan::describe() of its plans.
  std::string describe() const;
  /// Kernels of the plans on one device, each plan's one after the other.
  std::vector<KernelSource> sources() const;
  std::vector<KernelBuild> builds() const;  ///< builds of the kernels, in the order of sources()

 private:
  friend struct HostPlanParts;
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago
