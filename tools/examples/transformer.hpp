// This file runs transforms of host data on a device, for the examples.
#pragma once

#include <vector>

#include <imago/imago.hpp>

namespace imago::examples {

/// A device with a queue.
class Transformer {
 public:
  /// Uses the default device; throws InvalidArgument if no device supports the
  /// precision.
  explicit Transformer(Precision precision = Precision::f32)
      : device_(find_device({}, precision)),
        context_(device_),
        queue_(context_, device_) {}

  /// Computes one direction of a transform, in place, on packed values.
  template <class Value>
  void run(Transform transform, Directions direction,
           std::vector<Value>& values) const {
    transform.placement = Placement::in_place;
    transform.directions = direction;
    const Plan plan(context_, device_, transform);
    const cl::Buffer data(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          plan.signal_bytes(), values.data());
    direction == Directions::forward ? plan.forward(queue_, data)
                                     : plan.inverse(queue_, data);
    queue_.enqueueReadBuffer(data, CL_TRUE, 0, plan.signal_bytes(),
                             values.data());
  }

 private:
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
};

}  // namespace imago::examples
