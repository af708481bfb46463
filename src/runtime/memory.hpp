// This file allocates device memory.
#pragma once

#include <cstddef>

#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Kernels may read and write it; its contents are undefined.
Handle<cl_mem> allocate(cl_context context, std::size_t bytes);
/// Kernels read it; holds a copy of `data`.
Handle<cl_mem> allocate_copy(cl_context context, std::size_t bytes, const void* data);

/// Kernels may read and write it; zero at first.
Handle<cl_mem> allocate_zeros(cl_context context, std::size_t bytes);

/// Memory of the host that the device copies to and from without an intermediate copy.
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
  Handle<cl_mem> buffer_;  ///< mapped as long as it lives
  void* data_ = nullptr;
};

}  // namespace imago::runtime
