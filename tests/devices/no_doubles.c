/* Hides the doubles of OpenCL devices: preload it before the OpenCL library. Devices then report no
   cl_khr_fp64, and the build of a program that has doubles after the preprocessor ends the process.
   IMAGO_TEST_OPTIONS is appended to the options of each program. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* Writes the words of `options` that define macros. */
static void write_macros(const char* options, FILE* file) {
  char* const copy = strdup(options != NULL ? options : "");
  char* rest = NULL;
  for (char* word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    if (strncmp(word, "-D", 2) == 0) fprintf(file, "%s\n", word);
  }
  free(copy);
}

/* Ends the process if doubles are left in a source after the preprocessor. */
static void check_source(const char* source, size_t length, const char* options) {
  char folder[] = "/tmp/no_doubles_XXXXXX", macros[64], text[64], command[256];
  if (mkdtemp(folder) == NULL) abort();
  snprintf(macros, sizeof macros, "%s/macros", folder);
  snprintf(text, sizeof text, "%s/source.c", folder);
  FILE* const macro_file = fopen(macros, "w");
  FILE* const text_file = fopen(text, "w");
  if (macro_file == NULL || text_file == NULL) abort();
  write_macros(options, macro_file);
  fwrite(source, 1, length, text_file);
  fclose(macro_file);
  fclose(text_file);
  snprintf(command, sizeof command,
           "LD_PRELOAD= cpp -P -w @%s %s | grep -nwE 'double[0-9]*|cl_khr_fp64' >&2", macros, text);
  const int found = system(command);
  unlink(macros);
  unlink(text);
  rmdir(folder);
  if (WEXITSTATUS(found) == 1) return;
  fprintf(stderr, "no_doubles: this source has doubles, built with %s:\n%.*s\n", options,
          (int)length, source);
  _exit(97);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* done)(cl_program, void*), void* data) {
  cl_int (*const build)(cl_program, cl_uint, const cl_device_id*, const char*,
                        void(CL_CALLBACK*)(cl_program, void*), void*) =
      (cl_int(*)(cl_program, cl_uint, const cl_device_id*, const char*,
                 void(CL_CALLBACK*)(cl_program, void*), void*))behind("clBuildProgram");
  cl_int (*const get)(cl_program, cl_program_info, size_t, void*, size_t*) =
      (cl_int(*)(cl_program, cl_program_info, size_t, void*, size_t*))behind("clGetProgramInfo");
  size_t length = 0;
  get(program, CL_PROGRAM_SOURCE, 0, NULL, &length);
  if (length > 1) { /* a program of binaries has no source */
    char* const source = malloc(length);
    get(program, CL_PROGRAM_SOURCE, length, source, NULL);
    check_source(source, length - 1, options);
    free(source);
  }
  const char* const more = getenv("IMAGO_TEST_OPTIONS");
  if (more == NULL) return build(program, count, devices, options, done, data);
  char all[1024];
  snprintf(all, sizeof all, "%s %s", options != NULL ? options : "", more);
  return build(program, count, devices, all, done, data);
}
