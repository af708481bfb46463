// This file wraps OpenCL's C API.
#include "runtime/opencl.hpp"

#include <array>
#include <string_view>

#include "base/errors.hpp"
#include "base/words.hpp"

namespace imago::runtime {
namespace {

constexpr auto kErrors = std::to_array<base::Word<cl_int>>({
    {"CL_SUCCESS", CL_SUCCESS},
    {"CL_DEVICE_NOT_FOUND", CL_DEVICE_NOT_FOUND},
    {"CL_DEVICE_NOT_AVAILABLE", CL_DEVICE_NOT_AVAILABLE},
    {"CL_COMPILER_NOT_AVAILABLE", CL_COMPILER_NOT_AVAILABLE},
    {"CL_MEM_OBJECT_ALLOCATION_FAILURE", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"CL_OUT_OF_RESOURCES", CL_OUT_OF_RESOURCES},
    {"CL_OUT_OF_HOST_MEMORY", CL_OUT_OF_HOST_MEMORY},
    {"CL_PROFILING_INFO_NOT_AVAILABLE", CL_PROFILING_INFO_NOT_AVAILABLE},
    {"CL_MEM_COPY_OVERLAP", CL_MEM_COPY_OVERLAP},
    {"CL_BUILD_PROGRAM_FAILURE", CL_BUILD_PROGRAM_FAILURE},
    {"CL_MAP_FAILURE", CL_MAP_FAILURE},
    {"CL_MISALIGNED_SUB_BUFFER_OFFSET", CL_MISALIGNED_SUB_BUFFER_OFFSET},
    {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST},
    {"CL_COMPILE_PROGRAM_FAILURE", CL_COMPILE_PROGRAM_FAILURE},
    {"CL_LINKER_NOT_AVAILABLE", CL_LINKER_NOT_AVAILABLE},
    {"CL_LINK_PROGRAM_FAILURE", CL_LINK_PROGRAM_FAILURE},
    {"CL_KERNEL_ARG_INFO_NOT_AVAILABLE", CL_KERNEL_ARG_INFO_NOT_AVAILABLE},
    {"CL_INVALID_VALUE", CL_INVALID_VALUE},
    {"CL_INVALID_DEVICE_TYPE", CL_INVALID_DEVICE_TYPE},
    {"CL_INVALID_PLATFORM", CL_INVALID_PLATFORM},
    {"CL_INVALID_DEVICE", CL_INVALID_DEVICE},
    {"CL_INVALID_CONTEXT", CL_INVALID_CONTEXT},
    {"CL_INVALID_QUEUE_PROPERTIES", CL_INVALID_QUEUE_PROPERTIES},
    {"CL_INVALID_COMMAND_QUEUE", CL_INVALID_COMMAND_QUEUE},
    {"CL_INVALID_HOST_PTR", CL_INVALID_HOST_PTR},
    {"CL_INVALID_MEM_OBJECT", CL_INVALID_MEM_OBJECT},
    {"CL_INVALID_BINARY", CL_INVALID_BINARY},
    {"CL_INVALID_BUILD_OPTIONS", CL_INVALID_BUILD_OPTIONS},
    {"CL_INVALID_PROGRAM", CL_INVALID_PROGRAM},
    {"CL_INVALID_PROGRAM_EXECUTABLE", CL_INVALID_PROGRAM_EXECUTABLE},
    {"CL_INVALID_KERNEL_NAME", CL_INVALID_KERNEL_NAME},
    {"CL_INVALID_KERNEL_DEFINITION", CL_INVALID_KERNEL_DEFINITION},
    {"CL_INVALID_KERNEL", CL_INVALID_KERNEL},
    {"CL_INVALID_ARG_INDEX", CL_INVALID_ARG_INDEX},
    {"CL_INVALID_ARG_VALUE", CL_INVALID_ARG_VALUE},
    {"CL_INVALID_ARG_SIZE", CL_INVALID_ARG_SIZE},
    {"CL_INVALID_KERNEL_ARGS", CL_INVALID_KERNEL_ARGS},
    {"CL_INVALID_WORK_DIMENSION", CL_INVALID_WORK_DIMENSION},
    {"CL_INVALID_WORK_GROUP_SIZE", CL_INVALID_WORK_GROUP_SIZE},
    {"CL_INVALID_WORK_ITEM_SIZE", CL_INVALID_WORK_ITEM_SIZE},
    {"CL_INVALID_GLOBAL_OFFSET", CL_INVALID_GLOBAL_OFFSET},
    {"CL_INVALID_EVENT_WAIT_LIST", CL_INVALID_EVENT_WAIT_LIST},
    {"CL_INVALID_EVENT", CL_INVALID_EVENT},
    {"CL_INVALID_OPERATION", CL_INVALID_OPERATION},
    {"CL_INVALID_BUFFER_SIZE", CL_INVALID_BUFFER_SIZE},
    {"CL_INVALID_GLOBAL_WORK_SIZE", CL_INVALID_GLOBAL_WORK_SIZE},
    {"CL_INVALID_PROPERTY", CL_INVALID_PROPERTY},
    {"CL_INVALID_COMPILER_OPTIONS", CL_INVALID_COMPILER_OPTIONS},
    {"CL_INVALID_LINKER_OPTIONS", CL_INVALID_LINKER_OPTIONS},
    {"CL_PLATFORM_NOT_FOUND_KHR", -1001},  // cl_khr_icd
});

template <class Query, class Object>
std::string text(Query query, const char* call, Object object, cl_uint name) {
  const auto chars = info_list<char>(query, call, object, name);
  std::string value(chars.begin(), chars.end());
  return value.substr(0, value.find('\0'));
}

}  // namespace

std::string error_name(cl_int code) {
  const std::string_view name = base::word_of(kErrors, code);
  return name.empty() ? "an error of the OpenCL driver's own" : std::string(name);
}

void fail(cl_int code, const char* call, const std::string& kernel) {
  base::device_error(call, error_name(code), code, kernel);
}

std::string device_text(cl_device_id device, cl_uint name) {
  return text(clGetDeviceInfo, "clGetDeviceInfo", device, name);
}
std::string platform_text(cl_platform_id platform, cl_uint name) {
  return text(clGetPlatformInfo, "clGetPlatformInfo", platform, name);
}

cl_int release(cl_context object) { return clReleaseContext(object); }
cl_int release(cl_command_queue object) { return clReleaseCommandQueue(object); }
cl_int release(cl_mem object) { return clReleaseMemObject(object); }
cl_int release(cl_program object) { return clReleaseProgram(object); }
cl_int release(cl_kernel object) { return clReleaseKernel(object); }
cl_int release(cl_event object) { return clReleaseEvent(object); }
cl_int retain(cl_context object) { return clRetainContext(object); }
cl_int retain(cl_command_queue object) { return clRetainCommandQueue(object); }
cl_int retain(cl_mem object) { return clRetainMemObject(object); }
cl_int retain(cl_event object) { return clRetainEvent(object); }

}  // namespace imago::runtime
