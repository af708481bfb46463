// This file allocates the memory between passes.
#include "small/scratch.hpp"

#include <new>

namespace imago::small {
namespace {

constexpr std::align_val_t kAlignment{64};

struct Memory {
  void* data = nullptr;
  std::size_t bytes = 0;

  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { release(); }
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
  thread_local Memory memory;
  return bytes <= memory.bytes ? memory.data : memory.grow(bytes);
}

}  // namespace imago::small
