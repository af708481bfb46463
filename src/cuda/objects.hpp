// This file defines the objects behind the OpenCL handles of a CUDA context.
//
// OpenCL's loader calls a driver through the table of functions that each object begins with
// (cl_khr_icd). So imago can hand its own objects to every function of the library that takes a
// context, a queue or a buffer, and the whole library works on CUDA's memory and streams: this room
// is a small OpenCL driver, which launches by CUDA. Its compiler is that of NVIDIA's OpenCL driver,
// which returns PTX. Only what imago itself calls is implemented.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <CL/cl.h>

#include <CL/cl_icd.h>

#include "cuda/deferred.hpp"
#include "cuda/driver.hpp"
#include "cuda/ptx.hpp"

namespace imago::cuda {

/// A function's code of OpenCL, in exceptions inside of this driver (dispatch.hpp).
struct Failure {
  cl_int code;
};
[[noreturn]] inline void fail(cl_int code) { throw Failure{code}; }

/// The table of all objects.
const cl_icd_dispatch* dispatch_table();

/// The beginning of every object, as cl_khr_icd wants it.
struct DriverObject {
  const cl_icd_dispatch* dispatch = dispatch_table();
  std::atomic<unsigned> references{1};
};

/// A reference to an object; the last one deletes it.
template <class Object>
class Reference {
 public:
  Reference() = default;
  explicit Reference(Object* object) : object_(object) { ++object->references; }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    if (object_ && --object_->references == 0) delete object_;
  }
  Object* get() const { return object_; }
  Object* operator->() const { return object_; }

 private:
  Object* object_ = nullptr;
};

/// The platform of NVIDIA's OpenCL driver, under the table of this room.
struct PlatformObject : DriverObject {
  cl_platform_id real = nullptr;
};

/// A GPU that both drivers know. Never deleted.
struct DeviceObject : DriverObject {
  cl_device_id real = nullptr;
  int cuda = 0;  ///< CUdevice
  PlatformObject* platform = nullptr;

  /// Returns the context in which OpenCL's compiler works; made at the first call.
  cl_context compiler();

 private:
  std::mutex mutex_;
  cl_context compiler_ = nullptr;
};

/// A CUDA context. Never deleted: its first reference is that of the list of contexts.
struct ContextObject : DriverObject {
  DeviceObject* device = nullptr;
  CUctx_st* cuda = nullptr;
  unsigned long long id = 0;  ///< unique in the process: cuCtxGetId

  /// Returns the queue of a stream of the caller, with a new reference. The handle of a stream that
  /// was destroyed may be that of a new one, so that streams are known by CUDA's numbers.
  Reference<QueueObject> queue_of(CUstream_st* stream);
  /// Returns an event, or null if the driver makes none.
  CUevent_st* take_event();
  void return_event(CUevent_st* event);
  /// Returns the stream of copies to new memory: the default stream waits for others, and may be
  /// captured. It exists as long as the context, because making one takes longer than a copy.
  CUstream_st* upload_stream();
  DeferredReleases& releases() { return releases_; }

 private:
  DeferredReleases releases_{*this};
  std::mutex mutex_;
  std::map<unsigned long long, Reference<QueueObject>> queues_;
  CUstream_st* upload_stream_ = nullptr;
  std::vector<CUevent_st*> events_;  ///< idle, because making one takes longer than recording it
};

/// A context that was destroyed: Failure, or not ok() of an object that then has no effect.
enum class IfDestroyed { fail, go_on };

/// Makes a CUDA context current, and lets this thread allocate memory and load kernels while any
/// thread captures a graph; the destructor restores both. A context was also destroyed if another
/// has its handle now, and in a process that was forked.
class Entered {
 public:
  explicit Entered(const ContextObject& context, IfDestroyed then = IfDestroyed::fail);
  ~Entered();
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  bool ok() const { return ok_; }

 private:
  bool ok_ = false;
  int mode_ = 2;             ///< CU_STREAM_CAPTURE_MODE_RELAXED
  bool is_relaxed_ = false;  ///< the thread's own mode is in mode_
};

/// Makes a context current for a command, if it is not. Not ok() if it was destroyed.
class MadeCurrent {
 public:
  explicit MadeCurrent(const ContextObject& context);
  ~MadeCurrent();
  MadeCurrent(const MadeCurrent&) = delete;
  MadeCurrent& operator=(const MadeCurrent&) = delete;
  bool ok() const { return ok_; }

 private:
  bool pushed_ = false, ok_ = true;
};

/// A CUDA stream.
struct QueueObject : DriverObject {
  Reference<ContextObject> context;
  CUstream_st* stream = nullptr;
  bool owned = false;  ///< the stream is destroyed with the object
  cl_command_queue_properties properties = 0;
  std::atomic<bool> is_noted = false;  ///< its next command needs no note: DeferredReleases

  ~QueueObject();
};

/// Memory of a CUDA context. All memory is described as parts of one parent, the address space, so
/// that a comparison of buffers finds those that overlap.
struct BufferObject : DriverObject {
  Reference<ContextObject> context;
  Address address = 0;
  std::size_t bytes = 0;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  bool owned = false;
  Reference<BufferObject> whole;  ///< the buffer of a sub-buffer

  ~BufferObject();
  /// Returns the buffer that owns the memory, or null for the caller's memory.
  BufferObject* owner() { return whole.get() ? whole->owner() : owned ? this : nullptr; }
};

/// A program: text for OpenCL's compiler, then its binary, then a module of CUDA.
struct ProgramObject : DriverObject {
  Reference<ContextObject> context;
  std::string source;  ///< empty: made from a binary
  std::string binary;
  std::string log;
  std::vector<PtxKernel> kernels;
  CUmod_st* module = nullptr;

  ~ProgramObject();
};

/// A kernel with its arguments.
struct KernelObject : DriverObject {
  Reference<ProgramObject> program;
  CUfunc_st* function = nullptr;
  const PtxKernel* code = nullptr;
  std::size_t static_shared = 0;
  std::vector<BufferObject*> buffers;    ///< the library's, for arguments that are memory
  std::vector<std::uint64_t> values;     ///< values of all arguments, each on a multiple of 8 bytes
  std::vector<void*> pointers;           ///< to the values
  std::vector<std::size_t> local_bytes;  ///< sizes of the arguments that are local memory
  bool has_local = false;
};

/// The end of a command.
struct EventObject : DriverObject {
  Reference<ContextObject> context;
  CUevent_st* end = nullptr;  ///< null: made while a graph was captured, and complete for us

  ~EventObject();
};

template <class Object, class Handle>
Object* object_of(Handle handle) {
  return reinterpret_cast<Object*>(handle);
}
template <class Handle>
Handle handle_of(DriverObject* object) {
  return reinterpret_cast<Handle>(object);
}

/// The functions of the table that count references.
template <class Object, class Handle>
cl_int CL_API_CALL retain(Handle handle) {
  ++object_of<Object>(handle)->references;
  return CL_SUCCESS;
}
template <class Object, class Handle>
cl_int CL_API_CALL release(Handle handle) {
  auto* const object = object_of<Object>(handle);
  if (--object->references == 0) delete object;
  return CL_SUCCESS;
}

/// Writes the value of a query as OpenCL's functions do.
cl_int answer(const void* value, std::size_t bytes, std::size_t size, void* to,
              std::size_t* size_of_value);
template <class T>
cl_int answer(const T& value, std::size_t size, void* to, std::size_t* size_of_value) {
  return answer(&value, sizeof value, size, to, size_of_value);
}

/// Returns OpenCL's name of a failure of CUDA.
cl_int code_of(int result, cl_int otherwise);

/// Throws the Failure of a result of CUDA, unless that is CUDA_SUCCESS.
void require(int result, cl_int otherwise = CL_OUT_OF_RESOURCES);

/// Returns the device of a CUDA device. Throws Unsupported if NVIDIA's OpenCL driver does not list
/// it.
DeviceObject* device_of(int cuda_device);

/// Returns the object of the given CUDA context. Null: the context that is current in this thread,
/// or if none is, that in which CUDA's runtime would begin, the primary context of GPU 0.
Reference<ContextObject> context_of(CUctx_st* cuda);

/// Returns the primary context of a GPU, by its number in CUDA.
CUctx_st* primary_context(int gpu);

/// Returns true for an event of a command that a graph captured, which is no event of a stream.
bool was_captured(cl_event event);

/// Returns true for the handle of a ContextObject.
inline bool is_context(cl_context context) {
  return object_of<DriverObject>(context)->dispatch == dispatch_table();
}

// The functions of the table.
void add_context_functions(cl_icd_dispatch& table);
void add_memory_functions(cl_icd_dispatch& table);
void add_program_functions(cl_icd_dispatch& table);
void add_queue_functions(cl_icd_dispatch& table);

}  // namespace imago::cuda
