// This file asks the driver about memory objects: each time. Nothing may be remembered by a handle:
// NVIDIA's driver gives the handle of a freed object to another one before it calls the destructor
// callbacks of the first, so that eight threads found the sizes of each other's buffers
// (tests/abuse/threads.cpp on an H200).
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
