/* This file is clFFT's example of a 1-D transform, rewritten for imago_cl.h. It
   prints the largest error of the spectrum of a wave. */
#define CL_TARGET_OPENCL_VERSION 120
// Shown in docs/c-opencl.md:
#include <imago/imago_cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { points = 1024, batch = 8, wave = 5 };

static void must(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "%s failed. imago says: %s\n", what, imago_last_error());
  exit(EXIT_FAILURE);
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code = clGetPlatformIDs(1, &platform, NULL);
  must(code == CL_SUCCESS, "clGetPlatformIDs");
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  must(code == CL_SUCCESS, "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  must(code == CL_SUCCESS, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  must(code == CL_SUCCESS, "clCreateCommandQueue");

  static float data[batch][points][2];
  for (int b = 0; b < batch; ++b)
    for (int j = 0; j < points; ++j) {
      data[b][j][0] = (float)cos(2 * 3.14159265358979 * wave * j / points);
      data[b][j][1] = (float)sin(2 * 3.14159265358979 * wave * j / points);
    }
  const size_t bytes = sizeof data;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, data, &code);
  must(code == CL_SUCCESS, "clCreateBuffer");

  const size_t length = points;
  imago_transform transform = imago_transform_of(1, &length);
  transform.batch = batch;
  transform.placement = IMAGO_IN_PLACE;
  imago_cl_plan* plan = NULL;
  must(!imago_cl_plan_create(context, device, &transform, NULL, &plan), "plan");
  const imago_array array = imago_array_of(buffer);
  must(!imago_cl_forward(plan, queue, array, array, NULL), "forward");
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);

  double worst = 0;
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < points; ++k)
      worst = fmax(worst, hypot(data[b][k][0] - (k == wave ? points : 0),
                                data[b][k][1]));
  printf("off by %.0e at most\n", worst);
  imago_cl_plan_destroy(plan);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return worst < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
