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

/* Checks the kernels of a plan, and frees them. */
static inline void check_kernels(imago_status status, const imago_kernels* kernels) {
  check(good(status) && kernels && kernels->size == sizeof *kernels && kernels->count > 0,
        "a list of kernels");
  for (size_t i = 0; kernels && i < kernels->count; ++i) {
    check(strstr(kernels->sources[i], kernels->names[i]) != NULL, "a source with its name");
    check(strstr(kernels->sources[i], "__kernel") != NULL, "a kernel");
    check(strstr(kernels->options[i], "-cl-std=") != NULL, "options");
    check(kernels->compiled[i] == 0 || kernels->compiled[i] == 1, "compiled, or cached");
    check(kernels->seconds[i] >= 0, "seconds");
  }
  imago_kernels_destroy(kernels);
}

/* Checks the functions that classes of plans share, which differ in the name of the class. */
#define CHECK_KERNELS(name, plan)                                                          \
  do {                                                                                     \
    const imago_kernels* kernels = NULL;                                                   \
    const imago_status made = imago_cl_##name##_kernels(plan, &kernels);                   \
    check_kernels(made, kernels);                                                          \
    check(imago_cl_##name##_kernels(NULL, &kernels) == IMAGO_INVALID_ARGUMENT && !kernels, \
          "kernels of null");                                                              \
  } while (0)
#define CHECK_READY(name, plan)                                                                   \
  do {                                                                                            \
    int ready = 0;                                                                                \
    check(good(imago_cl_##name##_wait(plan, 100, &ready)) && ready == 1, "ready after a wait");   \
    check(imago_cl_##name##_wait(plan, -1, &ready) == IMAGO_INVALID_ARGUMENT, "a negative time"); \
    check(imago_cl_##name##_wait(NULL, 0, &ready) == IMAGO_INVALID_ARGUMENT, "a wait for null");  \
  } while (0)
#define CHECK_ESTIMATE(name, plan, description)                                                   \
  do {                                                                                            \
    imago_estimate estimate = imago_no_estimate();                                                \
    check(good(imago_cl_##name##_estimate(device, description, NULL, &estimate)), "an estimate"); \
    check(estimate.workspace_bytes == imago_cl_##name##_workspace_bytes(plan), "its workspace");  \
    check(estimate.signal_bytes > 0 && estimate.kernels > 0 && estimate.seconds > 0, "figures");  \
    check(imago_cl_##name##_estimate(device, NULL, NULL, &estimate) == IMAGO_INVALID_ARGUMENT,    \
          "an estimate of null");                                                                 \
    estimate.size = 0;                                                                            \
    check(imago_cl_##name##_estimate(device, description, NULL, &estimate) ==                     \
              IMAGO_INVALID_ARGUMENT,                                                             \
          "an estimate without its size");                                                        \
  } while (0)

static inline void close_device(void) {
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
