// This file replaces a function of OpenCL 2.0 that Wine's OpenCL.dll does not have.
#include <CL/cl.h>

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties,
                                                    cl_int* code) {
  cl_command_queue_properties flags = 0;
  for (; properties && *properties != 0; properties += 2) {
    if (*properties == CL_QUEUE_PROPERTIES) flags = properties[1];
  }
  return clCreateCommandQueue(context, device, flags, code);
}
