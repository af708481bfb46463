// This file stands between a program and the OpenCL library. It counts each call, may return an
// error instead, and records the objects that the call creates, retains or releases.
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "ledger.hpp"

namespace {

using imago::faults::Ledger;
using imago::faults::Type;

/// Number of nested OpenCL calls of the thread.
thread_local int depth = 0;

class Inside {
 public:
  explicit Inside(const char* call) : call_(call) { ++depth; }
  ~Inside() {
    if (--depth == 0) Ledger::instance().timed(call_, start_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const char* const call_;
  const Ledger::Clock::time_point start_ = Ledger::Clock::now();
};

/// Returns the function of this name in the next library.
template <class Function>
Function* behind(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) std::abort();
  return reinterpret_cast<Function*>(found);
}

template <class Object>
Object failed(cl_int code, cl_int* out) {
  if (out) *out = code;
  return nullptr;
}

template <class Object>
Object kept(Type type, Object object) {
  Ledger::instance().made(type, object);
  return object;
}

/// Returns true if the call belongs to the lost device, by its context, one of its queues or their
/// events. Called only if a device is lost.
bool is_of(cl_context lost, cl_context context) { return context == lost; }
bool is_of(cl_context lost, cl_command_queue queue) {
  cl_context context = nullptr;
  behind<decltype(clGetCommandQueueInfo)>("clGetCommandQueueInfo")(
      queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  return context == lost;
}
bool is_of(cl_context lost, const cl_event* list) {
  if (!list) return false;
  cl_context context = nullptr;
  behind<decltype(clGetEventInfo)>("clGetEventInfo")(*list, CL_EVENT_CONTEXT, sizeof context,
                                                     &context, nullptr);
  return context == lost;
}
template <class Other>
bool is_of(cl_context, const Other&) {
  return false;
}

template <class... Arguments>
cl_int fault(const char* call, const Arguments&... arguments) {
  Ledger& ledger = Ledger::instance();
  const cl_context lost = ledger.lost();
  if (lost && (is_of(lost, arguments) || ...)) {
    // Earlier commands of the device must end before the program frees its memory.
    return std::string_view(call) == "clFinish" ? CL_SUCCESS : ledger.fault_of_lost(call);
  }
  return ledger.fault(call);
}

cl_int with_event(cl_int code, const cl_event* event) {
  if (code == CL_SUCCESS && event) Ledger::instance().made(Type::event, *event);
  return code;
}

}  // namespace

bool imago::faults::in_opencl() { return depth > 0; }

#define IMAGO_ARGUMENTS(...) __VA_ARGS__
#define IMAGO_FAULT(name, arguments) fault(#name, IMAGO_ARGUMENTS arguments)
#define IMAGO_REAL(name)      \
  const Inside inside(#name); \
  static auto* const real = behind<decltype(name)>(#name)

/// Refuses threads that the program itself starts, if the environment asks for it. Drivers get
/// theirs.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) noexcept {
  static auto* const real =
      behind<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  static const bool refused = std::getenv("IMAGO_REFUSE_THREADS") != nullptr;
  return refused && depth == 0 ? EAGAIN : real(thread, attributes, start, argument);
}

// Defines a call that returns a status.
#define IMAGO_STATUS(name, parameters, arguments)                                          \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name parameters {                             \
    IMAGO_REAL(name);                                                                      \
    if (const cl_int code = IMAGO_FAULT(name, arguments); code != CL_SUCCESS) return code; \
    return real arguments;                                                                 \
  }

// Defines a call that fails only after it has waited: earlier commands of the device must end
// before the program frees its memory.
#define IMAGO_WAIT(name, parameters, arguments)                     \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name parameters {      \
    IMAGO_REAL(name);                                               \
    const cl_int failed = IMAGO_FAULT(name, arguments);             \
    const cl_int waited = real arguments;                           \
    std::this_thread::sleep_for(Ledger::instance().finish_delay()); \
    return failed != CL_SUCCESS ? failed : waited;                  \
  }

// Defines a call whose last parameter, `event`, may receive an event.
#define IMAGO_ENQUEUE(name, parameters, arguments)                                         \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name parameters {                             \
    IMAGO_REAL(name);                                                                      \
    if (const cl_int code = IMAGO_FAULT(name, arguments); code != CL_SUCCESS) return code; \
    return with_event(real arguments, event);                                              \
  }

// Defines a call that creates an object; its last parameter is `code`.
#define IMAGO_MAKE(object, type, name, parameters, arguments)                       \
  extern "C" CL_API_ENTRY object CL_API_CALL name parameters {                      \
    IMAGO_REAL(name);                                                               \
    if (const cl_int refused = IMAGO_FAULT(name, arguments); refused != CL_SUCCESS) \
      return failed<object>(refused, code);                                         \
    return kept(Type::type, real arguments);                                        \
  }

#define IMAGO_RETAIN(name, object, type)                                                         \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name(object handle) {                               \
    IMAGO_REAL(name);                                                                            \
    if (const cl_int fault = Ledger::instance().fault(#name); fault != CL_SUCCESS) return fault; \
    Ledger::instance().retained(Type::type, handle);                                             \
    return real(handle);                                                                         \
  }

// Defines a call that never fails, because the caller could only leak the object. It updates the
// records first, because another thread may get the same handle before the call returns.
#define IMAGO_RELEASE(name, object, type)                          \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name(object handle) { \
    IMAGO_REAL(name);                                              \
    Ledger::instance().released(Type::type, handle);               \
    return real(handle);                                           \
  }

// Takes longer if the ledger says so. This makes it possible to test progress and interrupts during
// builds on a machine that builds kernels almost instantly.
extern "C" CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram(cl_program of, cl_uint n, const cl_device_id* devices, const char* options,
               void(CL_CALLBACK* call)(cl_program, void*), void* data) {
  IMAGO_REAL(clBuildProgram);
  if (const cl_int code = fault("clBuildProgram", of); code != CL_SUCCESS) return code;
  std::this_thread::sleep_for(Ledger::instance().build_delay());
  return real(of, n, devices, options, call, data);
}

// clang-format off
IMAGO_STATUS(clGetPlatformIDs, (cl_uint n, cl_platform_id* ids, cl_uint* count), (n, ids, count))
IMAGO_STATUS(clGetPlatformInfo, (cl_platform_id id, cl_platform_info name, size_t n, void* value, size_t* size), (id, name, n, value, size))
IMAGO_STATUS(clGetDeviceIDs, (cl_platform_id id, cl_device_type type, cl_uint n, cl_device_id* ids, cl_uint* count), (id, type, n, ids, count))
IMAGO_STATUS(clGetDeviceInfo, (cl_device_id id, cl_device_info name, size_t n, void* value, size_t* size), (id, name, n, value, size))
IMAGO_STATUS(clRetainDevice, (cl_device_id id), (id))
IMAGO_STATUS(clGetContextInfo, (cl_context of, cl_context_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetCommandQueueInfo, (cl_command_queue of, cl_command_queue_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetMemObjectInfo, (cl_mem of, cl_mem_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetProgramInfo, (cl_program of, cl_program_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetProgramBuildInfo, (cl_program of, cl_device_id device, cl_program_build_info name, size_t n, void* value, size_t* size), (of, device, name, n, value, size))
IMAGO_STATUS(clGetKernelInfo, (cl_kernel of, cl_kernel_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetKernelWorkGroupInfo, (cl_kernel of, cl_device_id device, cl_kernel_work_group_info name, size_t n, void* value, size_t* size), (of, device, name, n, value, size))
IMAGO_STATUS(clGetEventInfo, (cl_event of, cl_event_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clGetEventProfilingInfo, (cl_event of, cl_profiling_info name, size_t n, void* value, size_t* size), (of, name, n, value, size))
IMAGO_STATUS(clSetMemObjectDestructorCallback, (cl_mem of, void (CL_CALLBACK* call)(cl_mem, void*), void* data), (of, call, data))
IMAGO_STATUS(clSetEventCallback, (cl_event of, cl_int type, void (CL_CALLBACK* call)(cl_event, cl_int, void*), void* data), (of, type, call, data))
IMAGO_STATUS(clSetUserEventStatus, (cl_event of, cl_int status), (of, status))
IMAGO_STATUS(clSetKernelArg, (cl_kernel of, cl_uint index, size_t n, const void* value), (of, index, n, value))
IMAGO_STATUS(clWaitForEvents, (cl_uint n, const cl_event* events), (n, events))
IMAGO_STATUS(clFlush, (cl_command_queue queue), (queue))
IMAGO_WAIT(clFinish, (cl_command_queue queue), (queue))

IMAGO_ENQUEUE(clEnqueueNDRangeKernel, (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* items, const size_t* group, cl_uint n, const cl_event* list, cl_event* event), (queue, kernel, dimensions, offset, items, group, n, list, event))
IMAGO_ENQUEUE(clEnqueueReadBuffer, (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes, void* to, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, blocking, offset, bytes, to, n, list, event))
IMAGO_ENQUEUE(clEnqueueWriteBuffer, (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t bytes, const void* from, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, blocking, offset, bytes, from, n, list, event))
IMAGO_ENQUEUE(clEnqueueReadBufferRect, (cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* there, const size_t* here, const size_t* region, size_t row, size_t slice, size_t host_row, size_t host_slice, void* to, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, blocking, there, here, region, row, slice, host_row, host_slice, to, n, list, event))
IMAGO_ENQUEUE(clEnqueueWriteBufferRect, (cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* there, const size_t* here, const size_t* region, size_t row, size_t slice, size_t host_row, size_t host_slice, const void* from, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, blocking, there, here, region, row, slice, host_row, host_slice, from, n, list, event))
IMAGO_ENQUEUE(clEnqueueCopyBuffer, (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t offset, size_t bytes, cl_uint n, const cl_event* list, cl_event* event), (queue, from, to, at, offset, bytes, n, list, event))
IMAGO_ENQUEUE(clEnqueueFillBuffer, (cl_command_queue queue, cl_mem memory, const void* pattern, size_t size, size_t offset, size_t bytes, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, pattern, size, offset, bytes, n, list, event))
IMAGO_ENQUEUE(clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem memory, void* data, cl_uint n, const cl_event* list, cl_event* event), (queue, memory, data, n, list, event))
IMAGO_ENQUEUE(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint n, const cl_event* list, cl_event* event), (queue, n, list, event))
IMAGO_ENQUEUE(clEnqueueBarrierWithWaitList, (cl_command_queue queue, cl_uint n, const cl_event* list, cl_event* event), (queue, n, list, event))

IMAGO_MAKE(cl_context, context, clCreateContext, (const cl_context_properties* properties, cl_uint n, const cl_device_id* devices, void (CL_CALLBACK* call)(const char*, const void*, size_t, void*), void* data, cl_int* code), (properties, n, devices, call, data, code))
// Programs still call it, so it is here, although the headers of OpenCL 2.0 deprecate it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
IMAGO_MAKE(cl_command_queue, queue, clCreateCommandQueue, (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int* code), (context, device, properties, code))
#pragma GCC diagnostic pop
IMAGO_MAKE(cl_command_queue, queue, clCreateCommandQueueWithProperties, (cl_context context, cl_device_id device, const cl_queue_properties* properties, cl_int* code), (context, device, properties, code))
IMAGO_MAKE(cl_mem, memory, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t bytes, void* data, cl_int* code), (context, flags, bytes, data, code))
IMAGO_MAKE(cl_mem, memory, clCreateSubBuffer, (cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void* info, cl_int* code), (parent, flags, type, info, code))
IMAGO_MAKE(cl_program, program, clCreateProgramWithSource, (cl_context context, cl_uint n, const char** texts, const size_t* lengths, cl_int* code), (context, n, texts, lengths, code))
IMAGO_MAKE(cl_program, program, clCreateProgramWithBinary, (cl_context context, cl_uint n, const cl_device_id* devices, const size_t* lengths, const unsigned char** binaries, cl_int* status, cl_int* code), (context, n, devices, lengths, binaries, status, code))
IMAGO_MAKE(cl_kernel, kernel, clCreateKernel, (cl_program program, const char* name, cl_int* code), (program, name, code))
IMAGO_MAKE(cl_event, event, clCreateUserEvent, (cl_context context, cl_int* code), (context, code))

IMAGO_RETAIN(clRetainContext, cl_context, context)
IMAGO_RETAIN(clRetainCommandQueue, cl_command_queue, queue)
IMAGO_RETAIN(clRetainMemObject, cl_mem, memory)
IMAGO_RETAIN(clRetainProgram, cl_program, program)
IMAGO_RETAIN(clRetainKernel, cl_kernel, kernel)
IMAGO_RETAIN(clRetainEvent, cl_event, event)
IMAGO_RELEASE(clReleaseContext, cl_context, context)
IMAGO_RELEASE(clReleaseCommandQueue, cl_command_queue, queue)
IMAGO_RELEASE(clReleaseMemObject, cl_mem, memory)
IMAGO_RELEASE(clReleaseProgram, cl_program, program)
IMAGO_RELEASE(clReleaseKernel, cl_kernel, kernel)
IMAGO_RELEASE(clReleaseEvent, cl_event, event)
// clang-format on

extern "C" CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory,
                                                             cl_bool blocking, cl_map_flags flags,
                                                             size_t offset, size_t bytes, cl_uint n,
                                                             const cl_event* list, cl_event* event,
                                                             cl_int* code) {
  IMAGO_REAL(clEnqueueMapBuffer);
  if (const cl_int refused = fault("clEnqueueMapBuffer", queue); refused != CL_SUCCESS)
    return failed<void*>(refused, code);
  void* data = real(queue, memory, blocking, flags, offset, bytes, n, list, event, code);
  if (data) with_event(CL_SUCCESS, event);
  return data;
}
