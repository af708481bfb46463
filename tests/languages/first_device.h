/* This file opens the first device of OpenCL for the programs of this folder.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <imago/imago_cl.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

/* Returns null, or what failed. */
static const char* open_first_device(void) {
  cl_platform_id platform;
  cl_int code = CL_SUCCESS;
  if (queue) return NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS)
    return "there is no platform of OpenCL";
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
      CL_SUCCESS)
    return "the first platform of OpenCL has no device";
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (code == CL_SUCCESS)
    queue = clCreateCommandQueue(context, device, 0, &code);
  return code == CL_SUCCESS ? NULL : "OpenCL cannot use its first device";
}
