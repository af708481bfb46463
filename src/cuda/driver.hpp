// This file loads CUDA's driver, libcuda, at run time. Nothing of CUDA is needed to build imago.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// CUDA's own names of its opaque types, so that its handles need no conversion.
struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUgraph_st;
struct CUuserObject_st;

namespace imago::cuda {

using Address = std::uint64_t;            ///< CUdeviceptr
constexpr int kSuccess = 0;               ///< CUDA_SUCCESS
constexpr int kNotReady = 600;            ///< CUDA_ERROR_NOT_READY
constexpr int kContextIsDestroyed = 709;  ///< CUDA_ERROR_CONTEXT_IS_DESTROYED

/// The functions of CUDA's driver API that imago calls, by topic. Each returns a CUresult; its
/// parameters are those of cuda.h (CUDA 12).
struct DriverFunctions {
  struct {
    int (*init)(unsigned flags);
    int (*error_name)(int result, const char** text);
    int (*get)(int* device, int ordinal);
    int (*attribute)(int* value, int attribute, int device);
    int (*uuid)(unsigned char* uuid, int device);
    int (*retain_primary)(CUctx_st** context, int device);
  } device;
  struct {
    int (*current)(CUctx_st** context);
    int (*push)(CUctx_st* context);
    int (*pop)(CUctx_st** context);
    int (*device)(int* device);
    int (*id)(CUctx_st* context, unsigned long long* id);
    int (*exchange_capture_mode)(int* mode);
  } context;
  struct {
    int (*load)(CUmod_st** module, const void* text, unsigned options, int* names, void** values);
    int (*unload)(CUmod_st* module);
    int (*function)(CUfunc_st** function, CUmod_st* module, const char* name);
    int (*attribute)(int* value, int attribute, CUfunc_st* function);
    int (*set_attribute)(CUfunc_st* function, int attribute, int value);
  } module;
  struct {
    int (*allocate)(Address* memory, std::size_t bytes);
    int (*release)(Address memory);
    int (*upload)(Address to, const void* from, std::size_t bytes, CUstream_st* stream);
    int (*download)(void* to, Address from, std::size_t bytes, CUstream_st* stream);
    int (*copy)(Address to, Address from, std::size_t bytes, CUstream_st* stream);
    int (*fill)(Address to, unsigned char value, std::size_t bytes, CUstream_st* stream);
  } memory;
  struct {
    int (*make)(CUstream_st** stream, unsigned flags);
    int (*destroy)(CUstream_st* stream);
    int (*synchronize)(CUstream_st* stream);
    int (*id)(CUstream_st* stream, unsigned long long* id);
    int (*context)(CUstream_st* stream, CUctx_st** context);
    int (*is_capturing)(CUstream_st* stream, int* status);
    int (*wait_for)(CUstream_st* stream, CUevent_st* event, unsigned flags);
    int (*launch)(CUfunc_st* function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                  unsigned items_x, unsigned items_y, unsigned items_z, unsigned shared_bytes,
                  CUstream_st* stream, void** arguments, void** extra);
  } stream;
  struct {
    int (*make)(CUevent_st** event, unsigned flags);
    int (*record)(CUevent_st* event, CUstream_st* stream);
    int (*query)(CUevent_st* event);
    int (*synchronize)(CUevent_st* event);
  } event;
  struct {
    int (*of_capture)(CUstream_st* stream, int* status, std::uint64_t* id, CUgraph_st** graph,
                      const void** nodes, std::size_t* count);
    int (*make_object)(CUuserObject_st** object, void* value, void (*destroy)(void* value),
                       unsigned references, unsigned flags);
    int (*release_object)(CUuserObject_st* object, unsigned references);
    int (*keep_object)(CUgraph_st* graph, CUuserObject_st* object, unsigned references,
                       unsigned flags);
  } graph;
};

/// Loads the driver at its first call. Throws Unsupported if there is none, or if it is older than
/// CUDA 12.
const DriverFunctions& driver();

/// Returns "CUDA_ERROR_INVALID_VALUE" for 1, and so on.
std::string name_of_error(int result);

/// Throws DeviceError unless `result` is CUDA_SUCCESS.
void check(int result, const char* call);

}  // namespace imago::cuda
