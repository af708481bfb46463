/* This file lets imago's functions for C work on CUDA's memory, in CUDA's streams. It needs neither
   CUDA's headers nor its toolkit. A CUDA context, a stream and an address become OpenCL handles,
   which every function of imago_cl.h takes; release them with OpenCL's own functions. No other
   library can use these handles. Calls may be captured in a CUDA graph, which may outlive the plan.
   cuda.hpp explains them. */
#pragma once

#include <imago/imago_cl.h>

/* CUDA's own names of its opaque types: CUcontext and CUstream (cudaStream_t) point to them. */
struct CUctx_st;
struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the OpenCL handles of a CUDA context (imago::CudaScope): for clReleaseContext() and
 * clReleaseDevice(). Null: the context that is current in this thread, or if none is, the primary
 * context of GPU 0. Returns IMAGO_UNSUPPORTED without CUDA's driver of version 12 or later or
 * without NVIDIA's OpenCL driver, and IMAGO_DEVICE_ERROR if CUDA fails. */
IMAGO_API imago_status imago_cuda_scope(struct CUctx_st* cuda, cl_context* context,
                                        cl_device_id* device);
/** Returns the queue of a stream of the context, for clReleaseCommandQueue(); null: the default
 * stream. Keep it for many calls. Returns IMAGO_INVALID_ARGUMENT for a context that is not of
 * imago_cuda_scope(), and IMAGO_DEVICE_ERROR if CUDA fails. */
IMAGO_API imago_status imago_cuda_queue(cl_context context, struct CUstream_st* stream,
                                        cl_command_queue* queue);
/** Returns a view of `bytes` bytes at an address in CUDA's memory, for clReleaseMemObject(). The
 * address must be a multiple of the size of its elements. Returns IMAGO_INVALID_ARGUMENT for
 * address 0 and for a context that is not of imago_cuda_scope(). */
IMAGO_API imago_status imago_cuda_buffer(cl_context context, unsigned long long memory,
                                         size_t bytes, cl_mem* buffer);

#ifdef __cplusplus
}
#endif
