// This file allocates the memory between passes.
#include "small/scratch.hpp"

#include <new>

namespace imago::small {
namespace {

constexpr std::align_val_t kAlignment{64};

struct ThreadMemory {
  void* data = nullptr;
  std::size_t bytes = 0;

  ThreadMemory() = default;
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;
  ~ThreadMemory() { release(); }
  void release() {
    if (data) ::operator delete(data, kAlignment);
    data = nullptr, bytes = 0;
  }
  void* grow(std::size_t size) {
    release();
    data = ::operator new(size, kAlignment);
    bytes = size;
    return data;
  }
};

}  // namespace

void* scratch(std::size_t bytes) {
  thread_local ThreadMemory memory;
  return bytes <= memory.bytes ? memory.data : memory.grow(bytes);
}

}  // namespace imago::small
