// This file stores the properties of a command queue.
#include "runtime/known_queue.hpp"

namespace imago::runtime {

KnownQueue::KnownQueue(cl_command_queue queue) {
  constexpr auto* kCall = "clGetCommandQueueInfo";
  context_ = info<cl_context>(clGetCommandQueueInfo, kCall, queue, CL_QUEUE_CONTEXT);
  device_ = info<cl_device_id>(clGetCommandQueueInfo, kCall, queue, CL_QUEUE_DEVICE);
  const auto properties =
      info<cl_command_queue_properties>(clGetCommandQueueInfo, kCall, queue, CL_QUEUE_PROPERTIES);
  in_order_ = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  queue_ = Handle<cl_command_queue>::shared(queue);
}

}  // namespace imago::runtime
