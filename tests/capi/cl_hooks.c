/* This file shows hooks in C: the powers of 16-bit samples under a window. It checks the power of a
   wave, and prints "all right", or what was wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Shown in docs/c-opencl.md:
#include <imago/imago_cl.h>

/* Makes a plan of the powers of `samples` 16-bit samples under a window. */
static imago_status power_plan(cl_context context, cl_device_id device,
                               size_t samples, imago_cl_plan** plan) {
  imago_hooks *load = NULL, *store = NULL;
  imago_hooks_create(&load);
  imago_hook_integer(load, IMAGO_I16, 1.0 / 32768);
  imago_hook_window(load, 0, "hann");
  imago_hooks_create(&store);
  imago_hook_power(store);

  imago_transform transform = imago_transform_of(1, &samples);
  transform.kind = IMAGO_REAL;
  transform.directions = IMAGO_ONLY_FORWARD;
  transform.forward_load = load;
  transform.forward_store = store;
  const imago_status status =
      imago_cl_plan_create(context, device, &transform, NULL, plan);
  imago_hooks_destroy(load);
  imago_hooks_destroy(store);
  return status;
}

/* Enqueues the powers, with the window in a buffer of floats. */
static imago_status powers(const imago_cl_plan* plan, cl_command_queue queue,
                           cl_mem samples, cl_mem window, cl_mem result) {
  const imago_argument hann = {"hann", window, 0, 0};
  imago_cl_call call = imago_default_cl_call();
  call.arguments = &hann;
  call.arguments_count = 1;
  return imago_cl_forward(plan, queue, imago_array_of(samples),
                          imago_array_of(result), &call);
}
// Until here.

enum { samples_count = 1000, bins = samples_count / 2 + 1, wave = 40 };

static void must(int good, const char* what) {
  if (good) return;
  printf("FAILED: %s: %s\n", what, imago_last_error());
  exit(EXIT_FAILURE);
}

int main(void) {
  short samples[samples_count];
  float window[samples_count], result[bins];
  const double turn = 6.283185307179586;
  for (int j = 0; j < samples_count; ++j) {
    samples[j] = (short)(16384 * cos(turn * wave * j / samples_count));
    window[j] = (float)(0.5 - 0.5 * cos(turn * j / samples_count));
  }
  cl_platform_id platform;
  cl_device_id device;
  cl_int code = clGetPlatformIDs(1, &platform, NULL);
  must(code == CL_SUCCESS, "a platform");
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  must(code == CL_SUCCESS, "a device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  must(code == CL_SUCCESS, "a context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  must(code == CL_SUCCESS, "a queue");
  const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;
  cl_mem in = clCreateBuffer(context, copy, sizeof samples, samples, &code);
  cl_mem hann = clCreateBuffer(context, copy, sizeof window, window, &code);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, &code);

  imago_cl_plan* plan = NULL;
  must(power_plan(context, device, samples_count, &plan) == IMAGO_SUCCESS, "the plan");
  must(powers(plan, queue, in, hann, out) == IMAGO_SUCCESS, "the call");
  code = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL);
  must(code == CL_SUCCESS, "the result");
  /* A wave of size 1/2, under a window of mean 1/2: n/8, and half of it in the neighbours. */
  const double peak = pow(samples_count / 8.0, 2);
  must(fabs(result[wave] / peak - 1) < 1e-3, "the power of the wave");
  must(fabs(result[wave + 1] / peak - 0.25) < 1e-3, "the power of its neighbour");
  must(result[wave + 5] < peak * 1e-6, "the power of other frequencies");

  imago_cl_plan_destroy(plan);
  clReleaseMemObject(in);
  clReleaseMemObject(hann);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("all right");
  return EXIT_SUCCESS;
}
