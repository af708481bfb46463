// This file asks the driver about memory objects: each time. Nothing may be remembered by a handle,
// which may name another object before the destructor callbacks of the first are called: eight
// threads on an H200's host found the sizes of each other's buffers (docs/security.md).
#pragma once

#include <cstdint>

#include "runtime/opencl.hpp"

namespace imago::runtime {

struct MemoryFacts {
  cl_context context = nullptr;
  bool is_buffer = false;
  std::size_t bytes = 0;
  cl_mem_flags flags = 0;
};

/// Throws DeviceError for what is no memory object.
MemoryFacts facts_of(cl_mem memory);

/// Where a buffer lies.
struct MemoryPlace {
  cl_mem parent = nullptr;   ///< of a sub-buffer the buffer that it is a part of, else itself
  std::uint64_t origin = 0;  ///< where it begins in `parent`, in bytes
};

MemoryPlace place_of(cl_mem buffer);

}  // namespace imago::runtime
