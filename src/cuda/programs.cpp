// This file implements programs and kernels.
#include <algorithm>
#include <cstring>

#include <imago/error.hpp>

#include "cuda/dispatch.hpp"

namespace imago::cuda {
namespace {

// Attributes of functions: CUfunction_attribute.
constexpr int kSharedBytes = 1, kMostItems = 0, kMostDynamicShared = 8;

/// Owns an object of OpenCL's compiler.
struct RealProgram {
  cl_program program = nullptr;
  ~RealProgram() {
    if (program) clReleaseProgram(program);
  }
};

/// Compiles a program by NVIDIA's OpenCL driver.
cl_int compile(ProgramObject& program, const char* options) {
  DeviceObject* const device = program.context->device;
  const cl_context compiler = device->compiler();
  if (!compiler) {
    program.log = "the OpenCL driver makes no context, in which it would compile";
    return CL_BUILD_PROGRAM_FAILURE;
  }
  const char* text = program.source.c_str();
  cl_int code = CL_SUCCESS;
  RealProgram real{clCreateProgramWithSource(compiler, 1, &text, nullptr, &code)};
  if (code != CL_SUCCESS) return code;
  code = clBuildProgram(real.program, 1, &device->real, options, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::size_t bytes = 0;
    clGetProgramBuildInfo(real.program, device->real, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    program.log.resize(bytes);
    clGetProgramBuildInfo(real.program, device->real, CL_PROGRAM_BUILD_LOG, bytes,
                          program.log.data(), nullptr);
    return code;
  }
  std::size_t bytes = 0;
  code = clGetProgramInfo(real.program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr);
  if (code != CL_SUCCESS) return code;
  program.binary.resize(bytes);
  auto* pointer = reinterpret_cast<unsigned char*>(program.binary.data());
  return clGetProgramInfo(real.program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr);
}

/// Loads the binary into CUDA's driver.
cl_int load(ProgramObject& program) {
  constexpr int kErrorLog = 5, kErrorLogBytes = 6;  // CU_JIT_ERROR_LOG_BUFFER
  Ptx ptx;
  try {
    ptx = adapt_ptx(program.binary);
  } catch (const Error& error) {
    program.log = error.what();
    return CL_BUILD_PROGRAM_FAILURE;
  }
  std::string log(4096, '\0');
  int names[] = {kErrorLog, kErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  const Entered entered(*program.context.get());
  const int result = driver().module.load(&program.module, ptx.text.c_str(), 2, names, values);
  if (result != kSuccess) {
    program.log = "cuModuleLoadDataEx failed: " + name_of_error(result) + ". " + log.c_str();
    return CL_BUILD_PROGRAM_FAILURE;
  }
  program.kernels = std::move(ptx.kernels);
  return CL_SUCCESS;
}

cl_program make_program(cl_context context, ProgramObject** made) {
  auto* const program = *made = new ProgramObject;
  program->context = Reference(object_of<ContextObject>(context));
  return handle_of<cl_program>(program);
}

cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char** strings,
                                          const std::size_t* lengths, cl_int*) {
  ProgramObject* program = nullptr;
  const cl_program handle = make_program(context, &program);
  for (cl_uint i = 0; i < count; ++i) {
    const std::size_t length = lengths && lengths[i] > 0 ? lengths[i] : std::strlen(strings[i]);
    program->source.append(strings[i], length);
  }
  return handle;
}

cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint, const cl_device_id*,
                                          const std::size_t* lengths,
                                          const unsigned char** binaries, cl_int* status, cl_int*) {
  ProgramObject* program = nullptr;
  const cl_program handle = make_program(context, &program);
  program->binary.assign(reinterpret_cast<const char*>(binaries[0]), lengths[0]);
  if (status) *status = CL_SUCCESS;
  return handle;
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint, const cl_device_id*,
                                 const char* options, void(CL_CALLBACK*)(cl_program, void*),
                                 void*) {
  auto& object = *object_of<ProgramObject>(program);
  if (!object.source.empty()) {
    const cl_int code = compile(object, options);
    if (code != CL_SUCCESS) return code;
  }
  return load(object);
}

cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info name, std::size_t size,
                                    void* value, std::size_t* needed) {
  auto& object = *object_of<ProgramObject>(program);
  switch (name) {
    case CL_PROGRAM_DEVICES:
      return answer(handle_of<cl_device_id>(object.context->device), size, value, needed);
    case CL_PROGRAM_BINARY_SIZES:
      return answer(object.binary.size(), size, value, needed);
    case CL_PROGRAM_BINARIES: {
      if (needed) *needed = sizeof(unsigned char*);
      auto** const to = static_cast<unsigned char**>(value);
      if (to && to[0]) std::memcpy(to[0], object.binary.data(), object.binary.size());
      return CL_SUCCESS;
    }
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id, cl_program_build_info name,
                                  std::size_t size, void* value, std::size_t* needed) {
  const std::string& log = object_of<ProgramObject>(program)->log;
  if (name != CL_PROGRAM_BUILD_LOG) return CL_INVALID_VALUE;
  return answer(log.c_str(), log.size() + 1, size, value, needed);
}

/// Lets launches of a kernel have as much local memory as the GPU has. If the driver refuses,
/// larger launches fail.
void allow_local_memory(const KernelObject& kernel) {
  constexpr int kMostShared = 97;  // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
  int most = 0;
  const int device = kernel.program->context->device->cuda;
  if (driver().device.attribute(&most, kMostShared, device) != kSuccess) return;
  most -= static_cast<int>(kernel.static_shared);
  driver().module.set_attribute(kernel.function, kMostDynamicShared, most);
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int*) {
  auto* const owner = object_of<ProgramObject>(program);
  const auto found = std::find_if(owner->kernels.begin(), owner->kernels.end(),
                                  [&](const PtxKernel& kernel) { return kernel.name == name; });
  if (found == owner->kernels.end())
    fail(owner->module ? CL_INVALID_KERNEL_NAME : CL_INVALID_PROGRAM_EXECUTABLE);
  auto kernel = std::make_unique<KernelObject>();
  kernel->program = Reference(owner);
  kernel->code = &*found;
  const Entered entered(*owner->context.get());
  int shared = 0;
  require(driver().module.function(&kernel->function, owner->module, name));
  require(driver().module.attribute(&shared, kSharedBytes, kernel->function));
  kernel->static_shared = static_cast<std::size_t>(shared);
  std::size_t words = 0;
  for (const PtxParameter& parameter : found->parameters) {
    words += (parameter.bytes + 7) / 8;
    kernel->has_local |= parameter.kind == PtxParameter::Kind::local;
  }
  kernel->values.resize(words);
  if (kernel->has_local) allow_local_memory(*kernel);
  kernel->local_bytes.resize(found->parameters.size());
  kernel->buffers.resize(found->parameters.size());
  std::size_t at = 0;
  for (const PtxParameter& parameter : found->parameters) {
    kernel->pointers.push_back(&kernel->values[at]);
    at += (parameter.bytes + 7) / 8;
  }
  return handle_of<cl_kernel>(kernel.release());
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, std::size_t bytes,
                                const void* value) {
  auto& object = *object_of<KernelObject>(kernel);
  if (index >= object.pointers.size()) return CL_INVALID_ARG_INDEX;
  const PtxParameter& parameter = object.code->parameters[index];
  void* const to = object.pointers[index];
  switch (parameter.kind) {
    case PtxParameter::Kind::local:
      if (value || bytes == 0) return CL_INVALID_ARG_VALUE;
      object.local_bytes[index] = bytes;
      return CL_SUCCESS;
    case PtxParameter::Kind::memory: {
      if (bytes != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
      cl_mem memory = nullptr;
      if (value) std::memcpy(&memory, value, sizeof memory);
      auto* const buffer = object_of<BufferObject>(memory);
      const Address address = buffer ? buffer->address : 0;
      if (address % parameter.alignment != 0) return CL_MISALIGNED_SUB_BUFFER_OFFSET;
      std::memcpy(to, &address, sizeof address);
      object.buffers[index] = buffer ? buffer->owner() : nullptr;
      return CL_SUCCESS;
    }
    case PtxParameter::Kind::value:
      if (bytes != parameter.bytes) return CL_INVALID_ARG_SIZE;
      std::memcpy(to, value, bytes);
      return CL_SUCCESS;
  }
  return CL_INVALID_ARG_VALUE;
}

cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id,
                                       cl_kernel_work_group_info name, std::size_t size,
                                       void* value, std::size_t* needed) {
  auto& object = *object_of<KernelObject>(kernel);
  constexpr std::size_t kWarp = 32;
  int number = 0;
  switch (name) {
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return answer(kWarp, size, value, needed);
    case CL_KERNEL_WORK_GROUP_SIZE:
      if (driver().module.attribute(&number, kMostItems, object.function) != kSuccess)
        return CL_INVALID_KERNEL;
      return answer(static_cast<std::size_t>(number), size, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // namespace

ProgramObject::~ProgramObject() {
  if (module) context->releases().add({.module = module});
}

void add_program_functions(cl_icd_dispatch& table) {
  table.clCreateProgramWithSource = guarded<create_with_source>;
  table.clCreateProgramWithBinary = guarded<create_with_binary>;
  table.clRetainProgram = retain<ProgramObject, cl_program>;
  table.clReleaseProgram = release<ProgramObject, cl_program>;
  table.clBuildProgram = guarded<build_program>;
  table.clGetProgramInfo = guarded<get_program_info>;
  table.clGetProgramBuildInfo = guarded<get_build_info>;
  table.clCreateKernel = guarded<create_kernel>;
  table.clRetainKernel = retain<KernelObject, cl_kernel>;
  table.clReleaseKernel = release<KernelObject, cl_kernel>;
  table.clSetKernelArg = guarded<set_argument>;
  table.clGetKernelWorkGroupInfo = guarded<get_work_group_info>;
}

}  // namespace imago::cuda
