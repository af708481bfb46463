// This file remembers what the driver says about memory objects, so that it is asked once about
// each of them. An object that is freed is forgotten before its address can name another one: the
// driver tells of it (clSetMemObjectDestructorCallback).
#pragma once

#include <cstdint>

#include "runtime/opencl.hpp"

namespace imago::runtime {

/// What cannot change about a memory object.
struct KnownMemory {
  bool operator==(const KnownMemory&) const = default;

  cl_context context = nullptr;
  bool is_buffer = false;
  std::size_t bytes = 0;
  cl_mem_flags flags = 0;
  cl_mem parent = nullptr;   ///< of a sub-buffer the buffer that it is a part of, else itself
  std::uint64_t origin = 0;  ///< where it begins in `parent`, in bytes
};

/// Asks the driver where no earlier call did. Throws DeviceError for what is no memory object.
KnownMemory known(cl_mem memory);

/// Asks the driver now, whatever was known, and keeps what it says; a warning tells of another
/// answer.
KnownMemory asked_again(cl_mem memory);

/// How many objects that known() was asked about have been freed so far. As long as it stays, a
/// handle that was asked about names the object that it named then.
std::uint64_t freed_memories() noexcept;

}  // namespace imago::runtime
