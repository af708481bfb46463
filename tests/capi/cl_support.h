/* This file has what the programs in C with OpenCL share: a device, buffers, and a count of
   failures. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <imago/imago_cl.h>

/* Returns the angle of sample j of a wave with k periods in n samples. */
static inline double angle(long long k, long long j, long long n) {
  return 6.283185307179586 * (double)(k * j % n) / (double)n;
}

static int failures = 0;

static inline void check(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s: %s\n", what, imago_last_error());
  ++failures;
}

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static inline void open_device(void) {
  cl_platform_id platform;
  cl_int code = clGetPlatformIDs(1, &platform, NULL);
  if (code == CL_SUCCESS) code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  if (code == CL_SUCCESS) context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (code == CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &code);
  if (code == CL_SUCCESS) return;
  printf("FAILED: OpenCL: %d\n", (int)code);
  exit(1);
}

static inline cl_mem buffer_of(size_t bytes, const void* data) {
  cl_int code = CL_SUCCESS;
  cl_mem made =
      clCreateBuffer(context, data ? CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE,
                     bytes, (void*)data, &code);
  check(code == CL_SUCCESS, "clCreateBuffer");
  return made;
}

static inline void read_back(cl_mem buffer, size_t bytes, void* data) {
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL) == CL_SUCCESS,
        "clEnqueueReadBuffer");
}

static inline int good(imago_status status) { return status == IMAGO_SUCCESS; }

static inline void close_device(void) {
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
