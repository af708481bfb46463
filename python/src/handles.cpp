// This file implements the functions of handles.hpp that call OpenCL.
#include "handles.hpp"

#include "opencl.hpp"

namespace imago::python {
namespace {

bool in_order(const cl::CommandQueue& queue) {
  cl_command_queue_properties properties = 0;
  check(
      clGetCommandQueueInfo(queue(), CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
      "clGetCommandQueueInfo");
  return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

bool is_of(cl_event event, const cl::CommandQueue& queue) {
  cl_command_queue own = nullptr;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof own, &own, nullptr), "clGetEventInfo");
  return own == queue();
}

bool has_failed(cl_event event) {
  cl_int status = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
  return status < 0;
}

}  // namespace

std::vector<cl::Event> waits_at(const std::vector<std::uintptr_t>& addresses,
                                const cl::CommandQueue& queue) {
  std::vector<cl::Event> events;
  if (addresses.empty()) return events;
  const bool ordered = in_order(queue);
  for (const std::uintptr_t address : addresses) {
    auto event = object_at<cl::Event>(address);
    if (!ordered || !is_of(event(), queue) || has_failed(event()))
      events.push_back(std::move(event));
  }
  return events;
}

}  // namespace imago::python
