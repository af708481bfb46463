// This file stores the properties of a command queue, so that the driver is asked once.
#pragma once

#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A queue and its constant properties. It owns a reference, so that no other queue can get the
/// same address meanwhile.
class KnownQueue {
 public:
  KnownQueue() = default;
  /// Asks the driver. Throws DeviceError if the handle is no queue.
  explicit KnownQueue(cl_command_queue queue);

  cl_command_queue get() const { return queue_.get(); }
  cl_context context() const { return context_; }
  cl_device_id device() const { return device_; }
  bool in_order() const { return in_order_; }  ///< runs its commands one after another

 private:
  Handle<cl_command_queue> queue_;
  cl_context context_ = nullptr;
  cl_device_id device_ = nullptr;
  bool in_order_ = true;
};

}  // namespace imago::runtime
