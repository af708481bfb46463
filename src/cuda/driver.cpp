// This file loads CUDA's driver.
#include "cuda/driver.hpp"

#include "base/errors.hpp"
#include "base/forked.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace imago::cuda {
namespace {

#ifdef _WIN32
constexpr auto* kLibrary = "nvcuda.dll";
void* open() { return LoadLibraryExA(kLibrary, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32); }
void* find(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
#else
constexpr auto* kLibrary = "libcuda.so.1";
void* open() { return dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL); }
void* find(void* library, const char* name) { return dlsym(library, name); }
#endif

constexpr auto* kInstead = "use OpenCL's buffers, which need no CUDA";

/// Sets functions to those of the library.
class Loader {
 public:
  Loader() : library_(open()) {
    if (!library_)
      base::unsupported(std::string("CUDA's driver, ") + kLibrary + ", is not on this machine",
                        kInstead);
  }
  template <class Function>
  void get(Function& function, const char* name) const {
    void* const found = find(library_, name);
    if (!found)
      base::unsupported(std::string(kLibrary) + " has no " + name + ": it is older than CUDA 12",
                        "install a driver of CUDA 12 or later");
    function = reinterpret_cast<Function>(found);
  }

 private:
  void* library_;
};

void load_contexts(const Loader& library, DriverFunctions& all) {
  library.get(all.device.init, "cuInit");
  library.get(all.device.error_name, "cuGetErrorName");
  library.get(all.device.get, "cuDeviceGet");
  library.get(all.device.attribute, "cuDeviceGetAttribute");
  library.get(all.device.uuid, "cuDeviceGetUuid_v2");
  library.get(all.device.retain_primary, "cuDevicePrimaryCtxRetain");
  library.get(all.context.current, "cuCtxGetCurrent");
  library.get(all.context.push, "cuCtxPushCurrent_v2");
  library.get(all.context.pop, "cuCtxPopCurrent_v2");
  library.get(all.context.device, "cuCtxGetDevice");
  library.get(all.context.id, "cuCtxGetId");
  library.get(all.context.exchange_capture_mode, "cuThreadExchangeStreamCaptureMode");
}

void load_modules(const Loader& library, DriverFunctions& all) {
  library.get(all.module.load, "cuModuleLoadDataEx");
  library.get(all.module.unload, "cuModuleUnload");
  library.get(all.module.function, "cuModuleGetFunction");
  library.get(all.module.attribute, "cuFuncGetAttribute");
  library.get(all.module.set_attribute, "cuFuncSetAttribute");
  library.get(all.memory.allocate, "cuMemAlloc_v2");
  library.get(all.memory.release, "cuMemFree_v2");
  library.get(all.memory.upload, "cuMemcpyHtoDAsync_v2");
  library.get(all.memory.download, "cuMemcpyDtoHAsync_v2");
  library.get(all.memory.copy, "cuMemcpyDtoDAsync_v2");
  library.get(all.memory.fill, "cuMemsetD8Async");
}

void load_streams(const Loader& library, DriverFunctions& all) {
  library.get(all.stream.make, "cuStreamCreate");
  library.get(all.stream.destroy, "cuStreamDestroy_v2");
  library.get(all.stream.synchronize, "cuStreamSynchronize");
  library.get(all.stream.id, "cuStreamGetId");
  library.get(all.stream.context, "cuStreamGetCtx");
  library.get(all.stream.is_capturing, "cuStreamIsCapturing");
  library.get(all.stream.wait_for, "cuStreamWaitEvent");
  library.get(all.stream.launch, "cuLaunchKernel");
  library.get(all.event.make, "cuEventCreate");
  library.get(all.event.record, "cuEventRecord");
  library.get(all.event.query, "cuEventQuery");
  library.get(all.event.synchronize, "cuEventSynchronize");
  library.get(all.graph.of_capture, "cuStreamGetCaptureInfo_v2");
  library.get(all.graph.make_object, "cuUserObjectCreate");
  library.get(all.graph.release_object, "cuUserObjectRelease");
  library.get(all.graph.keep_object, "cuGraphRetainUserObject");
}

DriverFunctions load_driver() {
  base::use_driver();
  const Loader library;
  DriverFunctions all = {};
  load_contexts(library, all);
  load_modules(library, all);
  load_streams(library, all);
  const int result = all.device.init(0);
  if (result == kSuccess) return all;
  const char* name = nullptr;
  all.device.error_name(result, &name);
  base::unsupported(std::string("CUDA's driver finds no GPU: cuInit failed: ") +
                        (name ? name : std::to_string(result)),
                    kInstead);
}

}  // namespace

const DriverFunctions& driver() {
  base::check_driver();
  static const DriverFunctions functions = load_driver();
  return functions;
}

std::string name_of_error(int result) {
  const char* name = nullptr;
  driver().device.error_name(result, &name);
  return name ? name : "CUresult " + std::to_string(result);
}

void check(int result, const char* call) {
  if (result != kSuccess) base::device_error(call, name_of_error(result), result);
}

}  // namespace imago::cuda
