/* This file transforms numbers in CUDA's memory by the interface for C. The driver is a stub, whose
   memory is the host's. It is the program of docs/cuda.md, with other memory. */
#include <imago/imago_cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "%s failed. imago says: %s\n", what, imago_last_error());
  exit(EXIT_FAILURE);
}

int main(void) {
  enum { points = 1000 };
  const size_t bytes = points * 2 * sizeof(float);
  cl_context context;
  cl_device_id device;
  must(imago_cuda_scope(NULL, &context, &device) == IMAGO_SUCCESS, "imago_cuda_scope");
  const size_t lengths[] = {points};
  const imago_transform transform = imago_transform_of(1, lengths);
  imago_cl_plan* plan;
  must(imago_cl_plan_create(context, device, &transform, NULL, &plan) == IMAGO_SUCCESS, "plan");
  float* data = aligned_alloc(256, (bytes + 255) / 256 * 256);
  float* out = aligned_alloc(256, (bytes + 255) / 256 * 256);
  for (int i = 0; i < 2 * points; ++i) data[i] = i % 2 == 0;
  cl_command_queue queue;
  cl_mem from, to;
  must(imago_cuda_queue(context, NULL, &queue) == IMAGO_SUCCESS, "queue");
  must(imago_cuda_buffer(context, (unsigned long long)(size_t)data, bytes, &from) == IMAGO_SUCCESS,
       "from");
  must(imago_cuda_buffer(context, (unsigned long long)(size_t)out, bytes, &to) == IMAGO_SUCCESS,
       "to");
  must(imago_cl_forward(plan, queue, imago_array_of(from), imago_array_of(to), NULL) ==
           IMAGO_SUCCESS,
       "imago_cl_forward");
  must(clFinish(queue) == CL_SUCCESS, "clFinish");
  must(fabsf(out[0] - points) < 1e-2f && fabsf(out[2]) < 1e-2f, "the result");
  must(imago_cuda_buffer(context, 0, bytes, &to) == IMAGO_INVALID_ARGUMENT, "address 0");
  must(imago_cuda_queue(NULL, NULL, &queue) == IMAGO_INVALID_ARGUMENT, "no context");
  clReleaseMemObject(from);
  imago_cl_plan_destroy(plan);
  clReleaseContext(context);
  free(data), free(out);
  puts("right");
  return 0;
}
