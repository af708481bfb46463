// This file remembers what the driver says about a command queue, so that it is asked once.
#pragma once

#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A queue and what cannot change about it. It owns a reference, so that the queue's address names
/// no other one meanwhile.
class KnownQueue {
 public:
  KnownQueue() = default;
  /// Asks the driver. Throws DeviceError for what is no queue.
  explicit KnownQueue(cl_command_queue queue);

  cl_command_queue get() const { return queue_.get(); }
  cl_context context() const { return context_; }
  cl_device_id device() const { return device_; }
  bool in_order() const { return in_order_; }  ///< runs its commands one after the other

 private:
  Handle<cl_command_queue> queue_;
  cl_context context_ = nullptr;
  cl_device_id device_ = nullptr;
  bool in_order_ = true;
};

}  // namespace imago::runtime
