/* Hides the doubles of OpenCL devices: preload it before the OpenCL library. Devices then report no
   cl_khr_fp64, and a program whose source has the word "double" ends the process.
   IMAGO_TEST_OPTIONS is appended to the options of each program. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the function of this name in the OpenCL library, which Python loads for itself only. */
static void* behind(const char* name) {
  void* const library = dlopen("libOpenCL.so.1", RTLD_LAZY);
  void* const found = library != NULL ? dlsym(library, name) : NULL;
  if (found == NULL) abort();
  return found;
}

static cl_int without_extension(cl_device_id device, size_t size, void* value, size_t* needed) {
  cl_int (*const get)(cl_device_id, cl_device_info, size_t, void*, size_t*) =
      (cl_int(*)(cl_device_id, cl_device_info, size_t, void*, size_t*))behind("clGetDeviceInfo");
  const cl_int code = get(device, CL_DEVICE_EXTENSIONS, size, value, needed);
  if (code == CL_SUCCESS && value != NULL) {
    char* const found = strstr((char*)value, "cl_khr_fp64");
    if (found != NULL) memset(found, ' ', strlen("cl_khr_fp64"));
  }
  return code;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value,
                       size_t* needed) {
  cl_int (*const get)(cl_device_id, cl_device_info, size_t, void*, size_t*) =
      (cl_int(*)(cl_device_id, cl_device_info, size_t, void*, size_t*))behind("clGetDeviceInfo");
  if (name == CL_DEVICE_EXTENSIONS) return without_extension(device, size, value, needed);
  const cl_int code = get(device, name, size, value, needed);
  const int hidden = name == CL_DEVICE_DOUBLE_FP_CONFIG ||
                     name == CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE ||
                     name == CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE;
  if (code == CL_SUCCESS && value != NULL && hidden) memset(value, 0, size);
  return code;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* code) {
  cl_program (*const make)(cl_context, cl_uint, const char**, const size_t*, cl_int*) =
      (cl_program(*)(cl_context, cl_uint, const char**, const size_t*, cl_int*))behind(
          "clCreateProgramWithSource");
  for (cl_uint i = 0; i < count; ++i) {
    const size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    if (memmem(strings[i], length, "double ", 7) == NULL &&
        memmem(strings[i], length, "cl_khr_fp64", 11) == NULL)
      continue;
    fprintf(stderr, "no_doubles: this source has doubles:\n%.*s\n", (int)length, strings[i]);
    _exit(97);
  }
  return make(context, count, strings, lengths, code);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* done)(cl_program, void*),
                      void* data) {
  cl_int (*const build)(cl_program, cl_uint, const cl_device_id*, const char*,
                        void(CL_CALLBACK*)(cl_program, void*), void*) =
      (cl_int(*)(cl_program, cl_uint, const cl_device_id*, const char*,
                 void(CL_CALLBACK*)(cl_program, void*), void*))behind("clBuildProgram");
  const char* const more = getenv("IMAGO_TEST_OPTIONS");
  if (more == NULL) return build(program, count, devices, options, done, data);
  char all[1024];
  snprintf(all, sizeof all, "%s %s", options != NULL ? options : "", more);
  return build(program, count, devices, all, done, data);
}
