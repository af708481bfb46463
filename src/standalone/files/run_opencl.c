/* Runs the exported transforms for check.c, on the first OpenCL device. The
   kernels are in the folder that TRANSFORMS_FOLDER names when this is compiled.
 */
#include <stdio.h>

#include "check.h"
#include "imago_opencl.h"
#include "transforms.h"

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

int imago_start(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int error = clGetPlatformIDs(16, platforms, &count);
  for (cl_uint i = 0; !error && !device && i < count && i < 16; ++i)
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
      device = NULL;
  if (!device) {
    printf("there is no OpenCL device\n");
    return 1;
  }
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (!error) queue = clCreateCommandQueue(context, device, 0, &error);
  if (error) printf("OpenCL error %d\n", error);
  return error != CL_SUCCESS;
}

static cl_mem buffer(const void* values, size_t bytes, cl_int* error) {
  if (!values || *error) return NULL;
  return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                        (void*)(size_t)values, error);
}

int imago_run(int number, int is_inverse, const void* in, const void* in_im, void* out,
              void* out_im, const void* const* factors, const double* numbers) {
  enum { MOST = 8 };
  const imago_program* program = imago_programs[number][is_inverse];
  cl_mem arrays[4] = {NULL}, given[MOST] = {NULL};
  cl_int error = CL_SUCCESS;
  imago_opencl* made = imago_opencl_create(program, TRANSFORMS_FOLDER, context, device, &error);
  arrays[0] = buffer(in, program->in_bytes, &error);
  arrays[1] = buffer(in_im, program->in_bytes, &error);
  arrays[2] = program->is_in_place ? arrays[0] : buffer(out, program->out_bytes, &error);
  arrays[3] = program->is_in_place ? arrays[1] : buffer(out_im, program->out_bytes, &error);
  for (int i = 0; i < program->factor_count && i < MOST; ++i)
    given[i] = buffer(factors[i], program->factor_bytes[i], &error);
  if (!error)
    error = imago_opencl_enqueue(made, queue, arrays[0], arrays[1], arrays[2], arrays[3], given,
                                 numbers);
  if (!error)
    error =
        clEnqueueReadBuffer(queue, arrays[2], CL_TRUE, 0, program->out_bytes, out, 0, NULL, NULL);
  if (!error && out_im)
    error = clEnqueueReadBuffer(queue, arrays[3], CL_TRUE, 0, program->out_bytes, out_im, 0, NULL,
                                NULL);
  for (int i = 0; i < (program->is_in_place ? 2 : 4); ++i)
    if (arrays[i]) clReleaseMemObject(arrays[i]);
  for (int i = 0; i < MOST; ++i)
    if (given[i]) clReleaseMemObject(given[i]);
  imago_opencl_destroy(made);
  if (error) printf("%s: OpenCL error %d\n", program->name, error);
  return error != CL_SUCCESS;
}
