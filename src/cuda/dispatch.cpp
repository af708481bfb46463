// This file makes the table of functions that OpenCL's loader calls.
#include "cuda/dispatch.hpp"

namespace imago::cuda {
namespace {

/// A function that this driver does not have.
template <class Function>
struct Refusal;
template <class Result, class... Arguments>
struct Refusal<Result(CL_API_CALL*)(Arguments...)> {
  static Result CL_API_CALL call(Arguments... arguments) {
    return fail<Result>(CL_INVALID_OPERATION, arguments...);
  }
};

/// Fills the entries that are null.
template <class... Functions>
void refuse(Functions&... functions) {
  const auto fill = []<class Function>(Function& function) {
    if constexpr (!std::is_same_v<Function, void*>)  // not a function on this system
      if (!function) function = Refusal<Function>::call;
  };
  (fill(functions), ...);
}

void refuse_others(cl_icd_dispatch& t) {
  refuse(t.clGetPlatformIDs, t.clGetDeviceIDs, t.clCreateContextFromType,
         t.clSetCommandQueueProperty, t.clCreateImage2D, t.clCreateImage3D,
         t.clGetSupportedImageFormats, t.clGetImageInfo, t.clCreateSampler, t.clRetainSampler,
         t.clReleaseSampler, t.clGetSamplerInfo, t.clUnloadCompiler, t.clCreateKernelsInProgram,
         t.clGetKernelInfo, t.clGetEventProfilingInfo, t.clEnqueueReadImage, t.clEnqueueWriteImage,
         t.clEnqueueCopyImage, t.clEnqueueCopyImageToBuffer, t.clEnqueueCopyBufferToImage,
         t.clEnqueueMapBuffer, t.clEnqueueMapImage, t.clEnqueueUnmapMemObject, t.clEnqueueTask,
         t.clEnqueueNativeKernel, t.clEnqueueMarker, t.clEnqueueWaitForEvents, t.clEnqueueBarrier,
         t.clGetExtensionFunctionAddress, t.clCreateFromGLBuffer, t.clCreateFromGLTexture2D,
         t.clCreateFromGLTexture3D, t.clCreateFromGLRenderbuffer, t.clGetGLObjectInfo,
         t.clGetGLTextureInfo, t.clEnqueueAcquireGLObjects, t.clEnqueueReleaseGLObjects,
         t.clGetGLContextInfoKHR, t.clSetEventCallback, t.clSetMemObjectDestructorCallback,
         t.clSetUserEventStatus, t.clEnqueueReadBufferRect, t.clEnqueueWriteBufferRect,
         t.clEnqueueCopyBufferRect, t.clCreateSubDevicesEXT, t.clRetainDeviceEXT,
         t.clReleaseDeviceEXT, t.clCreateEventFromGLsyncKHR, t.clCreateSubDevices, t.clCreateImage,
         t.clCreateProgramWithBuiltInKernels, t.clCompileProgram, t.clLinkProgram,
         t.clUnloadPlatformCompiler, t.clGetKernelArgInfo, t.clEnqueueFillImage,
         t.clEnqueueMigrateMemObjects, t.clGetExtensionFunctionAddressForPlatform,
         t.clCreateFromGLTexture, t.clCreateFromEGLImageKHR, t.clEnqueueAcquireEGLObjectsKHR,
         t.clEnqueueReleaseEGLObjectsKHR, t.clCreateEventFromEGLSyncKHR, t.clCreatePipe,
         t.clGetPipeInfo, t.clSVMAlloc, t.clSVMFree, t.clEnqueueSVMFree, t.clEnqueueSVMMemcpy,
         t.clEnqueueSVMMemFill, t.clEnqueueSVMMap, t.clEnqueueSVMUnmap,
         t.clCreateSamplerWithProperties, t.clSetKernelArgSVMPointer, t.clSetKernelExecInfo,
         t.clGetKernelSubGroupInfoKHR, t.clCloneKernel, t.clCreateProgramWithIL,
         t.clEnqueueSVMMigrateMem, t.clGetDeviceAndHostTimer, t.clGetHostTimer,
         t.clGetKernelSubGroupInfo, t.clSetDefaultDeviceCommandQueue, t.clSetProgramReleaseCallback,
         t.clSetProgramSpecializationConstant, t.clCreateBufferWithProperties,
         t.clCreateImageWithProperties, t.clSetContextDestructorCallback);
}

}  // namespace

const cl_icd_dispatch* dispatch_table() {
  static const cl_icd_dispatch* const table = [] {
    auto* const made = new cl_icd_dispatch{};
    add_context_functions(*made);
    add_memory_functions(*made);
    add_program_functions(*made);
    add_queue_functions(*made);
    refuse_others(*made);
    return made;
  }();
  return table;
}

}  // namespace imago::cuda
