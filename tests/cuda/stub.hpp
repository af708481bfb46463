// This file declares what tests ask of the stub of CUDA's driver.
#pragma once

#include <cstddef>
#include <cstdint>

struct CUgraph_st;
struct CUctx_st;
struct CUstream_st;

namespace imago::cuda_stub {

/// Numbers of what the process has done so far.
struct Counts {
  std::size_t launches = 0;                          ///< launches of kernels by the driver
  std::size_t opencl_launches = 0;                   ///< launches by OpenCL, outside of the stub
  std::size_t allocations = 0;                       ///< memory that is not released
  std::size_t modules = 0, events = 0, streams = 0;  ///< objects that are not destroyed
  std::size_t calls = 0;                             ///< calls of the driver, in all
  std::size_t faults = 0;  ///< launches of unloaded kernels, or with released memory
};
Counts counts();

/// Lets the driver's call after `calls` more calls fail, once; negative: none.
void fail_after(long calls);

/// Makes a context current in this thread, and a stream in it.
CUctx_st* make_context(int gpu = 0);
void set_current(CUctx_st* context);
CUctx_st* current_context();
int capture_mode_of_thread();
/// Further pushes of the context fail, and its memory is gone.
void destroy_context(CUctx_st* context);
CUstream_st* make_stream();
void destroy_stream(CUstream_st* stream);
/// Commands of the stream wait until anything synchronizes or the stream is let go, as on a GPU
/// that is busy.
void hold(CUstream_st* stream);
void let_go(CUstream_st* stream);
/// Allocates memory that tests read and write as the host's own.
std::uint64_t allocate(std::size_t bytes);
void release(std::uint64_t memory);

/// Records the commands of a stream instead of running them.
void begin_capture(CUstream_st* stream);
CUgraph_st* end_capture(CUstream_st* stream);
void launch_graph(CUgraph_st* graph);
void destroy_graph(CUgraph_st* graph);

}  // namespace imago::cuda_stub
