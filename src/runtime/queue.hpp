// This file makes contexts with one device, and command queues.
#pragma once

#include "runtime/opencl.hpp"

namespace imago::runtime {

Handle<cl_context> make_context(cl_device_id device);

/// Makes a queue, which is in order unless `properties` specify otherwise.
Handle<cl_command_queue> make_queue(cl_context context, cl_device_id device,
                                    cl_command_queue_properties properties = 0);

}  // namespace imago::runtime
