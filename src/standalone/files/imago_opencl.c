#include "imago_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct imago_opencl {
  const imago_program* program;
  cl_program* programs;
  cl_kernel* kernels;
  cl_mem *tables, scratch;
};

static char* read_file(const char* folder, const char* name) {
  char* text = NULL;
  long size = 0;
  FILE* file = NULL;
  char* path = malloc(strlen(folder) + strlen(name) + 2);
  if (!path) return NULL;
  sprintf(path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file) fprintf(stderr, "%s cannot be read\n", path);
  free(path);
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
      (text = malloc((size_t)size + 1)) != NULL) {
    rewind(file);
    text[fread(text, 1, (size_t)size, file)] = '\0';
  }
  fclose(file);
  return text;
}

static void print_log(cl_program program, cl_device_id device) {
  size_t size = 0;
  char* log = NULL;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  log = calloc(size + 1, 1);
  if (!log) return;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  fprintf(stderr, "%s\n", log);
  free(log);
}

/* Returns an error if the device has too small work-groups or local memory for
 * a kernel. */
static cl_int check_limits(const imago_kernel* kernel, cl_device_id device) {
  cl_ulong local = 0;
  size_t items = 0;
  clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL);
  if (kernel->local_bytes <= local && kernel->group_size <= items) return CL_SUCCESS;
  fprintf(stderr,
          "kernel %s needs %lu bytes of local memory and %lu work-items in a "
          "group; the device has "
          "%lu and %lu: export again with --local-memory and --group-size\n",
          kernel->name, (unsigned long)kernel->local_bytes, (unsigned long)kernel->group_size,
          (unsigned long)local, (unsigned long)items);
  return CL_OUT_OF_RESOURCES;
}

static cl_int make_kernel(imago_opencl* made, int index, const char* folder, cl_context context,
                          cl_device_id device) {
  const imago_kernel* kernel = &made->program->kernels[index];
  cl_int error = check_limits(kernel, device);
  char* text = error ? NULL : read_file(folder, kernel->file);
  const char* source = text;
  if (error) return error;
  if (!text) return CL_INVALID_VALUE;
  made->programs[index] = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  free(text);
  if (error) return error;
  error = clBuildProgram(made->programs[index], 1, &device, kernel->options, NULL, NULL);
  if (error) {
    print_log(made->programs[index], device);
    return error;
  }
  made->kernels[index] = clCreateKernel(made->programs[index], kernel->name, &error);
  return error;
}

static cl_int make_parts(imago_opencl* made, const char* folder, cl_context context,
                         cl_device_id device) {
  const imago_program* program = made->program;
  cl_int error = CL_SUCCESS;
  for (int i = 0; !error && i < program->kernel_count; ++i)
    error = make_kernel(made, i, folder, context, device);
  for (int i = 0; !error && i < program->table_count; ++i) {
    /* The buffer is not written, so the cast takes no promise away. */
    void* values = (void*)(size_t)program->tables[i].values;
    made->tables[i] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     program->tables[i].bytes, values, &error);
  }
  if (!error && program->scratch_bytes > 0)
    made->scratch =
        clCreateBuffer(context, CL_MEM_READ_WRITE, program->scratch_bytes, NULL, &error);
  return error;
}

imago_opencl* imago_opencl_create(const imago_program* program, const char* folder,
                                  cl_context context, cl_device_id device, cl_int* error) {
  imago_opencl* made = calloc(1, sizeof *made);
  cl_int failed = CL_OUT_OF_HOST_MEMORY;
  if (made) {
    made->program = program;
    made->programs = calloc((size_t)program->kernel_count + 1, sizeof *made->programs);
    made->kernels = calloc((size_t)program->kernel_count + 1, sizeof *made->kernels);
    made->tables = calloc((size_t)program->table_count + 1, sizeof *made->tables);
    if (made->programs && made->kernels && made->tables)
      failed = make_parts(made, folder, context, device);
  }
  if (error) *error = failed;
  if (!failed) return made;
  imago_opencl_destroy(made);
  return NULL;
}

static cl_int set_argument(const imago_opencl* made, cl_kernel kernel, cl_uint number,
                           const imago_argument* argument, const cl_mem* arrays,
                           const cl_mem* factors, const double* numbers) {
  unsigned char value[8];
  if (argument->type == IMAGO_ARGUMENT_TABLE)
    return clSetKernelArg(kernel, number, sizeof(cl_mem), &made->tables[argument->integer]);
  if (argument->type == IMAGO_ARGUMENT_FACTORS)
    return clSetKernelArg(kernel, number, sizeof(cl_mem), &factors[argument->integer]);
  if (argument->type < IMAGO_ARGUMENT_TABLE)
    return clSetKernelArg(kernel, number, sizeof(cl_mem), &arrays[argument->type]);
  return clSetKernelArg(kernel, number, imago_value(argument, numbers, value), value);
}

cl_int imago_opencl_enqueue(imago_opencl* made, cl_command_queue queue, cl_mem in, cl_mem in_im,
                            cl_mem out, cl_mem out_im, const cl_mem* factors,
                            const double* numbers) {
  const imago_program* program = made->program;
  cl_mem arrays[5];
  cl_int error = CL_SUCCESS;
  arrays[IMAGO_ARGUMENT_IN] = in, arrays[IMAGO_ARGUMENT_IN_IM] = in_im;
  arrays[IMAGO_ARGUMENT_OUT] = out, arrays[IMAGO_ARGUMENT_OUT_IM] = out_im;
  arrays[IMAGO_ARGUMENT_SCRATCH] = made->scratch;
  for (int i = 0; !error && i < program->launch_count; ++i) {
    const imago_launch* launch = &program->launches[i];
    const cl_kernel kernel = made->kernels[launch->kernel];
    const size_t group = program->kernels[launch->kernel].group_size;
    const size_t items = launch->groups * group;
    for (int k = 0; !error && k < launch->count; ++k)
      error = set_argument(made, kernel, (cl_uint)k, &program->arguments[launch->first + k], arrays,
                           factors, numbers);
    if (!error)
      error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  }
  return error;
}

void imago_opencl_destroy(imago_opencl* made) {
  if (!made) return;
  for (int i = 0; made->kernels && i < made->program->kernel_count; ++i)
    if (made->kernels[i]) clReleaseKernel(made->kernels[i]);
  for (int i = 0; made->programs && i < made->program->kernel_count; ++i)
    if (made->programs[i]) clReleaseProgram(made->programs[i]);
  for (int i = 0; made->tables && i < made->program->table_count; ++i)
    if (made->tables[i]) clReleaseMemObject(made->tables[i]);
  if (made->scratch) clReleaseMemObject(made->scratch);
  free(made->kernels), free(made->programs), free(made->tables);
  free(made);
}
