// This file asks the driver about memory objects, in every call. Results must not be cached by
// handle. A handle may name another object before the destructor callbacks of the first have run:
// eight threads on an H200's host found the sizes of each other's buffers
// (docs/measured/security.md).
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/opencl.hpp"

namespace imago::runtime {

struct MemoryFacts {
  cl_context context = nullptr;
  bool is_buffer = false;
  std::size_t bytes = 0;
  cl_mem_flags flags = 0;
};

/// Throws DeviceError if the handle is no memory object.
MemoryFacts facts_of(cl_mem memory);

/// Returns the buffer that contains a sub-buffer, and the offset there in bytes; for other buffers,
/// the buffer itself and 0.
std::pair<cl_mem, std::uint64_t> parent_of(cl_mem buffer);

}  // namespace imago::runtime
