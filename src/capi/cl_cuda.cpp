// This file implements imago_cuda.h: OpenCL's handles of CUDA's objects. No exception leaves it.
#include <imago/imago_cuda.h>
#include <imago/cuda.hpp>

#include "base/errors.hpp"
#include "capi/cl_functions.hpp"
#include "cuda/objects.hpp"

namespace capi = imago::capi;

namespace {

imago::CudaScope scope_of(cl_context context) {
  if (!context || !imago::cuda::is_context(context))
    imago::base::invalid("context", context ? "an OpenCL context" : "null",
                         "give that of imago_cuda_scope()");
  return imago::CudaScope(imago::cuda::object_of<imago::cuda::ContextObject>(context)->cuda);
}

/// Gives an object's reference to the caller.
template <class Object>
auto given(Object object) {
  auto handle = object();
  object() = nullptr;
  return handle;
}

}  // namespace

imago_status imago_cuda_scope(struct CUctx_st* cuda, cl_context* context, cl_device_id* device) {
  return capi::guarded(capi::last_error(), [&] {
    auto& context_result = capi::result_of(context, "context");
    auto& device_result = capi::result_of(device, "device");
    const imago::CudaScope scope(cuda);
    context_result = given(scope.context());
    device_result = given(scope.device());
  });
}

imago_status imago_cuda_queue(cl_context context, struct CUstream_st* stream,
                              cl_command_queue* queue) {
  return capi::guarded(capi::last_error(), [&] {
    capi::result_of(queue, "queue") = given(scope_of(context).queue(stream));
  });
}

imago_status imago_cuda_buffer(cl_context context, unsigned long long memory, size_t bytes,
                               cl_mem* buffer) {
  return capi::guarded(capi::last_error(), [&] {
    capi::result_of(buffer, "buffer") = given(scope_of(context).buffer(memory, bytes));
  });
}
