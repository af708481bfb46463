// This file puts devices at the service of arrays in host memory: a Pool holds their contexts and
// lends queues, pinned memory and device memory to whoever computes (host_plan.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>

namespace imago {

/// How devices reach host memory.
struct PoolOptions {
  /// CPU devices get copies, too, as devices with memory of their own do; else they work in the
  /// caller's memory. (To try here what runs elsewhere.)
  bool copies = false;
  std::vector<std::size_t> only = {};  ///< `copies` is for these devices alone; empty: for all
};

/// Bytes of host memory.
struct HostBytes {
  void* data = nullptr;   ///< null: none
  std::size_t bytes = 0;  ///< from `data` on
};

/// Memory of the caller's that a Pool's devices copy themselves, without the host's threads, while
/// this lives: it must be gone before the memory is, and not go during a call. May be moved.
class IMAGO_API Pinned {
 public:
  Pinned();  ///< of nothing
  ~Pinned();
  Pinned(Pinned&&) noexcept;
  Pinned& operator=(Pinned&&) noexcept;

 private:
  friend class Pool;
  struct State;
  explicit Pinned(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Devices at the service of arrays in host memory: their contexts, queues and pinned memory. A
/// handle: copies share it, and every member may be called from many threads at once.
///
/// @code
/// const imago::Pool gpus(imago::devices());      // all of them, each in a context of its own
/// const imago::Pool one({imago::find_device()});  // the default device
/// @endcode
class IMAGO_API Pool {
 public:
  /// Each device in a context of its own; one may be there twice. Throws InvalidArgument where
  /// there is none or one is null, DeviceError where OpenCL fails.
  explicit Pool(const std::vector<cl::Device>& devices, const PoolOptions& options = {});
  /// One device, in the caller's context.
  Pool(const cl::Context& context, const cl::Device& device, const PoolOptions& options = {});
  ~Pool();
  Pool(const Pool&);             ///< the same devices: handles are shared
  Pool& operator=(const Pool&);  ///< as the copy

  std::size_t size() const;                             ///< devices
  const cl::Device& device(std::size_t i = 0) const;    ///< device i of those given
  const cl::Context& context(std::size_t i = 0) const;  ///< that of device i
  /// Whether the device works in the caller's memory: CPUs do.
  bool in_callers_memory(std::size_t i = 0) const;

  /// True if HostPlans and new MultiDevicePlans use the device. It is left out, for good, after it
  /// failed in a call that others could go on with; the log says so. One is always in use.
  bool in_use(std::size_t i = 0) const;

  /// Puts commands that read `from` and write `to` into the queue.
  using Work = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from,
                                  const cl::Buffer& to)>;
  /// Does work of the caller's (a Convolution, a SparsePlan) on buffers of device i that hold what
  /// host memory holds, and waits; `to` is written as a whole; with no bytes the work gets a null
  /// buffer and has waited itself. Where both are the same memory there is one buffer. Throws
  /// InvalidArgument for null with bytes and for work that is empty, DeviceError where OpenCL
  /// fails, and what `work` throws; nothing is under way then.
  void on_buffers(const HostBytes& from, const HostBytes& to, const Work& work,
                  std::size_t i = 0) const;
  /// Pins memory for the devices that have memory of their own (not for those that work in the
  /// caller's), for arrays that many calls use: HostPlans and on_buffers() of this pool copy what
  /// lies wholly in it faster and with idle cores (docs/pool.md). It takes as long as one
  /// copy to three, and as many pages of real memory as there are bytes. Throws InvalidArgument for
  /// null, DeviceError where a driver refuses.
  Pinned pin(const HostBytes& memory) const;
  /// Lets go of the queues and the memory that no call uses; later calls make them anew.
  void clear() const;

 private:
  friend class HostPlan;
  friend class MultiDevicePlan;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace imago
