// This file plans transforms of arrays in host memory, by one device or several, also of arrays
// that are larger than a device's memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <imago/export.hpp>
#include <imago/host_array.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>

namespace imago {

/// How to plan for arrays in host memory.
struct HostOptions {
  Options plan = {};  ///< of the plans on the devices, without `workspace` and `recipe`
  /// Most bytes of each device's memory for one call; 0: what the device has, less a margin.
  std::size_t memory_limit = 0;
  /// Where layouts leave gaps between the elements that are written, these are left alone: else a
  /// device with memory of its own may get what they hold and write it back, which is no matter
  /// unless others write there meanwhile. Throws Unsupported where it takes them, as with hooks.
  bool leave_gaps = false;
};

/// What comes with one call beside its arrays.
struct HostCall {
  /// Told the share that is done, from 0 to 1, from the calling thread. What it throws ends the
  /// call, which throws it.
  std::function<void(double share)> progress = {};
  /// Where a stop is asked for, the call ends soon and throws Stopped.
  std::stop_token stop = {};
};

/// A transform of arrays in host memory by the devices of a Pool: in the caller's memory where the
/// device works there (CPUs), else through pinned memory in pieces, copies and computing
/// overlapped; batches larger than memory in pieces; one transform larger than memory out of core.
/// Every member may be called from many threads at once.
///
/// @code
/// // A hundred pictures of 1000 x 1000 reals, by all devices there are.
/// const imago::Pool pool(imago::devices());
/// const imago::HostPlan plan(
///     pool, {.kind = imago::Kind::real, .lengths = {1000, 1000}, .batch = 100});
/// std::vector<float> pictures(100 * 1000 * 1000);
/// std::vector<std::complex<float>> spectra(100 * 1000 * 501);
/// plan.forward(pictures, spectra);
/// @endcode
///
/// Elements lie as in the buffers of a Plan of the same Transform: an array's first element stands
/// for the buffer's begin, and offsets and strides of layouts count from there.
///
/// Calls are synchronous: the result is there when they return. They throw InvalidArgument, with
/// nothing done, for a null pointer, for one that is not aligned to its numbers, for an array that
/// is too small or of another type than its side, for two arrays that share memory, for the number
/// of arrays that the placement forbids and for a direction that was left out; DeviceError where
/// OpenCL fails on every device, and Stopped. After one of these two what the destination holds is
/// not defined, in place all of the data. Where OpenCL fails on some devices only, the others do
/// their part, and Pool::in_use() says which are left out; in place only while what they would read
/// is not overwritten, else it is a DeviceError.
class IMAGO_API HostPlan {
 public:
  /// Throws as Plan's constructor; Unsupported, too, for planar storage, for hooks that take
  /// arguments of the call, and for one transform that the memory does not hold and that cannot be
  /// computed out of core: the text says why.
  HostPlan(Pool pool, Transform transform, const HostOptions& options = {});
  ~HostPlan();
  HostPlan(HostPlan&&) noexcept;
  HostPlan& operator=(HostPlan&&) noexcept;

  /// Computes the spectrum of the signal, out of place.
  void forward(const ConstHostArray& signal, const HostArray& spectrum,
               const HostCall& call = {}) const;
  /// In place: `data` holds the signal before, the spectrum after.
  void forward(const HostArray& data, const HostCall& call = {}) const;
  /// Computes the signal of a spectrum, out of place.
  void inverse(const ConstHostArray& spectrum, const HostArray& signal,
               const HostCall& call = {}) const;
  /// In place: `data` holds the spectrum before, the signal after.
  void inverse(const HostArray& data, const HostCall& call = {}) const;

  const Transform& transform() const;  ///< as it was given
  const Pool& pool() const;            ///< the devices that compute
  /// Bytes of the signal's array, with the whole batch and the layout's offset. In place the array
  /// holds the spectrum, too.
  std::size_t signal_bytes() const;
  std::size_t spectrum_bytes() const;  ///< the same for the spectrum; in place signal_bytes()
  Layout signal_layout() const;        ///< as Plan::signal_layout()
  Layout spectrum_layout() const;      ///< as much for the spectrum
  /// Of the plans on one device; 0 where none is needed.
  std::size_t workspace_bytes() const;
  /// How each device computes it, with Plan::describe() of what it runs.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace imago
