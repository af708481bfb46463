// This file makes contexts and command queues.
#include "runtime/queue.hpp"

#include "base/held_signals.hpp"

namespace imago::runtime {

Handle<cl_context> make_context(cl_device_id device) {
  base::use_driver();
  const base::HeldSignals held;  // the driver may start threads, and programs that link
  cl_int code = CL_SUCCESS;
  Handle<cl_context> context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  return context;
}

// Uses clCreateCommandQueue, because OpenCL 1.2 drivers lack its successor.
Handle<cl_command_queue> make_queue(cl_context context, cl_device_id device,
                                    cl_command_queue_properties properties) {
  cl_int code = CL_SUCCESS;
  Handle<cl_command_queue> queue(clCreateCommandQueue(context, device, properties, &code));
  check(code, "clCreateCommandQueue");
  return queue;
}

}  // namespace imago::runtime
