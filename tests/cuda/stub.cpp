// This file takes the place of libcuda.so.1, and of a part of NVIDIA's OpenCL driver, on a machine
// without a GPU. Programs still come from PoCL; their binaries look like PTX, which names the
// program and the parameters of its kernels. CUDA's memory is the host's own, and a launch runs the
// kernel on PoCL, with pointers instead of buffers.
//
// It shows that the right launches happen with the right arguments, memory and order, also if the
// commands of a stream run late. It shows nothing about a GPU.
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/nufft.h"
#include "kernels/nufft_generic.h"
#include "stub.hpp"

namespace {

constexpr int kOk = 0, kInvalidValue = 1, kOutOfMemory = 2, kInvalidContext = 201;
constexpr cl_uint kUuid = 0x106A;
constexpr unsigned char kUuidByte = 0x5a;  // for the first GPU
constexpr int kGpus = 2;

template <class Function>
Function* behind(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) std::abort();
  return reinterpret_cast<Function*>(found);
}
#define IMAGO_REAL(name) behind<decltype(name)>(#name)

}  // namespace

struct CUctx_st {
  unsigned long long id = 0;
  int device = 0;
  bool destroyed = false;
};
struct CUmod_st {
  cl_program program = nullptr;
  CUctx_st* context = nullptr;
};
struct CUfunc_st {
  struct Parameter {
    enum Kind { value, memory, local } kind = value;
    std::size_t bytes = 0;
    std::string type;
  };
  cl_kernel kernel = nullptr;  // null: the module was unloaded
  CUctx_st* context = nullptr;
  std::vector<Parameter> parameters;
};
struct CUuserObject_st {
  void* value = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 1;
};
struct CUgraph_st {
  std::vector<std::function<int()>> commands;
  std::vector<CUuserObject_st*> objects;
};
struct CUstream_st {
  unsigned long long id = 0;
  CUctx_st* context = nullptr;
  std::unique_ptr<CUgraph_st> captured;
  bool held = false;
};
struct CUevent_st {
  std::shared_ptr<bool> done;  // null: not recorded
};

namespace {

using Parameter = CUfunc_st::Parameter;

/// The state of the stub. Its lock is held during a launch.
struct Stub {
  std::recursive_mutex mutex;
  imago::cuda_stub::Counts counts;
  long fail_after = -1;
  std::map<std::string, cl_program> programs;  ///< programs, by the line that names each
  std::map<cl_program, std::string> texts;
  std::set<void*> memory;
  std::map<void*, std::size_t> sizes;
  std::deque<std::pair<void*, std::size_t>> released;  ///< not given back yet, to find its uses
  std::deque<std::function<int()>> late;               ///< commands of held streams
  std::map<std::pair<CUmod_st*, std::string>, CUfunc_st*> functions;
  std::map<cl_context, cl_command_queue> queues;
  unsigned long long next_id = 1;
};

Stub& stub() {
  static auto* const all = new Stub;
  return *all;
}

thread_local std::vector<CUctx_st*> stack;
thread_local CUctx_st* bottom = nullptr;
thread_local int capture_mode = 0;  // CU_STREAM_CAPTURE_MODE_GLOBAL
/// True while a user object is destroyed, which may not call CUDA.
thread_local bool in_destructor = false;

CUstream_st* default_stream() {
  static auto* const stream = new CUstream_st{1ull << 40, nullptr, nullptr, false};
  return stream;
}
CUstream_st* of(CUstream_st* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? default_stream() : stream;
}

/// Counts a call, and tells if it fails.
bool fails() {
  const std::lock_guard lock(stub().mutex);
  if (in_destructor) std::abort();
  ++stub().counts.calls;
  return stub().fail_after >= 0 && stub().fail_after-- == 0;
}

std::size_t size_of(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes = {
      {"char", 1},
      {"uchar", 1},
      {"short", 2},
      {"ushort", 2},
      {"half", 2},
      {"int", 4},
      {"uint", 4},
      {"float", 4},
      {"long", 8},
      {"ulong", 8},
      {"double", 8},
      {"NufftGrid", sizeof(NufftGrid)},
      {"NufftConstants", sizeof(NufftConstants)},
      {"Angle", 64}};
  const std::size_t digits = type.find_first_of("0123456789");
  const auto found = sizes.find(type.substr(0, digits));
  if (found == sizes.end()) {
    std::fprintf(stderr, "stub: the size of %s is not known\n", type.c_str());
    return 8;
  }
  std::size_t count = digits == type.npos ? 1 : std::stoul(type.substr(digits));
  return found->second * (count == 3 ? 4 : count);
}

std::string text_of_argument(cl_kernel kernel, cl_uint i, cl_kernel_arg_info name) {
  std::size_t bytes = 0;
  clGetKernelArgInfo(kernel, i, name, 0, nullptr, &bytes);
  std::string text(bytes, '\0');
  clGetKernelArgInfo(kernel, i, name, bytes, text.data(), nullptr);
  return text.c_str();
}

std::vector<Parameter> parameters_of(cl_kernel kernel) {
  cl_uint count = 0;
  clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  std::vector<Parameter> parameters(count);
  for (cl_uint i = 0; i < count; ++i) {
    cl_kernel_arg_address_qualifier where = 0;
    clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where, &where, nullptr);
    Parameter& parameter = parameters[i];
    parameter.type = text_of_argument(kernel, i, CL_KERNEL_ARG_TYPE_NAME);
    if (where == CL_KERNEL_ARG_ADDRESS_LOCAL)
      parameter.kind = Parameter::local;
    else if (where != CL_KERNEL_ARG_ADDRESS_PRIVATE)
      parameter.kind = Parameter::memory;
    parameter.bytes = parameter.kind == Parameter::value ? size_of(parameter.type) : 8;
  }
  return parameters;
}

/// Writes the text that looks like PTX.
std::string describe(cl_program program, const std::string& name) {
  std::string text = "//\n// A stub\n//\n\n.version 9.0\n.target sm_90, texmode_independent\n";
  text += ".address_size 64\n" + name + "\n";
  std::size_t bytes = 0;
  IMAGO_REAL(clGetProgramInfo)(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes);
  std::string names(bytes, '\0');
  IMAGO_REAL(clGetProgramInfo)(program, CL_PROGRAM_KERNEL_NAMES, bytes, names.data(), nullptr);
  names = names.c_str();
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(';', at), names.size());
    const std::string kernel_name = names.substr(at, end - at);
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, kernel_name.c_str(), &code);
    text += ".entry " + kernel_name + "(";
    std::string body = "\n{\n\t.reg .b64 \t%rd<2>;\n\tmov.b32 \t%r1, %envreg6;\n";
    const auto parameters = parameters_of(kernel);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string parameter = kernel_name + "_param_" + std::to_string(i);
      text += i == 0 ? "\n\t.param " : ",\n\t.param ";
      if (parameters[i].kind == Parameter::memory)
        text += ".u64 .ptr .global .align 4 " + parameter;
      else if (parameters[i].kind == Parameter::local)
        text += ".u64 .ptr .shared .align 4 " + parameter;
      else if (parameters[i].bytes <= 8)
        text += ".u" + std::to_string(8 * parameters[i].bytes) + " " + parameter;
      else
        text += ".align " + std::to_string(parameters[i].bytes) + " .b8 " + parameter + "[" +
                std::to_string(parameters[i].bytes) + "]";
      if (parameters[i].kind == Parameter::local)
        body += "\tld.param.u64 \t%rd1, [" + parameter + "];\n";
    }
    text += "\n)" + body + "\tret;\n\n}\n";
    clReleaseKernel(kernel);
    at = end + 1;
  }
  return text;
}

/// Returns the text of a program, which then lives as long as the process.
const std::string& text_of(cl_program program) {
  const std::lock_guard lock(stub().mutex);
  auto& text = stub().texts[program];
  if (text.empty()) {
    char name[64];
    std::snprintf(name, sizeof name, "// program %p", static_cast<void*>(program));
    clRetainProgram(program);
    stub().programs[name] = program;
    text = describe(program, name);
  }
  return text;
}

cl_program program_in(const char* text) {
  const char* const at = std::strstr(text, "// program ");
  if (!at) return nullptr;
  const std::lock_guard lock(stub().mutex);
  const auto found = stub().programs.find(std::string(at, std::strchr(at, '\n')));
  return found == stub().programs.end() ? nullptr : found->second;
}

/// Returns the queue in which PoCL runs the kernels of a program.
cl_command_queue queue_for(cl_program program) {
  cl_context context = nullptr;
  IMAGO_REAL(clGetProgramInfo)(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
  cl_command_queue& queue = stub().queues[context];
  if (queue) return queue;
  cl_device_id device = nullptr;
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  cl_int code = CL_SUCCESS;
  return queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
}

bool is_released(std::uint64_t address) {
  const auto& released = stub().released;
  return std::any_of(released.begin(), released.end(), [&](const auto& part) {
    const auto begin = reinterpret_cast<std::uint64_t>(part.first);
    return address >= begin && address < begin + part.second;
  });
}

int run_late() {
  const std::lock_guard lock(stub().mutex);
  int result = kOk;
  while (!stub().late.empty()) {
    const auto command = std::move(stub().late.front());
    stub().late.pop_front();
    if (const int code = command(); code != kOk) result = code;
  }
  return result;
}

using Value = std::array<std::uint64_t, 16>;

int run(CUfunc_st* function, std::size_t groups, std::size_t items, std::size_t shared,
        const std::vector<Value>& values) {
  const std::lock_guard lock(stub().mutex);
  bool fault = !function->kernel;
  for (std::size_t i = 0; i < values.size(); ++i)
    fault |= function->parameters[i].kind == Parameter::memory && is_released(values[i][0]);
  if (fault) return ++stub().counts.faults, kOk;  // a GPU would go on, too
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = function->parameters[i];
    const auto index = static_cast<cl_uint>(i);
    cl_int code = CL_SUCCESS;
    if (parameter.kind == Parameter::memory) {
      code = clSetKernelArgSVMPointer(function->kernel, index,
                                      reinterpret_cast<const void*>(values[i][0]));
    } else if (parameter.kind == Parameter::local) {
      if (values[i][0] >= shared) return kInvalidValue;
      code = clSetKernelArg(function->kernel, index, shared - values[i][0], nullptr);
    } else {
      code = clSetKernelArg(function->kernel, index, parameter.bytes, values[i].data());
    }
    if (code != CL_SUCCESS) {
      std::fprintf(stderr, "stub: argument %zu (%s): %d\n", i, parameter.type.c_str(), code);
      return kInvalidValue;
    }
  }
  cl_program program = nullptr;
  clGetKernelInfo(function->kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  const cl_command_queue queue = queue_for(program);
  const std::size_t all = groups * items;
  const cl_int code = IMAGO_REAL(clEnqueueNDRangeKernel)(queue, function->kernel, 1, nullptr, &all,
                                                         &items, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) std::fprintf(stderr, "stub: launch: %d\n", code);
  return code == CL_SUCCESS && clFinish(queue) == CL_SUCCESS ? kOk : kInvalidValue;
}

/// Runs a command, or records it.
int enqueue(CUstream_st* stream, std::function<int()> command) {
  stream = of(stream);
  if (!stream->captured) {
    const std::lock_guard lock(stub().mutex);
    if (!stream->held) return command();
    stub().late.push_back(std::move(command));
    return kOk;
  }
  stream->captured->commands.push_back(std::move(command));
  return kOk;
}

int launch(CUfunc_st* function, unsigned groups, unsigned items, unsigned shared,
           CUstream_st* stream, void** arguments) {
  std::vector<Value> values(function->parameters.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(values[i].data(), arguments[i], function->parameters[i].bytes);
  ++stub().counts.launches;
  return enqueue(stream, [=] { return run(function, groups, items, shared, values); });
}

/// True for a device of the library's own driver, which no platform lists.
bool is_own(cl_device_id device) {
  cl_platform_id platform = nullptr;
  IMAGO_REAL(clGetDeviceInfo)(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  cl_platform_id real[8] = {};
  cl_uint count = 0;
  clGetPlatformIDs(8, real, &count);
  return std::find(real, real + std::min<cl_uint>(count, 8), platform) == real + count;
}

CUctx_st* current();

/// True for a default stream in a thread without a context.
bool needs_context(CUstream_st* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 && !current();
}

CUctx_st* current() { return stack.empty() ? bottom : stack.back(); }

}  // namespace

// The part of NVIDIA's OpenCL driver.
extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, std::size_t size, void* value,
                       std::size_t* needed) {
  if (name != kUuid || is_own(device))
    return IMAGO_REAL(clGetDeviceInfo)(device, name, size, value, needed);
  // PoCL's devices are the GPUs, if it has several (POCL_DEVICES).
  cl_platform_id platform = nullptr;
  cl_device_id all[kGpus] = {};
  IMAGO_REAL(clGetDeviceInfo)(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, kGpus, all, nullptr);
  const auto gpu = static_cast<int>(std::find(all, all + kGpus, device) - all);
  if (value) std::memset(value, kUuidByte + gpu, std::min<std::size_t>(size, 16));
  if (needed) *needed = 16;
  return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, std::size_t size, void* value,
                        std::size_t* needed) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  IMAGO_REAL(clGetProgramInfo)(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  if (is_own(device) || (name != CL_PROGRAM_BINARIES && name != CL_PROGRAM_BINARY_SIZES))
    return IMAGO_REAL(clGetProgramInfo)(program, name, size, value, needed);
  const std::string& text = text_of(program);
  if (name == CL_PROGRAM_BINARY_SIZES) {
    if (needed) *needed = sizeof(std::size_t);
    if (value) *static_cast<std::size_t*>(value) = text.size();
    return CL_SUCCESS;
  }
  if (needed) *needed = sizeof(unsigned char*);
  if (value) std::memcpy(*static_cast<unsigned char**>(value), text.data(), text.size());
  return CL_SUCCESS;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const std::size_t* lengths, const unsigned char** binaries,
                                     cl_int* status, cl_int* code) {
  // PoCL cannot read the text, if a plan of OpenCL meets it in the cache.
  const std::string text(reinterpret_cast<const char*>(binaries[0]), lengths[0]);
  const cl_program known = is_own(devices[0]) ? nullptr : program_in(text.c_str());
  cl_context of = nullptr;
  if (known) IMAGO_REAL(clGetProgramInfo)(known, CL_PROGRAM_CONTEXT, sizeof of, &of, nullptr);
  if (!known || of != context)
    return IMAGO_REAL(clCreateProgramWithBinary)(context, count, devices, lengths, binaries, status,
                                                 code);
  clRetainProgram(known);
  if (code) *code = CL_SUCCESS;
  return known;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                      void* data) {
  return IMAGO_REAL(clBuildProgram)(
      program, count, devices,
      (std::string(options ? options : "") + " -cl-kernel-arg-info").c_str(), notify, data);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const std::size_t* offset, const std::size_t* items,
                              const std::size_t* group, cl_uint count, const cl_event* waits,
                              cl_event* event) {
  cl_device_id device = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  if (!is_own(device)) ++stub().counts.opencl_launches;
  return IMAGO_REAL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, items, group, count,
                                            waits, event);
}

// CUDA's driver. The parameters are those of cuda.h. A call that destroys something does so also if
// it fails.
int cuInit(unsigned) { return kOk; }
int cuGetErrorName(int result, const char** text) {
  *text = result == kOutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == kInvalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
                                      : "CUDA_ERROR_INVALID_VALUE";
  return kOk;
}
int cuDeviceGet(int* device, int ordinal) {
  return *device = ordinal, ordinal < kGpus ? kOk : 101;  // CUDA_ERROR_INVALID_DEVICE
}
int cuDeviceGetAttribute(int* value, int, int) {
  return *value = 232448, fails() ? kInvalidValue : kOk;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  return std::memset(uuid, kUuidByte + device, 16), fails() ? kInvalidValue : kOk;
}
int cuDevicePrimaryCtxRetain(CUctx_st** context, int device) {
  static std::array<CUctx_st*, kGpus> primary = {};
  if (fails()) return kOutOfMemory;
  const std::lock_guard lock(stub().mutex);
  CUctx_st*& of = primary[static_cast<std::size_t>(device)];
  if (!of) of = new CUctx_st{stub().next_id++, device, false};
  return *context = of, kOk;
}
int cuCtxGetCurrent(CUctx_st** context) {
  if (fails()) return kInvalidContext;
  return *context = current(), kOk;
}
int cuCtxPushCurrent_v2(CUctx_st* context) {
  if (fails() || context->destroyed) return kInvalidContext;
  return stack.push_back(context), kOk;
}
int cuCtxPopCurrent_v2(CUctx_st** context) {
  if (stack.empty()) return kInvalidContext;
  *context = stack.back();
  return stack.pop_back(), fails() ? kInvalidContext : kOk;
}
int cuCtxGetDevice(int* device) {
  if (fails() || !current()) return kInvalidContext;
  return *device = current()->device, kOk;
}
int cuCtxGetId(CUctx_st* context, unsigned long long* id) {
  return *id = context->id, fails() ? kInvalidContext : kOk;
}
int cuThreadExchangeStreamCaptureMode(int* mode) {
  std::swap(capture_mode, *mode);
  return kOk;
}
int cuModuleLoadDataEx(CUmod_st** module, const void* image, unsigned, int*, void**) {
  if (fails()) return kOutOfMemory;
  const char* const text = static_cast<const char*>(image);
  const cl_program program = program_in(text);
  // The library must have taken out what CUDA's driver does not know.
  if (!program || std::strstr(text, "%envreg") || std::strstr(text, "texmode")) return 218;
  const std::lock_guard lock(stub().mutex);
  ++stub().counts.modules;
  *module = new CUmod_st{program, current()};
  return kOk;
}
int cuModuleUnload(CUmod_st* module) {
  const std::lock_guard lock(stub().mutex);
  --stub().counts.modules;
  auto& functions = stub().functions;
  for (auto at = functions.begin(); at != functions.end();) {
    if (at->first.first != module) {
      ++at;
      continue;
    }
    clReleaseKernel(std::exchange(at->second->kernel, nullptr));  // the function shows later uses
    at = functions.erase(at);
  }
  delete module;
  return fails() ? kInvalidValue : kOk;
}
int cuModuleGetFunction(CUfunc_st** function, CUmod_st* module, const char* name) {
  if (fails()) return kOutOfMemory;
  const std::lock_guard lock(stub().mutex);
  auto& known = stub().functions[{module, name}];
  if (!known) {
    cl_int code = CL_SUCCESS;
    auto made = std::make_unique<CUfunc_st>();
    made->kernel = clCreateKernel(module->program, name, &code);
    if (code != CL_SUCCESS) return 500;
    made->context = module->context;
    made->parameters = parameters_of(made->kernel);
    known = made.release();
  }
  *function = known;
  return kOk;
}
int cuFuncGetAttribute(int* value, int attribute, CUfunc_st*) {
  constexpr int kMostItems = 0;
  if (fails()) return kInvalidValue;
  return *value = attribute == kMostItems ? 1024 : 0, kOk;
}
int cuFuncSetAttribute(CUfunc_st*, int, int) { return fails() ? kOutOfMemory : kOk; }
int cuMemAlloc_v2(std::uint64_t* memory, std::size_t bytes) {
  if (fails()) return kOutOfMemory;
  void* const made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  const std::lock_guard lock(stub().mutex);
  stub().memory.insert(made);
  stub().sizes[made] = bytes;
  ++stub().counts.allocations;
  *memory = reinterpret_cast<std::uint64_t>(made);
  return kOk;
}
/// Waits for nothing, which CUDA's documentation allows.
int cuMemFree_v2(std::uint64_t memory) {
  constexpr std::size_t kMostReleased = 64;
  const std::lock_guard lock(stub().mutex);
  void* const address = reinterpret_cast<void*>(memory);
  if (stub().memory.erase(address) == 0) std::abort();
  --stub().counts.allocations;
  auto& released = stub().released;
  released.emplace_back(address, stub().sizes[address]);
  if (released.size() > kMostReleased) {
    std::free(released.front().first);
    released.pop_front();
  }
  return fails() ? kInvalidValue : kOk;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes,
                         CUstream_st* stream) {
  if (fails()) return kInvalidValue;
  return enqueue(stream,
                 [=] { return std::memcpy(reinterpret_cast<void*>(to), from, bytes), kOk; });
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, CUstream_st* stream) {
  if (fails()) return kInvalidValue;
  return enqueue(stream,
                 [=] { return std::memcpy(to, reinterpret_cast<void*>(from), bytes), kOk; });
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes,
                         CUstream_st* stream) {
  if (fails()) return kInvalidValue;
  return enqueue(stream, [=] {
    return std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes), kOk;
  });
}
int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, CUstream_st* stream) {
  if (fails()) return kInvalidValue;
  return enqueue(stream,
                 [=] { return std::memset(reinterpret_cast<void*>(to), value, bytes), kOk; });
}
int cuStreamCreate(CUstream_st** stream, unsigned) {
  if (fails()) return kOutOfMemory;
  const std::lock_guard lock(stub().mutex);
  ++stub().counts.streams;
  return *stream = new CUstream_st{stub().next_id++, current(), nullptr, false}, kOk;
}
/// The stream's commands still run.
int cuStreamDestroy_v2(CUstream_st* stream) {
  const std::lock_guard lock(stub().mutex);
  --stub().counts.streams;
  stream->id = 0;  // never deleted: a later use is found
  return fails() ? kInvalidValue : kOk;
}
int cuStreamSynchronize(CUstream_st*) {
  if (fails()) return kInvalidValue;
  return run_late();
}
int cuStreamGetId(CUstream_st* stream, unsigned long long* id) {
  if (fails() || needs_context(stream)) return kInvalidContext;
  if (of(stream)->captured) return 900;  // as the driver 580.159 does, and the capture is lost
  return *id = of(stream)->id, kOk;
}
int cuStreamGetCtx(CUstream_st* stream, CUctx_st** context) {
  if (fails() || needs_context(stream)) return kInvalidContext;
  CUctx_st* const its = of(stream)->context;
  return *context = its ? its : current(), kOk;
}
int cuStreamIsCapturing(CUstream_st* stream, int* status) {
  if (fails() || needs_context(stream)) return kInvalidContext;
  return *status = of(stream)->captured ? 1 : 0, kOk;
}
int cuStreamGetCaptureInfo_v2(CUstream_st* stream, int* status, std::uint64_t*, CUgraph_st** graph,
                              const void**, std::size_t*) {
  if (fails()) return kInvalidValue;
  *status = of(stream)->captured ? 1 : 0;
  if (*status == 1) *graph = of(stream)->captured.get();
  return kOk;
}
int cuUserObjectCreate(CUuserObject_st** object, void* value, void (*destroy)(void*),
                       unsigned references, unsigned) {
  if (fails()) return kInvalidValue;
  return *object = new CUuserObject_st{value, destroy, references}, kOk;
}
int cuUserObjectRelease(CUuserObject_st* object, unsigned count) {
  const bool failed = fails();
  if ((object->references -= count) == 0) {
    in_destructor = true;
    object->destroy(object->value);
    in_destructor = false;
    delete object;
  }
  return failed ? kInvalidValue : kOk;
}
/// The graph gets the caller's references.
int cuGraphRetainUserObject(CUgraph_st* graph, CUuserObject_st* object, unsigned, unsigned) {
  if (fails()) return kInvalidValue;
  return graph->objects.push_back(object), kOk;
}
/// Does not look at what the event waits for: a held stream goes on.
int cuStreamWaitEvent(CUstream_st*, CUevent_st* event, unsigned) {
  if (fails()) return kInvalidValue;
  return event->done && !*event->done ? run_late() : kOk;
}
int cuEventCreate(CUevent_st** event, unsigned) {
  if (fails()) return kOutOfMemory;
  const std::lock_guard lock(stub().mutex);
  ++stub().counts.events;
  return *event = new CUevent_st, kOk;
}
int cuEventRecord(CUevent_st* event, CUstream_st* stream) {
  if (fails() || of(stream)->id == 0) return kInvalidValue;
  event->done = std::make_shared<bool>(false);
  return enqueue(stream, [done = event->done] { return *done = true, kOk; });
}
int cuEventQuery(CUevent_st* event) {
  constexpr int kNotReady = 600;
  if (fails()) return kInvalidValue;
  return !event->done || *event->done ? kOk : kNotReady;
}
int cuEventSynchronize(CUevent_st* event) {
  if (fails()) return kInvalidValue;
  return event->done && !*event->done ? run_late() : kOk;
}
int cuLaunchKernel(CUfunc_st* function, unsigned x, unsigned, unsigned, unsigned items, unsigned,
                   unsigned, unsigned shared, CUstream_st* stream, void** arguments, void**) {
  CUctx_st* const its = of(stream)->context;
  if (fails() || of(stream)->id == 0 || (its && its != function->context)) return kInvalidValue;
  return launch(function, x, items, shared, stream, arguments);
}

// Functions that only programs call, such as the benchmarks.
int cuCtxSetCurrent(CUctx_st* context) { return bottom = context, kOk; }
int cuCtxCreate_v2(CUctx_st** context, unsigned, int gpu) {
  return *context = imago::cuda_stub::make_context(gpu), kOk;
}
int cuCtxSynchronize() { return run_late(); }
int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t bytes) {
  return cuMemsetD8Async(to, value, bytes, nullptr);
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr);
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  run_late();
  return cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr);
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return *free = *total = std::size_t{1} << 30, kOk;
}
int cuStreamBeginCapture_v2(CUstream_st* stream, int) {
  return imago::cuda_stub::begin_capture(stream), kOk;
}
int cuStreamEndCapture(CUstream_st* stream, CUgraph_st** graph) {
  return *graph = imago::cuda_stub::end_capture(stream), kOk;
}
int cuGraphInstantiateWithFlags(CUgraph_st** instance, CUgraph_st* graph, unsigned long long) {
  for (CUuserObject_st* const object : graph->objects) ++object->references;
  return *instance = new CUgraph_st(*graph), kOk;
}
int cuGraphDestroy(CUgraph_st* graph) { return imago::cuda_stub::destroy_graph(graph), kOk; }
int cuGraphExecDestroy(CUgraph_st* instance) { return cuGraphDestroy(instance); }
int cuGraphLaunch(CUgraph_st* instance, CUstream_st*) {
  return imago::cuda_stub::launch_graph(instance), kOk;
}
}  // extern "C"

namespace imago::cuda_stub {
namespace {

/// Makes a call of the test's own, which is not counted and does not fail.
template <class Call>
void as_test(const Call& call) {
  const std::lock_guard lock(stub().mutex);
  const long kept = std::exchange(stub().fail_after, -1);
  const std::size_t calls = stub().counts.calls;
  call();
  stub().counts.calls = calls;
  stub().fail_after = kept;
}

}  // namespace

Counts counts() { return stub().counts; }
void fail_after(long calls) { stub().fail_after = calls; }

CUctx_st* make_context(int gpu) {
  auto* const context = new CUctx_st{stub().next_id++, gpu, false};
  set_current(context);
  return context;
}
void set_current(CUctx_st* context) { bottom = context; }
void destroy_context(CUctx_st* context) { context->destroyed = true; }
CUstream_st* make_stream() {
  CUstream_st* stream = nullptr;
  as_test([&] { cuStreamCreate(&stream, 0); });
  return stream;
}
void destroy_stream(CUstream_st* stream) {
  as_test([&] { cuStreamDestroy_v2(stream); });
}
void hold(CUstream_st* stream) { of(stream)->held = true; }
void let_go(CUstream_st* stream) {
  of(stream)->held = false;
  if (run_late() != kOk) std::abort();
}
int capture_mode_of_thread() { return capture_mode; }
CUctx_st* current_context() { return current(); }
std::uint64_t allocate(std::size_t bytes) {
  std::uint64_t memory = 0;
  as_test([&] { cuMemAlloc_v2(&memory, bytes); });
  return memory;
}
void release(std::uint64_t memory) {
  as_test([&] { cuMemFree_v2(memory); });
}

void begin_capture(CUstream_st* stream) { of(stream)->captured = std::make_unique<CUgraph_st>(); }
CUgraph_st* end_capture(CUstream_st* stream) { return of(stream)->captured.release(); }
void launch_graph(CUgraph_st* graph) {
  for (const auto& command : graph->commands) {
    if (command() != kOk) std::abort();
  }
}
void destroy_graph(CUgraph_st* graph) {
  for (CUuserObject_st* const object : graph->objects)
    as_test([&] { cuUserObjectRelease(object, 1); });
  delete graph;
}

}  // namespace imago::cuda_stub
