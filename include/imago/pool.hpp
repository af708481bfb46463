// This file declares Pool: a set of devices for arrays in host memory. A Pool owns their contexts,
// queues, pinned memory and device memory, which plans use (host_plan.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/standard_library.hpp>

namespace imago {

/// Options for the devices' access to host memory.
struct PoolOptions {
  /// True: CPU devices use copies of the arrays, like devices with their own memory, so that you
  /// can test that case on a CPU. By default they compute in your arrays.
  bool copies = false;
  std::vector<std::size_t> only = {};  ///< indices of devices that `copies` is for; empty: all
};

/// A range of host memory.
struct HostBytes {
  void* data = nullptr;   ///< first byte; null: no memory
  std::size_t bytes = 0;  ///< size in bytes
};

/// Handle for pinned host memory, which a Pool's devices copy without the host's threads. Destroy
/// it before you free the memory, and not during a call. Movable.
class IMAGO_API Pinned {
 public:
  Pinned();  ///< pins nothing
  ~Pinned();
  Pinned(Pinned&&) noexcept;
  Pinned& operator=(Pinned&&) noexcept;

 private:
  friend class Pool;
  struct State;
  explicit Pinned(api::Owned<State> state);
  api::Owned<State> state_;
};

/// A set of devices for arrays in host memory, with their contexts, queues and pinned memory. A
/// Pool is a handle: copies share its state. Every member may be called from many threads at once.
/// Members with an index i throw InvalidArgument if there is no device i.
///
/// @code
/// const imago::Pool gpus(imago::devices());      // all of them, each in a context of its own
/// const imago::Pool one({imago::find_device()});  // the default device
/// @endcode
class IMAGO_API Pool {
 public:
  /// Makes a pool of devices, each in its own context. A device may be listed twice. Throws
  /// InvalidArgument if the list is empty, if a device is null and for an index in `options` that
  /// does not exist. Throws DeviceError if OpenCL fails.
  explicit Pool(const std::vector<cl::Device>& devices, const PoolOptions& options = {});
  /// Makes a pool of one device, in your context. Throws InvalidArgument if a handle is null, and
  /// DeviceError if OpenCL fails.
  Pool(const cl::Context& context, const cl::Device& device, const PoolOptions& options = {});
  ~Pool();
  Pool(const Pool&);             ///< makes another handle of the same pool
  Pool& operator=(const Pool&);  ///< makes this a handle of the other pool

  std::size_t size() const;                             ///< number of devices
  const cl::Device& device(std::size_t i = 0) const;    ///< device i, in the constructor's order
  const cl::Context& context(std::size_t i = 0) const;  ///< context of device i
  /// True if device i computes in your arrays, without copies. CPUs do, except with
  /// PoolOptions::copies.
  bool in_callers_memory(std::size_t i = 0) const;

  /// True if HostPlans and new MultiDevicePlans use device i. The pool stops using a device, for
  /// good, if it fails in a call that other devices can finish; the log reports it. At least one
  /// device stays in use.
  bool in_use(std::size_t i = 0) const;

  /// Function that enqueues commands that read `from` and write `to`.
  using Work = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from,
                                  const cl::Buffer& to)>;
  /// Runs `work` (for example a Convolution or SparsePlan) on buffers of device i with the contents
  /// of host memory, and waits for the result. `work` must write all of `to`. If `from` and `to`
  /// are the same memory, `work` receives the same buffer for both. A range without bytes becomes a
  /// null buffer; if that is `to`, `work` must itself wait for its commands.
  ///
  /// Throws InvalidArgument for a null pointer with bytes, for ranges that overlap in part and for
  /// an empty `work`. Throws DeviceError if OpenCL fails, and the exceptions of `work`. No command
  /// is running then.
  void on_buffers(const HostBytes& from, const HostBytes& to, const Work& work,
                  std::size_t i = 0) const;
  /// Pins host memory for the devices that have their own memory; devices that compute in your
  /// arrays need no pins. Use it for arrays that many calls use. HostPlans and on_buffers() of this
  /// pool copy arrays that lie inside the pinned memory faster, without busy host threads
  /// (docs/pool.md).
  ///
  /// Pinning takes as long as one to three copies, and keeps all pages of the memory resident.
  /// Throws InvalidArgument for a null pointer, and DeviceError if a driver fails to pin.
  Pinned pin(const HostBytes& memory) const;
  /// Releases the queues and the memory that no call uses; later calls allocate them again.
  void clear() const;

 private:
  friend class HostPlan;
  friend class MultiDevicePlan;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace imago
