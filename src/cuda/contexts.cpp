// This file implements platforms, devices and contexts.
#include <cstring>
#include <map>

#include "base/device_queries.hpp"
#include "base/errors.hpp"
#include "base/forked.hpp"
#include "cuda/dispatch.hpp"

namespace imago::cuda {
namespace {

constexpr cl_uint kUuid = 0x106A;  // CL_DEVICE_UUID_KHR, of cl_khr_device_uuid
using Uuid = std::array<unsigned char, 16>;

std::vector<cl_platform_id> real_platforms() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  if (clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return {};
  return platforms;
}

std::vector<cl_device_id> real_devices(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0)
    return {};
  std::vector<cl_device_id> devices(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS)
    return {};
  return devices;
}

std::unique_ptr<DeviceObject> find_device(int cuda_device) {
  Uuid wanted = {};
  check(driver().device.uuid(wanted.data(), cuda_device), "cuDeviceGetUuid");
  for (const cl_platform_id platform : real_platforms()) {
    for (const cl_device_id device : real_devices(platform)) {
      Uuid uuid = {};
      if (clGetDeviceInfo(device, kUuid, sizeof uuid, uuid.data(), nullptr) != CL_SUCCESS ||
          uuid != wanted)
        continue;
      auto found = std::make_unique<DeviceObject>();
      found->real = device;
      found->cuda = cuda_device;
      found->platform = new PlatformObject;  // as long as the device: for ever
      found->platform->real = platform;
      return found;
    }
  }
  base::unsupported(
      "no OpenCL driver lists this CUDA GPU, and imago compiles its kernels by OpenCL",
      "install NVIDIA's OpenCL driver: libnvidia-opencl.so.1 and "
      "/etc/OpenCL/vendors/nvidia.icd");
}

std::mutex& contexts_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

/// The objects of all contexts, by CUDA's numbers, which no two contexts of a process share. An
/// object is never deleted, so that any thread may look it up.
std::map<unsigned long long, ContextObject*>& contexts() {
  static auto* const all = new std::map<unsigned long long, ContextObject*>;
  return *all;
}

cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name,
                                     std::size_t size, void* value, std::size_t* needed) {
  return clGetPlatformInfo(object_of<PlatformObject>(platform)->real, name, size, value, needed);
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, std::size_t size,
                                   void* value, std::size_t* needed) {
  auto* const object = object_of<DeviceObject>(device);
  if (name == CL_DEVICE_PLATFORM)
    return answer(handle_of<cl_platform_id>(object->platform), size, value, needed);
  if (name == CL_DEVICE_PARENT_DEVICE) return answer(cl_device_id{}, size, value, needed);
  if (name == base::kLaunchedByCuda) return answer(cl_bool{CL_TRUE}, size, value, needed);
  return clGetDeviceInfo(object->real, name, size, value, needed);
}

cl_int CL_API_CALL keep_device(cl_device_id) { return CL_SUCCESS; }

cl_context CL_API_CALL
create_context(const cl_context_properties*, cl_uint count, const cl_device_id* devices,
               void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*, cl_int*) {
  if (count != 1) fail(CL_INVALID_DEVICE);
  auto* const device = object_of<DeviceObject>(devices[0]);
  CUctx_st* cuda = nullptr;
  int current = -1;
  // The context of the caller, if it is of this device, else that of CUDA's runtime.
  if (driver().context.current(&cuda) == kSuccess && cuda) driver().context.device(&current);
  if (current != device->cuda) cuda = primary_context(device->cuda);
  auto context = context_of(cuda);
  ++context->references;  // the caller's
  return handle_of<cl_context>(context.get());
}

cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info name, std::size_t size,
                                    void* value, std::size_t* needed) {
  auto* const object = object_of<ContextObject>(context);
  if (name == CL_CONTEXT_DEVICES)
    return answer(handle_of<cl_device_id>(object->device), size, value, needed);
  return CL_INVALID_VALUE;
}

}  // namespace

cl_int answer(const void* value, std::size_t bytes, std::size_t size, void* to,
              std::size_t* size_of_value) {
  if (size_of_value) *size_of_value = bytes;
  if (!to) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  if (bytes > 0) std::memcpy(to, value, bytes);
  return CL_SUCCESS;
}

cl_int code_of(int result, cl_int otherwise) {
  constexpr int kOutOfMemory = 2, kTooManyResources = 701;
  if (result == kSuccess) return CL_SUCCESS;
  if (result == kOutOfMemory) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return result == kTooManyResources ? CL_OUT_OF_RESOURCES : otherwise;
}

void require(int result, cl_int otherwise) {
  if (result != kSuccess) fail(code_of(result, otherwise));
}

cl_context DeviceObject::compiler() {
  const std::lock_guard lock(mutex_);
  cl_int code = CL_SUCCESS;
  if (!compiler_) compiler_ = clCreateContext(nullptr, 1, &real, nullptr, nullptr, &code);
  return compiler_;
}

DeviceObject* device_of(int cuda_device) {
  static std::mutex mutex;
  static auto* const devices = new std::map<int, std::unique_ptr<DeviceObject>>;
  const std::lock_guard lock(mutex);
  auto& device = (*devices)[cuda_device];
  if (!device) device = find_device(cuda_device);
  return device.get();
}

Reference<ContextObject> context_of(CUctx_st* cuda) {
  const DriverFunctions& functions = driver();
  if (!cuda) {
    check(functions.context.current(&cuda), "cuCtxGetCurrent");
    // CUDA's runtime does so at its first call in a thread.
    if (!cuda) cuda = primary_context(0);
  }
  check(functions.context.push(cuda), "cuCtxPushCurrent");  // fails if the context was destroyed
  unsigned long long id = 0;
  int device = 0;
  const int no_id = functions.context.id(cuda, &id), no_device = functions.context.device(&device);
  CUctx_st* popped = nullptr;
  functions.context.pop(&popped);
  check(no_id, "cuCtxGetId");
  check(no_device, "cuCtxGetDevice");
  const std::lock_guard lock(contexts_mutex());
  const auto found = contexts().find(id);
  if (found != contexts().end()) return Reference<ContextObject>(found->second);
  DeviceObject* const of = device_of(device);
  auto* const known = contexts()[id] = new ContextObject;
  known->device = of, known->cuda = cuda, known->id = id;
  return Reference<ContextObject>(known);
}

CUctx_st* primary_context(int gpu) {
  static std::mutex mutex;
  static auto* const kept = new std::map<int, CUctx_st*>;  // each is retained once, for ever
  const std::lock_guard lock(mutex);
  CUctx_st*& context = (*kept)[gpu];
  if (context) return context;
  int device = 0;
  check(driver().device.get(&device, gpu), "cuDeviceGet");
  check(driver().device.retain_primary(&context, device), "cuDevicePrimaryCtxRetain");
  return context;
}

namespace {

/// Pushes the context of an object; fails if another has its handle now.
bool push(const ContextObject& context) {
  if (base::driver_is_lost() || driver().context.push(context.cuda) != kSuccess) return false;
  unsigned long long id = 0;
  if (driver().context.id(context.cuda, &id) == kSuccess && id == context.id) return true;
  CUctx_st* popped = nullptr;
  driver().context.pop(&popped);
  return false;
}

}  // namespace

Entered::Entered(const ContextObject& context, IfDestroyed then) : ok_(push(context)) {
  if (!ok_ && then == IfDestroyed::fail) fail(CL_INVALID_CONTEXT);
  is_relaxed_ = ok_ && driver().context.exchange_capture_mode(&mode_) == kSuccess;
}

Entered::~Entered() {
  if (!ok_) return;
  if (is_relaxed_) driver().context.exchange_capture_mode(&mode_);
  CUctx_st* popped = nullptr;
  driver().context.pop(&popped);
}

MadeCurrent::MadeCurrent(const ContextObject& context) {
  CUctx_st* current = nullptr;
  driver().context.current(&current);
  if (current == context.cuda) return;
  pushed_ = ok_ = push(context);
}

MadeCurrent::~MadeCurrent() {
  CUctx_st* popped = nullptr;
  if (pushed_) driver().context.pop(&popped);
}

namespace {

/// Returns the GPU of a stream.
int gpu_of(CUstream_st* stream) {
  CUctx_st* context = nullptr;
  check(driver().stream.context(stream, &context), "cuStreamGetCtx");
  check(driver().context.push(context), "cuCtxPushCurrent");
  int gpu = 0;
  const int failed = driver().context.device(&gpu);
  driver().context.pop(&context);
  check(failed, "cuCtxGetDevice");
  return gpu;
}

}  // namespace

CUevent_st* ContextObject::take_event() {
  constexpr unsigned kNoTiming = 2;  // CU_EVENT_DISABLE_TIMING
  {
    const std::lock_guard lock(mutex_);
    if (!events_.empty()) {
      CUevent_st* const event = events_.back();
      events_.pop_back();
      return event;
    }
  }
  const Entered entered(*this, IfDestroyed::go_on);
  if (!entered.ok()) return nullptr;
  CUevent_st* event = nullptr;
  return driver().event.make(&event, kNoTiming) == kSuccess ? event : nullptr;
}

CUstream_st* ContextObject::upload_stream() {
  constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  const std::lock_guard lock(mutex_);
  if (!upload_stream_) check(driver().stream.make(&upload_stream_, kNonBlocking), "cuStreamCreate");
  return upload_stream_;
}

void ContextObject::return_event(CUevent_st* event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(event);
}

Reference<QueueObject> ContextObject::queue_of(CUstream_st* stream) {
  constexpr std::size_t kMostQueues = 256;  // programs that make streams all the time
  auto* const kPerThread = reinterpret_cast<CUstream_st*>(2);  // CU_STREAM_PER_THREAD
  const MadeCurrent current(*this);
  if (!current.ok()) check(kContextIsDestroyed, "cuCtxPushCurrent");
  const auto make = [&] {
    auto made = std::make_unique<QueueObject>();
    made->context = Reference<ContextObject>(this);
    made->stream = stream;
    // One handle, and a stream for each thread: calls in it are not in one order.
    if (stream == kPerThread) made->properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    Reference<QueueObject> queue(made.get());
    --made.release()->references;  // the maker's
    return queue;
  };
  // Asking a stream for its number ends the capture of a graph. A queue of its own is right there:
  // the graph is launched in any stream.
  int capturing = 0;
  check(driver().stream.is_capturing(stream, &capturing), "cuStreamIsCapturing");
  if (capturing != 0) return make();
  unsigned long long number = 0;
  check(driver().stream.id(stream, &number), "cuStreamGetId");
  std::map<unsigned long long, Reference<QueueObject>> old;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(number);
  if (found != queues_.end()) return Reference<QueueObject>(found->second.get());
  if (gpu_of(stream) != device->cuda)
    base::invalid("stream", "of another GPU", "give a stream of the plan's GPU");
  if (queues_.size() >= kMostQueues) old.swap(queues_);
  auto& kept = queues_[number] = make();
  return Reference<QueueObject>(kept.get());
}

void add_context_functions(cl_icd_dispatch& table) {
  table.clGetPlatformInfo = guarded<get_platform_info>;
  table.clGetDeviceInfo = guarded<get_device_info>;
  table.clRetainDevice = keep_device;
  table.clReleaseDevice = keep_device;
  table.clCreateContext = guarded<create_context>;
  table.clRetainContext = retain<ContextObject, cl_context>;
  table.clReleaseContext = release<ContextObject, cl_context>;
  table.clGetContextInfo = guarded<get_context_info>;
}

}  // namespace imago::cuda
