// This file allocates device memory.
#pragma once

#include <cstddef>

#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Returns memory that kernels may read and write; its contents are undefined.
Handle<cl_mem> allocate(cl_context context, std::size_t bytes);
/// Returns memory that kernels read; it holds a copy of `data`.
Handle<cl_mem> allocate_copy(cl_context context, std::size_t bytes, const void* data);

/// Returns zeroed memory that kernels may read and write.
Handle<cl_mem> allocate_zeros(cl_context context, std::size_t bytes);

/// Largest pattern of clEnqueueFillBuffer that sets memory to zero.
constexpr std::size_t kLargestPattern = 16;
/// Returns the bytes of the pattern with which the device fills this part of memory fastest. On an
/// H200, the driver fills memory 8 times as fast with 16 bytes as with one; PoCL on a CPU fills it
/// fastest with one.
std::size_t pattern_of_zeros(cl_device_id device, std::size_t offset, std::size_t bytes);

/// Pinned host memory, which the device copies to and from without an intermediate copy.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(cl_context context, cl_device_id device, std::size_t bytes);
  HostMemory(HostMemory&&) noexcept;
  HostMemory& operator=(HostMemory&&) noexcept;
  ~HostMemory();
  void* data() const { return data_; }

 private:
  Handle<cl_command_queue> queue_;
  Handle<cl_mem> buffer_;  ///< mapped during its whole life
  void* data_ = nullptr;
};

}  // namespace imago::runtime
